"""The small game of docs/paper/small_game.py beside linear equations, one profile after the other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from full_programme import BEST, GROUP, GROUPS, HURRIED, Array, Bounds, Stakes
from small_game import SmallGame, equilibria, follow

OPEN, SEATS = 4, 3


def drawn(seed: int) -> SmallGame:
    """A game with chances and payoffs drawn by lot, in which choices hardly differ."""
    chance = np.random.default_rng(seed)
    pays = 0.6 * chance.random((OPEN, 2, SEATS))
    pays[..., 0] = 0.3 + 0.02 * chance.random((OPEN, 2))
    comes = 0.3 * chance.dirichlet(np.full(OPEN * SEATS, 0.2), (OPEN, 2)).reshape(OPEN, 2, OPEN, SEATS)
    found = Bounds(Stakes.of_the_round(SEATS))
    return SmallGame(found, [(0, 0)] * OPEN, [{}], np.zeros((1, 2, SEATS)), np.stack([pays, pays]), comes)


def equations(game: SmallGame, choices: tuple[int, ...]) -> tuple[bool, Array]:
    """Whether nobody gains by the other choice, once, when these are made; and the payoffs."""
    unknowns = list(product(range(OPEN), range(SEATS)))
    sums = np.zeros((OPEN, 2, SEATS, len(unknowns)))
    for place, choice, seat, reached, turns in product(range(OPEN), (0, 1), range(SEATS), range(OPEN), range(SEATS)):
        there = unknowns.index((reached, (seat - turns) % SEATS))
        sums[place, choice, seat, there] += game.comes[place, choice, reached, turns]
    rows = np.array([sums[place, choices[place], seat] for place, seat in unknowns])
    worth = np.linalg.solve(
        np.eye(len(unknowns)) - rows, [game.pays[0, at, choices[at], seat] for at, seat in unknowns]
    )
    brings = sums @ worth + game.pays[0]
    best = all(brings[at, choice, 0] > brings[at, 1 - choice, 0] for at, choice in enumerate(choices))
    return best, worth.reshape(OPEN, SEATS)


@pytest.mark.parametrize("seed", range(20, 40))
def test_the_equilibria_are_those_of_linear_equations(seed: int) -> None:
    game = drawn(seed)
    ways = equilibria(game, np.ones((1, OPEN, 2), bool))
    found = {tuple(map(int, row)): number for number, row in enumerate(ways.hurries)}
    for choices in product((0, 1), repeat=OPEN):
        best, exact = equations(game, choices)
        assert best == (choices in found)
        if best:
            low, high = ways.worth[:, found[choices]]
            assert (low < exact).all()
            assert (exact < high).all()
            assert (high - low).max() < 1e-10
    assert not found or ways.loses > 0


def test_a_round_that_is_followed_is_won_or_comes_to_an_open_place_or_goes_on() -> None:
    found = Bounds(Stakes.of_the_round(2))
    found.low[:], found.high[:] = 0.5, 0.5  # what goes on is worth half to each of two
    nobody = {GROUP[number]: np.zeros(GROUPS, bool) for number, kept in enumerate(BEST) if kept != HURRIED[number]}
    game = SmallGame(found, [(0, 7)], [nobody], np.array([[[1.0, 0.0]] * 2]), np.zeros(0), np.zeros(0))
    begin = np.zeros(GROUPS**2)
    begin[0] = 1
    pays, comes = follow(game, begin, 0)
    assert pays.sum(axis=1) + comes.sum() == pytest.approx([1, 1], abs=1e-11)
    assert 0 < comes.sum() < 1
    assert pays[0, 0] > pays[0, 1], "who begins wins more often"
