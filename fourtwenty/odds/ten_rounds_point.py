"""Solves the point of a round of Four Twenty-One: the chances of all seats, and the best turn.

More than twelve seats play as twelve (docs/paper/solution.md, "The point of a round").
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
"""``[hand]``: the number of weaker hands; no two hands are equal."""

TOP = hand_index((4, 2, 1))

CAPS = range(ROLLS, 0, -1)
"""``[rolls_left]``: the others' most rolls when the starting seat stands then."""

Point = Callable[[int, int, int, int], tuple[float, ...]]
"""A function like ``point``."""

TABLE_SEATS = 12
"""The most seats with the best hand or to come in the shipped table."""

POINT_TABLE = "ten_rounds_point.table"
"""The file of that table, which ``docs/paper/point_table.py`` writes."""


@cache
def point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return the probability to get the point: of one holder of the best hand so far, then of each seat to come.

    ``to_come`` seats have up to ``rolls`` rolls each; with ``holders`` they are ``TABLE_SEATS`` at most. The sum is 1
    with the first entry once for each holder. From the shipped table, exact to 1e-7.
    """
    if not to_come:
        return (1 / holders,)
    begin = _offsets()[rolls, to_come, holders] + (to_come + 1) * hand
    return tuple(_table()[begin : begin + to_come + 1])


def in_table() -> list[tuple[int, int, int]]:
    """Return ``(rolls, to_come, holders)`` of every block ``[hand][entry]`` of 32-bit numbers, in order."""
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

    ``holders`` seats have the best hand so far; without a hand, the seat starts. A ``RoundRow`` has the probabilities
    of one holder, of the seat to act and of each seat to come, ``TABLE_SEATS`` at most.
    """
    return solve_plan(hand, holders, to_come, CAPS if hand is None else [cap] * cap, point)


def as_twelve(holders: int, to_come: int) -> tuple[int, int]:
    """Return the holders and seats to come that represent so many in ``point_plan``.

    >>> as_twelve(2, 9), as_twelve(2, 40), as_twelve(0, 200)
    ((2, 9), (2, 9), (0, 11))
    """
    holders = min(holders, TABLE_SEATS - 1)
    return holders, min(to_come, TABLE_SEATS - 1 - holders)


def spread(row: RoundRow, holders: int, to_come: int) -> RoundRow:
    """Return a row of ``point_plan`` for so many holders and seats to come: those beyond it share alike."""
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
    """Return ``[hand]``: the row of ``point_plan`` when the seat to act stands."""
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
