"""Best play of Four Twenty-One of three once more, from the rule sheet, with numpy: for solution.py and the tests.

It imports nothing of the program. Where choices are equal it has to choose as the program does, because that decides
the values of the others: for the point, then to stand, then to keep the most dice, then the highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Gaps = tuple[int, ...]
"""The points that the seats are behind the leader, in turn order."""

ROUNDS, FOR_THE_BEST, AT_ONCE = 10, 1, 2
"""The rounds of a match, and the points for the best hand of a round and for 4-2-1 on the first roll of a turn."""

MOST = FOR_THE_BEST + AT_ONCE
"""The most points of a seat in a round."""

SHARE_OF_THE_POINT, EQUAL, NO_STAKE = 1e-9, 1e-11, 1e-12
"""The worth of the point as a share of all that is at stake; limits below which a gain and a stake count as none."""


def order(hand: Sequence[int]) -> tuple[int, ...]:
    """Return the place of a hand in the order of the rule sheet; the greater one is stronger."""
    low, middle, high = sorted(hand)
    if (low, middle, high) == (1, 2, 4):
        return (4,)
    if low == high:
        return (3, high)
    if low == middle or middle == high:
        return (2, middle, low + high - middle)
    return (1, high, middle, low)


HANDS: list[tuple[int, ...]] = sorted(combinations_with_replacement(range(1, 7), 3), key=order)
"""All hands, the weakest first: a hand is stronger than another if its index is greater."""

TOP = len(HANDS) - 1
SETS = [kept for size in (2, 1, 0) for kept in sorted(combinations_with_replacement(range(1, 7), size), reverse=True)]
"""The dice that may be kept of a hand that is rolled, the most dice first, then the highest."""


def thrown(kept: tuple[int, ...]) -> Floats:
    """Return ``chances[hand]`` when the other dice are thrown."""
    chances = np.zeros(len(HANDS))
    for faces in product(range(1, 7), repeat=3 - len(kept)):
        chances[HANDS.index(tuple(sorted(kept + faces)))] += 1 / 6 ** len(faces)
    return chances


THROWN = np.array([thrown(kept) for kept in SETS])
MAY_KEEP = np.array([[all(hand.count(face) >= kept.count(face) for face in kept) for kept in SETS] for hand in HANDS])
TOP_AT_ONCE = 1 / 36
OTHERWISE = np.where(np.arange(len(HANDS)) == TOP, 0, THROWN[-1]) / (1 - TOP_AT_ONCE)
"""``[hand]``: the chances of a first roll that is not 4-2-1."""


def ends(payoffs: Sequence[Floats]) -> list[Floats]:
    """Return ``chances[rolls left][case, hand]`` to end a turn so whose first roll is not 4-2-1.

    ``payoffs[rolls left][case, hand]`` is what the seat gets for standing.
    """
    worth, plans = payoffs[0], list[tuple[NDArray[np.bool_], NDArray[np.intp]]]()
    for stood in payoffs[1:]:
        rolled = np.where(MAY_KEEP, (worth @ THROWN.T)[:, None, :], -np.inf)
        most = rolled.max(axis=2)
        stands = most <= stood + EQUAL
        plans.append((stands, (rolled >= most[:, :, None] - EQUAL).argmax(axis=2)))
        worth = np.where(stands, stood, most)
    held, found = np.broadcast_to(OTHERWISE, worth.shape), []
    for stands, kept in reversed(plans):
        found.append(np.where(stands, held, 0))
        rolls = held - found[-1]
        held = np.einsum("ch,chg->cg", rolls, THROWN[kept])
    return [held, *reversed(found)]


@cache
def last(holders: int, rolls: int) -> Floats:
    """Return ``[hand, bonus]``: the chance of the last seat to have or not to have the bonus, and to get the point.

    So many seats hold that hand. A point is never a disadvantage, so the last seat plays for it.
    """
    mine = np.arange(len(HANDS))
    gets = np.where(mine > mine[:, None], 1.0, np.where(mine == mine[:, None], 1 / (holders + 1), 0.0))
    ended = np.sum(ends([gets] * rolls), axis=0)
    return np.stack([(1 - TOP_AT_ONCE) * (ended * gets).sum(axis=1), TOP_AT_ONCE * gets[:, TOP]], axis=1)


def courses(seats: int, holders: Sequence[int], rolls: int) -> Floats:
    """Return ``[hand, winner, bonus]``: how a round goes on with the last seat, when these hold that hand."""
    gets = last(len(holders), rolls)
    found = np.zeros((len(HANDS), seats, 2))
    found[:, seats - 1] = gets
    for seat in holders:
        found[:, seat] = ([1 - TOP_AT_ONCE, TOP_AT_ONCE] - gets) / len(holders)
    return found


def wanted(values: Sequence[Floats], points: Sequence[Floats], spare: float) -> list[Floats]:
    """Return the payoffs of a seat by its ``values[rolls left][case, hand]`` and its chances to get the point.

    ``spare`` is what a seat with nothing at stake wants: 1 for the point, -1 for others to get it.
    """
    together = np.concatenate(values, axis=1)
    least, stake = together.min(axis=1)[:, None], np.ptp(together, axis=1)[:, None]
    scale = np.where(stake < NO_STAKE, 1, stake)
    return [
        np.where(stake < NO_STAKE, spare * gets, (value - least) / scale + SHARE_OF_THE_POINT * spare * gets)
        for value, gets in zip(values, points, strict=True)
    ]


@cache
def extra_round_of_two() -> float:
    """Return the chance of the starting seat to win a match of two that are even, with one round left."""
    round_ = {rolls: courses(2, (0,), rolls) for rolls in (1, 2, 3)}
    # without a bonus, it wins with the point unless the other has 4-2-1 at once; with the bonus, also without the point
    # unless the other has a bonus too
    payoffs = [round_[rolls][:, 0, 0] for rolls in (3, 2, 1)]
    with_it = 1 - round_[1][TOP, 1, 1]
    ended = ends([each[None] for each in payoffs])
    usual = sum(float(stood[0] @ payoff) for stood, payoff in zip(ended, payoffs, strict=True))
    return float((1 - TOP_AT_ONCE) * usual + TOP_AT_ONCE * with_it)


def positions(left: int) -> list[Gaps]:
    """Return the gaps before a round, with so many left; one too large to be made up counts as one point more."""
    most = min(MOST * left + 1, MOST * (ROUNDS - left))
    return [gaps for gaps in product(range(most + 1), repeat=3) if min(gaps) == 0]


def after(points: Sequence[int], left: int, worth: dict[int, dict[Gaps, Floats]]) -> Floats:
    """Return ``[seat]``: the chances to win the match after a round, with so many left."""
    most, found = max(points), np.zeros(3)
    seats = [seat for seat in (1, 2, 0) if left or points[seat] == most]
    gaps = tuple(min(most - points[seat], MOST * left + 1) for seat in seats)
    if gaps.count(MOST * left + 1) == 2 or len(seats) == 1:
        found[seats[gaps.index(0)]] = 1
    elif len(seats) == 2:
        found[seats] = extra_round_of_two(), 1 - extra_round_of_two()
    else:
        found[seats] = worth[left or 1][gaps]
    return found


Worth = dict[int, dict[Gaps, Floats]]
"""``[rounds left][gaps][seat]``: the chances of three seats to win the match, before a round."""


def solved(rounds: int, spare: float = 1.0) -> Worth:
    """Return best play of three seats, up to so many rounds left; ``spare`` is as for ``wanted``.

    Only seats that are not the last one of a round follow ``spare``; the last one plays for the point.
    """
    worth: Worth = {}
    for left in range(1, rounds + 1):
        worth[left] = {}
        # three that are even come first: in the last round, others may lead to an extra round of three
        for gaps in positions(left):
            worth[left][gaps] = one_round(gaps, left, worth, spare)
    return worth


def least_gain(worth: Worth) -> float:
    """Return the least that a point brings to the seat that gets it instead of another, in any position."""
    least = np.inf
    for left, found in worth.items():
        for gaps, bonus in product(found, product((0, AT_ONCE), repeat=3)):
            points = [more - gap for more, gap in zip(bonus, gaps, strict=True)]
            scored = [[each + (seat == winner) for seat, each in enumerate(points)] for winner in range(3)]
            ends_ = np.array([after(each, left - 1, worth) for each in scored])
            least = min(least, (np.diag(ends_) - ends_).min())
    return float(least)


def for_the_point(worth: Worth) -> Worth:
    """Return ``[rounds left][gaps][seat]``: the chance of a seat that alone plays every round for the point.

    The others keep the play of ``worth``.
    """
    own: Worth = {}
    for left, found in worth.items():
        own[left] = {}
        for gaps in found:
            chances = [one_round(gaps, left, worth, 1.0, seat, own)[3] for seat in range(3)]
            own[left][gaps] = np.array(chances)
    return own


def one_round(
    gaps: Gaps, left: int, worth: Worth, spare: float = 1.0, pointer: int | None = None, own: Worth | None = None
) -> Floats:
    """Return ``[seat]``: the chances to win the match before a round, when all seats play best.

    A ``pointer`` is a seat that plays for the point; then the last entry is its chance; ``own`` has it after a round.
    """
    value = np.zeros((3 if own is None else 4, 3, 2, 2, 2))  # [column, winner of the point, bonus of each seat]
    for winner, *bonus in product(range(3), *[(0, 1)] * 3):
        points = [(seat == winner) + AT_ONCE * bonus[seat] - gaps[seat] for seat in range(3)]
        column = value[:, winner, bonus[0], bonus[1], bonus[2]]
        column[:3] = after(points, left - 1, worth)
        if own is not None and pointer is not None:
            column[3] = after(points, left - 1, own)[pointer]
    standing = [ends_of_first(value[:, :, 0], rolls, spare, pointer) for rolls in (3, 2, 1)]
    gets = [each[None, :, -1] for each in standing]
    ended = ends(gets if pointer == 0 else wanted([each[None, :, 0] for each in standing], gets, spare))
    usual = sum(stood[0] @ each for stood, each in zip(ended, standing, strict=True))
    at_once = ends_of_first(value[:, :, 1], 1, spare, pointer)[TOP]
    found: Floats = ((1 - TOP_AT_ONCE) * usual + TOP_AT_ONCE * at_once)[:-1]
    return found


def ends_of_first(value: Floats, rolls: int, spare: float, pointer: int | None) -> Floats:
    """Return ``[hand, column]`` when the starting seat stands with a hand and the others have so many rolls.

    The columns are the first index of ``value[column, winner, bonus of the second, of the third]``, after the round.
    The last one is the chance of the starting seat to get the point. The rest is as for ``one_round``.
    """
    gets = np.zeros((2, 3, 2, 2))
    gets[0, 1] = gets[1, 0] = 1
    columns = np.concatenate([value, gets])  # those of the second and of the starting seat to get the point come last
    hand, mine = np.indices((len(HANDS),) * 2)
    ahead, level, weaker = (courses(3, holders, rolls) for holders in ((1,), (0, 1), (0,)))
    above, equal = (mine > hand)[:, :, None, None], (mine == hand)[:, :, None, None]
    course = np.where(above, ahead[None], np.where(equal, level[:, None], weaker[:, None]))
    rows = np.einsum("hmwb,cwb->chm", course, columns[:, :, 0])
    payoffs = [rows[-2]] if pointer == 1 else wanted([rows[1]], [rows[-2]], spare)
    ended = np.sum(ends(payoffs * rolls), axis=0)
    usual = np.einsum("hm,chm->hc", ended, rows)
    top = np.einsum("hwb,cwb->hc", course[:, TOP], columns[:, :, 1])
    found: Floats = np.delete((1 - TOP_AT_ONCE) * usual + TOP_AT_ONCE * top, -2, axis=1)
    return found
