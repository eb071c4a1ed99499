"""Slow solvers that solution.py and the tests compare the odds of the program with. The program uses none of them.

The full dynamic programme of a round of 420 considers every position of all hands together and lets every player
choose its best reply. It does not assume which of the other hands matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.bar_421 import RANKS
from fourtwenty.odds.bar_421_round import STRENGTH
from fourtwenty.odds.four_twenty import Kept, Solution, Throw, solve
from fourtwenty.odds.stopping import turn

# -- 420 ---------------------------------------------------------------------------------------------------------

Position = tuple[int, ...]
"""The classes of all hands in turn order, the hand to act first."""

Prizes = tuple[float, ...]
"""The payoff of each seat in turn order when the seat to act makes 20."""


@dataclass(frozen=True, slots=True)
class Programme:
    """A dynamic programme of a round. The phase is the number of turns since Player 1, modulo the number of prizes."""

    players: int
    prizes: tuple[Prizes, ...]
    """``[phase]``."""
    worth: list[dict[Position, tuple[float, ...]]]
    """``[phase][position]``: the expected payoff of each seat in turn order, with best play of everybody."""

    def stakes(self, phase: int, position: Position) -> dict[Kept, float]:
        """Return the expected payoff of the seat to act for each set of dice that it may keep."""
        solution = solve()
        mine, others = position[0], position[1:]
        reached = self.worth[(phase + 1) % len(self.prizes)]
        return {
            kept: throw.twenty * self.prizes[phase][0]
            + sum(chance * reached[(*others, hand_class)][-1] for hand_class, chance in throw.classes)
            for kept, throw in ((kept, solution.throws[kept]) for kept in solution.allowed[mine])
        }

    def best_keeps(self, phase: int = 0, margin: float = 1e-10) -> Iterator[tuple[Position, tuple[Kept, ...]]]:
        """Yield every position with the dice to keep: all sets whose payoff is within ``margin`` of the best."""
        for position in positions(self.players):
            stakes = self.stakes(phase, position)
            enough = max(stakes.values()) - margin
            yield position, tuple(kept for kept, value in stakes.items() if value >= enough)


def positions(players: int) -> Iterator[Position]:
    """Yield every position of a number of players."""
    return product(range(len(solve().allowed)), repeat=players)


def for_the_round(players: int) -> tuple[Prizes, ...]:
    """Return the prizes when everybody plays to win the round."""
    return ((1.0, *(0.0,) * (players - 1)),)


def for_the_drinks(drinks: Sequence[float]) -> tuple[Prizes, ...]:
    """Return the prizes when everybody plays not to buy the drinks.

    ``drinks`` is the probability to buy them by seat of the next round, from Player 1. The prize of a seat is the
    probability that it does not buy them, given who won this round.
    """
    players = len(drinks) + 1
    prizes = []
    for winner in range(players):
        clockwise = [seat for seat in (*range(1, players), 0) if seat != winner]
        pays = dict(zip(clockwise, drinks, strict=True)) | {winner: 0.0}
        prizes.append(tuple(1 - pays[(winner + step) % players] for step in range(players)))
    return tuple(prizes)


def converge(
    players: int,
    prizes: tuple[Prizes, ...],
    begin: dict[Position, tuple[float, ...]] | None = None,
    precision: float = 1e-13,
) -> Programme:
    """Iterate best replies of every player until no value changes by more than ``precision``.

    Iteration begins with ``begin``, an estimate of ``Programme.worth`` in every phase, or with zeros.
    """
    solution = solve()
    begin = begin or dict.fromkeys(positions(players), (0.0,) * players)
    programme = Programme(players, prizes, [begin for _ in prizes])
    moved = [1.0] * len(prizes)
    while max(moved) > precision:
        for phase in reversed(range(len(prizes))):
            reached = programme.worth[(phase + 1) % len(prizes)]
            improved = _improve(solution, reached, prizes[phase])
            moved[phase] = _distance(improved, programme.worth[phase])
            programme.worth[phase] = improved
    return programme


def _distance(one: dict[Position, tuple[float, ...]], other: dict[Position, tuple[float, ...]]) -> float:
    return max(abs(new - old) for position in one for new, old in zip(one[position], other[position], strict=True))


def _improve(
    solution: Solution, reached: dict[Position, tuple[float, ...]], prizes: Prizes
) -> dict[Position, tuple[float, ...]]:
    """Return the payoffs one turn before ``reached``: the seat to act chooses the best for itself."""
    improved = {}
    for others in product(range(len(solution.allowed)), repeat=len(prizes) - 1):
        rows = [reached[(*others, hand_class)] for hand_class in range(len(solution.allowed))]
        after = {kept: _expect(throw, rows, prizes) for kept, throw in solution.throws.items()}
        for hand_class, keeps in enumerate(solution.allowed):
            improved[(hand_class, *others)] = max((after[kept] for kept in keeps), key=_payoff_to_act)
    return improved


def _expect(throw: Throw, rows: Sequence[tuple[float, ...]], prizes: Prizes) -> tuple[float, ...]:
    """Return the expected payoff of each seat in turn order for a throw.

    ``rows[class][seat]`` are the payoffs of the position that the throw leads to. There the thrower is last in turn.
    """
    worth = [throw.twenty * prize for prize in prizes]
    for hand_class, chance in throw.classes:
        *others, mine = rows[hand_class]
        worth[0] += chance * mine
        for seat, value in enumerate(others, 1):
            worth[seat] += chance * value
    return tuple(worth)


def _payoff_to_act(worth: tuple[float, ...]) -> float:
    return worth[0]


# -- 420 with two players, exactly -------------------------------------------------------------------------------


def exact_start() -> Fraction:
    """Return the probability that Player 1 of two wins, when both keep the dice that are best for a seat alone.

    ``converge`` shows that this is best play. There is one linear equation for every pair of sets of kept dice;
    fraction-free elimination (Bareiss 1968) solves them.
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
    return (0.0, *(_starts_with(tokens, safe) for tokens in range(1, len(safe))))


def _starts_with(mine: int, safe: Sequence[float]) -> float:
    """Return the probability that the starting seat does not pay, from its tokens and the estimate for later rounds."""
    theirs = len(safe) - mine
    gives = [1 - safe[theirs + each.tokens] if each.tokens < mine else 1.0 for each in RANKS]
    takes = [safe[mine + each.tokens] if each.tokens < theirs else 0.0 for each in RANKS]
    worth = []
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
        worth.append(1 - turn([lost] * ROLLS).value)
    return turn([worth] * ROLLS).value
