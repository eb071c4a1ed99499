"""Solves turns of three dice and up to three rolls by optimal stopping, for any payoff of the final hand."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, product
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games.english import pluralize
from fourtwenty.games.game import Action, Faces, Roll, State
from fourtwenty.games.notation import digits
from fourtwenty.games.three_rolls import CHOICES, ThreeDice
from fourtwenty.odds.solver import Choice, seat_to_act

SortedHand = Faces
"""A hand as a multiset, ascending."""

Kept = Faces
"""Kept dice as a multiset, up to three, ascending. Three stand."""

HANDS: tuple[SortedHand, ...] = tuple(combinations_with_replacement(range(1, 7), 3))
"""All 56 hands; ``[hand]`` is an index into this."""

HAND_INDEX = {hand: index for index, hand in enumerate(HANDS)}
"""``[multiset]``: its index in ``HANDS``."""

KEEPS: tuple[Kept, ...] = tuple(kept for size in range(3) for kept in combinations_with_replacement(range(1, 7), size))
"""The 28 sets of fewer than three kept dice; ``[keep]`` is an index into this."""

_KEEP_INDEX = {kept: index for index, kept in enumerate(KEEPS)}


def _throw(kept: Kept) -> dict[int, float]:
    """Return ``chances[hand]`` of a throw of the other dice, without impossible hands."""
    throws = Counter(HAND_INDEX[tuple(sorted(kept + faces))] for faces in product(range(1, 7), repeat=3 - len(kept)))
    return {hand: count / throws.total() for hand, count in sorted(throws.items())}


THROWN = {kept: _throw(kept) for kept in KEEPS}
"""``[kept][hand]``: the probability of each possible hand of a throw of the other dice."""

FIRST: tuple[float, ...] = tuple(THROWN[()].values())
"""``[hand]``: the probability of each hand in a throw of three dice."""

# itemgetter selects from a list in C: the innermost loop of both games does little else.
_REACHED = [(itemgetter(*chances), tuple(chances.values())) for chances in THROWN.values()]
"""``[keep]``: the selection of possible hands from ``[hand]``, and their probabilities."""
_OPEN = [
    tuple(sorted({KEEPS.index(kept) for size in range(3) for kept in combinations(hand, size)}, reverse=True))
    for hand in HANDS
]
"""``[hand]``: its possible ``keep``, most dice first."""
_SELECT_OPEN = [itemgetter(*keeps) for keeps in _OPEN]
"""``[hand]``: their selection from ``[keep]``."""


if sys.version_info >= (3, 12):  # three times as fast there, since sum() compensates floats
    from math import sumprod

    def dot(chances: Iterable[float], values: Iterable[float]) -> float:
        """Return the expectation of values with these probabilities."""
        return sumprod(chances, values)
else:
    from operator import mul

    def dot(chances: Iterable[float], values: Iterable[float]) -> float:
        return sum(map(mul, chances, values), 0.0)


INDIFFERENT = 1e-11
"""A smaller gain is rounding: a seat stands, or keeps more dice, so that last bits change no other values."""

TurnPolicy = Sequence[Sequence[int | None]]
"""``[rolls_left][hand]``: the ``keep`` to choose; None to stand."""


class Turn(Struct, frozen=True, dict=True):
    """A solved turn: the payoffs of standing, throwing and every hand."""

    standing: Sequence[Sequence[float]]
    """``[rolls_left][hand]``: the payoff of standing."""
    thrown: Sequence[Sequence[float]]
    """``[rolls_left][keep]``: the expected payoff of throwing the other dice; empty without a roll left."""
    values: Sequence[Sequence[float]]
    """``[rolls_left][hand]``: the expected payoff."""

    @property
    def value(self) -> float:
        """The expected payoff before the first roll."""
        return dot(FIRST, self.values[-1])

    @cached_property
    def best(self) -> TurnPolicy:
        """The optimal policy: stand where it is as good; of equal throws, keep the most dice."""
        best: list[Sequence[int | None]] = [[None] * len(HANDS)]  # without a roll left
        for standing, thrown, values in zip(self.standing[1:], self.thrown[1:], self.values[1:], strict=True):
            best.append(
                [
                    None if most == now else keeps[[thrown[keep] >= most - INDIFFERENT for keep in keeps].index(True)]
                    for now, most, keeps in zip(standing, values, _OPEN, strict=True)
                ]
            )
        return best

    def ends(self) -> list[float]:
        """Return ``chances[hand]`` of the turn's end, before the first roll."""
        return list(map(sum, zip(*reversed(stands(self.best, FIRST)), strict=True)))

    def choosing(self, kept: Kept, rolls_left: int) -> float:
        """Return the expected payoff of keeping these dice and throwing the others. Three dice stand."""
        if len(kept) == len(HANDS[0]):
            return self.standing[rolls_left][HAND_INDEX[kept]]
        return self.thrown[rolls_left][_KEEP_INDEX[kept]]


