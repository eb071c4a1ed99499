"""Keys typed ahead into every screen and dialog there is, found by pressing every key, and every width of each."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from apps_in_a_room import Bar, at_table
from busy_history import held
from long_tests import PRODUCT, mostly_long
from msgspec.structs import replace
from table_pilot import TablePilot, driving, playing
from textual.notifications import Notifications
from textual.screen import Screen
from waiting import until

from fourtwenty.file_storage import history_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Faces
from fourtwenty.journal.history import History
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.rooms import tui as of_rooms
from fourtwenty.rooms.tui.room_launcher import RoomLauncher
from fourtwenty.rooms.wire.room_session import RoomSession
from fourtwenty.tui import dialogs, past_games, screens
from fourtwenty.tui.app import FourTwentyApp, StayAtTable, TableNotOpenedError
from fourtwenty.tui.dialogs.question_dialogs import MarkDialog, ShareDialog
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.textual_base.mouse_button import MouseButton

Start = Callable[[Path], AbstractAsyncContextManager[TablePilot]]

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)
THREE = Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)
THROWS: list[Faces] = [(6, 6, 5, 1), (6, 5, 5, 1)]
WON: list[Faces] = [(6, 6, 5, 3), (6, 5, 5, 1)]
SYSTEM = {"ctrl+c", "ctrl+z", "ctrl+q"}
"""Keys that end the program or put it to sleep."""


@asynccontextmanager
async def started(
    lineup: Lineup | None = None, opening: Callable[[], Awaitable[RoomSession]] | None = None, rooms: bool = True
) -> AsyncIterator[TablePilot]:
    """The app with its tips, and with dice that fall as they like."""
    app = FourTwentyApp(lineup, rooms=RoomLauncher(opening) if rooms else None)
    app.pace = 0
    async with driving(app) as pilot:
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def lobby(_: Path, keys: tuple[str, ...] = (), to: str = "") -> AsyncIterator[TablePilot]:
    """A lobby with a game that is over, full of mistakes, and one that is not; or where keys lead from it."""
    with closing(History(history_file(), pytest.fail)) as history:
        Match(THREE, journal=history.journal(), identifier="0" * 32).act(ROLL_ALL)  # of three, no roll ends it
        match, chance = Match(TWO, journal=history.journal(), identifier="1" * 32), random.Random(420)
        while match.state.to_act is not None:
            match.act(chance.choice(match.state.actions))
    async with started() as pilot:
        shown = pilot.app.screen
        assert isinstance(shown, Lobby)
        await until(lambda: bool(shown.unfinished and shown.played))
        await pilot.press(*keys)
        assert pilot.stack()[-1].endswith(to)
        yield pilot


@asynccontextmanager
async def sharing(_: Path) -> AsyncIterator[TablePilot]:
    """The text of a puzzle of the day; how many keys lead there depends on the day."""
    async with started() as pilot:
        await pilot.app.push_screen(ShareDialog("420"))
        yield pilot


@asynccontextmanager
async def marking(_: Path) -> AsyncIterator[TablePilot]:
    """A text to be marked with the mouse; keys lead there where nothing can copy."""
    async with started() as pilot:
        await pilot.app.push_screen(MarkDialog("420"))
        yield pilot


@asynccontextmanager
async def without_the_extra(_: Path) -> AsyncIterator[TablePilot]:
    """The ways to tables of several machines, where what they need is not installed."""
    async with started(rooms=False) as pilot:
        await pilot.press("w")
        yield pilot


class SameFaces(ScriptedDice):
    """Dice of which any that people select fall as in their first throw."""

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:  # noqa: ARG002
        return tuple(THROWS[seat][die - 1] for die in dice)


@asynccontextmanager
async def second_turn(_: Path, typed: bool = False) -> AsyncIterator[TablePilot]:
    """A table at the second turn of people."""
    lineup = replace(TWO, typed=typed)
    async with playing(lineup, [] if typed else THROWS) as pilot:
        for seat in (0, 1):
            await pilot.turn(seat)
            await pilot.press("enter", *(["6", "6", "5", "1", "enter"] if typed else []))
        table = await pilot.turn(seat=0)
        if not typed:
            table.match.dice = SameFaces(())
        await pilot.press("escape", "a")  # to roll all four is a mistake
        yield pilot


@asynccontextmanager
async def round_over(_: Path, lineup: Lineup = THREE) -> AsyncIterator[TablePilot]:
    """The result of a round, which is the end of the match where two play."""
    async with playing(lineup, WON) as pilot:
        await pilot.turn()
        await pilot.results("enter")
        yield pilot


@asynccontextmanager
async def unsaved(_: Path) -> AsyncIterator[TablePilot]:
    """A table that cannot keep its match, because another program writes."""
    with closing(History(history_file(), pytest.fail)) as history:
        history.count()
    async with playing(TWO, THROWS) as pilot:
        table = await pilot.turn()
        table.match.dice = SameFaces(())
        with held():
            await pilot.press("enter")
            await until(lambda: type(pilot.app.screen).__name__ == "SaveFailedDialog")
            yield pilot


@asynccontextmanager
async def never_kept(folder: Path) -> AsyncIterator[TablePilot]:
    """A table whose players have agreed to play on unsaved."""
    async with unsaved(folder) as pilot:
        await pilot.press("p")
        await pilot.turn()
        yield pilot


@asynccontextmanager
async def too_small(_: Path) -> AsyncIterator[TablePilot]:
    """A terminal in which nothing can be shown."""
    async with playing(size=(10, 3)) as pilot:
        yield pilot


@asynccontextmanager
async def gathering(folder: Path) -> AsyncIterator[TablePilot]:
    """A table of several machines before its match."""
    bar = Bar(folder)
    async with bar.app("Ann", "Ann", page="http://192.168.1.23:8024/") as pilot, bar.app("Ben", "Ben"):
        yield pilot


@asynccontextmanager
async def far_table(folder: Path) -> AsyncIterator[TablePilot]:
    """A table of several machines in a match."""
    bar = Bar(folder)
    async with bar.app("Ann", "Ann") as pilot, bar.app("Ben", "Ben") as other:
        await pilot.press("enter")
        await at_table(pilot, other)
        yield pilot


@asynccontextmanager
async def opening(_: Path) -> AsyncIterator[TablePilot]:
    """The program while it joins a table that does not answer."""

    async def never() -> RoomSession:
        await asyncio.Event().wait()
        raise AssertionError

    async with started(opening=never) as pilot:
        yield pilot


IN_CI: tuple[Start, ...] = (
    partial(lobby, keys=("h", "enter")),
    partial(second_turn, typed=True),
)
"""The places from which keys run the most lines for their time."""

STARTS: tuple[Start, ...] = (
    *IN_CI,
    lobby,
    partial(round_over, lineup=TWO),
    far_table,
    partial(lobby, keys=("h",)),
    partial(lobby, keys=("h", "s")),
    partial(lobby, keys=("o", *["down"] * 4, "enter"), to="PositionDialog"),
    sharing,
    marking,
    without_the_extra,
    second_turn,
    round_over,
    unsaved,
    never_kept,
    too_small,
    gathering,
    opening,
)
"""Places from which keys lead to every screen."""

TYPING = "fourtwenty/tui/textual_base/"
"""The modules that keep keys until a screen takes them."""


NEWS = re.compile("^This game is saved again|^No game can be resumed|: Cheers!$")
"""Finds the notes that say what happens elsewhere."""

BASES = {"QuestionDialog", "ChoiceDialog", "Dialog", "FieldDialog", "MatchView", "PickerDialog"}
"""Screens that only others are made of."""


class Crawl:
    """Presses every key on every screen that keys lead to, each with more keys behind it in the same burst."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, bursts: Iterable[tuple[str, ...]]) -> None:
        self.folder = folder
        self.monkeypatch = monkeypatch
        self.bursts = list(bursts)
        self.next = -1
        """The place of the next key: some screens are there only before other keys have been pressed."""
        self.opened: list[str] = []
        """The screens that were opened lately, by name."""
        self.reached: set[str] = set()
        """The screens whose keys have been pressed, by name."""
        self.lives = 0
        self.notes: set[str] = set()
        """What was said in notes."""
        self.busy: Callable[[], bool] = bool
        """Whether keys wait to be handled."""
        push = FourTwentyApp.push_screen

        def noted(app: FourTwentyApp, screen: Screen[object], *rest: object, **options: object) -> object:
            self.opened.append(type(screen).__name__)
            return push(app, screen, *rest, **options)  # type: ignore[call-overload]

        in_thread = asyncio.to_thread

        async def late(work: Callable[..., object], *rest: object) -> object:
            """Return what a thread has found, as from a slow disk: once all keys have been handled."""
            found = await in_thread(work, *rest)
            for _ in range(2000):
                await asyncio.sleep(0)
                if not self.busy():
                    break
            for _ in range(50):  # and what follows from them
                await asyncio.sleep(0)
            return found

        monkeypatch.setattr(asyncio, "to_thread", late)
        monkeypatch.setattr(FourTwentyApp, "push_screen", noted)
        monkeypatch.setattr(Notifications, "add", lambda _, note: self.notes.add(note.message))

        async def host(*_: object) -> StayAtTable:
            raise TableNotOpenedError("No broker is started here.")

        monkeypatch.setattr(RoomLauncher, "host", host)

    async def crawl(self, start: Start, deep: bool) -> None:
        """Press every key at a start, and if it is to go deep, on every screen that they lead to."""
        ways: list[tuple[tuple[str, ...], str]] = [((), "")]  # the keys, and the screen that they lead to
        for way, name in ways:
            keys: list[str] | None = None
            while (keys is None or keys) and not (way and keys is None and name in self.reached):
                self.lives += 1
                self.busy = bool
                folder = self.folder / str(self.lives)
                self.monkeypatch.setenv("FOURTWENTY_HOME", str(folder / "home"))
                async with start(folder) as pilot:
                    root = pilot.stack()
                    await self.go(pilot, way)
                    screens = pilot.stack()
                    if keys is None:
                        await squeeze(pilot)
                        assert pilot.stack() == screens
                        self.reached.add(screens[-1])
                        keys = [key for key in pilot.app.active_bindings if key not in SYSTEM]
                    while keys and pilot.app.is_running and pilot.stack() == screens:
                        key = keys.pop(self.next)
                        if (opened := await self.press(pilot, key, screens)) and deep:
                            ways.append(((*way, key), opened))
                        if pilot.app.is_running and pilot.stack() == root:
                            await self.go(pilot, way)  # quicker than another life

    async def go(self, pilot: TablePilot, way: tuple[str, ...]) -> None:
        for key in way:
            await self.type(pilot, key)

    async def press(self, pilot: TablePilot, key: str, before: list[str]) -> str:
        """Press a key, and with others behind it if it opens a screen that was not reached before; return its name."""
        opens = ""
        for behind in ((), *self.bursts):
            self.opened = []
            await self.type(pilot, key, *behind)
            opens = next((name for name in self.opened if name not in self.reached), opens)
            for back in ("escape", "escape", "q", "escape"):
                if pilot.app.is_running and pilot.stack() != before:
                    await self.type(pilot, back)
            if not opens or not pilot.app.is_running or pilot.stack() != before:
                break
        return opens

    async def type(self, pilot: TablePilot, *keys: str) -> None:
        """Press keys in one burst, and wait until all has been done that follows from them."""
        self.busy = lambda: pilot.app.is_running and bool(pilot.app.input_queue.waiting)  # type: ignore[attr-defined]
        pilot.burst(*keys)
        await until(lambda: not self.busy())
        await pilot.pause()


