"""The full dynamic programme of a round of 420 with numpy: every position of all hands, for solution.py.

It assumes nothing about which of the other hands matter. ``Bounds`` proves what all subgame-perfect equilibria have in
common, for up to six players, and compiled_bounds.py does for eight. ``equilibrium`` finds one by best replies.
docs/paper has the lemmas, and derives the rounding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fourtwenty.odds.four_twenty_solver import Kept, TurnCurve, solve

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

Prizes = tuple[float, ...]
"""The payoff of each seat in turn order when the seat to act makes 20."""

SOLUTION = solve()
CLASSES = len(SOLUTION.allowed)
KEEPS: list[Kept] = sorted(SOLUTION.throws)
TWENTY: Array = np.array([SOLUTION.throws[kept].twenty for kept in KEEPS])
REACHED: Array = np.array(
    [[dict(SOLUTION.throws[kept].classes).get(number, 0.0) for number in range(CLASSES)] for kept in KEEPS]
)
"""``[kept][class]``: the probability that a throw leads to the class."""
ALLOWED = [[KEEPS.index(kept) for kept in allowed] for allowed in SOLUTION.allowed]
BEST = [KEEPS.index(kept) for kept in SOLUTION.best]
HURRIED = [KEEPS.index(kept) for kept in SOLUTION.hurried]

EVERY = slice(None)

MAX_PART = 12**4
"""The most positions of the others that are looked at together."""

OUTWARD = 1e-14
"""Distance by which the result of every operation on bounds is moved outward: more than its rounding error."""

MIN_TWENTY = 35 / 1296
"""The least probability of 20 in a legal roll, when four dice are rolled."""


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
TO_GROUP: Array = np.rint(1296 * REACHED @ np.eye(GROUPS)[GROUP]) / 1296
"""``[kept][group]``: the probability that a throw leads to the group, a number of cases of 1,296, rounded once."""


def after(payoffs: Array, seat: int, prizes: Prizes, part: slice = EVERY) -> Array:
    """Return ``[kept][others]``: the expected payoff of a seat when the seat to act keeps the dice.

    ``payoffs[seat][position]`` are the payoffs of the next turn, when the seat to act is the last in turn order. Only
    the positions of ``others`` in ``part`` are computed.
    """
    kept: Array = TO_GROUP @ payoffs[seat - 1].reshape(-1, GROUPS)[part].T
    kept += (TWENTY * prizes[seat])[:, None]
    return kept


def _of_those(payoffs: Array, allowed: Sequence[int], left: Mask, keep: np.ufunc) -> Array:
    """Return ``[others]``: the least or the most of ``payoffs[kept][others]`` over the choices that are left."""
    found: Array | None = None
    none = -np.inf if keep is np.maximum else np.inf
    for choice, somewhere in zip(allowed, left, strict=True):
        if somewhere.any():
            row = payoffs[choice] if somewhere.all() else np.where(somewhere, payoffs[choice], none)
            found = row if found is None else keep(found, row)
    assert found is not None
    return found


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


@dataclass(frozen=True)
class Stakes:
    """The payoffs of a round when it is won. The phase is the number of turns since Player 1, modulo the phases."""

    least: tuple[Prizes, ...]
    """``[phase][seat]``: a lower bound of the payoff of each seat in turn order when the seat to act makes 20."""
    most: tuple[Prizes, ...]
    """``[phase][seat]``: an upper bound."""
    total: int
    """The sum of the payoffs of all seats."""

    @classmethod
    def of_the_round(cls, players: int) -> Stakes:
        """Return the stakes of players who play to win the round."""
        return cls(for_the_round(players), for_the_round(players), 1)

    @classmethod
    def of_the_drinks(cls, pays: Array, off: float) -> Stakes:
        """Return the stakes of players who play not to buy the drinks.

        ``pays`` is the probability to buy them by seat of the next round, from Player 1, right within ``off``.
        """
        players = len(pays) + 1
        off += OUTWARD  # for the subtraction
        prizes = for_the_drinks(pays.tolist())
        surely = [tuple(seat == 0 for seat in range(players))] * players  # who makes 20 buys nothing
        least, most = (
            tuple(
                tuple(1.0 if out else prize + move for prize, out in zip(row, mask, strict=True))
                for row, mask in zip(prizes, surely, strict=True)
            )
            for move in (-off, off)
        )
        return cls(least, most, players - 1)


class Bounds:
    """Bounds of the payoffs in every subgame-perfect equilibrium of a round, whatever the players remember of it.

    A choice is dropped for good where its upper bound is less than the lower bound of another: no subgame-perfect
    equilibrium plays it. Every operation is rounded outward, so the bounds are rigorous. Positions are by groups: the
    bounds of a group contain the bounds of its classes.
    """

    def __init__(self, stakes: Stakes, constant_sum: bool = True) -> None:
        """Begin with the least and the greatest payoff, and every legal choice.

        Without ``constant_sum`` a step does not use that the payoffs of all seats have one sum.
        """
        self.stakes = stakes
        self.constant_sum = constant_sum
        seats, phases = len(stakes.least[0]), len(stakes.least)
        shape = (phases, seats, GROUPS**seats)
        self.low: Array = np.zeros(shape)
        self.high: Array = np.ones(shape)
        self.left: list[list[Mask]] = [
            [np.ones((len(allowed), GROUPS ** (seats - 1)), bool) for allowed in ALLOWED] for _ in range(phases)
        ]
        """``[phase][class][choice][others]``: whether the choice is left."""
        self.margin = 1.0
        """The least distance by which a dropped choice was behind."""
        self.steps = 0

    def tighten(self) -> float:
        """Take one step backwards in every phase. Return the most that a bound has moved.

        Positions are updated part by part, and new bounds are used at once: a bound that follows from valid bounds is
        valid. So there is one copy of the bounds.
        """
        self.steps += 1
        others = self.low.shape[2] // GROUPS
        size = min(others, MAX_PART)
        return max(
            self._tighten(phase, slice(begin, begin + size))
            for phase in reversed(range(len(self.left)))
            for begin in range(0, others, size)
        )

    def _tighten(self, phase: int, part: slice) -> float:
        """Take a step in the positions whose others are in ``part``."""
        seats = self.low.shape[1]
        reached = (phase + 1) % len(self.left)
        here = [bound[phase].reshape(seats, GROUPS, -1)[..., part] for bound in (self.low, self.high)]
        lows, highs = np.empty(here[0].shape), np.empty(here[0].shape)
        for seat in range(seats):
            low = after(self.low[reached], seat, self.stakes.least[phase], part) - OUTWARD
            high = after(self.high[reached], seat, self.stakes.most[phase], part) + OUTWARD
            for number, allowed in enumerate(ALLOWED):
                left = self.left[phase][number][:, part]
                # the seat to act has the best of what is left, the others may have any of it
                least = _of_those(low, allowed, left, np.maximum if seat == 0 else np.minimum)
                most = _of_those(high, allowed, left, np.maximum)
                if seat == 0 and len(allowed) > 1:
                    self._drop(left, least, high[allowed])
                group = GROUP[number]
                first = number == MEMBER[group]
                lows[seat, group] = least if first else np.minimum(lows[seat, group], least)
                highs[seat, group] = most if first else np.maximum(highs[seat, group], most)
        if self.constant_sum:
            all_lows, all_highs = lows.sum(axis=0), highs.sum(axis=0)
            for low, high in zip(lows, highs, strict=True):
                others_most, others_least = all_highs - high, all_lows - low
                np.maximum(low, self.stakes.total - others_most - OUTWARD, out=low)
                np.minimum(high, self.stakes.total - others_least + OUTWARD, out=high)
        np.maximum(lows, here[0], out=lows)
        np.minimum(highs, here[1], out=highs)
        moved = max(float((lows - here[0]).max()), float((here[1] - highs).max()))
        here[0][...], here[1][...] = lows, highs
        return moved

    def _drop(self, left: Mask, least: Array, high: Array) -> None:
        """Drop the choices that bring less than the least value of the seat to act."""
        for choice, most in zip(left, high, strict=True):
            dropped = choice & (most < least)
            if dropped.any():
                self.margin = min(self.margin, float((least - most)[dropped].min()))
                choice &= ~dropped

    @property
    def gap(self) -> float:
        """The greatest distance of an upper bound from its lower one."""
        return max(float((high - low).max()) for high, low in zip(self.high, self.low, strict=True))

    @property
    def middle(self) -> Array:
        """``[phase][seat][position]``: the payoffs half-way between the bounds."""
        return (self.low + self.high) / 2

    def open(self) -> Iterator[tuple[int, int, tuple[int, ...], list[Kept]]]:
        """Yield (phase, class, groups of the others, choices that are left) wherever more than one is left."""
        others = (GROUPS,) * (self.low.shape[1] - 1)
        for phase, each in enumerate(self.left):
            for number, left in enumerate(each):
                for place in np.flatnonzero(left.sum(axis=0) > 1):
                    groups = tuple(map(int, np.unravel_index(place, others)))
                    yield (
                        phase,
                        number,
                        groups,
                        [KEEPS[ALLOWED[number][choice]] for choice in left[:, place].nonzero()[0]],
                    )


def bounds(stakes: Stakes, precision: float = 1e-12) -> Bounds:
    """Return bounds that a step moves by less than ``precision``."""
    found = Bounds(stakes)
    while found.tighten() >= precision:
        pass
    return found


def table_of(choices: Sequence[Sequence[NDArray[np.intp]]], players: int) -> bytes:
    """Return the table of best play, for its hash: one byte a position, the number of the choice in ``KEEPS``.

    ``choices[phase][class][others]`` are the numbers, the others by groups. In the table, phase by phase, positions are
    by classes, in the order of their first hands, the last seat in turn order fastest.
    """
    expand = np.ix_(*[GROUP] * (players - 1))
    return b"".join(
        of_class.reshape((GROUPS,) * (players - 1))[expand].astype(np.uint8).tobytes()
        for phase in choices
        for of_class in phase
    )


def sha256(table: bytes) -> str:
    """Return the SHA-256 of a table in hexadecimal digits."""
    return hashlib.sha256(table).hexdigest()


# -- one equilibrium, by best replies ------------------------------------------------------------------------------


def race_of(mine: int, players: int, curves_of: dict[Kept, TurnCurve], keeps: Sequence[Kept]) -> tuple[Array, Array]:
    """Return ``[hands of the first half][turn]``, ``[hands of the others][turn]`` of a race of curves.

    A sum of products over turns is the win probability of the seat ``mine`` when every class keeps ``keeps``.
    """
    now, later = (np.array([getattr(curves_of[keeps[number]], name) for number in MEMBER]) for name in ("now", "later"))

    def outer(seats: range) -> Array:
        """``[position][turn]``: the product of the curves of some seats."""
        product: Array = np.ones((1, now.shape[1] - 1))
        for seat in seats:
            curve = now[:, 1:] if seat == mine else later[:, 1:] if seat < mine else later[:, :-1]
            product = (product[:, None] * curve).reshape(-1, curve.shape[1])
        return product

    half = players // 2
    return outer(range(half)), outer(range(half, players))


def patient_race(players: int, curves_of: dict[Kept, TurnCurve], keeps: Sequence[Kept]) -> Array:
    """Return ``[seat][position]``: the win probabilities when every class keeps ``keeps``, by a race of curves."""
    races = (race_of(seat, players, curves_of, keeps) for seat in range(players))
    return np.stack([(first @ others.T).ravel() for first, others in races])


Profile = dict[int, Mask]
"""``[group][others]``: whether the seat to act hurries, for the groups that have two ways."""


def best_replies(worth: Array, players: int) -> Profile:
    """Return where hurrying pays the seat to act more than the usual choice; ``worth`` are the values that follow."""
    kept = after(worth, 0, for_the_round(players)[0])
    return {
        group: kept[HURRIED[number]] > kept[BEST[number]]
        for group, number in enumerate(MEMBER)
        if HURRIED[number] != BEST[number]
    }


def step(worth: Array, players: int, profile: Profile | None = None) -> Array:
    """Return the win probabilities one turn earlier, by groups.

    The seat to act keeps the dice of ``BEST`` or ``HURRIED``: as the profile says, or else whichever is better.
    """
    profile = best_replies(worth, players) if profile is None else profile
    earlier = np.empty((players, GROUPS, GROUPS ** (players - 1)))
    for seat in range(players):
        kept = after(worth, seat, for_the_round(players)[0])
        earlier[seat] = kept[[BEST[number] for number in MEMBER]]
        for group, hurried in profile.items():
            np.copyto(earlier[seat, group], kept[HURRIED[MEMBER[group]]], where=hurried)
    return earlier.reshape(players, -1)


def worth_of(begin: Array, players: int, precision: float, profile: Profile | None = None) -> tuple[Array, float]:
    """Return (win probabilities ``[seat][position]`` by groups, the last change, which is below ``precision``).

    Each step from ``begin`` plays the profile, or else best replies.
    """
    worth, change = begin, 1.0
    while change > precision:
        earlier = step(worth, players, profile)
        change = max(float(np.abs(new - old).max()) for new, old in zip(earlier, worth, strict=True))
        worth = earlier
    return worth, change


def equilibrium(players: int, precision: float) -> tuple[Array, float]:
    """Return ``worth_of`` best replies, begun from the race of curves."""
    return worth_of(patient_race(players, SOLUTION.curves, SOLUTION.best), players, precision)


def choices_of(profile: Profile, players: int) -> list[list[NDArray[np.intp]]]:
    """Return the choices of a profile as ``table_of`` takes them."""
    others = GROUPS ** (players - 1)
    return [
        [
            np.where(profile[GROUP[number]], HURRIED[number], best)
            if GROUP[number] in profile
            else np.full(others, best, np.intp)
            for number, best in enumerate(BEST)
        ]
    ]


def most_gain(worth: Array, players: int) -> float:
    """Return the most that the seat to act gains over ``worth`` by any legal choice, in any position."""
    rows = worth.reshape(players, -1, GROUPS)
    mine = worth[0].reshape(GROUPS, -1)
    return max(
        float((rows[-1] @ TO_GROUP[choice] + TWENTY[choice] - mine[GROUP[number]]).max())
        for number, allowed in enumerate(ALLOWED)
        for choice in allowed
    )


def smallest_lead(stakes: Array) -> float:
    """Return the smallest lead of a best choice over the next one, from ``[kept][others]`` of the seat to act."""
    return min(
        float(np.subtract(*np.sort(stakes[allowed], axis=0)[:-3:-1]).min()) for allowed in ALLOWED if len(allowed) > 1
    )
