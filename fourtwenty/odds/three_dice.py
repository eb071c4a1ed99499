"""A turn of three dice and up to three rolls, solved for one payoff of the hand that it ends with: the turns of 421.

Hands have no rank here; ``[hand]`` in a shape is an index into ``stopping.HANDS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from operator import itemgetter

from fourtwenty.odds.stopping import FIRST, HAND_INDEX, HANDS, Kept, dot

FACES = range(1, 7)
PAIRS: tuple[Kept, ...] = tuple(combinations_with_replacement(FACES, 2))
NODES: tuple[Kept, ...] = (*HANDS, *PAIRS, *((face,) for face in FACES), ())
"""All sets of kept dice: the 56 hands, which stand, the 21 pairs, the six single dice, none."""
NODE = {kept: node for node, kept in enumerate(NODES)}
"""``[kept]``: its index in ``NODES``."""

_HAND_NODES, _PAIR_NODES = range(len(HANDS)), range(len(HANDS), len(HANDS) + len(PAIRS))
_KEEP_NONE = len(NODES) - 1

INDIFFERENT = 1e-11
"""A gain below this is rounding: such a seat stands."""

_PAIR = {pair: number for number, pair in enumerate(PAIRS)}
_REACHED = [itemgetter(*(HAND_INDEX[tuple(sorted((*pair, face)))] for pair in PAIRS)) for face in FACES]
"""``[face]``: selects, from ``[hand]``, the hand that each pair becomes when the third die shows the face."""
_WITH = [itemgetter(*(_PAIR[tuple(sorted((one, face)))] for face in FACES)) for one in FACES]
"""``[single die]``: selects, from ``[pair]``, the pairs that it becomes."""
_LOWER = itemgetter(*(low - 1 for low, _ in PAIRS))
_HIGHER = itemgetter(*(high - 1 for _, high in PAIRS))
"""Select, from ``[single die]``, the two dice of each pair."""
_OTHER = itemgetter(*(6 if low == high else high - 1 for low, high in PAIRS))
"""The same as ``_HIGHER`` where the two dice differ; the seventh entry for doubles."""
_SUBPAIRS = [[_PAIR[a, b], _PAIR[a, c], _PAIR[b, c]] for a, b, c in HANDS]
_FIRST_PAIR, _SECOND_PAIR, _THIRD_PAIR = (itemgetter(*(pairs[which] for pairs in _SUBPAIRS)) for which in range(3))
_SOURCES = [[*sorted(set(pairs)), len(PAIRS), len(PAIRS)][:3] for pairs in _SUBPAIRS]
"""``[hand]``: the different pairs that can become it, padded with a pair that nobody keeps."""
_FROM_FIRST, _FROM_SECOND, _FROM_THIRD = (itemgetter(*(pairs[which] for pairs in _SOURCES)) for which in range(3))


class BestTurn:
    """The optimal policy of one turn of three rolls."""

    __slots__ = ("payoff", "policies", "value")

    def __init__(self, payoff: Sequence[float]) -> None:
        """Solve for ``payoff[hand]`` by backward induction. A seat that gains nothing by a roll stands."""
        self.payoff = payoff
        """``[hand]``"""
        values, one_roll = _choose(payoff, payoff)
        values, two_rolls = _choose(values, payoff)
        self.policies: tuple[list[int], list[int], list[int]] = ([], one_roll, two_rolls)
        """``[rolls_left][hand]``: the index in ``NODES`` of the dice to keep."""
        self.value = dot(FIRST, values)
        """The expected payoff before the first roll."""

    def ends(self) -> list[float]:
        """Return ``chances[hand]`` to end the turn with each hand, before the first roll."""
        ended = [0.0] * len(HANDS)
        held: Sequence[float] = FIRST
        for policy in (self.policies[2], self.policies[1]):
            kept = [0.0] * len(NODES)
            for node, chance in zip(policy, held, strict=True):
                kept[node] += chance
            ended = [before + now for before, now in zip(ended, kept, strict=False)]
            none = kept[-1] / 6
            ones = [*((one + none) / 6 for one in kept[-7:-1]), 0.0]
            pairs = [
                (pair + low + other) / 6
                for pair, low, other in zip(kept[len(HANDS) : -7], _LOWER(ones), _OTHER(ones), strict=True)
            ]
            pairs.append(0.0)
            held = [
                one + two + three
                for one, two, three in zip(_FROM_FIRST(pairs), _FROM_SECOND(pairs), _FROM_THIRD(pairs), strict=True)
            ]
        return [before + now for before, now in zip(ended, held, strict=True)]

    def expected(self, payoff: Sequence[float]) -> tuple[list[float], list[float], list[float]]:
        """Return ``expected[rolls_left][node]`` of another ``payoff[hand]``, of keeping the dice of a node."""
        reached = [*payoff], [*payoff, *_thrown(payoff)]
        values = [reached[1][node] for node in self.policies[1]]
        return *reached, [*payoff, *_thrown(values)]


def _thrown(values: Sequence[float]) -> list[float]:
    """Return the expectations of ``values[hand]`` when the dice of each pair, each single die, or none are kept."""
    pairs = [
        (a + b + c + d + e + f) / 6 for a, b, c, d, e, f in zip(*[reached(values) for reached in _REACHED], strict=True)
    ]
    ones = [sum(become(pairs)) / 6 for become in _WITH]
    return [*pairs, *ones, sum(ones) / 6]


def _choose(values: Sequence[float], payoff: Sequence[float]) -> tuple[list[float], list[int]]:
    """Return the best values and policy with one roll more than ``values``, or standing for ``payoff``."""
    thrown = _thrown(values)
    pairs, ones, none = thrown[: len(PAIRS)], thrown[len(PAIRS) : -1], thrown[-1]
    ones_best = [max(one, none) for one in ones]
    lower, higher = _LOWER(ones_best), _HIGHER(ones_best)
    pairs_best = list(map(max, pairs, lower, higher))
    firsts, seconds = _FIRST_PAIR(pairs_best), _SECOND_PAIR(pairs_best)
    best = list(map(max, firsts, seconds, _THIRD_PAIR(pairs_best)))
    one_nodes = [node if one >= none else _KEEP_NONE for node, one in enumerate(ones, _KEEP_NONE - len(ones))]
    pair_nodes = [
        node if pair == most else low_node if low == most else high_node
        for node, pair, most, low, low_node, high_node in zip(
            _PAIR_NODES, pairs, pairs_best, lower, _LOWER(one_nodes), _HIGHER(one_nodes), strict=True
        )
    ]
    policy = [
        hand if most <= now + INDIFFERENT else pair_nodes[one if most == first else two if most == second else three]
        for hand, now, most, first, second, (one, two, three) in zip(
            _HAND_NODES, payoff, best, firsts, seconds, _SUBPAIRS, strict=True
        )
    ]
    return [now if most <= now + INDIFFERENT else most for now, most in zip(payoff, best, strict=True)], policy
