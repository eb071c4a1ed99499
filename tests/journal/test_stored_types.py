"""A value of a wrong type in any column of the history: every command says a sentence, or leaves the row out.

SQLite stores a value of any type in any column, and a damaged page can hold one.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random

import pytest
from long_tests import soak
from plain_input import input_lines
from run_sql import run_sql
from test_mistakes import NOW, keep_a_mistake

from fourtwenty.__main__ import main
from fourtwenty.cli.plain_home import PlainHome
from fourtwenty.file_storage import history_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, SaveError
from fourtwenty.review.figures import measured, skill_over_time
from fourtwenty.rooms.room_file import RoomFile, known_rooms

TABLES = ("match", "event", "hint", "seat", "mistake", "box", "alias", "uncounted")

WRONG = ("abc", b"\x00\xff", 1.5, -7, 10**18, None)
"""Values of every type of SQLite, where a column takes another one or another range."""

COMMANDS = (("history",), ("history", "--json"), ("export", "1"), ("export", "1", "--text"), ("export", "2"))

TYPED = (
    *("list", "history", "review 1", "exercise 1", "all", "quit", "statistics Ann", "mistakes Ann"),
    *("why", "all", "1", "quit", "resume", "roll all", *["quit"] * 5),
)


@pytest.fixture
def sound_history(history: History, tmp_path: Path) -> Path:
    """A file with a finished match, a mistake in its box, and a match that goes on, with a hint, and does not count."""
    keep_a_mistake(history)
    match = Match(Lineup((Seat("Ann"), Seat("Cy")), starting_seat=0), journal=history.journal())
    match.act(ROLL_ALL)
    match.hints.add(0)
    match.act(ROLL_ALL)
    match.set_coach("full")
    for _ in measured(history):
        pass
    history.rename("Cy", "Cyril")
    history.set_counted(2, False)
    history.close()
    return Path(shutil.copy(history_file(), tmp_path / "sound.sqlite"))


def wrong_values(file: Path) -> list[tuple[str, str, object]]:
    """Every table and column with every wrong value that the column takes."""
    with closing(sqlite3.connect(file)) as sql:
        return [
            (table, column, value)
            for table in TABLES
            for _, column, _, needed, *_ in sql.execute(f"PRAGMA table_info({table})")
            for value in WRONG
            if value is not None or not needed
        ]


def ask_everything() -> None:
    """Run every command over the history, and every query that only a screen asks."""
    for command in COMMANDS:
        out = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with redirect_stdout(out), redirect_stderr(io.StringIO()), suppress(SystemExit):
            main(command)
    said: list[str] = []
    with closing(History(history_file(), said.append)) as history:
        asyncio.run(PlainHome(history, input_lines(TYPED), said.append).run())
        history.latest_unfinished(), history.played(), history.people()
        skill_over_time(history.cumulative_figures("Ann", "420"))
        history.due("Ann", NOW), history.next_due("Ann", NOW), history.scorecard()
        for kind in history.kinds("Ann", "420"):
            assert kind.words
            for stored_puzzle in history.stored_puzzles("Ann", "420", NOW, kind):
                history.answered(stored_puzzle, True, NOW)


@soak(short=25, whole=1_000)
def test_a_wrong_value_in_a_column(sound_history: Path, trials: int) -> None:
    every = wrong_values(sound_history)
    for table, column, value in Random(420).sample(every, min(trials, len(every))):
        shutil.copy(sound_history, history_file())
        with closing(sqlite3.connect(history_file())) as sql, sql, suppress(sqlite3.IntegrityError):
            sql.execute(f"UPDATE {table} SET {column} = ?", (value,))
        try:
            ask_everything()
        except BaseException as error:
            error.add_note(f"with {value!r} in {table}.{column}")
            raise


KNOWN_TO_HURT = (
    *(("box", "due", "abc"), ("box", "number", 10**18), ("match", "events", "abc"), ("match", "identifier", b"\x00")),
    *(("match", "taken_back", -7), ("seat", "game", "abc"), ("seat", "last", None), ("seat", "lost", 10**18)),
    ("seat", "decisions", None),
)
"""Those that ended a command with a traceback."""


@pytest.mark.usefixtures("sound_history")
@pytest.mark.parametrize(("table", "column", "value"), KNOWN_TO_HURT)
def test_a_wrong_value_that_ended_a_command(table: str, column: str, value: object) -> None:
    with closing(sqlite3.connect(history_file())) as sql, sql:
        assert sql.execute(f"UPDATE {table} SET {column} = ?", (value,)).rowcount
    ask_everything()


@pytest.mark.usefixtures("sound_history")
def test_what_is_sound_beside_a_wrong_value_is_counted() -> None:
    run_sql(history_file(), "UPDATE seat SET rounds = 'abc' WHERE match = 1 AND seat = 0")
    with closing(History(history_file(), pytest.fail)) as history:
        (totals,) = history.statistics("Ann")
        assert (totals.matches, totals.rounds, totals.last) == (1, 0, 0)


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize("column", ["room.code", "room.address", "room.secret", "place.sequence", "place.data"])
def test_a_wrong_value_in_the_file_of_a_room(tmp_path: Path, column: str, value: object) -> None:
    file = RoomFile("0123", "K7QF-3XMP", "here", tmp_path)
    file.save_entries([(1, b"entry")])
    file.close()
    table, name = column.split(".")
    with closing(sqlite3.connect(tmp_path / "0123.sqlite")) as sql, sql, suppress(sqlite3.IntegrityError):
        sql.execute(f"UPDATE {table} SET {name} = ?", (value,))
    assert len(known_rooms(tmp_path)) <= 1
    with suppress(SaveError), closing(RoomFile("0123", "K7QF-3XMP", "here", tmp_path)) as file:
        assert isinstance(file.secret, bytes)
        assert [*file.entries()] == [b"entry"]
        sequence, data = file.last_entry or (0, b"")
        assert (type(sequence), type(data)) == (int, bytes)
