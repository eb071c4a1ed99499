"""The program of the first version beside this one on one data folder, both ways: nothing shown is lost."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Timer

import first_version
import pytest
from first_version import MATCHES, NOW, fill, ran, start
from patience import PATIENCE

from fourtwenty.games.words import spaced
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, read, verify, write
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

SHARED = 1 + [*MATCHES].index("421, two share a place")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return first_version.first_version(tmp_path_factory.mktemp("first"))


@pytest.fixture
def window(first: Path, home: Path) -> Iterator[subprocess.Popen[str]]:
    """A window of the first version with a match of three people; it is ended with the test, or when it hangs."""
    program = start(first, home, "play", "--plain", "--players", "Ann,Ben,Cleo", "--seed", "420")
    timer = Timer(PATIENCE, program.kill)
    timer.start()
    yield program
    timer.cancel()
    program.kill()
    program.communicate()


def roll(window: subprocess.Popen[str]) -> str:
    """Roll all dice in the window; return the line that shows it."""
    assert window.stdin
    assert window.stdout
    window.stdin.write("roll all\n")
    window.stdin.flush()
    return next(line for line in window.stdout if ": all four, " in line)


def test_a_window_left_open_stops_when_this_version_opens_the_file(home: Path, window: subprocess.Popen[str]) -> None:
    shown = [roll(window), roll(window)]
    ran(NOW, home, "play", "--plain", "--players", "bot:Steady,bot:Bold", "--seed", "1")
    printed, _ = window.communicate("roll all\nroll all\n", timeout=PATIENCE)
    assert window.returncode == 0, printed
    assert printed.splitlines()[-1] == "This match has been taken up at another table, and goes on there."
    with closing(History(home / "history.sqlite", pytest.fail)) as history:
        match = history.resume(1)
        told = [
            f"{match.names[event.seat]}: all four, {spaced(event.faces)}. Total {sum(event.faces)}.\n"
            for event in match.events
        ]
        assert told == shown, "what was shown is there, and what was not shown is not"
        match.act(match.state.actions[0])
        assert len(history.match(1).events) == 3
    ran(NOW, home, "play", "--plain", "--resume", "1", typed="roll all\n")


def export(home: Path, number: int, read_only: bool = False) -> str:
    """Return the record of a match, as this version exports it."""
    with closing(History(home / "history.sqlite", pytest.fail, read_only=read_only)) as history:
        return write(Record.of(history.match(number)))


def test_what_the_first_version_has_kept_is_exported_as_it_did(first: Path, home: Path) -> None:
    records = fill(first, home)
    before = (home / "history.sqlite").read_bytes()
    exported = {number: export(home, number, read_only=True) for number in records}
    older, newer = records.pop(SHARED), exported[SHARED]
    assert {number: exported[number] for number in records} == records
    assert older.splitlines()[:-3] == newer.splitlines()[:-3]
    assert verify(read(older)) == verify(read(newer)), "it listed the seats that share a place one by one"
    assert (home / "history.sqlite").read_bytes() == before, "reading migrates nothing"
    with closing(History(home / "history.sqlite", pytest.fail)) as history:
        history.journal().begin(Match(Lineup((Seat("Ann"), Seat("Ben")))))
    assert {number: export(home, number) for number in exported} == exported


def test_the_first_version_leaves_a_file_of_this_version_alone(first: Path, home: Path) -> None:
    ran(NOW, home, "play", "--plain", "--players", "Ann,Ben", "--seed", "1", typed="roll all\n")
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    for command in (("history",), ("export", "1")):
        assert "is of a newer version of this program" in ran(first, home, *command, status=2)
    played = ran(first, home, "play", "--plain", "--players", "Ann,Ben", typed="roll all\n")
    assert "is of a newer version of this program" in played
    assert played.endswith("This match is not kept.\n")
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before
    assert "Ann, Ben" in ran(NOW, home, "history")
