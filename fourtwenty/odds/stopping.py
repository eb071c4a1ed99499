"""A turn with three dice and up to three rolls, as both cousins have it: best play towards any worth of the last hand.

What a hand is worth, and beside whom, is each game's own file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from operator import itemgetter, mul
from typing import TypeVar

from fourtwenty.games.bar_421 import Bar421
from fourtwenty.games.game import Action, Faces, Roll
from fourtwenty.games.ten_rounds import TenRounds
from fourtwenty.games.three_rolls import CHOICES
from fourtwenty.odds import Choice

Hand = Faces
"""A hand as a multiset: three faces ascending."""

Stay = Faces
"""Dice that stay, ascending; a whole hand stands."""

HANDS: tuple[Hand, ...] = tuple(combinations_with_replacement(range(1, 7), 3))
"""All 56 hands; whatever is said by hand is in this order."""

NUMBER = {hand: number for number, hand in enumerate(HANDS)}
"""The place of every hand in ``HANDS``."""

STAYS: tuple[Stay, ...] = tuple(stay for size in range(3) for stay in combinations_with_replacement(range(1, 7), size))
"""The 28 ways to let fewer than three dice stay."""


def _thrown(stay: Stay) -> dict[int, float]:
    """The chance of each hand, by its number, when these dice stay and the others are thrown."""
    throws = Counter(NUMBER[tuple(sorted(stay + faces))] for faces in product(range(1, 7), repeat=3 - len(stay)))
    return {number: count / throws.total() for number, count in sorted(throws.items())}


THROWN = {stay: _thrown(stay) for stay in STAYS}
"""What throwing the dice that do not stay may come to."""

FIRST: tuple[float, ...] = tuple(THROWN[()].values())
"""The chance of each hand when all three are thrown."""

_REACHED = [(itemgetter(*chances), tuple(chances.values())) for chances in THROWN.values()]
_OPEN = [tuple(sorted({STAYS.index(stay) for size in range(3) for stay in combinations(hand, size)})) for hand in HANDS]
_OPEN_TO = [itemgetter(*stays) for stays in _OPEN]


def dot(chances: Iterable[float], numbers: Iterable[float]) -> float:
    """Return what numbers come to on average."""
    return sum(map(mul, chances, numbers), 0.0)


@dataclass(frozen=True, slots=True)
class Turn:
    """Best play of one seat towards a worth of its last hand; everything by rolls left, from 0, and by hand."""

    values: tuple[Sequence[float], ...]
    """What a hand is worth."""
    best: tuple[Sequence[int | None], ...]
    """What to let stay of it, by its place in ``STAYS``; None where standing is as good, and without rolls left."""

    @property
    def value(self) -> float:
        """What the turn is worth before its first roll."""
        return dot(FIRST, self.values[-1])

    def ends(self) -> list[float]:
        """Return the chance to end the turn with each hand, before its first roll."""
        ended = [0.0] * len(HANDS)
        held: Sequence[float] = FIRST
        for best in reversed(self.best):
            thrown = [0.0] * len(STAYS)
            for hand, (chance, stay) in enumerate(zip(held, best, strict=True)):
                if stay is None:
                    ended[hand] += chance
                else:
                    thrown[stay] += chance
            held = [0.0] * len(HANDS)
            for hands, chance in zip(THROWN.values(), thrown, strict=True):
                if chance:
                    for hand, share in hands.items():
                        held[hand] += chance * share
        return ended

    def leads_to(self, ends: Sequence[Sequence[float]]) -> tuple[Sequence[float], ...]:
        """Return by rolls left and by hand what something comes to that is told of the hand the turn ends with."""
        told = [ends[0]]
        for end, best in zip(ends[1:], self.best[1:], strict=True):
            thrown = _thrown_each(told[-1])
            told.append([now if stay is None else thrown[stay] for now, stay in zip(end, best, strict=True)])
        return tuple(told)


def turn(standing: Sequence[Sequence[float]]) -> Turn:
    """Solve a turn from the worth of ending it, by rolls left, from 0, and by hand; as many rolls as there are."""
    values = [standing[0]]
    best: list[Sequence[int | None]] = [[None] * len(HANDS)]
    for stand in standing[1:]:
        thrown = _thrown_each(values[-1])
        worth = [max(now, *open_to(thrown)) for now, open_to in zip(stand, _OPEN_TO, strict=True)]
        best.append(
            [
                None if most <= now else max(stays, key=thrown.__getitem__)
                for most, now, stays in zip(worth, stand, _OPEN, strict=True)
            ]
        )
        values.append(worth)
    return Turn(tuple(values), tuple(best))


def _thrown_each(worth: Sequence[float]) -> list[float]:
    """By stay, what throwing the others comes to, from what each hand does."""
    return [dot(chances, reached(worth)) for reached, chances in _REACHED]


Row = tuple[float, ...]
"""What a round comes to, number by number; which they are is each game's business."""


