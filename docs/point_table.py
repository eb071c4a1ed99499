"""Writes the shipped table of ``fourtwenty.odds.ten_rounds.point``: ``python docs/point_table.py``, a few seconds."""

from __future__ import annotations

from functools import cache
from struct import pack

from fourtwenty.odds import ten_rounds
from fourtwenty.odds.stopping import HANDS
from fourtwenty.odds.tables import write_table


@cache
def exact_point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return ``point`` without the shipped table."""
    if not to_come:
        return (1 / holders,)
    return ten_rounds.solve_point(hand, holders, to_come, rolls, exact_point)


if __name__ == "__main__":
    blocks = [
        pack(f"<{to_come + 1}f", *exact_point(hand, holders, to_come, rolls))
        for rolls, to_come, holders in ten_rounds.in_table()
        for hand in range(len(HANDS))
    ]
    write_table(ten_rounds.TABLE, b"".join(blocks))
