"""The point of a round of Four Twenty-One at a table of any size: the chances of all seats, and the best turn.

Up to twelve seats a shipped table has the chances. Of more, a second one has the replies: the turns that seats to come
play against each best hand so far. The chances follow from these by counting, seat after seat, in a loop.
docs/solution/point_table.py computes both; docs/solution.md, "The point of a round", says how exact they are.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise, product
from operator import add, mul
from struct import pack, unpack_from
from typing import NamedTuple

from fourtwenty.games.game import Faces
from fourtwenty.games.ten_rounds import rank
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.roll_off import NEGLIGIBLE, tie_chances
from fourtwenty.odds.stopping import (
    FIRST,
    HANDS,
    THROWN,
    Kept,
    Plan,
    Policy,
    RoundRow,
    dot,
    ends,
    hand_index,
    stands,
)
from fourtwenty.odds.tables import read_table

RANKS = tuple(map(rank, HANDS))
"""``[hand]``: its rank."""

STRENGTH = tuple(sorted(RANKS).index(each) for each in RANKS)
"""``[hand]``: the number of weaker hands. No two hands have the same strength."""

BY_STRENGTH = tuple(map(STRENGTH.index, range(len(HANDS))))
"""``[strength]``: the hand."""

TOP = hand_index((4, 2, 1))
"""The strongest hand."""

CAPS = range(ROLLS, 0, -1)
"""``[rolls_left]``: the most rolls of the other seats when the starting seat stands with that number of rolls left."""

# -- up to twelve seats: a table ---------------------------------------------------------------------------------

Point = Callable[[int, int, int, int], tuple[float, ...]]
"""A function with the arguments of ``point`` that returns the same."""

TABLE_SEATS = 12
"""The most seats that hold the best hand or are to come in the table of ``point`` that is shipped."""

POINT_TABLE = "ten_rounds.point"
"""The file of that table, which ``docs/solution/point_table.py`` writes."""


@cache
def point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return the probability to get the point: of one holder of the best hand so far, then of each seat to come.

    ``holders`` seats hold the best hand, and ``to_come`` seats have up to ``rolls`` rolls each; together they are at
    most ``TABLE_SEATS``. The sum is 1 when the first entry is counted once for each holder. From the shipped table to
    within 1e-7.
    """
    if not to_come:
        return (1 / holders,)
    return unpack_from(f"<{to_come + 1}f", _table(), _offsets()[rolls, to_come, holders] + 4 * (to_come + 1) * hand)


def solve_point(hand: int, holders: int, to_come: int, rolls: int, later: Point) -> tuple[float, ...]:
    """Return ``point`` from the optimal turn of the first seat to come; ``later`` is ``point`` for one seat fewer."""
    holding, *others = _solve_plan(hand, holders, to_come - 1, [rolls] * rolls, later).before()
    return holding, *others


def in_table() -> list[tuple[int, int, int]]:
    """Return ``(rolls, to_come, holders)`` of every block of the shipped table, in its order.

    A block is ``[hand][entry]``, the results of ``point`` as 32-bit numbers.
    """
    sizes = product(CAPS, range(1, TABLE_SEATS), range(1, TABLE_SEATS))
    return [(rolls, to_come, holders) for rolls, to_come, holders in sizes if to_come + holders <= TABLE_SEATS]


@cache
def _table() -> bytes:
    return read_table(POINT_TABLE)


@cache
def _offsets() -> dict[tuple[int, int, int], int]:
    offsets, offset = {}, 0
    for rolls, to_come, holders in in_table():
        offsets[rolls, to_come, holders] = offset
        offset += 4 * (to_come + 1) * len(HANDS)
    return offsets


@lru_cache(maxsize=1 << 11)
def point_plan(hand: int | None, holders: int, to_come: int, cap: int) -> Plan:
    """Return the plan of a seat for the point, with ``to_come`` seats after it.

    ``holders`` seats hold the best hand so far; without a hand, the seat is the starting seat. A ``RoundRow`` has the
    probabilities of one holder, of the seat to act and of each seat to come.
    """
    caps = CAPS if hand is None else [cap] * cap
    if holders + 1 + to_come > TABLE_SEATS:
        return CrowdPlan(hand, holders, to_come, caps)
    return _solve_plan(hand, holders, to_come, caps, point)


def _solve_plan(hand: int | None, holders: int, to_come: int, caps: Sequence[int], later: Point) -> Plan:
    rows = {rolls: _point_rows(hand, holders, to_come, rolls, later) for rolls in caps}
    wanted = [[row[1] for row in rows[rolls]] for rolls in caps]
    return Plan(wanted, zip(*(zip(*rows[rolls], strict=True) for rolls in caps), strict=True))