class Plan:
    """Best play of the seat to act, and what every column of a ``Row`` comes to by it."""

    def __init__(self, wanted: Sequence[Sequence[float]], columns: Iterable[Sequence[Sequence[float]]]) -> None:
        """Take what the seat wants, and every column; all by rolls left, and by the hand the turn ends with."""
        best = turn(wanted)
        self._ends = tuple(columns)
        self._told = [best.leads_to(column) for column in self._ends]

    def before(self, first: Sequence[float] = FIRST) -> Row:
        """Return what the turn comes to before its first roll, with these chances of hands."""
        return tuple(dot(first, told[-1]) for told in self._told)

    def holding(self, hand: Faces, rolls: int) -> Row:
        """Return what it comes to with a hand and so many rolls left."""
        return tuple(told[rolls][number(hand)] for told in self._told)

    def choosing(self, stay: Stay, rolls: int) -> Row:
        """Return the same with a choice made: the others are thrown, or a whole hand stands."""
        if len(stay) == len(HANDS[0]):
            return tuple(ends[rolls][number(stay)] for ends in self._ends)
        thrown = THROWN[stay]
        return tuple(sum(chance * told[rolls - 1][hand] for hand, chance in thrown.items()) for told in self._told)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to do with a hand: rolls that leave the same faces are one."""

    action: Action
    stay: Stay
    kept: Faces
    """The same by position."""


@cache
def options(hand: Faces) -> tuple[Option, ...]:
    """Return what may be done with a hand while rolls are left, most dice staying first."""
    found: dict[Stay, Option] = {}
    for action in CHOICES:
        thrown = action.dice if isinstance(action, Roll) else ()
        kept = tuple(face for die, face in enumerate(hand, 1) if die not in thrown)
        stay = tuple(sorted(kept))
        found.setdefault(stay, Option(action, stay, kept))
    return tuple(sorted(found.values(), key=lambda option: -len(option.stay)))


def option_of(hand: Faces, action: Action) -> Option:
    """Return the option that an action of one who holds a hand is."""
    thrown = action.dice if isinstance(action, Roll) else ()
    stay = tuple(sorted(face for die, face in enumerate(hand, 1) if die not in thrown))
    return next(option for option in options(hand) if option.stay == stay)


def number(hand: Faces) -> int:
    """Return the place of a hand, its faces in any order, in ``HANDS``."""
    return NUMBER[tuple(sorted(hand))]


Table = TypeVar("Table", Bar421, TenRounds)


def differs(table: Table, strength: Sequence[int], choices: Callable[[Table], Sequence[Choice]]) -> bool:
    """Say whether the best choice is another one beside weakest than beside strongest hands on the table."""
    if len(table.actions) <= 1 or not table.turns:
        return False
    best = set()
    for extreme in (min, max):
        hand = HANDS[extreme(range(len(HANDS)), key=strength.__getitem__)]
        hands = list(table.hands)
        for seat in table.order[: table.turns]:
            hands[seat] = hand
        best.add(tuple(sorted(choices(replace(table, hands=tuple(hands)))[0].stay)))
    return len(best) > 1
