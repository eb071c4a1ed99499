"""Writes the table of ``fourtwenty.odds.ten_rounds_match``: ``python docs/paper/match_table.py``, two minutes."""

from __future__ import annotations

from array import array
from itertools import chain

from shipped_tables import write_table

from fourtwenty.odds.stopping import Policy
from fourtwenty.odds.ten_rounds_match import MATCH_TABLE, STANDS, Points, positions, solve_round


def solve_three() -> tuple[dict[tuple[int, Points], tuple[float, ...]], list[bytes]]:
    """Return ``[rounds_left, behind]`` by backward induction, and the policies of the starting seat, as shipped.

    Both are in the order of ``positions``.
    """
    three: dict[tuple[int, Points], tuple[float, ...]] = {}
    policies = []
    for rounds_left, gaps in positions():
        three[rounds_left, gaps], policy = solve_round(gaps, rounds_left, three)
        policies.append(packed(policy))
    return three, policies


def packed(policy: Policy) -> bytes:
    """Return a policy as it is shipped."""
    return bytes(STANDS if keep is None else keep for keeps in policy[1:] for keep in keeps)


def write_match() -> None:
    """Write the table."""
    three, policies = solve_three()
    numbers = {policy: number for number, policy in enumerate(dict.fromkeys(policies))}
    values = array("d", chain.from_iterable(three.values()))
    chosen = array("H", [numbers[policy] for policy in policies])
    write_table(MATCH_TABLE, [values, chosen, array("B", b"".join(numbers))])


if __name__ == "__main__":
    write_match()
