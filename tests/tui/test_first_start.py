"""The real program as somebody starts it first, with all its switches as they are, in folders good and bad."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from long_tests import mostly_long
from terminal import PROGRAM, Terminal

from fourtwenty.file_storage import history_file, lineup_file
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

pytestmark = pytest.mark.terminal

NO_ROOT = ("setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search")
"""Runs a command as a user whom permissions bind, also where the tests run as root."""


def missing(home: Path) -> str:
    return str(home)


def closed(home: Path) -> str:
    home.mkdir(mode=0)
    return str(home)


def inside_a_closed_one(home: Path) -> str:
    return str(Path(closed(home)) / "kept")


def too_long(home: Path) -> str:
    return str(home / ("x" * 300))


def a_file(home: Path) -> str:
    home.write_text("no folder")
    return str(home)


def read_only(home: Path) -> str:
    home.mkdir(mode=0o500)
    return str(home)


def of_the_year(played: str) -> Callable[[Path], str]:
    """Return a maker of a folder whose one match, which is over, has an odd date."""

    def folder(home: Path) -> str:
        with closing(History(history_file(), pytest.fail)) as history:
            match = Match(Lineup((Seat("You", "Steady"), Seat("Steady", "Steady"))), journal=history.journal())
            match.play_out()
            Lineup((Seat("You"), Seat("Steady"), Seat("Ben"))).save(lineup_file())  # three people have a tally
            assert match.state.outcome
        with closing(sqlite3.connect(history_file())) as sql, sql:
            assert sql.execute("UPDATE match SET started = ?, played = ?", (played, played)).rowcount == 1
        return str(home)

    folder.__name__ = f"of_the_year_{played[:4]}"
    return folder


FOLDERS: dict[Callable[[Path], str], str] = {
    missing: "Play",
    closed: "Play",
    inside_a_closed_one: "Play",
    too_long: "Play",
    a_file: "Play",
    read_only: "Play",
    of_the_year("0001-01-01T00:00:00+14:00"): "Today's puzzle",
    of_the_year("9999-12-31T23:59:59-12:00"): "Today's puzzle",
}
"""The last words to appear in the lobby, by the maker of its folder."""


@mostly_long(
    *("command", [(), ("play", "--players", "Ann,Ben")], [()]),
    *("fourtwenty/journal/", "fourtwenty/tui/", "fourtwenty/file_storage.py", "fourtwenty/__main__.py"),
    ids=["lobby", "play"],
)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.__name__)
def test_a_first_start(home: Path, folder: Callable[[Path], str], command: tuple[str, ...]) -> None:
    as_user = NO_ROOT if os.geteuid() == 0 else ()
    if as_user and not shutil.which(as_user[0]):
        pytest.skip("needs setpriv, where the tests run as root")
    environment = {"FOURTWENTY_HOME": folder(home)}
    with Terminal(*as_user, *PROGRAM, *command, environment=environment, columns=120, rows=40) as terminal:
        terminal.read_until(
            "your turn|saved right now" if command else FOLDERS[folder]
        )  # it waits where the game cannot be saved
        terminal.press("" if command else "?")
        terminal.press("\x03", after="" if command else "Mark Steere")
        assert terminal.wait() in (-2, 130)
        assert "Traceback" not in terminal.written
        assert not terminal.left_behind