def turn(standing: Sequence[Sequence[float]]) -> Turn:
    """Return the optimal turn, by backward induction, with a roll for each row of ``standing[rolls_left][hand]``."""
    thrown: list[Sequence[float]] = [()]
    values = [standing[0]]
    for now in standing[1:]:
        after = _throw_each(values[-1])
        thrown.append(after)
        best = [max(select(after)) for select in _SELECT_OPEN]
        values.append([most if most > each + INDIFFERENT else each for each, most in zip(now, best, strict=True)])
    return Turn(standing, thrown, values)


def follow(policy: TurnPolicy, standing: Sequence[Sequence[float]]) -> Turn:
    """Return the turn under a policy, with ``standing[rolls_left][hand]``, the payoffs of standing."""
    thrown: list[Sequence[float]] = [()]
    values = [standing[0]]
    for now, keeps in zip(standing[1:], policy[1:], strict=True):
        after = _throw_each(values[-1])
        # Arrays: a plan of 421 has 48 columns at twelve seats, 90 kB, where lists of floats take 340.
        thrown.append(array("d", after))
        values.append(
            array("d", [each if keep is None else after[keep] for each, keep in zip(now, keeps, strict=True)])
        )
    return Turn(standing, thrown, values)


def stands(policy: TurnPolicy, held: Sequence[float]) -> list[Sequence[float]]:
    """Return ``chances[rolls_left][hand]`` to end so under a policy, from ``held[hand]``."""
    ended: list[Sequence[float]] = []
    for best in reversed(policy):
        stood, thrown = [0.0] * len(HANDS), [0.0] * len(KEEPS)
        for hand, (chance, keep) in enumerate(zip(held, best, strict=True)):
            if keep is None:
                stood[hand] = chance
            else:
                thrown[keep] += chance
        ended.append(stood)
        following = [0.0] * len(HANDS)
        for hands, chance in zip(THROWN.values(), thrown, strict=True):
            if chance:
                for hand, share in hands.items():
                    following[hand] += chance * share
        held = following
    return ended[::-1]


def _throw_each(values: Sequence[float]) -> list[float]:
    """Return ``expected[keep]`` of ``values[hand]`` after a throw of the other dice."""
    return [dot(chances, reached(values)) for reached, chances in _REACHED]


RoundRow = tuple[float, ...]
"""``[column]``: a round's expectations; each game defines its columns."""


