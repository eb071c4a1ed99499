"""Solves 421 of two and three with the nenette of most printed rules, 2-2-1: ``python docs/paper/other_nenette.py``.

It takes two minutes and needs numpy. Only the order of hands differs from the program's: 2-2-1 is the weakest hand,
worth two tokens, and 1-1-2 is two alike.
"""

from __future__ import annotations

from functools import cache
from unittest.mock import patch

from fourtwenty.games import bar_421
from fourtwenty.games.bar_421 import TOKENS, Bar421Rank
from fourtwenty.games.game import Faces

ours = bar_421.rank


@cache
def other_rank(hand: Faces) -> Bar421Rank:
    """Return the rank of three faces in any order."""
    match sorted(hand):
        case [1, 2, 2]:
            return ours((1, 1, 2))
        case [1, 1, 2]:
            return Bar421Rank((4, 2, 1), "Two alike", 2)
    return ours(hand)


bar_421.rank = other_rank  # the modules below rank all hands when they are imported

import numpy as np  # noqa: E402
import reference_solver  # noqa: E402
import solve_421  # noqa: E402

from fourtwenty.odds import bar_421_match  # noqa: E402


def print_other() -> None:
    """Print the chances not to pay beside the chances with the program's nenette, from its tables."""
    two: tuple[float, ...] = tuple(1 - held / TOKENS if held else 0.0 for held in range(TOKENS))
    for _ in range(40):  # after 26 steps nothing changes by 1e-14 with the other nenette
        two = reference_solver.improve_safe(two)
    apart = [100 * (new - old) for new, old in zip(two, bar_421_match.safe_of_two(TOKENS), strict=True)]
    print("two players: tokens of the one who starts, not to pay with 1-1-2 and with 2-2-1, in %")
    for held in (1, 5, 10, 11, 16, 20):
        print(f"{held:8}{100 * bar_421_match.safe_of_two(TOKENS)[held]:9.3f}{100 * two[held]:9.3f}")
    print(f"the most that changes: {max(apart):+.3f} and {min(apart):+.3f} points")
    with patch.object(solve_421, "safe_of_two", lambda total: {TOKENS: two}[total]):
        _, three, last_step = solve_421.solve_three(solve_421.shares())
    shipped = np.array([bar_421_match.token_values(split) for split in solve_421.SPLITS])
    print("three players: tokens in turn order, with 1-1-2, with 2-2-1")
    for split in ((7, 7, 7), (10, 10, 1), (10, 1, 10), (1, 10, 10), (1, 1, 19), (19, 1, 1)):
        number = solve_421.NUMBER[split]
        rows = (" ".join(f"{100 * value:6.2f}" for value in each[number]) for each in (shipped, three))
        print("  " + " ".join(f"{held:2}" for held in split) + "   " + "   ".join(rows))
    changes = 100 * (three - shipped)
    print(f"the most that changes: {changes.max():+.2f} and {changes.min():+.2f} points;", end=" ")
    print(f"{np.abs(changes).mean():.2f} on average; the last step is below {max(last_step, 1e-14):.0e}")


if __name__ == "__main__":
    print_other()
