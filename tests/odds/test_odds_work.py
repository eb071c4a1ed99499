"""The work of the odds at tables of any size, in calls of functions: the same on every machine, however busy it is."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from statistics import median

import pytest
from waiting import MAX_WAIT_SECONDS

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.simulation import play_matches

COUNTER = Path(__file__).parents[1] / "tools" / "odds_work.py"

FIRST = {"420": 2_000_000, "421": 50_000, "ten-rounds": 400_000}
"""More than the calls of a first answer at any table, by game. Those of 420 are short ones."""

SEED = bytes(31) + b"\x2a"


@pytest.mark.long("fourtwenty/odds/", "fourtwenty/games/", "fourtwenty/play/match.py", "tests/tools/odds_work.py")
@pytest.mark.parametrize(("game", "seats"), [("421", 4), ("ten-rounds", 3), *product(GAMES, (2, 6, 20, 60, 200))])
def test_an_answer_is_no_work_at_any_table(game: str, seats: int) -> None:
    """In CPU time, by benchmarks/odds.py: 110 ms at most for a first answer, 33 for later ones, 1 in the median.

    The second of four in 421 looks ahead to all hands of two seats: 150 ms at most.
    """
    counted = subprocess.run(
        [sys.executable, COUNTER, game, str(seats)],
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_SECONDS,
        check=True,
    )
    first, *later = json.loads(counted.stdout)
    assert 0 < first < FIRST[game]
    assert max(later) < 150_000
    assert median(later) < 10_000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [40, 200])
def test_a_perfect_bot_plays_at_a_table_of_any_size(game: str, seats: int) -> None:
    lineup = Lineup(parse_players(",".join(["bot:Perfect"] + ["bot:Steady"] * (seats - 1))), game=game)
    [outcome] = play_matches(lineup, 1, SEED)
    assert sorted(seat for place in outcome.places for seat in place) == list(range(seats))
