"""The work of the odds at tables of any size, in calls of functions: the same on every machine, however busy it is."""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median

import pytest
from patience import PATIENCE

from fourtwenty.games import GAMES
from fourtwenty.odds import odds_of
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

POSITIONS = 150
"""The most positions of a match that are counted, at even distances."""

FIRST = {"420": 2_000_000, "421": 50_000, "ten-rounds": 400_000}
"""More than the calls of a first answer at any table, by game. Those of 420 are short ones."""


def count(game: str, seats: int) -> list[int]:
    """The calls of each whole answer, as the table asks for it, in a match between Steady bots."""
    match = Match(
        Lineup(tuple(Seat(f"S {seat}", bot="Steady") for seat in range(seats)), game=game), FairDice(b"*" * 32)
    )
    positions = [match.state]
    while not match.state.outcome:
        match.act(match.bot_action()) if match.state.to_act is not None else match.next_round()
        positions.append(match.state)
    calls, found = 0, []

    def called(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    odds = odds_of(match.state)
    for state in positions[:: 1 + len(positions) // POSITIONS]:
        calls = 0
        sys.setprofile(called)
        odds.choices(state)
        odds.values(state)
        odds.outlook(state)
        odds.others_matter(state)
        sys.setprofile(None)
        found.append(calls)
    return found


@pytest.mark.parametrize("seats", [2, 6, 20, 60, 200])
@pytest.mark.parametrize("game", GAMES)
def test_an_answer_is_no_work_at_any_table(game: str, seats: int) -> None:
    """In CPU time, by benchmarks/odds.py: 110 ms at most for a first answer, 33 for later ones, 1 in the median."""
    counted = subprocess.run(
        [sys.executable, __file__, game, str(seats)], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    first, *later = json.loads(counted.stdout)
    assert 0 < first < FIRST[game]
    assert max(later) < 150_000
    assert median(later) < 10_000


if __name__ == "__main__":
    print(json.dumps(count(sys.argv[1], int(sys.argv[2]))))
