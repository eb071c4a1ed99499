"""The full dynamic programme of a round of 420 with numpy: every position of all hands, for solution.py.

It assumes nothing about which of the other hands matter. ``Bounds`` proves what it finds, for up to five players;
``equilibrium`` finds best replies for up to seven, where classes of hands are grouped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from reference_solver import Prizes

from fourtwenty.odds.four_twenty import Kept, TurnCurve, solve

Array = NDArray[np.float64]

SOLUTION = solve()
CLASSES = len(SOLUTION.allowed)
KEEPS: list[Kept] = list(SOLUTION.throws)
TWENTY: Array = np.array([SOLUTION.throws[kept].twenty for kept in KEEPS])
REACHED: Array = np.array(
    [[dict(SOLUTION.throws[kept].classes).get(number, 0.0) for number in range(CLASSES)] for kept in KEEPS]
)
"""``[kept][class]``: the probability that a throw leads to the class."""
ALLOWED = [[KEEPS.index(kept) for kept in allowed] for allowed in SOLUTION.allowed]
BEST = [KEEPS.index(kept) for kept in SOLUTION.best]
HURRIED = [KEEPS.index(kept) for kept in SOLUTION.hurried]

ROUNDING = 1e-12
"""Far more than the rounding errors of the sums below."""

LEAST_TWENTY = 35 / 1296
"""The least probability of 20 in a roll: that of four dice. Every other legal roll makes it more often."""


def after(payoffs: Array, prizes: Prizes) -> Array:
    """Return ``[seat][kept][others]``: the expected payoffs when the seat to act keeps the dice.

    ``payoffs[seat][position]`` are those of the next turn, in which the seat to act is the last in turn order.
    """
    return np.stack(
        [
            REACHED @ payoffs[seat - 1].reshape(-1, CLASSES).T + TWENTY[:, None] * prize
            for seat, prize in enumerate(prizes)
        ]
    )


@dataclass
class Bounds:
    """Bounds of the payoffs in every equilibrium of a round, whatever the players remember of the game.

    A choice is dropped for good where the most that it can bring is less than the least that another brings. Choices
    that are left after every step are all that can be played in a subgame-perfect equilibrium.
    """

    prizes: tuple[Prizes, ...]
    """``[phase]``: the number of turns since Player 1, modulo the number of prizes."""

    def __post_init__(self) -> None:
        """Begin with the least and the greatest prize, and every legal choice."""
        seats, phases = len(self.prizes[0]), len(self.prizes)
        shape = (phases, seats, CLASSES**seats)
        self.low: Array = np.full(shape, float(np.min(self.prizes)))
        self.high: Array = np.full(shape, float(np.max(self.prizes)))
        self.left = [
            [np.ones((len(allowed), CLASSES ** (seats - 1)), bool) for allowed in ALLOWED] for _ in range(phases)
        ]
        """``[phase][class][choice][others]``: whether the choice is left."""

    def tighten(self) -> None:
        """Take one step backwards in every phase."""
        for phase in reversed(range(len(self.prizes))):
            reached = (phase + 1) % len(self.prizes)
            low, high = (after(bound[reached], self.prizes[phase]) for bound in (self.low, self.high))
            for number, (allowed, left) in enumerate(zip(ALLOWED, self.left[phase], strict=True)):
                least = np.where(left, low[0][allowed], -1.0).max(axis=0)
                left &= high[0][allowed] >= least - ROUNDING
                lows = np.where(left, low[:, allowed], 2.0).min(axis=1)
                highs = np.where(left, high[:, allowed], -1.0).max(axis=1)
                lows[0] = least
                # somebody wins with certainty, so the payoffs of all seats have one sum
                total = sum(self.prizes[phase])
                mine = np.s_[phase, :, number * least.size : (number + 1) * least.size]
                self.low[mine] = np.maximum(self.low[mine], np.maximum(lows, total - (highs.sum(axis=0) - highs)))
                self.high[mine] = np.minimum(self.high[mine], np.minimum(highs, total - (lows.sum(axis=0) - lows)))

    @property
    def gap(self) -> float:
        """The greatest distance of an upper bound from its lower one."""
        return float((self.high - self.low).max())

    @property
    def unique(self) -> bool:
        """Whether one choice is left in every position."""
        return all(bool((left.sum(axis=0) == 1).all()) for phase in self.left for left in phase)


def bounds(prizes: tuple[Prizes, ...], precision: float = 1e-11) -> Bounds:
    """Return bounds that are ``precision`` apart at most."""
    found = Bounds(prizes)
    while found.gap > precision:
        found.tighten()
    return found


# -- six and seven players ---------------------------------------------------------------------------------------


def _group_classes() -> list[int]:
    """Return ``[class]``: the number of its group. Classes with one best choice and one curve are a group."""
    groups: dict[object, int] = {}
    return [
        groups.setdefault(
            number if best != hurried else tuple(round(chance, 12) for chance in SOLUTION.curves[best].later),
            len(groups),
        )
        for number, (best, hurried) in enumerate(zip(SOLUTION.best, SOLUTION.hurried, strict=True))
    ]


GROUP = _group_classes()
MEMBER = [GROUP.index(group) for group in range(max(GROUP) + 1)]
"""``[group]``: its first class."""
GROUPS = len(MEMBER)
TO_GROUP: Array = REACHED @ np.eye(GROUPS)[GROUP]
"""``[kept][group]``: the probability that a throw leads to the group."""


def patient_race(players: int, curves_of: dict[Kept, TurnCurve], keeps: Sequence[Kept]) -> Array:
    """Return ``[seat][position]``: the win probabilities when every class keeps ``keeps``, by a race of curves."""
    now, later = (np.array([getattr(curves_of[keeps[number]], name) for number in MEMBER]) for name in ("now", "later"))

    def outer(seats: range, mine: int) -> Array:
        """``[position][turn]``: the product of the curves of some seats."""
        product: Array = np.ones((1, now.shape[1] - 1))
        for seat in seats:
            curve = now[:, 1:] if seat == mine else later[:, 1:] if seat < mine else later[:, :-1]
            product = (product[:, None] * curve).reshape(-1, curve.shape[1])
        return product

    half = players // 2
    return np.stack(
        [(outer(range(half), seat) @ outer(range(half, players), seat).T).ravel() for seat in range(players)]
    )


def step(worth: Array, players: int) -> Array:
    """Return the win probabilities one turn earlier, by groups.

    The seat to act keeps the dice of ``BEST`` or ``HURRIED``, whichever is better.
    """
    rows = worth.reshape(players, -1, GROUPS)
    earlier = np.empty((players, GROUPS, rows.shape[1]))

    def kept(choice: int, seat: int) -> Array:
        chances: Array = rows[seat - 1] @ TO_GROUP[choice] + TWENTY[choice] * (seat == 0)
        return chances

    for choice in set(BEST):
        mine = [group for group, number in enumerate(MEMBER) if BEST[number] == choice]
        for seat in range(players):
            earlier[seat, mine] = kept(choice, seat)
    for group, number in enumerate(MEMBER):
        if HURRIED[number] != BEST[number]:
            better = kept(HURRIED[number], 0) > earlier[0, group]
            for seat in range(players):
                earlier[seat, group, better] = kept(HURRIED[number], seat)[better]
    return earlier.reshape(players, -1)


def equilibrium(players: int, precision: float) -> tuple[Array, float]:
    """Return (win probabilities ``[seat][position]`` by groups, the last change, which is below ``precision``)."""
    worth = patient_race(players, SOLUTION.curves, SOLUTION.best)
    change = 1.0
    while change > precision:
        earlier = step(worth, players)
        change = max(float(np.abs(new - old).max()) for new, old in zip(earlier, worth, strict=True))
        worth = earlier
    return worth, change


def most_gain(worth: Array, players: int) -> float:
    """Return the most that any legal choice, in any position, would bring to the seat to act beyond ``worth``."""
    rows = worth.reshape(players, -1, GROUPS)
    mine = worth[0].reshape(GROUPS, -1)
    return max(
        float((rows[-1] @ TO_GROUP[choice] + TWENTY[choice] - mine[GROUP[number]]).max())
        for number, allowed in enumerate(ALLOWED)
        for choice in allowed
    )
