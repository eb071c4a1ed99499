"""The full dynamic programme of a round of 420: every position of all hands together, every player's best reply.

Slow and without assumptions about what matters; docs/solution.py and the tests hold the fast odds against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from fourtwenty.odds.four_twenty import Solution, Stay, Throw, solve

Position = tuple[int, ...]
"""The classes of all hands in turn, the hand to act first."""

Prizes = tuple[float, ...]
"""What each seat in turn gets when the one to act makes 20."""


@dataclass(frozen=True, slots=True)
class Joint:
    """A converged programme. Phases count turns since Player 1, modulo the number of different prizes."""

    players: int
    prizes: tuple[Prizes, ...]
    worth: list[dict[Position, tuple[float, ...]]]
    """By phase and position, what the round is worth to each seat in turn when everybody plays best."""

    def stakes(self, phase: int, position: Position) -> dict[Stay, float]:
        """Return what each stay is worth to the seat to act."""
        solution = solve()
        mine, others = position[0], position[1:]
        reached = self.worth[(phase + 1) % len(self.prizes)]
        return {
            stay: throw.twenty * self.prizes[phase][0]
            + sum(chance * reached[(*others, number)][-1] for number, chance in throw.classes)
            for stay, throw in ((stay, solution.throws[stay]) for stay in solution.stays[mine])
        }

    def best_stays(self, phase: int = 0, margin: float = 1e-10) -> Iterator[tuple[Position, tuple[Stay, ...]]]:
        """Go through the positions with what is best to let stay: more than one where they differ by less."""
        for position in positions(self.players):
            stakes = self.stakes(phase, position)
            enough = max(stakes.values()) - margin
            yield position, tuple(stay for stay, value in stakes.items() if value >= enough)


def positions(players: int) -> Iterator[Position]:
    """Go through every position of so many players."""
    return product(range(len(solve().stays)), repeat=players)


def for_the_round(players: int) -> tuple[Prizes, ...]:
    """Return the prizes when everybody plays to win the round."""
    return ((1.0, *(0.0,) * (players - 1)),)


def for_the_drinks(drinks: Sequence[float]) -> tuple[Prizes, ...]:
    """Return the prizes when everybody plays not to buy the drinks, from what the next round's seats pay for them.

    The prize of a seat is its chance not to pay, once the round is won.
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
) -> Joint:
    """Iterate best replies of every player until no value moves by more than the precision.

    It begins with nothing, or with what the positions are thought to be worth: what does not move is the solution.
    """
    solution = solve()
    begin = begin or dict.fromkeys(positions(players), (0.0,) * players)
    joint = Joint(players, prizes, [begin for _ in prizes])
    moved = [1.0] * len(prizes)
    while max(moved) > precision:
        for phase in reversed(range(len(prizes))):
            reached = joint.worth[(phase + 1) % len(prizes)]
            improved = _improve(solution, reached, prizes[phase])
            moved[phase] = _distance(improved, joint.worth[phase])
            joint.worth[phase] = improved
    return joint


def _distance(one: dict[Position, tuple[float, ...]], other: dict[Position, tuple[float, ...]]) -> float:
    return max(abs(new - old) for position in one for new, old in zip(one[position], other[position], strict=True))


def _improve(
    solution: Solution, reached: dict[Position, tuple[float, ...]], prizes: Prizes
) -> dict[Position, tuple[float, ...]]:
    """One turn before positions of known worth: the seat to act takes what is best for itself."""
    improved = {}
    for others in product(range(len(solution.stays)), repeat=len(prizes) - 1):
        rows = [reached[(*others, number)] for number in range(len(solution.stays))]
        after = {stay: _expect(throw, rows, prizes) for stay, throw in solution.throws.items()}
        for number, stays in enumerate(solution.stays):
            improved[(number, *others)] = max((after[stay] for stay in stays), key=_first)
    return improved


def _expect(throw: Throw, rows: Sequence[tuple[float, ...]], prizes: Prizes) -> tuple[float, ...]:
    """What a throw is worth to each seat in turn; the rows are by the class it leads to, the thrower in them last."""
    worth = [throw.twenty * prize for prize in prizes]
    for number, chance in throw.classes:
        *others, mine = rows[number]
        worth[0] += chance * mine
        for seat, value in enumerate(others, 1):
            worth[seat] += chance * value
    return tuple(worth)


def _first(worth: tuple[float, ...]) -> float:
    return worth[0]


# -- two players, exactly ----------------------------------------------------------------------------------------


def exact_start() -> Fraction:
    """Return the chance of Player 1 of two to win, as a fraction, when both let stay what is best for a seat alone.

    That this is best play is what the programme shows. Bareiss's elimination without fractions (1968) solves
    one equation for every pair of stays.
    """
    solution = solve()
    stays = sorted(set(solution.best))
    place = {pair: number for number, pair in enumerate(product(stays, repeat=2))}
    rows = []
    for mine, theirs in place:
        # win = twenty + the sum over what mine becomes of chance * (1 - win of theirs before that), times 1,296
        row = [0] * (len(place) + 1)
        row[place[mine, theirs]] = 1296
        throw = solution.throws[mine]
        row[-1] = round(1296 * throw.twenty)
        for number, chance in throw.classes:
            cases = round(1296 * chance)
            row[place[theirs, solution.best[number]]] += cases
            row[-1] += cases
        rows.append(row)
    start = place[solution.best[0], solution.best[0]]
    return _solve_for(rows, start)


def _solve_for(rows: list[list[int]], unknown: int) -> Fraction:
    """One unknown of a system of linear equations with whole coefficients, the right side in the last column."""
    for row in rows:
        row[unknown], row[-2] = row[-2], row[unknown]
    previous = 1
    for pivot in range(len(rows)):
        chosen = next(number for number in range(pivot, len(rows)) if rows[number][pivot])
        rows[pivot], rows[chosen] = rows[chosen], rows[pivot]
        top = rows[pivot]
        for number in range(pivot + 1, len(rows)):
            row = rows[number]
            factor = row[pivot]
            rows[number] = [0] * (pivot + 1) + [
                (top[pivot] * entry - factor * above) // previous
                for entry, above in zip(row[pivot + 1 :], top[pivot + 1 :], strict=True)
            ]
        previous = top[pivot]
    return Fraction(rows[-1][-1], rows[-1][-2])