class Plan:
    """The optimal policy of the seat to act, and the expected ``RoundRow`` under it."""

    def __init__(self, wanted: Sequence[Sequence[float]], columns: Sequence[Sequence[Sequence[float]]]) -> None:
        """Solve the turn for ``wanted[rolls_left][hand]``; ``columns[column][rolls_left][hand]`` are the rows.

        Threads share a plan and read the columns at once, which an iterator does not allow.
        """
        self.turn = turn(wanted)
        self._standing = columns

    @cached_property
    def _columns(self) -> list[Turn]:
        """``[column]``, computed for the first row: most plans only give the policy."""
        return [follow(self.turn.best, column) for column in self._standing]

    def before(self, first: Sequence[float] = FIRST) -> RoundRow:
        """Return the expected row before the first roll, with probabilities ``first[hand]``."""
        return tuple(dot(first, column.values[-1]) for column in self._columns)

    def holding(self, hand: Faces, rolls_left: int) -> RoundRow:
        """Return the expected row with this hand and rolls left."""
        return tuple(column.values[rolls_left][hand_index(hand)] for column in self._columns)

    def choosing(self, kept: Kept, rolls_left: int) -> RoundRow:
        """Return the expected row of keeping these dice and throwing the others. Three dice stand."""
        return tuple(column.choosing(kept, rolls_left) for column in self._columns)


class Option(Struct, frozen=True):
    """A choice with a hand; rolls that keep the same faces are one."""

    action: Action
    kept: Faces
    """The kept faces by die position."""
    kept_sorted: Kept


@cache
def options(hand: Faces) -> tuple[Option, ...]:
    """Return every option with a hand while rolls are left, most kept dice first.

    >>> [option.kept for option in options((4, 4, 1))]
    [(4, 4, 1), (4, 1), (4, 4), (1,), (4,), ()]
    """
    found: dict[Kept, Option] = {}
    for action in CHOICES:
        kept = _kept(hand, action)
        kept_sorted = tuple(sorted(kept))
        found.setdefault(kept_sorted, Option(action, kept, kept_sorted))
    return tuple(sorted(found.values(), key=lambda option: -len(option.kept)))


def kept_of(hand: Faces, action: Action) -> Kept:
    """Return the dice that an action keeps, as a multiset."""
    return tuple(sorted(_kept(hand, action)))


def _kept(hand: Faces, action: Action) -> Faces:
    thrown = action.dice if isinstance(action, Roll) else ()
    return tuple(face for die, face in enumerate(hand, 1) if die not in thrown)


@cache
def hand_index(hand: Faces) -> int:
    """Return a hand's index in ``HANDS``, its faces in any order."""
    return HAND_INDEX[tuple(sorted(hand))]


GameState = TypeVar("GameState", bound=ThreeDice)


def class_chances(kept: Kept, names: Iterable[str], name_of: Callable[[SortedHand], str]) -> tuple[float, ...]:
    """Return ``[class]``: the probability of each class of hands, by name, with these dice kept."""
    thrown = {hand_index(kept): 1.0} if len(kept) == len(HANDS[0]) else THROWN[kept]
    made = [(name_of(HANDS[hand]), chance) for hand, chance in thrown.items()]
    return tuple(sum(chance for name, chance in made if name == each) for each in names)


def others_change_best(
    state: GameState, strength: Sequence[int], choices: Callable[[GameState], Sequence[Choice]]
) -> bool:
    """Return whether the best choice differs between the weakest and strongest hands by ``strength[hand]``."""
    if len(state.actions) <= 1 or not state.turns:
        return False
    best = set()
    for extreme in (min, max):
        hand = HANDS[extreme(range(len(HANDS)), key=strength.__getitem__)]
        hands = list(state.hands)
        for seat in state.order[: state.turns]:
            hands[seat] = hand
        best.add(tuple(sorted(choices(replace(state, hands=tuple(hands)))[0].kept)))
    return len(best) > 1


def own_hand(state: State, rolls_left: int) -> str:
    """Return the hand of the seat to act, ascending, and its rolls left as a text, for ``Solver.choice_key``."""
    return f"{digits(tuple(sorted(state.hand(seat_to_act(state)))))} {rolls_left}"


def turn_words(state: ThreeDice, rolls_left: int) -> str:
    """Return turn and rolls left of the seat to act in words: "first, 2 rolls left"."""
    return f"{'in reply' if state.turns else 'first'}, {pluralize(rolls_left, 'roll', 'rolls')} left"
