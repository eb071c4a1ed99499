"""The app in a tab of a browser where Python itself runs, without a server, a thread or a disk.

``web/page`` makes the page. Its worker calls ``play`` with two objects, which are all that is known of the browser.
"""

from __future__ import annotations

import asyncio
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace
from textual import work
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.constants import ESCAPE_DELAY
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
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.textual_base.actions import TOUCHED
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.themes import TERRACE

if TYPE_CHECKING:
    from collections.abc import Collection

    from fourtwenty.play.match import Match
    from fourtwenty.tui.screens.results import Next
    from fourtwenty.tui.screens.table import Table

NO_TABLE = "421 of four goes on by estimates: its exact table needs a network, once."

MODES = "\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?2004h"
"""The terminal shows another screen, reports the mouse, hides its cursor and marks what is pasted."""


class BrowserPage(Protocol):
    """The page in the tab, with a terminal."""

    def show(self, painted: str) -> None:
        """Paint on the terminal."""

    def save(self, name: str, text: str) -> None:
        """Save a text as a file of this name."""

    def sit(self, identifier: str) -> None:
        """Remember the match that is played, for when the page is loaded again; empty text for none."""

    def persist(self) -> None:
        """Ask the browser not to delete what is stored: a game has been finished."""

    def take_over(self) -> None:
        """Forget the game of the first page, which is kept here now."""

    def open(self, address: str, elsewhere: bool) -> None:
        """Go to an address, elsewhere in another tab."""

    def table(self, name: str) -> Buffer | None:
        """Return the contents of a table of the odds that is not here; None without a network."""


class Buffer(Protocol):
    """Bytes of the page."""

    def to_bytes(self) -> bytes:
        """Return them."""


class Handover(Struct, frozen=True):
    """The game of the first page, as table.js keeps it."""

    id: str
    seed: str
    bot: str
    """The character of all bots."""
    players: tuple[Player, ...]
    rolls: tuple[tuple[int, ...], ...]

    def match(self) -> Match:
        """Return the match as far as it was played. Raises ValueError where it cannot have been."""
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
    """What a page was started for: of link, game and table, the first that is given."""

    link: str = ""
    """The text behind the # of its address."""
    seen: bool = False
    """Whether the link was there when the page was left: then a match that it began goes on."""
    game: Handover | None = None
    """The game of the first page."""
    light: bool = False
    """Whether the browser's looks are light: then the first visit chooses the theme for it."""
    table: str = ""
    """The identifier of the match that was played here when the page was left."""


class BrowserDriver(Driver):
    page: ClassVar[BrowserPage]
    running: ClassVar[BrowserDriver | None] = None

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._parser = XTermParser(debug)

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
        """Take what the terminal sends: keys, the mouse, pasted text."""
        for event in self._parser.feed(text):
            self.process_message(event)
        self._loop.call_later(ESCAPE_DELAY + 0.001, self._tick)  # a single Escape counts after this time

    def _tick(self) -> None:
        for event in self._parser.tick():
            self.process_message(event)

    def resize(self, columns: int, rows: int) -> None:
        self._size = columns, rows
        self.send_message(Resize(Size(columns, rows), Size(columns, rows)))

    def open_url(self, url: str, new_tab: bool = True) -> None:
        self.page.open(url, new_tab)

    def focus(self, focused: bool) -> None:
        self.send_message(AppFocus() if focused else AppBlur())


class BrowserApp(FourTwentyApp):
    """The app without what needs a process, a network or a shell."""

    absent: ClassVar[Collection[str]] = {"friends", "suspend_process", "help_quit"}
    has_threads = False

    launch_request: LaunchRequest = LaunchRequest()

    def fetch_table(self, name: str) -> bool:
        """Fetch a table of the odds; say so where it cannot be had: then they are estimates."""
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
        """Open what the page was started for."""
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
        """Open what a link leads to. Nothing is written for that."""
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
        from fourtwenty.journal.sources import PastDay, Today

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
        """Seat a person where the next choice is made, and best play on the other seats."""
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
        match.journal = self.history_service.history.journal()  # which has nothing to write before the first roll
        self.lineup = match.lineup
        self.play_matches(self._table(match))

    async def play_match(self, table: Table) -> Next:
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
        """Save a record as a file of the browser; return how it is called."""
        BrowserDriver.page.save(name, record)
        return f"The record is saved as {name}"


async def play(
    page: BrowserPage, storage: file_storage.Storage, columns: int, rows: int, by_touch: bool, address: str, asked: str
) -> str:
    """Run the app in a tab, and return the sentence about the damage that ended it, if any.

    The data folder is there, as ``storage`` has kept it. ``by_touch`` is whether the screen is touched, ``address``
    that of the first page, and ``asked`` the JSON of ``LaunchRequest``.
    """
    # Pyodide 314.0.7 (webloop.py, create_task) calls a function that asyncio of Python 3.14 no longer has, for every
    # task of a task factory. Textual 8.2 sets one. It can go when Pyodide does not call it.
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
    """Read what a page was started for; nothing, where that is not readable."""
    try:
        return json.decode(text, type=LaunchRequest)
    except (MsgspecError, ValueError):
        return LaunchRequest()


def open_link(fragment: str) -> None:
    app = BrowserDriver.running and BrowserDriver.running._app
    if isinstance(app, BrowserApp):
        app.call_later(app.open_link, fragment)


def send(method: str, *values: object) -> None:
    """Call a method of the driver that plays: ``feed``, ``resize`` or ``focus``."""
    if BrowserDriver.running:
        getattr(BrowserDriver.running, method)(*values)


def back() -> bool:
    """Take the browser's way back as Escape; return whether it leaves the page: there is nothing before the lobby."""
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