def _point_rows(hand: int | None, holders: int, to_come: int, rolls: int, later: Point) -> list[RoundRow]:
    """Return ``[hand]``: the row of ``point_plan`` when the seat to act stands with that hand."""
    held = -1 if hand is None else STRENGTH[hand]
    holding, *others = (0.0,) if hand is None else later(hand, holders, to_come, rolls)
    behind = (holding, 0.0, *others)
    rows = []
    for end, strength in enumerate(STRENGTH):
        if strength < held:
            rows.append(behind)
        elif strength == held:
            level, *others = later(end, holders + 1, to_come, rolls)
            rows.append((level, level, *others))
        else:
            rows.append((0.0, *later(end, 1, to_come, rolls)))
    return rows


# -- more seats: the replies -------------------------------------------------------------------------------------
# A seat to come knows the best hand so far, the number of its holders and the number of seats after it. Its reply is
# one of a few policies. While many seats are to come, and against 4-2-1, it is the settled one: nothing but 4-2-1 will
# do. Seats that follow it are alike, so they are counted at once.

REPLIES = "ten_rounds.replies"
"""The file of the replies, which ``docs/solution/point_table.py`` writes."""

SETTLED = {1: 0, 2: 42, 3: 20}
"""``[rolls]``: with more seats to come than this, the first of them included, its reply is to go for 4-2-1."""

STRONGEST = STRENGTH[TOP]
"""The strength of 4-2-1."""

ANY_NUMBER = 0xFFFF
"""Stands for any number of holders in the data."""

STANDS = 0xFF
"""Stands for no keep in the data: to stand."""

LEAST_ROW = 64
"""The least number of holders that chances are computed for at once."""

Replies = list[tuple[int, int]]
"""``(most holders, number of the reply)``, ascending: the reply to a best hand with up to this number of holders."""


class Shipped(NamedTuple):
    """The replies of seats with some number of rolls, as they are shipped."""

    policies: Sequence[bytes]
    """``[number][56 * (rolls_left - 1) + hand]``: the keep, or ``STANDS``. The first is the settled reply."""
    replies: Sequence[Sequence[Replies]]
    """``[to_come - 1][strength]``, for every hand but 4-2-1."""


class PointReply(NamedTuple):
    """The end of a turn under one policy."""

    ends: tuple[float, ...]
    """``[strength]``: the probability to end with this hand."""
    weaker: tuple[float, ...]
    """``[strength]``: the probability to end with a weaker one."""

    @classmethod
    def of(cls, policy: Policy) -> PointReply:
        """Return the end of a turn under a policy."""
        by_hand = ends(policy)
        by_strength = tuple([by_hand[hand] for hand in BY_STRENGTH])
        return cls(by_strength, tuple(accumulate(by_strength[:-1], initial=0.0)))


def pack_replies(each: Iterable[Shipped]) -> bytes:
    """Return the shipped data of the replies with two and with three rolls."""
    data = b""
    for policies, replies in each:
        entries = [number for row in replies for of_hand in row for entry in of_hand for number in entry]
        data += pack("<2H", len(policies), len(entries)) + b"".join(policies) + pack(f"<{len(entries)}H", *entries)
    return data


@cache
def _shipped(rolls: int) -> Shipped:
    """Return the replies of seats with two rolls or three. Raises DamagedTable."""
    data = read_table(REPLIES)
    for fewer in range(2, rolls):
        count, numbers = unpack_from("<2H", data)
        data = data[4 + count * len(HANDS) * (fewer - 1) + 2 * numbers :]
    count, numbers = unpack_from("<2H", data)
    size = len(HANDS) * (rolls - 1)
    found = [data[start : start + size] for start in range(4, 4 + count * size, size)]
    entries = iter(unpack_from(f"<{numbers}H", data, 4 + count * size))
    return Shipped(found, [[_entries(entries) for _ in range(STRONGEST)] for _ in range(SETTLED[rolls])])


def _entries(numbers: Iterator[int]) -> Replies:
    found: Replies = []
    while not found or found[-1][0] != ANY_NUMBER:
        found.append((next(numbers), next(numbers)))
    return found


@cache
def _numbered_reply(rolls: int, number: int) -> PointReply:
    return PointReply.of(read_policy(_shipped(rolls).policies[number] if rolls > 1 else b""))


def read_policy(keeps: bytes) -> Policy:
    """Return a policy from ``keeps[56 * (rolls_left - 1) + hand]`` as it is shipped."""
    policy: list[list[int | None]] = [[None] * len(HANDS)]
    for begin in range(0, len(keeps), len(HANDS)):
        policy.append([None if keep == STANDS else keep for keep in keeps[begin : begin + len(HANDS)]])
    return policy


