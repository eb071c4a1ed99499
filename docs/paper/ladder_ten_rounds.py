"""Simple rules of play for Four Twenty-One of two, and their exact price against best play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from fourtwenty.games.game import Faces
from fourtwenty.games.ten_rounds import BONUS, ROUNDS
from fourtwenty.odds import ten_rounds_match, ten_rounds_solver
from fourtwenty.odds.stopping import HANDS, KEEPS, Kept, Turn, TurnPolicy, dot, follow, hand_index, turn
from fourtwenty.odds.ten_rounds_match import AT_ONCE, FIRST_WITHOUT_TOP
from fourtwenty.odds.ten_rounds_point import CAPS, RANKS, STRENGTH, TOP

Take = Callable[[Faces, int], Kept | None]
"""Dice of a hand to keep, its faces ascending; None where it has no such dice. The second argument is the face to beat.

The face to beat is the face of the pair or three alike to beat, or the highest die of an unmatched hand.
"""


def _pair(hand: Faces, beat: int) -> Kept | None:  # noqa: ARG001
    return next(((face, face) for face in hand if hand.count(face) > 1), None)


def _two_of_421(hand: Faces, beat: int) -> Kept | None:  # noqa: ARG001
    found = tuple(sorted({1, 2, 4} & set(hand)))
    return found if len(found) == 2 else None


def _face(face: int) -> Take:
    return lambda hand, _: (face,) if face in hand else None


TAKES: dict[str, Take] = {
    "pair": _pair,
    "two of 4-2-1": _two_of_421,
    "6": _face(6),
    "5": _face(5),
    "4": _face(4),
    "highest": lambda hand, _: hand[-1:],
    "higher": lambda hand, beat: hand[-1:] if hand[-1] > beat else None,
    "higher or equal": lambda hand, beat: hand[-1:] if hand[-1] >= beat else None,
    "higher pair": lambda hand, beat: found if (found := _pair(hand, beat)) and found[0] > beat else None,
}
"""By name: dice that a rule may keep. *Higher* is the highest die, if it is higher than the face to beat."""

CLASS_WORDS = tuple(ten_rounds_solver.NAMES.values())
"""The classes of hands, each in one word, as ``class_of`` returns them."""

Keeps = tuple[str, ...]
"""Names in ``TAKES``: the dice kept are the first of these that the hand has; all are rolled if it has none."""


@dataclass(frozen=True)
class Rule:
    """A rule for both seats of two. The second seat stands as soon as it is ahead."""

    stands: tuple[Faces, Faces]
    """The least hands that the starting seat stands with: with one roll left, and with two."""
    keeps: Keeps
    """The dice that the starting seat keeps."""
    replies: Mapping[str, Keeps]
    """The dice that the second seat keeps, by the class of the hand to beat."""
    level: frozenset[str] = frozenset()
    """The classes of hands that the second seat stands level with."""

    def starting(self) -> TurnPolicy:
        """Return the policy of the starting seat."""
        least = [STRENGTH[hand_index(hand)] for hand in self.stands]
        return _policy([0, *least], self.keeps, 0)

    def following(self, hand: int, cap: int) -> TurnPolicy:
        """Return the policy of the second seat with a hand to beat."""
        name = class_of(hand)
        least = STRENGTH[hand] + (name not in self.level)
        return _policy([0, *[least] * (cap - 1)], self.replies[name], _face_to_beat(hand))


def class_of(hand: int) -> str:
    """Return the class of a hand in one word."""
    return RANKS[hand].name.split()[0]


def _face_to_beat(hand: int) -> int:
    return RANKS[hand].strength[1] if hand != TOP else 6


def _policy(least: Sequence[int], keeps: Keeps, beat: int) -> TurnPolicy:
    """Return the policy that stands from ``least[rolls_left]`` up, in strength."""
    kept = [next(filter(None, (TAKES[name](hand, beat) for name in keeps)), ()) for hand in HANDS]
    rows = [
        [None if strength >= enough else KEEPS.index(keep) for strength, keep in zip(STRENGTH, kept, strict=True)]
        for enough in least
    ]
    return [[None] * len(HANDS), *rows[1:]]


# -- prices ------------------------------------------------------------------------------------------------------

Beaten = Sequence[tuple[Sequence[float], Sequence[float]]]
"""``[rolls - 1]``: as ``ten_rounds_match.beaten``."""

BEST: Beaten = [ten_rounds_match.beaten(rolls) for rolls in reversed(CAPS)]
"""The chances of the second seat with best play."""


def _gets(hand: int) -> list[float]:
    """Return ``[hand]``: the chance of the second seat to get the point against a hand."""
    held = STRENGTH[hand]
    return [(strength > held) + (strength == held) / 2 for strength in STRENGTH]


@cache
def _reply(names: Keeps, stands_level: bool, hand: int, cap: int) -> tuple[float, float]:
    """Return the chance of a second seat that plays a rule: without a bonus, and with one."""
    rule = Rule((HANDS[0], HANDS[0]), (), {class_of(hand): names}, frozenset({class_of(hand)} if stands_level else ()))
    values = follow(rule.following(hand, cap), [_gets(hand)] * cap).values[-1]
    return dot(FIRST_WITHOUT_TOP, values), values[TOP]


def beaten_by(rule: Rule) -> Beaten:
    """Return the chances of a second seat that plays a rule."""
    found = []
    for cap in reversed(CAPS):
        replies = [(rule.replies[class_of(hand)], class_of(hand) in rule.level) for hand in range(len(HANDS))]
        chances = [_reply(names, level, hand, cap) for hand, (names, level) in enumerate(replies)]
        without, with_it = zip(*chances, strict=True)
        found.append((without, with_it))
    return found


def _kept(beaten: Beaten) -> list[list[float]]:
    """Return ``[rolls_left][hand]``: the chance of the starting seat to get the point once it stands."""
    chances = [beaten[rolls - 1] for rolls in CAPS]
    return [[1 - (1 - AT_ONCE) * n - AT_ONCE * y for n, y in zip(*each, strict=True)] for each in chances]


def for_the_point() -> Turn:
    """Return the starting seat's best turn for the point."""
    return turn(_kept(BEST))


