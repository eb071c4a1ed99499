"""Writes the table of ``fourtwenty.odds.ten_rounds_match``: ``python docs/paper/match_table.py``, two minutes."""

from __future__ import annotations

from array import array
from itertools import chain

from shipped_tables import write_table

from fourtwenty.odds.stopping import TurnPolicy
from fourtwenty.odds.ten_rounds_match import (
    FIRST_WITHOUT_TOP,
    MATCH_TABLE,
    STANDS,
    MatchPosition,
    Points,
    Three,
    mean_with_top,
    positions,
    rows_before_two,
    solve_plan,
)
from fourtwenty.odds.ten_rounds_point import TOP


def solve_round(gaps: Points, rounds_left: int, three: Three) -> tuple[tuple[float, ...], TurnPolicy]:
    """Return ``match_values`` of three seats, and the policy of the starting seat unless it has 4-2-1 at once."""
    plan = solve_plan(MatchPosition(gaps, rounds_left, (False,)), three)
    # With 4-2-1 at once nothing is better than to stand: no hand is better, and the others have one roll each.
    mean = mean_with_top(rows_before_two(gaps, rounds_left, (True,), 1, three)[TOP], plan.before(FIRST_WITHOUT_TOP))
    return mean[: len(gaps)], plan.turn.best


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


def packed(policy: TurnPolicy) -> bytes:
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
