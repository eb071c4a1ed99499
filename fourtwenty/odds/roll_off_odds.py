"""The odds of ties, and of a roll-off, before it or after any of its throws."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from math import exp, lgamma, log
from typing import Any

from fourtwenty.games.game import Faces
from fourtwenty.games.roll_off import RollOff

NEGLIGIBLE = 1e-13
"""Courses of a throw or a round that are less probable are left out."""

TINY = 1e-300
"""Stands for a probability of 0 where its logarithm is taken."""


def tie_chances(seats: int, tie: float, behind: float) -> list[float]:
    """Return ``chances[number]`` that so many of some seats tie and the others are behind; the rest is negligible.

    ``tie`` and ``behind`` are the probabilities of one seat.

    >>> [f"{chance:.3f}" for chance in tie_chances(2, tie=1 / 6, behind=1 / 2)]
    ['0.250', '0.167', '0.028']
    """
    log_tie, log_behind = log(tie or TINY), log(behind or TINY)
    chances: list[float] = []
    for number in range(seats + 1):
        # By logarithms, since from a thousand seats up the number of ways is no float.
        ways = lgamma(seats + 1) - lgamma(number + 1) - lgamma(seats - number + 1)
        chances.append(exp(ways + number * log_tie + (seats - number) * log_behind))
        if chances[-1] < NEGLIGIBLE and number * (tie + behind) > seats * tie:
            break
    return chances


def roll_off_odds(roll_off: RollOff, strength: Callable[[Faces], Any], lowest: bool = False) -> dict[int, float]:
    """Return ``chances[seat]`` to be the seat that ``RollOff.throw`` returns in the end.

    Before the first throw all seats are equal. After it, a seat to come ties with the leaders with probability
    ``tying`` or is behind them with probability ``behind``; when k of them tie, a leader wins one in (leaders + k).
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
