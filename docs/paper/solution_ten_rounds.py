"""The sections of docs/paper/solution.md about Four Twenty-One. solution.py runs them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import cache
from itertools import product

import ladder_ten_rounds as rules
import reference_ten_rounds
from solution_420 import dice

from fourtwenty.games.ten_rounds import ROUNDS
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds import ten_rounds_match
from fourtwenty.odds.stopping import HANDS
from fourtwenty.odds.ten_rounds_point import point_plan


def match() -> None:
    """Four Twenty-One, two players: print the probability that the starting seat wins the match, by lead."""
    leads = (-3, -2, -1, 0, 1, 2, 3)
    print("rounds left" + "".join(f"{lead:+8}" if lead else f"{'even':>8}" for lead in leads))
    for left in (10, 9, 5, 4, 3, 2, 1):
        row = (f"{100 * ten_rounds_match.match_value(lead, left):7.2f}%" for lead in leads)
        print(f"{left:11}" + "".join(row))


def first() -> None:
    """Four Twenty-One, two players: print the hands that the starting seat stands on, and the leads that change it."""
    usual = ten_rounds_match.starting_turn(False, 0, 10)
    for rolls in (2, 1):
        throw = [dice(hand) for hand, keep in zip(HANDS, usual.best[rolls], strict=True) if keep is not None]
        print(f"{rolls} left: stands on {len(HANDS) - len(throw)} hands, all but {' '.join(throw)}")
    doubtful = [
        key for key in product(range(-30, 31), range(1, 11)) if 0.001 < ten_rounds_match.match_value(*key) < 0.999
    ]
    losses = {key: loss for key in doubtful if (loss := usual_loss(*key)) > 1e-12}
    print(f"the choice for the point loses in {len(losses)} of {len(doubtful)} positions where neither wins 99.9%:")
    print(textwrap.fill(", ".join(f"{lead:+} with {left} left" for lead, left in sorted(losses)), 100))
    (lead, left), most = max(losses.items(), key=lambda item: item[1])
    print(f"the most, {100 * most:.2f} points, at {lead:+} with {left} left")


def usual_loss(lead: int, left: int) -> float:
    """Return the most that a choice that is best at even loses at another lead, over all hands and rolls left."""
    usual, here = ten_rounds_match.starting_turn(False, 0, 10), ten_rounds_match.starting_turn(False, lead, left)
    return max(
        most - (standing if keep is None else thrown[keep])
        for best, values, now, thrown in zip(
            usual.best[1:], here.values[1:], here.standing[1:], here.thrown[1:], strict=True
        )
        for keep, most, standing in zip(best, values, now, strict=True)
    )


def ladder() -> None:
    """Four Twenty-One, two players: print the price of simple rules against best play."""
    print("in points               the point of a round         the match of ten rounds")
    print("                    starting   second  average   starting   second  average")
    plays = {name: (rule.starting(), rules.beaten_by(rule)) for name, rule in rules.LADDER.items()}
    for name, play in {
        **plays,
        "best for the point": (rules.for_the_point().best, rules.BEST),
    }.items():
        prices = (rules.point_price(*play), rules.match_price(*play))
        columns = ("".join(f"{100 * each:9.2f}" for each in (*one, sum(one) / 2)) for one in prices)
        print(f"{name:19}" + "   ".join(columns))


def match_three() -> None:
    """Four Twenty-One, three players: print the probabilities to win the match, in turn order, by the points."""
    points = {"even": (0, 0, 0), "first +1": (1, 0, 0), "second +1": (0, 1, 0), "third +1": (0, 0, 1)}
    print("rounds left" + "  ".join(f"{name:>21}" for name in points))
    for left in (10, 9, 5, 4, 3, 2, 1):
        rows = (ten_rounds_match.match_values(each, left) for each in points.values() if left < ROUNDS or not any(each))
        found = ["".join(f"{100 * chance:7.2f}" for chance in row) for row in rows]
        print(f"{left:11}" + "  ".join(found))
    for_the_point = list(map(list, point_plan(None, 0, 2, ROLLS).turn.best))
    starts = [ten_rounds_match.MatchPosition(gaps, left, (False,)) for left, gaps in ten_rounds_match.positions()]
    differ = sum(list(map(list, ten_rounds_match.match_policy(start))) != for_the_point for start in starts)
    print(f"the starting seat does not always choose as for the point in {differ:,} of {len(starts):,} positions")


def second_match_three() -> float:
    """Return the largest difference between the values of three players and a second computation's."""
    found = _reference()
    return max(
        abs(float(value) - shipped)
        for left, gaps in ten_rounds_match.positions()
        for value, shipped in zip(
            found[left][gaps], ten_rounds_match.match_values([-gap for gap in gaps], left), strict=True
        )
    )


@cache
def _reference() -> reference_ten_rounds.Worth:
    return reference_ten_rounds.solved(ROUNDS)


def kingmakers() -> None:
    """Four Twenty-One, three players: print how far a seat with nothing at stake moves the chances of the others."""
    other = reference_ten_rounds.solved(ROUNDS, spare=-1)
    for name, found in (("for the point", _reference()), ("against it", other)):
        values = "  ".join(f"{100 * chance:5.2f}%" for chance in found[ROUNDS][0, 0, 0])
        where = "nowhere" if reference_ten_rounds.least_gain(found) > -1e-12 else "somewhere"
        print(f"nothing at stake: {name:13}  {values}   a point is a disadvantage {where}")
    apart = {
        (left, gaps): abs(other[left][gaps] - values).max()
        for left in other
        for gaps, values in _reference()[left].items()
    }
    (left, gaps), most = max(apart.items(), key=lambda item: item[1])
    print(f"the most, {100 * most:.1f} points: {left} left, {' '.join(map(str, gaps))} points behind")


def point_three() -> None:
    """Four Twenty-One, three players: print what it costs one of them to play every round for the point."""
    best = _reference()
    own = reference_ten_rounds.for_the_point(best)
    lost = {key: best[key[0]][key[1]] - own[key[0]][key[1]] for key in ten_rounds_match.positions()}
    start = 100 * lost[ROUNDS, (0, 0, 0)]
    print("points lost of the match:  first  second   third  average")
    print(f"{'':25}" + "".join(f"{each:8.3f}" for each in (*start, sum(start) / 3)).rstrip())
    (left, gaps), most = max(lost.items(), key=lambda item: float(item[1].max()))
    seat = ("first", "second", "third")[int(most.argmax())]
    print(f"the most, {100 * most.max():.2f}, to the {seat}: {left} left, {' '.join(map(str, gaps))} points behind")


SECTIONS: dict[str, tuple[str, Callable[[], None]]] = {
    "match": ("at once", match),
    "first": ("at once", first),
    "ladder-ten-rounds": ("at once", ladder),
    "match-three": ("at once", match_three),
    "kingmakers": ("two minutes", kingmakers),
    "point-three": ("three minutes", point_three),
}
"""``[section]``: its duration in words, and the function that prints it."""

SECOND: dict[str, Callable[[], float]] = {"match-three": second_match_three}
"""``[section]``: the largest difference between its figures and a second computation's."""
