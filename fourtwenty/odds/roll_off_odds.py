"""Computes the odds of ties, and of a roll-off at any throw."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from math import exp, lgamma, log
from typing import Any

from fourtwenty.games.game import Faces
from fourtwenty.games.roll_off import RollOff

NEGLIGIBLE = 1e-13
"""Less probable courses of a throw or a round are left out."""

TINY = 1e-300
"""Replaces a probability of 0 before its logarithm."""


def tie_chances(seats: int, tie: float, behind: float) -> list[float]:
    """Return ``[number]``: the probability that so many of some seats tie and the others are behind, if not negligible.

    ``tie`` and ``behind`` are one seat's probabilities.

    >>> [f"{chance:.3f}" for chance in tie_chances(2, tie=1 / 6, behind=1 / 2)]
    ['0.250', '0.167', '0.028']
    """
    log_tie, log_behind = log(tie or TINY), log(behind or TINY)
    chances: list[float] = []
    for number in range(seats + 1):
        # By logarithms: from a thousand seats up the number of ways exceeds a float.
        ways = lgamma(seats + 1) - lgamma(number + 1) - lgamma(seats - number + 1)
        chances.append(exp(ways + number * log_tie + (seats - number) * log_behind))
        if chances[-1] < NEGLIGIBLE and number * (tie + behind) > seats * tie:
            break
    return chances


def roll_off_odds(roll_off: RollOff, strength: Callable[[Faces], Any], lowest: bool = False) -> dict[int, float]:
    """Return ``[seat]``: the probability to be the final result of ``RollOff.throw``.

    All seats are equal before the first throw. Then a seat to come is ``tying`` or ``behind`` with these probabilities;
    when k of them tie, a leader wins one in (leaders + k).
    """
    thrown = dict(zip(roll_off.seats, roll_off.faces, strict=False))
    to_come = roll_off.seats[len(thrown) :]
    if not thrown:
        return dict.fromkeys(roll_off.seats, 1 / len(roll_off.seats))
    lead = (min if lowest else max)(map(strength, thrown.values()))
    leaders = [seat for seat, faces in thrown.items() if strength(faces) == lead]
    throws = _throws(roll_off.dice_each)
    tying = sum(strength(faces) == lead for faces in throws) / len(throws)
    behind = sum((strength(faces) > lead) if lowest else (strength(faces) < lead) for faces in throws) / len(throws)
    chances_to_tie = tie_chances(len(to_come), tying, behind)
    leader_wins = sum(chance / (len(leaders) + tied) for tied, chance in enumerate(chances_to_tie))
    chances = dict.fromkeys(thrown, 0.0) | dict.fromkeys(leaders, leader_wins)
    return chances | {seat: (1 - leader_wins * len(leaders)) / len(to_come) for seat in to_come}


@cache
def _throws(dice: int) -> tuple[Faces, ...]:
    return tuple(product(range(1, 7), repeat=dice))
