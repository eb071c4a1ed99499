"""The app in a browser tab that runs Python itself: no server, thread or disk. ``web/page`` makes the page."""

from __future__ import annotations

import asyncio
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace
from textual import work
from textual.app import App
from textual.driver import Driver
from textual.events import AppBlur, AppFocus, Key, Resize
from textual.geometry import Size

from fourtwenty import file_storage
from fourtwenty.cli.browser_lines import STORAGE_SECONDS
from fourtwenty.file_storage import history_file, is_absent, settings_file
from fourtwenty.games.game import Roll, State
from fourtwenty.journal import links
from fourtwenty.journal.links import PuzzleLink, match_from, read_link
from fourtwenty.journal.record import Player, Record
from fourtwenty.odds import tables
from fourtwenty.play.flow import retry_while_locked
from fourtwenty.play.match import SaveError
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.input.sequences import InputParser
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.textual_base.actions import TOUCHED
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.themes import TERRACE

if TYPE_CHECKING:
    from collections.abc import Collection

    from fourtwenty.play.match import Match
    from fourtwenty.tui.screens.results import NextStep
    from fourtwenty.tui.screens.table import Table

NO_TABLE = "421 of four goes on by estimates: its exact table needs a network, once."

MODES = "\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?2004h"
"""Use the alternate screen, report the mouse, hide the cursor, mark pasted text."""


class BrowserPage(Protocol):
    """The page, with a terminal."""

    def show(self, painted: str) -> None:
        """Paint on the terminal."""

    def save(self, name: str, text: str) -> None:
        """Save a text as a file of this name."""

    def sit(self, identifier: str) -> None:
        """Remember the running match for when the page is reloaded; empty text for none."""

    def persist(self) -> None:
        """Ask the browser not to delete stored data: a game is finished."""

    def take_over(self) -> None:
        """Forget the first page's game, which is saved here now."""

    def open(self, address: str, elsewhere: bool) -> None:
        """Open an address, ``elsewhere`` in another tab."""

    def table(self, name: str) -> Buffer | None:
        """Return the contents of a missing table of the odds; None without a network."""


class Buffer(Protocol):
    def to_bytes(self) -> bytes:
        """Return the bytes of the page."""


class Handover(Struct, frozen=True):
    """The game of the first page, in the format of table.js."""

    id: str
    seed: str
    bot: str
    """The character of all bots."""
    players: tuple[Player, ...]
    rolls: tuple[tuple[int, ...], ...]

    def match(self) -> Match:
        """Return the match so far. Raises ValueError if it breaks the rules."""
        from fourtwenty.play.bots import bot_named
        from fourtwenty.play.dice import FairDice, parse_seed
        from fourtwenty.play.lineup import Lineup, Seat
        from fourtwenty.play.match import Match

        bot = bot_named(self.bot).name
        seats = tuple(Seat(each.name, bot if each.kind == "bot" else None) for each in self.players)
        match = Match(Lineup(seats), FairDice(parse_seed(self.seed)), identifier=self.id)
        for dice in self.rolls:
            if match.state.to_act is None:
                match.next_round()
            match.act(Roll(dice))
        return match


class LaunchRequest(Struct, frozen=True):
    """The reason why a page was started; the first field set of link, game and table counts."""

    link: str = ""
    """The text behind the # of its address."""
    seen: bool = False
    """Whether the link was open when the page was left: then the match begun from it goes on."""
    game: Handover | None = None
    light: bool = False
    """Whether the browser is in light mode: the first visit then chooses the light theme."""
    table: str = ""
    """The identifier of the match that was running when the page was left."""


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

    def fetch_table(self, name: str) -> bool:
        """Fetch a table of the odds; if that fails, say that odds are estimated."""
        contents = BrowserDriver.page.table(name)
        if contents is None:
            self.notify(NO_TABLE)
            return False
        tables.table_file(name).write_bytes(contents.to_bytes())
        return True

    def on_ready(self) -> None:
        self.open_requested()

    @work
    async def open_requested(self) -> None:
        asked = self.launch_request
        if asked.link:
            if not (asked.seen and self._go_on(asked.table)):
                await self.open_link(asked.link)
        elif not asked.game:
            self._go_on(asked.table)
        elif not self._go_on(asked.game.id):
            try:
                match = asked.game.match()
                journal = self.history_service.history.journal()
                await retry_while_locked(lambda: match.save_to(journal), asyncio.sleep, STORAGE_SECONDS)
            except (ValueError, SaveError) as why:
                self.warn(f"The game of the first page can't go on here: {why}.")
                return
            BrowserDriver.page.take_over()
            self.lineup = match.lineup
            self.play_matches(self._table(match))

    def _go_on(self, identifier: str) -> bool:
        with suppress(SaveError):
            found = (
                None if not identifier or is_absent(history_file()) else self.history_service.history.find(identifier)
            )
            if found is not None:
                BrowserDriver.page.take_over()
                self.action_resume(found)
                return True
        return False

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
        from fourtwenty.journal.practice_sources import PastDay, Today

        practising = self._practising()
        day = question.day or practising.today
        if day > practising.today:
            raise ValueError("That day's puzzle isn't out yet.")
        game = question.game
        source = Today(practising, game) if day == practising.today else PastDay(practising, game, day)
        self.push_screen(await practising.screen(source, self._leave_practice))

    async def _open_record(self, record: Record) -> None:
        from fourtwenty.cli.commands import verified_facts
        from fourtwenty.journal.record import verify_record
        from fourtwenty.tui.past_games.review_screen import Review

        try:
            state = verify_record(record)
        except ValueError as why:
            raise ValueError(f"This game is not as the link tells it: {why}") from why
        if not state.outcome:
            raise ValueError("This game is not over yet: a link shows finished ones.")
        review = Review(match_from(record))
        await self.push_screen(review)
        review.say(f"{verified_facts(record, state)}.")

    def _open_position(self, state: State) -> None:
        """Seat a person where the next choice is made, and best play elsewhere."""
        from fourtwenty.play.lineup import Lineup, Seat, free_name
        from fourtwenty.play.match import Match

        if self._playing:
            raise ValueError("Leave this game first, then open the link once more.")
        if state.to_act is None:
            raise ValueError("The round is over in this position.")
        seats: list[Seat] = []
        for seat in range(state.seats):
            bot = Seat(free_name("Perfect", seats), "Perfect")
            seats.append(Seat("You") if seat == state.to_act else bot)
        match = Match.fresh(Lineup(tuple(seats), game=state.key), None, state)
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
    page: BrowserPage, storage: file_storage.Storage, columns: int, rows: int, by_touch: bool, address: str, asked: str
) -> str:
    """Run the app in a tab; return the sentence about the damage that ended it, empty for none.

    ``storage`` has restored the data folder. ``by_touch``: the screen is touched; ``address``: that of the first page;
    ``asked``: the JSON of ``LaunchRequest``.
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
    tables.fetch = app.fetch_table
    app.set_class(by_touch, TOUCHED)
    await app.run_async(size=(columns, rows))
    return app.damage


def read_launch_request(text: str) -> LaunchRequest:
    """Read the launch request; an empty one if it is unreadable."""
    try:
        return json.decode(text, type=LaunchRequest)
    except (MsgspecError, ValueError):
        return LaunchRequest()


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
    return printed.getvalue()
