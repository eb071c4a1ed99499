"""Writes the table of ``fourtwenty.odds.ten_rounds_point``: ``python docs/solution/point_table.py``, a few seconds."""

from __future__ import annotations

from functools import cache
from struct import pack

from fourtwenty.odds.stopping import HANDS
from fourtwenty.odds.tables import write_table
from fourtwenty.odds.ten_rounds_point import POINT_TABLE, in_table, solve_point


@cache
def exact_point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return ``point`` without the shipped table."""
    if not to_come:
        return (1 / holders,)
    return solve_point(hand, holders, to_come, rolls, exact_point)


def write_point() -> None:
    """Write the table of ``point``."""
    blocks = [
        pack(f"<{to_come + 1}f", *exact_point(hand, holders, to_come, rolls))
        for rolls, to_come, holders in in_table()
        for hand in range(len(HANDS))
    ]
    write_table(POINT_TABLE, b"".join(blocks))


if __name__ == "__main__":
    write_point()
