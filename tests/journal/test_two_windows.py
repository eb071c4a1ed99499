"""Windows that are open at the same time: none throws another out of its game, and none undoes what another kept."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event as Signal
from threading import Thread

import pytest
from busy_history import held
from campaign import campaign
from patience import PATIENCE

from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal import database
from fourtwenty.journal.database import MIGRATIONS
from fourtwenty.journal.history import History
from fourtwenty.paths import history_file
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

TOGETHER = Path(__file__).parents[1] / "tools" / "together.py"


@pytest.mark.terminal
@campaign(short=8, whole=40)
@pytest.mark.parametrize("programs", [2, 4, 6])
@pytest.mark.parametrize("there", ["", "damaged"], ids=["a new folder", "a damaged history"])
def test_programs_that_start_together_play_to_the_end(there: str, programs: int, trials: int) -> None:
    command = [sys.executable, str(TOGETHER), str(programs), str(trials), there]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_who_waited_for_another_window_to_migrate_the_file_leaves_its_claims_alone(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(Lineup((Seat("Ann"), Seat("Ben"))), FairDice(bytes(32)), journal=history.journal())
    match.act(ROLL_ALL)
    weather = "ALTER TABLE match ADD COLUMN weather TEXT"
    monkeypatch.setattr(database, "MIGRATIONS", (*MIGRATIONS, (weather,)))
    waits = Signal()

    class Waiting(sqlite3.Connection):
        def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
            if sql == "BEGIN IMMEDIATE":
                waits.set()
            return super().execute(sql, *values)  # type: ignore[arg-type]

    def begin_late() -> None:
        with closing(History(history_file(), pytest.fail)) as late:
            late.count()

    with held() as other:
        with monkeypatch.context() as patched:
            connect = sqlite3.connect
            patched.setattr(sqlite3, "connect", lambda *where, **options: connect(*where, **options, factory=Waiting))
            second = Thread(target=begin_late)
            second.start()
            assert waits.wait(PATIENCE)
        other.execute(weather)
        other.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        other.execute("COMMIT")
    second.join(PATIENCE)
    match.act(ROLL_ALL)
    assert match.kept
