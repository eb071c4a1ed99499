"""Times that a clock which was wrong once has stored: every command goes on, and believes none that cannot be."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from long_tests import PRODUCT
from plain_input import input_lines
from run_sql import run_sql
from test_mistakes import keep_a_mistake

from fourtwenty.__main__ import main
from fourtwenty.cli.plain_home import PlainHome
from fourtwenty.file_storage import history_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal import match_journal
from fourtwenty.journal.history import History
from fourtwenty.journal.scorecard import FirstAnswer
from fourtwenty.play.clock import day_and_time
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.review.figures import measured
from fourtwenty.rooms.room_file import RoomFile, known_rooms

NOW = datetime.now(UTC).replace(microsecond=0)
TWICE = datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
"""The same time of day twice: half past two in Paris, before and after the end of summer time."""

COMMANDS = (("history",), ("history", "--json"), ("history", "1"), ("export", "1"))
TYPED = ("list", "history", "review 1", "statistics Ann", "mistakes Ann", "quit", "resume", "roll all", *["quit"] * 5)


@pytest.mark.parametrize("stored", ["1970-01-01", "tomorrow", "2036-01-05"])
def test_every_command_goes_on_whatever_time_is_stored(
    history: History, stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime.now(UTC)  # the one moment of this test: midnight may pass meanwhile
    tomorrow = now.replace(microsecond=0) + timedelta(days=1)
    moment = tomorrow if stored == "tomorrow" else datetime.fromisoformat(f"{stored}T00:00Z")
    keep_a_mistake(history)
    for _ in measured(history):
        pass
    roll(history)
    history.save_answers([FirstAnswer("420", moment.date(), right=True)])
    history.close()
    run_sql(history_file(), "UPDATE match SET started = ?, played = ?", [moment.isoformat()] * 2)
    run_sql(history_file(), "UPDATE box SET due = ?", (int(moment.timestamp()),))
    for command in COMMANDS:
        assert main(command) == 0, command
    assert "Traceback" not in capsys.readouterr().err
    said: list[str] = []
    with closing(History(history_file(), said.append)) as kept:
        asyncio.run(PlainHome(kept, input_lines(TYPED), said.append).run())
        assert bool(kept.due("Ann", int(now.timestamp()))) == (stored != "tomorrow"), "not due for ten years"
        card = kept.scorecard().after(FirstAnswer("420", now.date(), right=True))
        assert card.streak("420", now.date()) == (2 if stored == "tomorrow" else 1), "the day counts"
        assert kept.scorecard().tried == 1


class WrongClock:
    """What the journal takes for the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def set(self, moment: datetime) -> None:
        self.monkeypatch.setattr(match_journal, "now", lambda: moment.isoformat(timespec="seconds"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> WrongClock:
    return WrongClock(monkeypatch)


def roll(history: History) -> Match:
    """Begin a match of two people, and roll once."""
    lineup = Lineup((Seat("Ann"), Seat("Cy")), starting_seat=0)
    match = Match(lineup, FairDice(bytes(32)), journal=history.journal(), identifier="0" * 32)
    match.act(ROLL_ALL)
    return match


def play_out(match: Match) -> None:
    match.play_out(lambda: match.state.actions[0])


@pytest.mark.parametrize(
    ("first", "second"),
    [(NOW + timedelta(days=7), NOW), (NOW, NOW), (NOW, datetime(1970, 1, 1, tzinfo=UTC)), TWICE],
    ids=["a week ahead, put right", "the same second", "the battery is empty", "summer time ends"],
)
def test_the_game_that_was_played_last_is_resumed_whatever_the_clock_said(
    history: History, clock: WrongClock, first: datetime, second: datetime
) -> None:
    clock.set(first)
    one = roll(history)
    clock.set(second)
    roll(history)
    assert [entry.id for entry in history.unfinished()] == [2, 1]
    one.act(one.state.actions[0])
    assert [entry.id for entry in history.unfinished()] == [1, 2]
    latest = history.latest_unfinished()
    assert latest is not None
    assert latest.id == 1


def test_finished_games_are_in_the_order_of_their_ends_whatever_the_clock_said(
    history: History, clock: WrongClock
) -> None:
    clock.set(NOW + timedelta(days=7))
    one = roll(history)
    clock.set(NOW)
    play_out(roll(history))
    clock.set(NOW - timedelta(days=1))
    play_out(one)
    played = history.played()
    assert [each.ended for each in played] == [NOW, NOW - timedelta(days=1)]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a running program cannot be set")
@pytest.mark.parametrize(
    ("zone", "moment", "shown"),
    [
        ("Europe/Paris", TWICE[0], "2026-10-25 02:30 CEST"),
        ("Europe/Paris", TWICE[1], "2026-10-25 02:30 CET"),
        ("Europe/Paris", TWICE[1] + timedelta(hours=1), "2026-10-25 03:30"),
        ("Europe/Paris", datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "2026-03-29 03:30"),
        ("UTC+99", TWICE[0], "2026-10-25 00:30"),
        ("UTC-25", TWICE[0], "2026-10-25 00:30"),
        ("UTC+23", TWICE[0], "2026-10-24 01:30"),
        ("Nowhere/Else", TWICE[0], "2026-10-25 00:30"),
    ],
)
def test_times_in_the_zone_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, zone: str, moment: datetime, shown: str
) -> None:
    """The hour that comes twice has its zone beside it; a zone that Python cannot represent is UTC."""
    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        assert day_and_time(moment) == shown
    time.tzset()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.long(*PRODUCT)
def test_a_zone_that_python_cannot_read_stops_no_command(
    history: History, command: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    roll(history)
    history.close()
    done = subprocess.run([sys.executable, "-m", "fourtwenty", *command], env={**os.environ, "TZ": "UTC+99"})
    assert done.returncode == 0
    assert capfd.readouterr().err == ""


def test_the_room_that_was_opened_last_is_the_first_whatever_its_file_says(tmp_path: Path) -> None:
    for number, code in enumerate(("ahead", "right", "ahead")):
        with closing(RoomFile(code, code, "hub", tmp_path)) as file:
            file.save_entries([(1, b"entry")])
        hour = 3600 * (number - 100 * (code == "right"))
        os.utime(tmp_path / f"{code}.sqlite", (hour, hour))
        assert known_rooms(tmp_path)[0].code == code
