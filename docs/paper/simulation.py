"""Matches of perfect bots beside the exact values: ``python docs/paper/simulation.py [--matches N] [--jobs N]``.

It prints how often each seat came first and last, the exact value and the difference in standard errors, and fails when
one is over four. With two jobs the usual 100,000 matches a table take nine minutes.
docs/paper/solution.md says how the values are computed.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from math import sqrt

from fourtwenty.games import GAMES
from fourtwenty.odds import solver_for
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match
from fourtwenty.play.simulation import play_matches

TABLES = (("420", 2), ("420", 3), ("420", 4), ("421", 2), ("ten-rounds", 2), ("ten-rounds", 3))
"""The games and numbers of seats whose values are exact."""

SEED = bytes(31) + b"\x2a"


def compared(game: str, seats: int, matches: int, jobs: int) -> float:
    """Print a table of one game; return the largest difference in standard errors."""
    lineup = Lineup(parse_players(",".join(["bot:Perfect"] * seats)), game=game, starting_seat=0)
    cleared = Match(lineup).state
    ending = solver_for(cleared).placement_odds(cleared)
    began = time.perf_counter()
    counts = Counter[tuple[str, int]]()
    for outcome in play_matches(lineup, matches, SEED, jobs):
        counts.update(("first", seat) for seat in outcome.places[0])
        counts.update(("last", seat) for seat in outcome.places[-1])
    seconds = time.perf_counter() - began
    largest = 0.0
    print(f"\n{GAMES[game].name}, {seats} seats, {matches:,} matches in {seconds:,.0f} s")
    print("seat         came    exact   errors")
    for end, exact in (("first", ending.first), ("last", ending.last)):
        for seat, chance in enumerate(exact or ()):
            share = counts[end, seat] / matches
            errors = (share - chance) / sqrt(chance * (1 - chance) / matches)
            largest = max(largest, abs(errors))
            print(f"{seat + 1} {end:5}  {share:8.3%} {chance:8.3%}  {errors:+7.2f}")
    return largest


def main() -> None:
    """Compare every table; exit with status 1 when a difference is over four standard errors."""
    parser = ArgumentParser(description="Compares matches of perfect bots with the exact values.")
    parser.add_argument("--matches", type=int, default=100_000, help="matches a table (default: 100000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    arguments = parser.parse_args()
    largest = max(compared(game, seats, arguments.matches, arguments.jobs) for game, seats in TABLES)
    print(f"\nThe largest difference is {largest:.2f} standard errors.")
    sys.exit(largest > 4)


if __name__ == "__main__":
    main()
