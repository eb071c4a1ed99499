"""Windows that are open at the same time: none throws another out of its game, and none undoes what another kept."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event as Signal
from typing import Any
from unittest.mock import Mock

import pytest
from long_tests import mostly_long, soak
from msgspec.structs import replace
from waiting import MAX_WAIT_SECONDS

from fourtwenty.file_storage import lineup_file, settings_file
from fourtwenty.journal.history import History
from fourtwenty.journal.settings import Settings
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

TOGETHER = Path(__file__).parents[1] / "tools" / "concurrent_starts.py"


@pytest.mark.terminal
@soak(short=8, whole=40)
@mostly_long("programs", [2, 4, 6], [4], "fourtwenty/journal/")
@pytest.mark.parametrize("there", ["", "damaged"], ids=["a new folder", "a damaged history"])
def test_programs_that_start_together_play_to_the_end(there: str, programs: int, trials: int) -> None:
    command = [sys.executable, str(TOGETHER), str(programs), str(trials), there]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_damaged_file_that_another_window_moves_while_it_is_being_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite"
    path.write_bytes(b"no history" * 1000)
    lineup = Lineup((Seat("Ann", "Random"), Seat("Ben", "Random")))
    others: list[History] = []
    connect = sqlite3.connect

    def opened_before_it_moved(*opened: Any, **options: Any) -> sqlite3.Connection:
        """Open the file; then, and only once, another window moves it and plays in a new one, with a WAL."""
        sql: sqlite3.Connection = connect(*opened, **options)
        if not others and opened[0] == path:
            others.append(History(path, lambda _: None))
            Match(lineup, FairDice(bytes(32)), journal=others[0].journal()).play_out()
        return sql

    monkeypatch.setattr(sqlite3, "connect", opened_before_it_moved)
    with closing(History(path, pytest.fail)) as history:
        match = Match(lineup, FairDice(bytes(32)), journal=history.journal())
        others[0].close()  # the last connection to the new file brings its WAL in, and removes it
        match.play_out()
        assert match.saved
        assert [entry.finished for entry in history.page()] == [True, True]
    assert path.read_bytes().startswith(b"SQLite format 3")
    (aside,) = tmp_path.glob("*.damaged")
    assert aside.read_bytes() == b"no history" * 1000


# -- the small files ---------------------------------------------------------------------------------------------------


def race(monkeypatch: pytest.MonkeyPatch, one: Callable[[], object], other: Callable[[], object]) -> None:
    """Let ``one`` work up to the rename that its file needs, then ``other`` as far as it comes, then both to the end.

    A file is renamed when it has been written under another name, and when it is moved aside.
    """
    begun, goes_on = Signal(), Signal()

    def late(rename: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def renamed(path: Path, target: Path) -> Path:
            if not begun.is_set():
                begun.set()
                assert goes_on.wait(MAX_WAIT_SECONDS)
            return rename(path, target)

        return renamed

    class Waiting(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            if begun.is_set() and sql.startswith("BEGIN"):  # the other one waits for the lock
                goes_on.set()
            return super().execute(sql, *values)  # type: ignore[arg-type]

    def come_as_far_as_it_goes() -> None:
        try:
            other()
        finally:
            goes_on.set()

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", late(Path.rename))
        patched.setattr(Path, "replace", late(Path.replace))
        connect = sqlite3.connect
        patched.setattr(sqlite3, "connect", lambda *where, **options: connect(*where, **options, factory=Waiting))
        with ThreadPoolExecutor() as threads:
            first = threads.submit(one)
            assert begun.wait(MAX_WAIT_SECONDS)
            second = threads.submit(come_as_far_as_it_goes)
            for thread in (first, second):
                thread.result(MAX_WAIT_SECONDS)


def window() -> UserFiles:
    return UserFiles(pytest.fail, pytest.fail)


def test_settings_that_two_windows_change_are_both_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    window().save(Settings(learnt=["start"], others={"keys": {"roll": "x"}}), settings_file())
    here, there = window(), window()
    ours, theirs = (files.load(Settings, settings_file()) for files in (here, there))
    ours = replace(ours, theme="terrace").with_dismissed(["roll"])
    theirs = replace(theirs, bell=True, pace="quick").with_dismissed(["leave"])
    race(monkeypatch, lambda: here.save(ours, settings_file()), lambda: there.save(theirs, settings_file()))
    both = Settings("terrace", bell=True, pace="quick", learnt=["leave", "roll", "start"], others=theirs.others)
    assert Settings.load(settings_file()) == both
    here.save(replace(ours, guide=False), settings_file())
    assert Settings.load(settings_file()) == replace(both, guide=False), "what was saved here counts once"


def test_the_line_up_played_last_is_whole_and_undoes_no_option_of_another_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window().save(Lineup(monocolor=True), lineup_file())
    here, there = window(), window()
    ours, theirs = (files.load(Lineup, lineup_file()) for files in (here, there))
    ours = replace(ours, seats=(Seat("Ann"), Seat("Ben"), Seat("Cy")), starting_seat=2, coach="full")
    theirs = replace(theirs, seats=(Seat("Dora"), Seat("Eve")), game="421", first_to=3)
    race(monkeypatch, lambda: here.save(ours, lineup_file()), lambda: there.save(theirs, lineup_file()))
    assert Lineup.load(lineup_file()) == replace(theirs, coach="full")


def test_of_two_windows_with_a_damaged_file_neither_moves_aside_what_the_other_saves(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    home.mkdir()
    settings_file().write_text("damaged")
    notes: list[str] = []
    here, there = (UserFiles(notes.append, pytest.fail) for _ in range(2))

    def begin() -> None:
        there.save(replace(there.load(Settings, settings_file()), theme="terrace"), settings_file())

    race(monkeypatch, lambda: here.load(Settings, settings_file()), begin)
    assert Settings.load(settings_file()).theme == "terrace"
    assert len(notes) == len([*home.glob("*.damaged")]) == 1


def test_a_change_that_could_not_be_saved_comes_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    files = UserFiles(pytest.fail, said.append)
    before = files.load(Settings, settings_file())
    window().save(replace(before, pace="quick"), settings_file())
    with monkeypatch.context() as patched:
        busy = sqlite3.OperationalError("database is locked")
        busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
        patched.setattr(sqlite3, "connect", Mock(side_effect=busy))
        files.save(replace(before, theme="terrace"), settings_file())
    assert said == ["settings.json is not saved: another window is writing it."]
    files.save(replace(before, theme="terrace", bell=True), settings_file())
    assert Settings.load(settings_file()) == Settings(theme="terrace", bell=True, pace="quick")


def test_a_file_that_has_become_unreadable_is_not_written_over() -> None:
    said: list[str] = []
    files = UserFiles(pytest.fail, said.append)
    files.load(Settings, settings_file())
    settings_file().mkdir(parents=True)
    files.save(Settings(bell=True), settings_file())
    assert said == ["settings.json is not saved: it isn't a regular file."]
    assert settings_file().is_dir()
