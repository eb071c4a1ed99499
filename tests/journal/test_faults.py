"""Evenings in which the n-th call to the disk, the database or the clock fails: nothing that was kept is lost.

The short form fails some calls of an evening, the long form (``.ci/run --long``) every one.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from random import Random

import pytest
from chance import seeded
from faults import KINDS, Faults, injected
from long_tests import PRODUCT, mostly_long
from plain_input import input_lines

from fourtwenty.cli.plain_home import PlainHome
from fourtwenty.file_storage import history_file, lineup_file, settings_file
from fourtwenty.games.game import Event
from fourtwenty.journal.history import History
from fourtwenty.journal.settings import Settings
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.dialogs.question_dialogs import SaveFailedDialog
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table

EVENING = (
    *("new Ann, bot:Steady", "list", "resume", "history", "review", "statistics Ann"),
    *("new Ann, Ben 421", "list", "resume", "new bot:Steady, bot:Bold 420", "resume", "history", "list", "quit"),
)
"""The commands that people type between the matches."""

OWN_FILES: tuple[tuple[type[Settings | Lineup], Callable[[], Path]], ...] = (
    (Settings, settings_file),
    (Lineup, lineup_file),
)
Played = list[tuple[str, list[Event], bool]]
"""The identifiers of matches, their actions, and whether they were kept when they were left."""
SEEN = ("denied", "full", "unreadable", "damaged")
"""The kinds of faults at the screen. It tries for five seconds while the file is busy; other tests do that."""
STEPS = {"denied": 17, "no space": 17, "clock": 1}
"""The short form fails every so many-th call of these kinds, and of the others every 59th."""
LONG_STEP = 4
"""The long form fails every so many-th call of an evening at the screen, which takes seconds."""


class PlainPlayer:
    """Answers what plain mode asks: a match is left after some turns, and gone on with later."""

    def __init__(self, patient: bool) -> None:
        """Take whether the player tries again when a match cannot be saved, once, before playing on unsaved."""
        self.written: list[str] = []
        self._commands = iter(EVENING)
        self._turns = 0
        self._refusals = 0
        self._patient = patient

    def __iter__(self) -> Iterator[str]:
        while True:
            last = next((line for line in reversed(self.written) if line), "")
            if "can't be saved" in last:
                self._refusals += 1
                yield "" if self._patient and self._refusals % 2 else "go on"
            elif "add a word" in last:
                yield "rain"
            elif "your turn" in last or "Your turn" in last:
                self._turns += 1
                yield "quit" if self._turns % 5 == 0 else "roll all"
            else:
                yield next(self._commands, "quit")


class FaultyEvening(PlainHome):
    """Plain mode, with what it has said to be saved."""

    def __init__(self, history: History, player: PlainPlayer) -> None:
        super().__init__(history, input_lines(player), player.written.append)
        self.played: Played = []
        """The matches when they were left."""

    async def play(self, match: Match, new: bool = True) -> bool:
        try:
            return await super().play(match, new)
        finally:
            assert match.identifier
            self.played.append((match.identifier, [*match.events], match.saved))


def spend_evening(faults: Faults, patient: bool) -> FaultyEvening:
    """Let people play an evening in lines of text; whatever fails, they are told, and nothing is raised."""
    player = PlainPlayer(patient)
    files = UserFiles(player.written.append, player.written.append)
    stored = {file(): files.load(kind, file()) for kind, file in OWN_FILES}
    with seeded("evening"), closing(History(history_file(), player.written.append, timeout=0)) as history:
        evening = FaultyEvening(history, player)
        asyncio.run(evening.run())
    for path, value in stored.items():
        files.save(value, path)
    told = any("saved: " in line or "could not be read" in line for line in player.written)
    assert told or all(kept for _, events, kept in evening.played if events), "nobody was told"
    assert faults.failed or not told
    return evening


def look(home: Path, played: Played, lasting: bool) -> None:
    """Check the files after an evening: they are sound, and hold all that was kept."""
    databases = [path for path in home.glob("games.sqlite*") if not path.name.endswith(("-wal", "-shm"))]
    found: dict[str, list[Event]] = {}
    for path in databases:
        with closing(sqlite3.connect(path)) as sql:
            assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
        with closing(History(path, pytest.fail, read_only=True)) as history:
            for entry in history.page() if path.stat().st_size else ():
                match = history.match(entry.id)
                assert match.identifier
                if len(match.events) >= len(found.get(match.identifier, ())):
                    found[match.identifier] = match.events
    for identifier, events, kept in played:
        assert not kept or not events or found[identifier][: len(events)] == events, "what was kept is not there"
    for kind, file in OWN_FILES:
        with suppress(FileNotFoundError):
            kind.load(file())
    assert lasting or not [*home.glob("*.part")]


async def spend_evening_at_the_screen() -> Played:
    """Play, leave, resume, and look at the history and at the statistics, in the app; return the matches."""
    played: dict[Match, None] = {}
    errands = iter(("enter", "r", "h", "enter", "app.statistics", "p", "comma"))
    turns = 0
    with seeded("evening"):
        app = FourTwentyApp()
        app.pace = 0
        app.tips = False
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(80):
                screen = pilot.app.screen
                if isinstance(screen, Lobby):
                    errand = next(errands, None)
                    if not errand:
                        break
                    if errand.startswith("app."):
                        await pilot.app.run_action(errand)
                    else:
                        await pilot.press(errand)
                elif isinstance(screen, Table):
                    played[screen.match] = None
                    turns += 1
                    await pilot.press("q" if turns % 6 == 0 else "r")
                elif isinstance(screen, SaveFailedDialog):
                    await pilot.press("p" if turns % 2 else "q")
                else:
                    await pilot.press("enter" if isinstance(screen, Results) else "escape")
                await pilot.pause()
    return [(match.identifier or "", [*match.events], match.saved) for match in played]


def spend_evenings(tmp_path: Path, kind: str, lasting: bool, first: int, step: int) -> int:
    """Fail every ``step``-th call, an evening each, until an evening has fewer calls; return their number."""
    number = first
    while True:
        home = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FOURTWENTY_HOME", str(home))
            with injected(home, kind, number, lasting) as faults:
                try:
                    evening = spend_evening(faults, patient=number % 2 == 0)
                except Exception as error:
                    raise AssertionError(f"call {number}, {faults.failed[:1]}") from error
            look(home, evening.played, lasting)
        if not faults.failed:
            return len(faults.made)
        shutil.rmtree(home, ignore_errors=True)
        number += step


async def check_evening_at_the_screen(home: Path, kind: str, number: int, lasting: bool) -> Faults:
    """Fail a call of an evening in the app, and check the files after it; return the faults."""
    with injected(home, kind, number, lasting) as faults:
        try:
            played = await spend_evening_at_the_screen()
        except Exception as error:
            raise AssertionError(f"call {number}, {faults.failed[:1]}") from error
    look(home, played, lasting)
    return faults


lastingly = pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])


@mostly_long(
    ("kind", "lasting"),
    product(KINDS, (False, True)),
    [*product(KINDS, (False,)), ("unreadable", True)],
    *("fourtwenty/journal/", "fourtwenty/play/", "fourtwenty/cli/", "tests/tools/faults.py"),
)
def test_an_evening_in_lines_in_which_some_calls_fail(tmp_path: Path, kind: str, lasting: bool) -> None:
    step = STEPS.get(kind, 59)
    first = 1 + Random(f"{kind} {lasting}").randrange(step)
    assert spend_evenings(tmp_path, kind, lasting, first, step) >= step


@pytest.mark.long
@lastingly
@pytest.mark.parametrize("kind", KINDS)
def test_an_evening_in_lines_in_which_any_call_fails(tmp_path: Path, kind: str, lasting: bool) -> None:
    spend_evenings(tmp_path, kind, lasting, first=1, step=1)


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.long(*PRODUCT)
async def test_an_evening_at_the_screen_in_which_a_call_fails(home: Path, kind: str) -> None:
    faults = await check_evening_at_the_screen(home, kind, 1 + Random(kind).randrange(60), lasting=False)
    assert faults.failed


@pytest.mark.long
@lastingly
@pytest.mark.parametrize("kind", SEEN)
async def test_an_evening_at_the_screen_in_which_many_calls_fail(
    tmp_path: Path, kind: str, lasting: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 1 + Random(f"{kind} {lasting}").randrange(LONG_STEP)
    failed = True
    while failed:
        home = tmp_path / str(number)
        monkeypatch.setenv("FOURTWENTY_HOME", str(home))
        failed = bool((await check_evening_at_the_screen(home, kind, number, lasting)).failed)
        number += LONG_STEP
