"""Writes the tables of ``fourtwenty.odds.ten_rounds_point``: ``python docs/solution/point_table.py``, a few seconds."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from struct import pack

from fourtwenty.odds import ten_rounds_point
from fourtwenty.odds.stopping import HANDS, Policy, turn
from fourtwenty.odds.tables import write_table
from fourtwenty.odds.ten_rounds_point import (
    ANY_NUMBER,
    SETTLED,
    STANDS,
    STRENGTH,
    STRONGEST,
    PointReply,
    Replies,
    Shipped,
    pack_replies,
)

MANY = 200
"""So many holders that more of them change no reply: an equal hand is worth less than any chance of a better one."""

BEYOND = 5
"""For so many seats to come more than ``SETTLED``, all replies are checked to be settled."""


@cache
def exact_point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return ``point`` without the shipped table."""
    if not to_come:
        return (1 / holders,)
    return ten_rounds_point.solve_point(hand, holders, to_come, rolls, exact_point)


def write_point() -> None:
    """Write the table of ``point``."""
    blocks = [
        pack(f"<{to_come + 1}f", *exact_point(hand, holders, to_come, rolls))
        for rolls, to_come, holders in ten_rounds_point.in_table()
        for hand in range(len(HANDS))
    ]
    write_table(ten_rounds_point.POINT_TABLE, b"".join(blocks))


def solve_replies(rolls: int) -> Shipped:
    """Return the replies of seats with some rolls, by backward induction over the number of seats to come.

    The worth of a turn is convex in that of an equal hand. So a reply that is best with some holders and with ``MANY``
    is best with every number between.
    """
    last = SETTLED[rolls] + BEYOND
    settled = reply_to(STRONGEST, [0.0] * STRONGEST, 1.0, rolls)
    numbers = {settled: 0}
    replies = []
    held = [[1 / holders for holders in range(1, MANY + last + 2)] for _ in range(STRONGEST + 1)]
    for to_come in range(1, last + 1):
        alone = [row[0] for row in held]
        found = [replies_to(strength, alone, row, rolls, numbers) for strength, row in enumerate(held[:-1])]
        if to_come <= SETTLED[rolls]:
            replies.append(found)
        else:
            assert all(each == [(ANY_NUMBER, 0)] for each in found), "not settled"
        by_number = [PointReply.of(policy) for policy in numbers]
        for strength, each in enumerate([*found, [(ANY_NUMBER, 0)]]):
            before, row = held[strength], list[float]()
            for most, number in each:
                stay, tie = by_number[number].weaker[strength], by_number[number].ends[strength]
                row += [stay * alone + tie * shared for alone, shared in pairwise(before[len(row) : most + 1])]
            held[strength] = row
    assert any(each != [(ANY_NUMBER, 0)] for each in replies[-1]), "settled earlier"
    return Shipped([packed(policy) for policy in numbers], replies)


Whole = tuple[tuple[int | None, ...], ...]
"""A ``Policy`` that can be a key."""


def replies_to(strength: int, alone: list[float], level: list[float], rolls: int, numbers: dict[Whole, int]) -> Replies:
    """Return the replies to a hand, and number the new ones.

    ``alone[strength]`` is what a better hand is worth, ``level[holders]`` an equal one beside so many holders.
    """
    found: Replies = []
    limit = reply_to(strength, alone, level[MANY], rolls)
    holders, now = 1, reply_to(strength, alone, level[1], rolls)
    while now != limit:
        before, now = now, reply_to(strength, alone, level[holders + 1], rolls)
        if now != before:
            found.append((holders, numbers.setdefault(before, len(numbers))))
        holders += 1
    return [*found, (ANY_NUMBER, numbers.setdefault(limit, len(numbers)))]


def reply_to(strength: int, alone: list[float], level: float, rolls: int) -> Whole:
    """Return the best turn against a hand; ``level`` is what an equal one is worth, the rest as for ``replies_to``."""
    payoffs = [alone[mine] if mine > strength else level * (mine == strength) for mine in STRENGTH]
    return tuple(map(tuple, turn([payoffs] * rolls).best))


def packed(policy: Policy) -> bytes:
    """Return a policy as it is shipped."""
    return bytes(STANDS if keep is None else keep for keeps in policy[1:] for keep in keeps)


if __name__ == "__main__":
    write_point()
    write_table(ten_rounds_point.REPLIES, pack_replies(map(solve_replies, (2, 3))))
