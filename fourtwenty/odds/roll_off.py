"""The chances in a roll-off, from any throw of it on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from math import comb
from typing import Any

from fourtwenty.games.game import Faces
from fourtwenty.games.roll_off import RollOff


def rolled_off(roll_off: RollOff, strength: Callable[[Faces], Any], lowest: bool = False) -> dict[int, float]:
    """Return by seat the chance that ``RollOff.throw`` will name it in the end; the more of them tie, the less."""
    thrown = dict(zip(roll_off.seats, roll_off.faces, strict=False))
    to_come = roll_off.seats[len(thrown) :]
    if not thrown:
        return dict.fromkeys(roll_off.seats, 1 / len(roll_off.seats))
    lead = (min if lowest else max)(map(strength, thrown.values()))
    leaders = [seat for seat, faces in thrown.items() if strength(faces) == lead]
    throws = _throws(roll_off.dice_each)
    at = sum(strength(faces) == lead for faces in throws) / len(throws)
    beaten = sum((strength(faces) > lead) if lowest else (strength(faces) < lead) for faces in throws) / len(throws)
    named = sum(
        comb(len(to_come), tied) * at**tied * beaten ** (len(to_come) - tied) / (len(leaders) + tied)
        for tied in range(len(to_come) + 1)
    )
    chances = dict.fromkeys(thrown, 0.0) | dict.fromkeys(leaders, named)
    return chances | {seat: (1 - named * len(leaders)) / len(to_come) for seat in to_come}


@cache
def _throws(dice: int) -> tuple[Faces, ...]:
    return tuple(product(range(1, 7), repeat=dice))
