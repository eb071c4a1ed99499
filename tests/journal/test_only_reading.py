"""Commands that only read: whatever lies in the data folder, they say one line and make, move and rename nothing."""

from __future__ import annotations

import errno
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest
from closed_folder import closed_folder
from run_sql import run_sql
from table_pilot import playing
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.__main__ import main
from fourtwenty.console import has_controls
from fourtwenty.file_storage import history_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal import database
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, SaveError
from fourtwenty.tui.screens.lobby import Lobby

COMMANDS = (("history",), ("history", "--json"), ("history", "--all"), ("export", "1"))


def ran(*arguments: str) -> tuple[int, str, str]:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        out.flush()
    return status, out.buffer.getvalue().decode(), err.getvalue()


def kept() -> None:
    """Keep a match of one roll."""
    with closing(History(history_file(), pytest.fail)) as history:
        lineup = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)
        match = Match(lineup, FairDice(bytes(range(32))), journal=history.journal(), identifier="0" * 32)
        match.act(ROLL_ALL)


def everything(folder: Path) -> dict[str, object]:
    return {path.name: (path.is_dir(), path.is_file() and path.read_bytes()) for path in folder.iterdir()}


def foreign(path: Path) -> None:
    run_sql(path, "CREATE TABLE recipe (name TEXT)")


THERE: dict[str, Callable[[Path], object]] = {
    "no database": lambda path: path.write_bytes(b"no database" * 1000),
    "another program's": foreign,
    "a folder": lambda path: path.mkdir(),
    "zeros": lambda path: path.write_bytes(bytes(9000)),
}
if hasattr(os, "mkfifo"):
    THERE |= {"a pipe": os.mkfifo, "a device": lambda path: path.symlink_to("/dev/zero")}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("there", THERE)
def test_what_lies_there_is_left_alone(home: Path, there: str, command: tuple[str, ...]) -> None:
    home.mkdir()
    THERE[there](history_file())
    before = everything(home)
    status, out, err = ran(*command)
    assert (status, out) == (2, "")
    assert err.startswith(f"fourtwenty {command[0]}: nothing can be read: ")
    assert err.count("\n") == 1
    assert everything(home) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_made_where_nothing_is(home: Path, command: tuple[str, ...]) -> None:
    assert ran(*command)[0] == (2 if command[0] == "export" else 0)
    assert not home.exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_reading_a_history_leaves_it_as_it_is(home: Path, command: tuple[str, ...]) -> None:
    kept()
    before = everything(home)
    assert ran(*command)[::2] == (0, "")
    assert everything(home) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_home_that_is_a_file(home: Path, command: tuple[str, ...]) -> None:
    home.write_text("a file where the folder should be")
    why = f"fourtwenty {command[0]}: nothing can be read: {home}: {os.strerror(errno.ENOTDIR)}\n"
    assert ran(*command) == (2, "", why)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_history_that_may_not_be_read(home: Path) -> None:
    kept()
    with closed_folder(history_file(), readable=False):
        for command in COMMANDS:
            why = f"fourtwenty {command[0]}: nothing can be read: {home / 'games.sqlite'} cannot be read\n"
            assert ran(*command) == (2, "", why)
        with closing(History(history_file(), pytest.fail)) as history:
            with pytest.raises(SaveError, match=r"games\.sqlite cannot be read$"):
                history.page()
            with pytest.raises(SaveError, match=r"games\.sqlite cannot be written$"):
                history.resume(1)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_path_that_is_too_long(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FOURTWENTY_HOME", str(tmp_path / ("x" * 300)))
    status, out, err = ran(*command)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "too long" in err


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
@pytest.mark.parametrize("command", [*COMMANDS, ("play", "--plain", "--players", "bot:Steady,bot:Bold")])
def test_a_folder_that_cannot_be_looked_into(home: Path, command: tuple[str, ...]) -> None:
    kept()
    ran(*command)  # imports what it needs: somebody else may not read that either
    before = everything(home)
    with closed_folder(home, readable=False):
        status, out, err = ran(*command)
    if command[0] == "play":
        assert status == 0
        assert f"This game isn't being saved: {home}" in out
    else:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"fourtwenty {command[0]}: nothing can be read: {home}")
    assert everything(home) == before


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_read_only_folder_is_read(home: Path, command: tuple[str, ...]) -> None:
    kept()
    read = ran(*command)
    with closed_folder(home):
        assert ran(*command) == read
    assert read[0] == 0


ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from fourtwenty.journal.history import History
from fourtwenty.file_storage import history_file
from fourtwenty.play.match import SaveError
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
history = History(history_file(), print)
for _ in range(2):
    print([match.names for match in [history.match(entry.id) for entry in history.unfinished()]], history.names())
    try:
        history.resume(1)
    except SaveError:
        print("not resumed")
