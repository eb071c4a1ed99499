"""A history of many games, made fast: two games are played, and their rows are copied with other times."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

BEGAN = datetime(2020, 1, 3, 20, tzinfo=UTC)
EVENING = 6
"""Number of games an evening; the last of every fifth evening is unfinished."""


def keep(path: Path, games: int) -> None:
    """Keep so many games in a new history; nothing of it is left to chance or to the clock."""
    chance = Random(420)
    lineup = Lineup((Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")), starting_seat=0)
    with closing(History(path, print)) as history:
        for ends in (True, False):
            match = Match(lineup, FairDice(bytes(32)), journal=history.journal(), identifier="0" * 32)
            match.act(chance.choice(match.state.actions))
            while ends and not match.state.outcome:
                if match.state.to_act is None:
                    match.next_round()
                else:
                    match.act(chance.choice(match.state.actions))
        with history.transaction() as sql:
            columns = [row[1] for row in sql.execute("PRAGMA table_info(match)")]
            first, second = (dict(zip(columns, row, strict=True)) for row in sql.execute("SELECT * FROM match"))
            seats = sql.execute("SELECT * FROM seat ORDER BY match, seat").fetchall()
            own = {True: seats[:3], False: seats[3:]}
            for id in range(3, games + 1):  # noqa: A001
                evening, number = divmod(id, EVENING)
                ends = evening % 5 > 0 or number < EVENING - 1
                moment = (BEGAN + timedelta(days=evening, minutes=20 * number)).isoformat(timespec="seconds")
                row = (first if ends else second) | {"id": id, "started": moment, "played": moment, "written": id}
                sql.execute(f"INSERT INTO match VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
                for folded, game, _, *rest in own[ends]:
                    sql.execute(f"INSERT INTO seat VALUES ({', '.join('?' * 20)})", (folded, game, id, *rest))
