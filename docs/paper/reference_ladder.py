"""The ladder of simple rules of 420 once more, from the rule sheet, with numpy: for solution.py and the tests.

It imports nothing of the program and nothing of solution_420.py. There a rule is a curve and a round a race of
curves, summed turn by turn; here both are Markov chains, solved as linear equations and iterated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

Hand = tuple[int, ...]
"""Faces, ascending: a whole hand, or the dice of one that are kept."""

LEAST = (0, 5, 10, 15)
"""``[number of dice]``: the least total with which as many may be kept."""

PRECISION = 1e-15
"""A chance is iterated until a lap changes none by more. A lap leaves at most 1,261/1,296 of any error."""


def legal(hand: Hand) -> set[Hand]:
    """Return the sets of dice that may be kept, of a hand that is not 20; a hand over 20 is rolled whole."""
    if sum(hand) > 20:
        return {()}
    return {kept for count, least in enumerate(LEAST) for kept in combinations(hand, count) if sum(kept) >= least}


def thrown(kept: Hand) -> list[Hand]:
    """Return every hand that a throw of the other dice makes, all equally likely."""
    return [tuple(sorted(kept + faces)) for faces in product(range(1, 7), repeat=4 - len(kept))]


Rule = Callable[[Hand], Hand]
"""Returns the dice of a hand to keep."""


@dataclass(frozen=True)
class Chain:
    """A seat that follows a rule. Its states are the dice that it keeps; the first is a seat that has not rolled."""

    twenty: Array
    """``[state]``: the probability that the next throw makes 20."""
    moves: Array
    """``[state][next]``: the probability that it does not, and that these dice are kept then."""

    @classmethod
    def of(cls, rule: Rule) -> Chain:
        """Return the chain of a rule: every state that a seat which has not rolled can reach."""
        states: list[Hand] = [()]
        found = dict[tuple[int, int], int]()
        twenty = []
        for here, kept in enumerate(states):  # grows while it is walked through
            throws = thrown(kept)
            cases = 1296 // len(throws)
            twenty.append(cases * sum(sum(hand) == 20 for hand in throws))
            for hand in throws:
                if sum(hand) != 20:
                    keeps = rule(hand)
                    assert keeps in legal(hand), (hand, keeps)
                    if keeps not in states:
                        states.append(keeps)
                    move = here, states.index(keeps)
                    found[move] = found.get(move, 0) + cases
        moves = np.zeros((len(states), len(states)))
        for move, cases in found.items():
            moves[move] = cases / 1296
        return cls(np.array(twenty) / 1296, moves)

    @property
    def rolls(self) -> float:
        """The average number of rolls to 20."""
        return float(np.linalg.solve(np.eye(len(self.moves)) - self.moves, np.ones(len(self.moves)))[0])


def chances(seats: list[Chain]) -> Array:
    """Return ``[seat]``: the probability to win a round that nobody has begun.

    The state of the round is the state of all chains; a lap is one turn of each seat, the last one solved first.
    """
    wins = np.zeros((*(len(chain.twenty) for chain in seats), len(seats)))
    moved = 1.0
    while moved > PRECISION:
        before = wins
        for seat in reversed(range(len(seats))):
            wins = np.moveaxis(np.tensordot(seats[seat].moves, wins, axes=(1, seat)), 0, seat)
            at_once = np.zeros_like(wins)
            at_once[..., seat] = seats[seat].twenty.reshape([-1 if axis == seat else 1 for axis in range(len(seats))])
            wins = wins + at_once
        moved = float(np.abs(wins - before).max())
    begin: Array = wins[(0,) * len(seats)]
    return begin


def alone() -> Rule:
    """Return the rule with the fewest rolls to 20 on average, by value iteration over the hands."""
    hands = {hand for hand in thrown(()) if sum(hand) != 20}
    kept_sets = set[Hand]().union(*map(legal, hands))
    cases = {kept: [hand for hand in thrown(kept) if sum(hand) != 20] for kept in kept_sets}
    rolls = dict.fromkeys(hands, 0.0)
    moved = 1.0
    while moved > 1e-11:
        needed = {kept: 1 + sum(map(rolls.__getitem__, cases[kept])) / 6 ** (4 - len(kept)) for kept in kept_sets}
        fewer = {hand: min(map(needed.__getitem__, legal(hand))) for hand in hands}
        moved = max(abs(fewer[hand] - rolls[hand]) for hand in hands)
        rolls = fewer
    return lambda hand: min(legal(hand), key=needed.__getitem__)


def as_many(order: Callable[[Hand], int], faces: Hand = (1, 2, 3, 4, 5, 6), most: int = 3) -> Rule:
    """Return the rule to keep as many dice of these faces as one may, at most so many; of several sets the first."""

    def keep(hand: Hand) -> Hand:
        options = [kept for kept in legal(hand) if len(kept) <= most and set(kept) <= set(faces)]
        return min(options, key=lambda kept: (-len(kept), order(kept)))

    return keep


def lowest(kept: Hand) -> int:
    """Put the lowest total first."""
    return sum(kept)


def highest(kept: Hand) -> int:
    """Put the highest total first."""
    return -sum(kept)


def two_lines(hand: Hand) -> Hand:
    """Keep as many as one may, the lowest, but of three hands only 6-6."""
    return (6, 6) if hand in [(1, 6, 6, 6), (1, 5, 6, 6), (2, 5, 6, 6)] else as_many(lowest)(hand)


RULES: dict[str, Rule] = {
    "keep as many dice as you may, the lowest": as_many(lowest),
    "  but of 6661, 6651 and 6652 only 66": two_lines,
    "keep as many dice as you may, the highest": as_many(highest),
    "keep 6s, 5s and 4s, as many as you may": as_many(highest, (6, 5, 4)),
    "keep 6s and 5s, as many as you may": as_many(highest, (6, 5)),
    "keep 6s, as many as you may": as_many(highest, (6,)),
    "keep two dice at most, the highest": as_many(highest, most=2),
    "keep one die at most, the highest": as_many(highest, most=1),
    "roll all four": as_many(highest, most=0),
}
"""The rules by their words in docs/paper/solution.md."""


def ladder() -> dict[str, tuple[float, ...]]:
    """Return, by rule: its average number of rolls to 20, then its price for each seat of two and each of three.

    A price is the chance to win the round that a seat gives away beside seats that play as one alone does best.
    """
    best = Chain.of(alone())
    fair = {players: chances([best] * players) for players in (2, 3)}
    found = {}
    for name, rule in RULES.items():
        chain = Chain.of(rule)
        prices = [
            fair[players][seat] - chances([chain if other == seat else best for other in range(players)])[seat]
            for players in (2, 3)
            for seat in range(players)
        ]
        found[name] = (chain.rolls, *map(float, prices))
    return found
