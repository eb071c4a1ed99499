"""The speed of the odds, by hand: ``python tests/benchmarks/odds.py [SEATS …]``; CPU milliseconds by game and seats.

An answer is everything that the table asks at one position. The positions are those of a whole match between Steady
bots, in their order, and each table of seats is asked in a process of its own: its first answer has the tables to load.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median

from fourtwenty.games import GAMES
from fourtwenty.games.game import State
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import Solver
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

SEATS = (2, 3, 6, 12, 20, 40, 60, 100, 150, 180, 200)
SEED = bytes(31) + b"\x2a"
ONE_TABLE = "--one-table"
"""Asks for the times of one table, as JSON."""


def ask(odds: Solver, state: State) -> None:
    odds.choices(state)
    odds.values(state)
    odds.secondary_values(state)
    odds.is_estimated(state)
    odds.others_matter(state)


def times(game: str, seats: int) -> list[float]:
    match = Match(
        Lineup(tuple(Seat(f"Steady {seat}", bot="Steady") for seat in range(seats)), game=game), FairDice(SEED)
    )
    odds, found = solver_for(match.state), []
    while not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
            continue
        began = time.process_time()
        ask(odds, match.state)
        found.append(1000 * (time.process_time() - began))
        match.act(match.bot_action())
    return found


def main(seats_asked: Sequence[int] = SEATS) -> None:
    """Print the times by game and number of seats."""
    print("game         seats  positions     first    median     worst")
    for game in GAMES:
        for seats in seats_asked:
            output = subprocess.check_output([sys.executable, __file__, ONE_TABLE, game, str(seats)])
            first, *later = json.loads(output)
            print(
                f"{game:12} {seats:5} {1 + len(later):10} {first:9.1f} {median(later):9.2f} {max(later):9.1f}",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == [ONE_TABLE]:
        print(json.dumps(times(sys.argv[2], int(sys.argv[3]))))
    else:
        main([*map(int, sys.argv[1:])] or SEATS)