def _replies(strength: int, to_come: int, rolls: int) -> Replies:
    """Return the replies of the first of some seats to come to a best hand."""
    settled = strength == STRONGEST or to_come > SETTLED[rolls]
    return [(ANY_NUMBER, 0)] if settled else _shipped(rolls).replies[to_come - 1][strength]


def reply_to(strength: int, holders: int, to_come: int, rolls: int) -> PointReply:
    """Return the reply of the first of some seats to come to a best hand that some seats hold."""
    return _numbered_reply(
        rolls, next(number for most, number in _replies(strength, to_come, rolls) if holders <= most)
    )


@cache
def _results(to_come: int, rolls: int) -> list[list[tuple[int, int, float, float]]]:
    """Return ``(most holders, number, probability of a weaker hand, of an equal one)`` of all replies, by strength."""
    found: list[list[tuple[int, int, float, float]]] = [[] for _ in HANDS]
    for strength, results in enumerate(found):
        for most, number in _replies(strength, to_come, rolls):
            ends, weaker = _numbered_reply(rolls, number)
            results.append((most, number, weaker[strength], ends[strength]))
    return found


@lru_cache(maxsize=1 << 14)
def held(strength: int, holders: int, to_come: int, rolls: int) -> float:
    """Return the probability of one holder of the best hand so far to get the point; exact, for any number of seats.

    ``holders`` seats hold this hand, and ``to_come`` seats have up to ``rolls`` rolls each.
    """
    looking = _looking(strength, to_come, rolls)
    ends, weaker = _numbered_reply(rolls, 0)
    tied = tie_chances(to_come - looking, ends[strength], weaker[strength])
    most = max(LEAST_ROW, 1 << (holders + len(tied) + looking).bit_length())
    return dot(tied, _held(strength, rolls, most)[looking][holders - 1 :][: len(tied)])


def _looking(strength: int, to_come: int, rolls: int) -> int:
    """Return the number of seats to come, always the last ones, whose reply to a best hand is not settled."""
    return 0 if strength == STRONGEST else min(to_come, SETTLED[rolls])


@cache
def _held(strength: int, rolls: int, most: int) -> list[array[float]]:
    """Return ``held[to_come][holders - 1]`` while replies are not settled, for up to ``most`` holders in the end."""
    rows = [array("d", [1 / holders for holders in range(1, most + 1)])]
    for to_come in range(1, 1 + _looking(strength, most - 1, rolls)):
        before, row = rows[-1], array("d")
        for last, number in _replies(strength, to_come, rolls):
            ends, weaker = _numbered_reply(rolls, number)
            stay, tie = weaker[strength], ends[strength]
            part = before[len(row) : last + 1]
            row.extend([stay * alone + tie * shared for alone, shared in pairwise(part)])
        rows.append(row)
    return rows


Holding = dict[tuple[int, int], float]
"""``[strength, holders]``: the probability that the best hand so far is this one, and that so many seats hold it."""


def to_come_chances(holding: Holding, to_come: int, rolls: int) -> list[float]:
    """Return the probability of each seat to come to get the point, in turn order; exact but for what is negligible."""
    holding, looking = dict(holding), min(to_come, SETTLED[rolls])
    alike, chances = to_come - looking, []
    everybody = sum(chance * (1 - many * held(hand, many, to_come, rolls)) for (hand, many), chance in holding.items())
    share = _share_of_strongest(holding, to_come, rolls)
    if alike:
        holding = _after_alike(holding, alike, rolls)
        share += _share_of_strongest(holding, looking, rolls)
    for later in reversed(range(looking)):
        chance, holding = _after_next(holding, later, rolls)
        chances.append(chance + share)
        share += _share_of_strongest(holding, later, rolls)
    return [(everybody - sum(chances)) / alike] * alike + chances if alike else chances


def _share_of_strongest(holding: Holding, to_come: int, rolls: int) -> float:
    """Take the rounds in which 4-2-1 lies there out of ``holding``; return the chance of each seat to come in them.

    These seats are alike, because the reply to 4-2-1 is settled.
    """
    share = 0.0
    for hand, many in [key for key in holding if key[0] == STRONGEST]:
        chance = holding.pop((hand, many))
        if to_come:
            share += chance * (1 - many * held(hand, many, to_come, rolls)) / to_come
    return share


def _after_alike(holding: Holding, seats: int, rolls: int) -> Holding:
    """Return ``holding`` after some seats with settled replies."""
    ends, weaker = _numbered_reply(rolls, 0)
    after: Holding = defaultdict(float)
    behind = 0.0
    for strength in range(len(HANDS)):
        tied = tie_chances(seats, ends[strength], weaker[strength])
        holders = {many: chance for (hand, many), chance in holding.items() if hand == strength}
        if behind:
            holders[0] = behind
        for many, chance in holders.items():
            for more, course in enumerate(tied, many):
                if more and chance * course > NEGLIGIBLE:
                    after[strength, more] += chance * course
        behind += sum(chance for many, chance in holders.items() if many)
    return after