print(sorted((path.name, path.stat().st_size > 3) for path in history_file().parent.iterdir()))
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
history.resume(1).record
print("resumed")
"""
"""Reads a history while no byte can be written: not even the index of the WAL can be made, without which SQLite reads
no file that it may write to."""


def test_the_past_is_read_on_a_full_disk() -> None:
    pytest.importorskip("resource")
    kept()
    done = subprocess.run(
        [sys.executable, "-c", ON_A_FULL_DISK], capture_output=True, text=True, timeout=MAX_WAIT_SECONDS
    )
    assert done.stderr == ""
    read = ["[('Ann', 'Ben')] ()", "not resumed"]
    left = [("games.sqlite", True), ("games.sqlite-shm", False), ("games.sqlite-wal", False)]
    assert done.stdout.splitlines() == [*read, *read, str(left), "resumed"]


@pytest.mark.parametrize(
    ("code", "write", "goes_on"),
    [
        (sqlite3.SQLITE_CANTOPEN, False, True),
        (sqlite3.SQLITE_CANTOPEN, True, False),
        (sqlite3.SQLITE_BUSY, False, False),
        (sqlite3.SQLITE_CORRUPT, False, False),
    ],
)
def test_only_reading_goes_on_where_the_file_cannot_be_written(code: int, write: bool, goes_on: bool) -> None:
    kept()
    error = sqlite3.OperationalError("it cannot be opened")
    error.sqlite_errorcode = code
    with (
        closing(History(history_file(), pytest.fail)) as history,
        patch.object(history, "_current_connection_once_free", side_effect=error),
        patch.object(database, "_connect_read_only", wraps=database._connect_read_only) as reading,
        nullcontext() if goes_on else pytest.raises(SaveError),
        history.transaction(write) as sql,
    ):
        assert sql.execute("SELECT count(*) FROM match").fetchone() == (1,)
    assert reading.called == goes_on


def test_no_lock_delays_a_window_and_reading_has_a_tenth_of_a_second() -> None:
    """The window of the app has no timeout: it asks again. In WAL mode a read waits for next to nothing."""
    kept()
    for timeout, write, milliseconds in ((0, True, 0), (0, False, 100), (5, True, 5000), (5, False, 5000)):
        with closing(History(history_file(), pytest.fail, timeout)) as history, history.transaction(write) as sql:
            assert sql.execute("PRAGMA busy_timeout").fetchone() == (milliseconds,)


@pytest.mark.parametrize("write", [True, False])
def test_the_folder_is_kept_after_what_is_written(write: bool) -> None:
    kept()
    with closing(History(history_file(), pytest.fail)) as history, patch.object(database, "save_folder") as keeps:
        with history.transaction(write):
            assert not keeps.called
        assert keeps.called == write


def test_no_room_for_the_index_is_called_a_full_disk() -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    with closing(History(history_file(), pytest.fail)) as history, patch.object(sqlite3, "connect", side_effect=error):
        for write in (True, False):
            with pytest.raises(SaveError, match=r"^the disk is full$"), history.transaction(write):
                pass


async def test_the_lobby_goes_on_beside_a_folder_that_cannot_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / ("x" * 300)  # root may look into anything else
    monkeypatch.setenv("FOURTWENTY_HOME", str(nowhere))
    sentence = f"No game can be resumed: {nowhere}: {os.strerror(errno.ENAMETOOLONG)}."
    async with playing() as pilot:
        await until(lambda: sentence in pilot.notes())
        assert isinstance(pilot.app.screen, Lobby)
        await pilot.press("enter", to="SaveFailedDialog")
        await pilot.press("p", to="Table")


def test_a_shared_history_reaches_the_terminal_only_as_text() -> None:
    kept()
    harmful = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202e\u2066\u200f\u061c\x85\u2028"
    run_sql(history_file(), "UPDATE match SET status_text = ?", (harmful,))
    run_sql(history_file(), "UPDATE seat SET name = ?", (harmful,))
    for command in (("history",), ("history", "--json")):
        out = ran(*command)[1].replace("\n", "")
        assert not any(map(has_controls, out))
    status, out, err = ran("export", "1")
    assert status == 0, "the record has the names of the line-up, which nobody touched"
    with closing(sqlite3.connect(history_file())) as sql, sql:
        seats = [{"name": harmful, "bot": None}, {"name": "Ben", "bot": None}]
        sql.execute("UPDATE match SET lineup = ?", (json.dumps({"seats": seats, "first": 0}),))
    status, out, err = ran("export", "1")
    assert (status, out) == (2, "")
    assert "is damaged" in err
    assert not any(map(has_controls, err.replace("\n", "")))


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Lima"])
def test_a_date_out_of_range(zone: str) -> None:
    kept()
    with closing(sqlite3.connect(history_file())) as sql, sql:
        date = "9999-12-31T23:59:59+00:00" if zone.startswith("P") else "0001-01-01T00:00:00+00:00"
        sql.execute("UPDATE match SET started = ?", (date,))
    command = [sys.executable, "-m", "fourtwenty", "history"]
    done = subprocess.run(command, env={**os.environ, "TZ": zone}, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Ann, Ben" in done.stdout
