"""Best play of a round of 420 once more, from the rule sheet, with numpy: for solution.py and the tests.

It imports nothing of the program and nothing of full_programme.py. There bounds close in on what each seat wins, by
groups of hands and seats counted from the one to act; here best replies are iterated from equal chances, hands are told
apart by what they may keep, and seats are counted from Player 1.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from reference_ladder import Array, Hand, legal, thrown

PRECISION = 1e-14
"""Values are iterated until a lap changes none by more."""

HANDS: list[Hand] = [(), *(hand for hand in combinations_with_replacement(range(1, 7), 4) if sum(hand) != 20)]

SETS = sorted(set[Hand]().union(*map(legal, HANDS)))
"""The sets of dice that somebody may keep, in the order of their faces."""

MAY_KEEP = list(dict.fromkeys(frozenset(legal(hand)) for hand in HANDS))
"""``[state]``: the sets that a hand may keep. Hands that may keep the same are one state; no dice is first."""

OPTIONS = [sorted(map(SETS.index, allowed)) for allowed in MAY_KEEP]

TWENTY: Array = np.array([sum(sum(hand) == 20 for hand in thrown(kept)) / len(thrown(kept)) for kept in SETS])
"""``[set]``: the probability that the throw of the other dice makes 20."""

MOVES: Array = np.array(
    [
        [
            sum(sum(hand) != 20 and legal(hand) == state for hand in thrown(kept)) / len(thrown(kept))
            for state in MAY_KEEP
        ]
        for kept in SETS
    ]
)
"""``[set][state]``: the probability that it does not, and makes a hand of the state."""


@dataclass(frozen=True)
class Round:
    """A solved round. Hands are states, and seats are counted from Player 1."""

    worth: list[Array]
    """``[seat to act][hand of each seat][seat]``: the payoff of a seat."""
    stakes: list[Array]
    """``[seat to act][set kept][hand of each other seat][seat]``: the payoff of a seat when the dice are kept."""
    choices: list[NDArray[np.intp]]
    """``[seat to act][its hand][hand of each other seat]``: the set that it keeps."""

    @property
    def begin(self) -> Array:
        """``[seat]``: the payoffs at a cleared table."""
        cleared: Array = self.worth[0][(0,) * (self.worth[0].ndim - 1)]
        return cleared

    def sha256(self, seats: int) -> str:
        """Return the SHA-256 of the table of choices, for the first seats to act; other hands in turn order."""
        table = hashlib.sha256()
        for seat, choices in enumerate(self.choices[:seats]):
            players = choices.ndim
            # the axes of the others are in the order of seats; in turn order those after the seat to act come first
            axes = (0, *range(1 + seat, players), *range(1, 1 + seat))
            table.update(np.ascontiguousarray(choices.transpose(axes).astype(np.uint8)).tobytes())
        return table.hexdigest()


def turn(worth: Array, payoffs: Array, seat: int) -> tuple[Array, Array, NDArray[np.intp]]:
    """Return the fields of ``Round`` for a turn of a seat; ``worth`` are the values that follow."""
    stakes = np.tensordot(MOVES, worth, axes=(1, seat))
    stakes += TWENTY.reshape(-1, *(1,) * len(payoffs)) * payoffs[seat]
    mine = stakes[..., seat]
    choices = np.stack([np.array(options)[mine[options].argmax(axis=0)] for options in OPTIONS])
    return np.moveaxis(np.take_along_axis(stakes, choices[..., None], axis=0), 0, seat), stakes, choices


def solved(payoffs: Array) -> Round:
    """Return best play, where ``payoffs[winner][seat]`` is the payoff of a seat by who wins the round."""
    players = len(payoffs)
    worth = np.broadcast_to(payoffs.mean(axis=0), (*(len(MAY_KEEP),) * players, players))
    moved = 1.0
    while moved > PRECISION:
        before, lap = worth, []
        for seat in reversed(range(players)):
            lap.append(turn(worth, payoffs, seat))
            worth = lap[-1][0]
        moved = float(np.abs(worth - before).max())
    return Round(*map(list, zip(*reversed(lap), strict=True)))


@cache
def best_play(players: int, drinks: bool = False) -> Round:
    """Return best play of players who play to win the round, or not to buy the drinks."""
    payoffs = np.eye(players)
    if drinks:
        pays = 1 - best_play(players - 1, players > 3).begin
        for winner in range(players):
            # Player 1 of the next round is the next seat to the left of this one's that is still in
            following = [seat for seat in (*range(1, players), 0) if seat != winner]
            payoffs[winner, following] = 1 - pays
    return solved(payoffs)
