"""The compiled bounds of docs/paper beside the ones that numpy finds."""

from __future__ import annotations

import shutil
from functools import cache

import full_programme as programme
import numpy as np
import pytest
import small_game
from compiled_bounds import CompiledBounds
from full_programme import GROUPS, Bounds, Stakes
from small_game import SmallGame

pytestmark = [
    pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler"),
    pytest.mark.long("docs/paper/compiled_bounds.c", "docs/paper/compiled_bounds.py", "docs/paper/full_programme.py"),
]


@cache
def compiled(players: int) -> CompiledBounds:
    found = CompiledBounds(players)
    found.tighten(1e-13)
    return found


@cache
def whole(players: int) -> Bounds:
    return compiled(players).whole()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_same_choices_are_left_and_the_bounds_enclose_the_same_values(players: int) -> None:
    found, by_numpy = whole(players), programme.bounds(Stakes.of_the_round(players))
    for one, other in zip(found.left[0], by_numpy.left[0], strict=True):
        assert (one == other).all()
    assert not compiled(players).open(), "one choice is left in every position"
    assert (found.low <= by_numpy.high).all()
    assert (by_numpy.low <= found.high).all()
    assert (found.high - found.low).min() > 0
    assert found.gap < 1e-11
    assert 0 < found.margin < 0.01


def test_twenty_four_positions_of_six_players_stay_open() -> None:
    opened = compiled(6).open()
    assert len(opened) == 24
    pair = next(
        number
        for number, (best, hurried) in enumerate(zip(programme.BEST, programme.HURRIED, strict=True))
        if best != hurried
    )
    assert {number for number, _ in opened} == {pair}
    assert all(programme.GROUP[pair] in others for _, others in opened)


def test_a_turn_is_played_as_by_numpy() -> None:
    game: SmallGame = small_game.small_game(whole(3), [])
    mass = np.random.default_rng(3).random(GROUPS**3)
    won, after = compiled(3).play(mass)
    by_numpy, after_by_numpy = small_game._turn(mass.copy(), game.settled[0], 3)
    assert won == pytest.approx(by_numpy, rel=1e-12)
    assert after == pytest.approx(after_by_numpy, rel=1e-12)
    assert won + after.sum() == pytest.approx(mass.sum(), rel=1e-12), "no chance is lost"
