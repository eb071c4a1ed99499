"""Slow solvers that solution.py and the tests compare the odds of the program with. The program uses none of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from fourtwenty.games.bar_421 import rank
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.bar_421_round import STRENGTH
from fourtwenty.odds.four_twenty_solver import solve
from fourtwenty.odds.stopping import HANDS, Turn, turn

RANKS = tuple(map(rank, HANDS))
"""``[hand]``: its rank in 421."""

# -- 420 with two players, exactly -------------------------------------------------------------------------------


def exact_start() -> Fraction:
    """Return the probability that Player 1 of two wins, when both keep the dice that are best for a seat alone.

    The bounds of full_programme.py prove that this is best play. There is one linear equation for every pair of sets of
    kept dice; fraction-free elimination (Bareiss 1968) solves them.
    """
    solution = solve()
    keeps = sorted(set(solution.best))
    column = {pair: index for index, pair in enumerate(product(keeps, repeat=2))}
    rows = []
    for mine, theirs in column:
        # win[mine, theirs] = twenty + sum(chance * (1 - win[theirs, best of the hand reached])), times 1,296
        row = [0] * (len(column) + 1)
        row[column[mine, theirs]] = 1296
        throw = solution.throws[mine]
        row[-1] = round(1296 * throw.twenty)
        for hand_class, chance in throw.classes:
            cases = round(1296 * chance)
            row[column[theirs, solution.best[hand_class]]] += cases
            row[-1] += cases
        rows.append(row)
    start = column[solution.best[0], solution.best[0]]
    return _solve_for(rows, start)


def _solve_for(rows: list[list[int]], unknown: int) -> Fraction:
    """Return one unknown of a system of linear equations with integer coefficients, the right side in the last column.

    The rows are changed in place.
    """
    for row in rows:
        row[unknown], row[-2] = row[-2], row[unknown]
    previous = 1
    for pivot in range(len(rows)):
        nonzero = next(index for index in range(pivot, len(rows)) if rows[index][pivot])
        rows[pivot], rows[nonzero] = rows[nonzero], rows[pivot]
        top = rows[pivot]
        for index in range(pivot + 1, len(rows)):
            row = rows[index]
            factor = row[pivot]
            rows[index] = [0] * (pivot + 1) + [
                (top[pivot] * entry - factor * above) // previous
                for entry, above in zip(row[pivot + 1 :], top[pivot + 1 :], strict=True)
            ]
        previous = top[pivot]
    return Fraction(rows[-1][-1], rows[-1][-2])


# -- 421 with two players ----------------------------------------------------------------------------------------


def improve_safe(safe: Sequence[float]) -> tuple[float, ...]:
    """Return ``bar_421_match.safe_of_two`` from an estimate of it: one step of value iteration."""
    return (0.0, *(best_turns_of_two(tokens, safe)[0].value for tokens in range(1, len(safe))))


def best_turns_of_two(mine: int, safe: Sequence[float]) -> tuple[Turn, list[Turn]]:
    """Return the best turn of the starting seat of two, and the reply of the other one to each of its hands.

    ``mine`` is the number of tokens of the starting seat, ``safe`` the estimate for later rounds. The value of a turn
    is the probability that its seat does not pay.
    """
    theirs = len(safe) - mine
    gives = [1 - safe[theirs + each.tokens] if each.tokens < mine else 1.0 for each in RANKS]
    takes = [safe[mine + each.tokens] if each.tokens < theirs else 0.0 for each in RANKS]
    replies = []
    for hand, strength in enumerate(STRENGTH):
        lost = [
            1
            - (
                takes[reply]
                if other > strength
                else gives[hand]
                if other < strength
                else (takes[hand] + gives[hand]) / 2
            )
            for reply, other in enumerate(STRENGTH)
        ]
        replies.append(turn([lost] * ROLLS))
    return turn([[1 - reply.value for reply in replies]] * ROLLS), replies