def point_price(starting: TurnPolicy, following: Beaten) -> tuple[float, float]:
    """Return the price of a play for the point of one round: as the starting seat, and as the second.

    A play is the policy of the starting seat and the chances of the second.
    """
    best = for_the_point()
    started = follow(starting, _kept(BEST)).value
    followed = follow(best.best, _kept(following)).value
    return best.value - started, followed - best.value


def match_values(starting: TurnPolicy, following: Beaten) -> tuple[float, float]:
    """Return the probability to win the match with a play against best play: when it starts, and when it is second."""

    @cache
    def value(ours: bool, lead: int, left: int) -> float:
        """Return the probability that the starting seat wins; ``ours`` is whether it is the one with this play."""
        if abs(lead) > left * (1 + BONUS):
            return float(lead > 0)

        def after(lead: int) -> float:
            if left > 1 or not lead:
                return 1 - value(not ours, -lead, max(left - 1, 1))
            return float(lead > 0)

        def standing(rolls: int, lead: int) -> list[float]:
            win, lose, lose_more = (after(lead + points) for points in (1, -1, -1 - BONUS))
            return [
                (1 - AT_ONCE) * (win - without * (win - lose)) + AT_ONCE * (lose - with_it * (lose - lose_more))
                for without, with_it in zip(*(BEST if ours else following)[rolls - 1], strict=True)
            ]

        plays = starting if ours else ten_rounds_match.starting_turn(False, lead, left).best
        values = follow(plays, [standing(rolls, lead) for rolls in CAPS]).values[-1]
        return (1 - AT_ONCE) * dot(FIRST_WITHOUT_TOP, values) + AT_ONCE * standing(1, lead + BONUS)[TOP]

    return value(True, 0, ROUNDS), 1 - value(False, 0, ROUNDS)


def match_price(starting: TurnPolicy, following: Beaten) -> tuple[float, float]:
    """Return the price of a play for the match: when it starts, and when it is second."""
    best = ten_rounds_match.match_value(0, ROUNDS)
    start, second = match_values(starting, following)
    return best - start, 1 - best - second


# -- the ladder --------------------------------------------------------------------------------------------------

ANY_PAIR: Faces = (1, 1, 2)
"""The weakest double."""

LADDER = {
    "one line": Rule((ANY_PAIR, ANY_PAIR), ("highest",), dict.fromkeys(CLASS_WORDS, ("pair", "highest"))),
    "three lines": Rule(
        (ANY_PAIR, ANY_PAIR),
        ("6", "4", "5"),
        dict.fromkeys(CLASS_WORDS, ("6", "4", "5")) | {"Double": ("higher", "pair", "higher or equal")},
    ),
    "whole card": Rule(
        (ANY_PAIR, (6, 5, 2)),
        ("6", "4", "5"),
        {
            "Unmatched": ("6", "4"),
            "Double": ("higher", "pair", "higher or equal"),
            "Triple": ("two of 4-2-1", "higher pair", "4"),
            "4-2-1": ("two of 4-2-1", "4"),
        },
        level=frozenset(("Triple", "4-2-1")),
    ),
}
"""The rules of docs/paper/solution.md, "Simple rules"."""
