"""Counts the calls of the odds in a match: ``python tests/tools/odds_work.py GAME SEATS``, in a process of its own."""

from __future__ import annotations

import json
import sys

from fourtwenty.odds import solver_for
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

POSITIONS = 150
"""The most positions of a match that are counted, at even distances."""


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

    odds = solver_for(match.state)
    for state in positions[:: 1 + len(positions) // POSITIONS]:
        calls = 0
        sys.setprofile(called)
        odds.choices(state)
        odds.values(state)
        odds.secondary_values(state)
        odds.others_matter(state)
        sys.setprofile(None)
        found.append(calls)
    return found


if __name__ == "__main__":
    print(json.dumps(count(sys.argv[1], int(sys.argv[2]))))
