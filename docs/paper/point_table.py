"""Writes the table of ``fourtwenty.odds.ten_rounds_point``: ``python docs/paper/point_table.py``, a few seconds."""

from __future__ import annotations

from array import array
from functools import cache

from shipped_tables import write_table

from fourtwenty.odds.stopping import HANDS
from fourtwenty.odds.ten_rounds_point import POINT_TABLE, in_table, solve_plan


@cache
def exact_point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return ``point`` from the optimal turn of the first seat to come, without the shipped table."""
    if not to_come:
        return (1 / holders,)
    holding, *others = solve_plan(hand, holders, to_come - 1, [rolls] * rolls, exact_point).before()
    return holding, *others


def write_point() -> None:
    """Write the table of ``point``."""
    numbers = array("f")
    for rolls, to_come, holders in in_table():
        for hand in range(len(HANDS)):
            numbers.extend(exact_point(hand, holders, to_come, rolls))
    write_table(POINT_TABLE, [numbers])


if __name__ == "__main__":
    write_point()