def _after_next(holding: Holding, later: int, rolls: int) -> tuple[float, Holding]:
    """Return the chance of the next seat to get the point, and ``holding`` after its turn; 4-2-1 does not lie there."""
    after: Holding = defaultdict(float)
    chance, better = 0.0, [0.0] * len(HANDS)
    replying: dict[int, list[float]] = {}
    results = _results(later + 1, rolls)
    for (strength, holders), course in holding.items():
        _, number, weaker, level = next(result for result in results[strength] if holders <= result[0])
        replying.setdefault(number, [0.0] * len(HANDS))[strength] += course
        if course * weaker > NEGLIGIBLE:
            after[strength, holders] += course * weaker
        if course * level > NEGLIGIBLE:
            after[strength, holders + 1] += course * level
            chance += course * level * held(strength, holders + 1, later, rolls)
    for number, courses in replying.items():
        weaker_lies = accumulate(courses[:-1], initial=0.0)
        better = list(map(add, better, map(mul, _numbered_reply(rolls, number).ends, weaker_lies)))
    for strength, course in enumerate(better):
        if course > NEGLIGIBLE:
            after[strength, 1] += course
    return chance + dot(better, _alone(later, rolls)), after


@cache
def _alone(to_come: int, rolls: int) -> list[float]:
    """Return ``held[strength]`` of a single holder."""
    return [held(strength, 1, to_come, rolls) for strength in range(len(HANDS))]


class CrowdPlan(Plan):
    """The plan of a seat for the point at a table of more than ``TABLE_SEATS``."""

    def __init__(self, hand: int | None, holders: int, to_come: int, caps: Sequence[int]) -> None:
        """Solve the turn; ``caps[rolls_left]`` are the most rolls of the others, the rest is as for ``point_plan``."""
        self._strength = -1 if hand is None else STRENGTH[hand]
        self._holders, self._to_come, self._caps = holders, to_come, caps
        super().__init__([[self._stood(strength, rolls) for strength in STRENGTH] for rolls in caps], ())

    def _stood(self, strength: int, rolls: int) -> float:
        """Return the probability of the seat to act to get the point once it stands with a hand of this strength."""
        if strength < self._strength:
            return 0.0
        return held(strength, 1 + self._holders * (strength == self._strength), self._to_come, rolls)

    def before(self, first: Sequence[float] = FIRST) -> RoundRow:
        return self._row(stands(self.turn.best, first))

    def holding(self, hand: Faces, rolls_left: int) -> RoundRow:
        first = [0.0] * len(HANDS)
        first[hand_index(hand)] = 1.0
        return self._row(stands(self.turn.best[: rolls_left + 1], first))

    def choosing(self, kept: Kept, rolls_left: int) -> RoundRow:
        first = [0.0] * len(HANDS)
        if len(kept) == len(HANDS[0]):
            first[hand_index(kept)] = 1.0
            return self._row([*[[]] * rolls_left, first])
        for hand, chance in THROWN[kept].items():
            first[hand] = chance
        return self._row(stands(self.turn.best[:rolls_left], first))

    def _row(self, ended: Sequence[Sequence[float]]) -> RoundRow:
        """Return the row for ``ended[rolls_left][hand]``, the probabilities to end the turn with each hand."""
        by_cap: dict[int, list[float]] = {}
        for cap, chances in zip(self._caps, ended, strict=False):
            courses = by_cap.setdefault(cap, [0.0] * len(HANDS))
            for hand, chance in enumerate(chances):
                courses[STRENGTH[hand]] += chance
        lies = self._strength, self._holders, self._to_come
        rows = [_crowd_row(*lies, cap, tuple(courses)) for cap, courses in by_cap.items() if any(courses)]
        return tuple(map(sum, zip(*rows, strict=True)))


@lru_cache(maxsize=1 << 8)
def _crowd_row(lying: int, holders: int, to_come: int, cap: int, courses: tuple[float, ...]) -> RoundRow:
    """Return the row for ``courses[strength]`` to end with each hand, and the cap that the others have then.

    The best hand so far has the strength ``lying``, -1 for none.
    """
    holding = {(strength, 1): chance for strength, chance in enumerate(courses) if strength > lying and chance}
    mine = sum(chance * held(strength, 1, to_come, cap) for (strength, _), chance in holding.items())
    theirs = 0.0
    if holders:
        behind, level = sum(courses[:lying]), courses[lying]
        shared = level * held(lying, holders + 1, to_come, cap)
        theirs = shared + behind * held(lying, holders, to_come, cap)
        mine += shared
        holding |= {(lying, holders): behind, (lying, holders + 1): level}
    return (theirs, mine, *to_come_chances(holding, to_come, cap))
