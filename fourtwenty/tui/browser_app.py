"""The app in a browser tab that runs Python itself: no server, thread or disk. ``web/page`` makes the page."""

from __future__ import annotations

import asyncio
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import App
from textual.driver import Driver
from textual.events import AppBlur, AppFocus, Key, Resize
from textual.geometry import Size

from fourtwenty import file_storage
from fourtwenty.cli.browser_page import (
    STORAGE_SECONDS,
    BrowserPage,
    LaunchRequest,
    fetch_table,
    find_running,
    match_from_position,
    read_launch_request,
    verified_match,
)
from fourtwenty.file_storage import history_file, is_absent, settings_file
from fourtwenty.games.game import State
from fourtwenty.journal import links
from fourtwenty.journal.links import PuzzleLink, read_link
from fourtwenty.journal.record import Record
from fourtwenty.odds import tables
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.input.sequences import InputParser
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.themes import TERRACE

if TYPE_CHECKING:
    from collections.abc import Collection

    from fourtwenty.tui.screens.results import NextStep
    from fourtwenty.tui.screens.table import Table

MODES = "\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?2004h"
"""Use the alternate screen, report the mouse, hide the cursor, mark pasted text."""


class BrowserDriver(Driver):
    page: ClassVar[BrowserPage]
    running: ClassVar[BrowserDriver | None] = None

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._parser = InputParser()

    @property
    def is_web(self) -> bool:
        return True

    def write(self, data: str) -> None:
        self.page.show(data)

    def start_application_mode(self) -> None:
        self.write(MODES)
        assert self._size
        self.resize(*self._size)
        BrowserDriver.running = self

    def disable_input(self) -> None:
        pass

    def stop_application_mode(self) -> None:
        BrowserDriver.running = None

    def feed(self, text: str) -> None:
        """Receive input of the terminal: keys, the mouse, pasted text."""
        for event in self._parser.feed(text):
            self.process_message(event)
        self._tick()

    def _tick(self) -> None:
        for event in self._parser.tick():
            self.process_message(event)
        if (seconds := self._parser.seconds_left) is not None:
            self._loop.call_later(seconds, self._tick)

    def resize(self, columns: int, rows: int) -> None:
        self._size = columns, rows
        self.send_message(Resize(Size(columns, rows), Size(columns, rows)))

    def open_url(self, url: str, new_tab: bool = True) -> None:
        self.page.open(url, new_tab)

    def focus(self, focused: bool) -> None:
        self.send_message(AppFocus() if focused else AppBlur())


class BrowserApp(FourTwentyApp):
    """The app without a process, a network or a shell."""

    absent: ClassVar[Collection[str]] = {"friends", "suspend_process", "help_quit"}
    has_threads = False

    launch_request: LaunchRequest = LaunchRequest()

    def on_ready(self) -> None:
        self.open_requested()

    @work
    async def open_requested(self) -> None:
        asked = self.launch_request
        if self._go_on(asked):
            return
        if asked.link:
            await self.open_link(asked.link)
        elif asked.game:
            try:
                match = await asked.game.saved_match(self.history_service.history.journal())
            except ValueError as why:
                self.warn(str(why))
                return
            BrowserDriver.page.take_over()
            self.lineup = match.lineup
            self.play_matches(self._table(match))

    def _go_on(self, asked: LaunchRequest) -> bool:
        if not asked.running or is_absent(history_file()):
            return False
        found = find_running(self.history_service.history, asked)
        if found is not None:
            BrowserDriver.page.take_over()
            self.action_resume(found)
        return found is not None

    async def open_link(self, fragment: str) -> None:
        """Open a link; this writes nothing."""
        try:
            target = read_link(fragment)
            if isinstance(target, PuzzleLink):
                await self._open_puzzle(target)
            elif isinstance(target, Record):
                await self._open_record(target)
            else:
                self._open_position(target)
        except ValueError as why:
            if isinstance(self.screen, BaseScreen):
                self.screen.say(str(why), refused=True)

    async def _open_puzzle(self, question: PuzzleLink) -> None:
        practising = self._practising()
        self.push_screen(await practising.screen(practising.daily(question.game, question.day)))

    async def _open_record(self, record: Record) -> None:
        from fourtwenty.tui.past_games.review_screen import Review

        match, facts = verified_match(record)
        review = Review(match)
        await self.push_screen(review)
        review.say(facts)

    def _open_position(self, state: State) -> None:
        if self._playing:
            raise ValueError("Leave this game first, then open the link once more.")
        match = match_from_position(state)
        match.journal = self.history_service.history.journal()  # writes nothing before the first roll
        self.lineup = match.lineup
        self.play_matches(self._table(match))

    async def play_match(self, table: Table) -> NextStep:
        BrowserDriver.page.sit(table.match.identifier or "")
        try:
            return await super().play_match(table)
        finally:
            BrowserDriver.page.sit("")
            if table.match.state.outcome:
                BrowserDriver.page.persist()

    def get_driver_class(self) -> type[Driver]:
        return BrowserDriver

    def export(self, name: str, record: str) -> str:
        """Save a record as a file of the browser; return its name."""
        BrowserDriver.page.save(name, record)
        return f"The record is saved as {name}"


async def play(
    page: BrowserPage, storage: file_storage.Storage, asked: str, columns: int, rows: int, address: str
) -> str:
    """Run the app in a tab; return the sentence about the damage that ended it, empty for none.

    ``storage`` has restored the data folder. ``asked`` is the JSON of ``LaunchRequest``, ``address`` the first page's.
    """
    # Pyodide 314.0.7 (webloop.py, create_task) calls a function that asyncio of Python 3.14 no longer has, for every
    # task of a task factory. Textual 8.2 sets one. It can go when Pyodide stops calling it.
    if not hasattr(asyncio.tasks, "_set_task_name"):
        asyncio.tasks._set_task_name = lambda task, name: task.set_name(name)  # type: ignore[attr-defined]
    file_storage.storage = storage
    BrowserDriver.page = page
    MatchFlow.quiet_seconds = STORAGE_SECONDS
    links.page = address
    app = BrowserApp()
    app.launch_request = read_launch_request(asked)
    if app.launch_request.light and is_absent(settings_file()):
        app.settings = replace(app.settings, theme=TERRACE.name)
        app.theme = TERRACE.name
    tables.fetch = partial(fetch_table, page, app.notify)
    await app.run_async(size=(columns, rows))
    return app.damage


def open_link(fragment: str) -> None:
    app = BrowserDriver.running and BrowserDriver.running._app
    if isinstance(app, BrowserApp):
        app.call_later(app.open_link, fragment)


def send(method: str, *values: object) -> None:
    """Call a method of the running driver: ``feed``, ``resize`` or ``focus``."""
    if BrowserDriver.running:
        getattr(BrowserDriver.running, method)(*values)


def back() -> bool:
    """Treat the browser's Back as Escape; return whether it leaves the page, from the lobby only."""
    driver = BrowserDriver.running
    if driver is None or isinstance(driver._app.screen, Lobby):
        return True
    driver.process_message(Key("escape", "\x1b"))
    return False


def verified(file: str) -> str:
    from fourtwenty.cli.arguments import parse
    from fourtwenty.cli.commands import run_command

    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed), suppress(SystemExit):
        run_command(parse(["verify", file]))
    return printed.getvalue().removeprefix("fourtwenty verify: ")  # a page has no commands
