"""The odds of a roll-off, before it or after any of its throws."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from math import comb
from typing import Any

from fourtwenty.games.game import Faces
from fourtwenty.games.roll_off import RollOff


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
    leader_wins = sum(
        comb(len(to_come), tied) * tying**tied * behind ** (len(to_come) - tied) / (len(leaders) + tied)
        for tied in range(len(to_come) + 1)
    )
    chances = dict.fromkeys(thrown, 0.0) | dict.fromkeys(leaders, leader_wins)
    return chances | {seat: (1 - leader_wins * len(leaders)) / len(to_come) for seat in to_come}


@cache
def _throws(dice: int) -> tuple[Faces, ...]:
    return tuple(product(range(1, 7), repeat=dice))
