"""The point of a round of Four Twenty-One: the chances of all seats, and the best turn.

A shipped table has the chances, of up to twelve seats; more play as twelve. docs/paper/point_table.py computes it;
docs/paper/solution.md, "The point of a round", says how exact it is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import product

from fourtwenty.games.ten_rounds import rank
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.stopping import HANDS, Plan, RoundRow, hand_index
from fourtwenty.odds.tables import read_table

RANKS = tuple(map(rank, HANDS))

STRENGTH = tuple(sorted(RANKS).index(each) for each in RANKS)
"""``[hand]``: the number of weaker hands. No two hands have the same strength."""

TOP = hand_index((4, 2, 1))

CAPS = range(ROLLS, 0, -1)
"""``[rolls_left]``: the most rolls of the other seats when the starting seat stands with that number of rolls left."""

Point = Callable[[int, int, int, int], tuple[float, ...]]
"""A function with the arguments of ``point`` that returns the same."""

TABLE_SEATS = 12
"""The most seats that hold the best hand or are to come in the table of ``point`` that is shipped."""

POINT_TABLE = "ten_rounds_point.table"
"""The file of that table, which ``docs/paper/point_table.py`` writes."""


@cache
def point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return the probability to get the point: of one holder of the best hand so far, then of each seat to come.

    ``holders`` seats hold the best hand, and ``to_come`` seats have up to ``rolls`` rolls each; together they are at
    most ``TABLE_SEATS``. The sum is 1 when the first entry is counted once for each holder. From the shipped table to
    within 1e-7.
    """
    if not to_come:
        return (1 / holders,)
    begin = _offsets()[rolls, to_come, holders] + (to_come + 1) * hand
    return tuple(_table()[begin : begin + to_come + 1])


def in_table() -> list[tuple[int, int, int]]:
    """Return ``(rolls, to_come, holders)`` of every block of the shipped table, in its order; it has one part.

    A block is ``[hand][entry]``, the results of ``point`` as 32-bit numbers.
    """
    sizes = product(CAPS, range(1, TABLE_SEATS), range(1, TABLE_SEATS))
    return [(rolls, to_come, holders) for rolls, to_come, holders in sizes if to_come + holders <= TABLE_SEATS]


@cache
def _table() -> array[float]:
    return read_table(POINT_TABLE)[0].numbers()


@cache
def _offsets() -> dict[tuple[int, int, int], int]:
    offsets, offset = {}, 0
    for rolls, to_come, holders in in_table():
        offsets[rolls, to_come, holders] = offset
        offset += (to_come + 1) * len(HANDS)
    return offsets


@lru_cache(maxsize=1 << 11)
def point_plan(hand: int | None, holders: int, to_come: int, cap: int) -> Plan:
    """Return the plan of a seat for the point, with ``to_come`` seats after it.

    ``holders`` seats hold the best hand so far; without a hand, the seat is the starting seat. A ``RoundRow`` has the
    probabilities of one holder, of the seat to act and of each seat to come. All are at most ``TABLE_SEATS``.
    """
    return solve_plan(hand, holders, to_come, CAPS if hand is None else [cap] * cap, point)


def as_twelve(holders: int, to_come: int) -> tuple[int, int]:
    """Return the holders and the seats to come that ``point_plan`` takes for so many: no more than it knows.

    >>> as_twelve(2, 9), as_twelve(2, 40), as_twelve(0, 200)
    ((2, 9), (2, 9), (0, 11))
    """
    holders = min(holders, TABLE_SEATS - 1)
    return holders, min(to_come, TABLE_SEATS - 1 - holders)


def spread(row: RoundRow, holders: int, to_come: int) -> RoundRow:
    """Return a row of ``point_plan`` for so many holders and seats to come: of more than it knows, all share alike."""
    few_holders, few = as_twelve(holders, to_come)
    if (few_holders, few) == (holders, to_come):
        return row
    holding, mine, *others = row
    return (holding * few_holders / max(1, holders), mine, *[sum(others) / max(1, to_come)] * to_come)


def solve_plan(hand: int | None, holders: int, to_come: int, caps: Sequence[int], later: Point) -> Plan:
    """Return ``point_plan`` with these ``caps``; ``later`` is ``point`` for one seat fewer."""
    rows = {rolls: _point_rows(hand, holders, to_come, rolls, later) for rolls in caps}
    wanted = [[row[1] for row in rows[rolls]] for rolls in caps]
    return Plan(wanted, list(zip(*(zip(*rows[rolls], strict=True) for rolls in caps), strict=True)))


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