async def squeeze(pilot: TablePilot) -> None:
    """Lay the screens out at every width of a terminal that grows narrower, and as before."""
    before = pilot.app.size
    for columns in range(24, 0, -1):
        await pilot.resize_terminal(columns, 24)
    await pilot.resize_terminal(*before)


def every_screen() -> set[str]:
    found = set()
    for package in (screens, past_games, dialogs, of_rooms):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(import_module(module.name)).items():
                if isinstance(value, type) and issubclass(value, Screen) and value.__module__ == module.name:
                    found.add(name)
    return found


@mostly_long("start", STARTS, IN_CI, TYPING)
async def test_every_key_with_more_behind_it(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = Crawl(tmp_path, monkeypatch, [("z", "z", "enter"), ("z", "z", "escape")])
    await crawl.crawl(start, deep=False)
    assert crawl.reached
    assert not [note for note in crawl.notes if not NEWS.search(note)], "a screen answers a key in its line"


@pytest.mark.parametrize(("key", "opened"), [("comma", "OptionsDialog"), ("question_mark", "MarkdownScreen")])
@pytest.mark.long(*PRODUCT)
async def test_a_list_and_a_page_have_any_width(key: str, opened: str) -> None:
    async with started() as pilot:
        await pilot.press(key)
        await squeeze(pilot)
        assert pilot.stack() == ["Lobby", opened]


@pytest.mark.parametrize("columns", range(2, 10))
async def test_a_button_has_any_width(columns: int) -> None:
    async with started() as pilot:
        button = MouseButton("Next round", id="next")
        button.styles.width, button.styles.height, button.styles.min_width = columns, "auto", 0
        await pilot.app.screen.mount(button)
        await pilot.pause()
        assert button.region.width == columns


@pytest.mark.long
async def test_every_screen_is_typed_ahead_fifty_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(420)
    keys = [*"1aexy,4n ", "tab", "down", "backspace", "enter", "escape"]
    bursts = [(*chance.choices(keys, k=number % 8), ("enter", "escape")[number % 2]) for number in range(50)]
    crawl = Crawl(tmp_path, monkeypatch, bursts)
    for crawl.next in (-1, 0):
        for start in STARTS:
            await crawl.crawl(start, deep=True)
    assert crawl.reached >= every_screen() - BASES
