"""Solves many turns of three dice and three rolls at once, in a fourth of the time.

Each chance or payoff has 64 bits, its lane, of a long integer; one operation works on all turns.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from itertools import combinations

from fourtwenty.odds.stopping import FIRST, HANDS, INDIFFERENT, KEEPS, THROWN

_CASES = 216
"""Throws of three dice. Cases of fewer dice are multiplied to as many."""
ALL_CASES = _CASES**3
"""The cases of three rolls of all dice: the sum over the hands."""

_UNIT = 1 << 40
"""A payoff of 1 in whole numbers; after two rolls 216 * 216 times as much, less than 63 bits."""

_OFFSET = 4096.0
"""The bits of a float from here to 8,192 are a whole number of ``1 / _UNIT``."""

_TOP = 63
"""The bit of a lane with a comparison's result. Numbers have the bits below."""

_OUTCOMES = [[(hand, round(_CASES * chance)) for hand, chance in chances.items()] for chances in THROWN.values()]
"""``[keep]``: the hands of a throw, and in how many cases."""


def _contests() -> tuple[list[tuple[int, int]], list[int]]:
    """Return ``contests``, each won by its better contestant, and ``winner[hand]``, a hand's last contest.

    Contestants are keeps by index, then earlier contests. The first of two has more dice and wins ties.
    """
    contests: list[tuple[int, int]] = []

    def contest(*contestants: int) -> int:
        first, *others = contestants
        if not others:
            return first
        contests.append((first, contest(*others)))
        return len(KEEPS) + len(contests) - 1

    single = {face: contest(KEEPS.index((face,)), KEEPS.index(())) for face in range(1, 7)}
    pair = {
        kept: contest(KEEPS.index(kept), *(single[face] for face in sorted(set(kept), reverse=True)))
        for kept in KEEPS
        if len(kept) == 2
    }
    winners = [contest(*(pair[kept] for kept in sorted(set(combinations(hand, 2)), reverse=True))) for hand in HANDS]
    return contests, winners


_CONTESTS, _WINNERS = _contests()


def ends_of_turns(payoffs: Sequence[Sequence[float]]) -> list[array[int]]:
    """Return ``ends[hand][turn]``, the cases of ``ALL_CASES`` where best turns end with each hand.

    ``payoffs[hand][turn]`` are 0 to 1, exact to 1e-12. A seat stands if a throw gains less than ``INDIFFERENT``.
    """
    turns = len(payoffs[0])
    ones = _lanes(array("Q", [1] * turns))
    top = ones << _TOP
    offsets = _lanes(array("d", [_OFFSET] * turns))
    standing = [_lanes(array("d", [_OFFSET + payoff for payoff in hand])) - offsets for hand in payoffs]
    indifferent = round(_UNIT * INDIFFERENT) * ones
    values, policies = standing, []
    for _ in range(2):
        standing = [_CASES * hand for hand in standing]
        indifferent *= _CASES
        contestants = [sum([cases * values[hand] for hand, cases in outcomes]) for outcomes in _OUTCOMES]
        wins = []
        for first, second in _CONTESTS:
            one, other = contestants[first], contestants[second]
            won = ((one | top) - other) & top
            won -= won >> _TOP
            wins.append(won)
            contestants.append(other ^ ((one ^ other) & won))
        stands, values = [], []
        for now, winner in zip(standing, _WINNERS, strict=True):
            best = contestants[winner]
            stood = ((now + indifferent | top) - best) & top
            stood -= stood >> _TOP
            stands.append(stood)
            values.append(best ^ ((now ^ best) & stood))
        policies.append((wins, stands))
    held = [round(_CASES * chance) * ones for chance in FIRST]
    ended = [0] * len(HANDS)
    for wins, stands in reversed(policies):
        sent = [0] * (len(KEEPS) + len(_CONTESTS))
        for hand, (here, stood, winner) in enumerate(zip(held, stands, _WINNERS, strict=True)):
            stays = here & stood
            ended[hand] = _CASES * (ended[hand] + stays)
            sent[winner] += here ^ stays
        for contest in reversed(range(len(_CONTESTS))):
            first, second = _CONTESTS[contest]
            here = sent[len(KEEPS) + contest]
            won = here & wins[contest]
            sent[first] += won
            sent[second] += here ^ won
        held = [0] * len(HANDS)
        for here, outcomes in zip(sent, _OUTCOMES, strict=False):
            for hand, cases in outcomes:
                held[hand] += cases * here
    return [_numbers(once + here, turns) for once, here in zip(ended, held, strict=True)]


def _lanes(numbers: array[int] | array[float]) -> int:
    """Return the bits of numbers side by side."""
    return int.from_bytes(numbers.tobytes(), sys.byteorder)


def _numbers(lanes: int, count: int) -> array[int]:
    return array("Q", lanes.to_bytes(8 * count, sys.byteorder))
