"""The sections of docs/paper/solution.md about 420 with seven and eight players. solution.py runs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from math import ceil, log10
from random import Random

import full_programme as programme
import numpy as np
import small_game
from compiled_bounds import CompiledBounds
from full_programme import Array
from numpy.typing import NDArray
from small_game import Equilibria, SmallGame
from solution_420 import (
    DRAWN,
    by_equations,
    dice,
    hands_at,
    hands_of,
    report_calm,
    report_drawn,
    report_spread,
    up,
)

from fourtwenty.odds import four_twenty_solver

SEVEN = 7

PRECISION = 1e-13
"""Laps are taken until one narrows no bounds by more."""

PART = 100
"""The number of hands of the first half of the seats that are looked at together."""


@cache
def bounds_of(players: int) -> CompiledBounds:
    """Return the bounds of players who play to win the round, from nothing."""
    found = CompiledBounds(players)
    found.tighten(PRECISION)
    return found


def large(players: int) -> None:
    """Print the bounds, the choices left, the values of a cleared table, and the errors of the fast odds."""
    found = bounds_of(players)
    print(f"{players} players who play to win the round: {programme.GROUPS**players:,} positions by groups")
    print(f"  bounds of the seat to act: at most {100 * found.gap:.2g} points apart,", end=" ")
    print(f"after {found.steps} steps and {found.laps} laps;", end=" ")
    print(f"a dropped choice is behind by {100 * found.margin:.1e} points at least")
    opened = found.open()
    known = set(opened)
    pairs = sum(
        (number, (*others[2:], programme.GROUP[number], others[0])) in known
        for number, others in opened
        if others[1] == programme.GROUP[number]
    )  # the seat to act holds such a hand, and two turns later so does the next but one, if nobody's group changes
    print(f"  choices left: one in every position but {len(opened)}; {2 * pairs} are {pairs} pairs, two turns apart")
    two_ways = [number for number, best in enumerate(programme.BEST) if best != programme.HURRIED[number]]
    beside: Counter[tuple[int, ...]] = Counter()
    for number, others in opened:
        beside[number, *sorted(programme.MEMBER[group] for group in others if programme.MEMBER[group] in two_ways)] += 1
    kinds = [
        f"{often} of {hands_of(number)} beside {' and '.join(map(hands_of, hurriers))}"
        for (number, *hurriers), often in sorted(beside.items())
    ]
    print(f"    {', '.join(kinds)}")
    for number in two_ways:
        ways = programme.BEST[number], programme.HURRIED[number]
        left = found.left[:, number].ravel()
        usual, hurried = (np.flatnonzero(left == 1 << programme.ALLOWED[number].index(kept)) for kept in ways)
        groups = np.array(np.unravel_index(usual, (programme.GROUPS,) * (players - 1)), np.int8)
        same = (groups == programme.GROUP[number]).any(axis=0).sum()
        print(
            f"  {hands_of(number)}: best to keep {dice(programme.KEEPS[ways[0]])} in {len(usual):,} of the sets of",
            end=" ",
        )
        print(f"others, {same:,} with such a hand; {dice(programme.KEEPS[ways[1]])} in {len(hurried):,}")
    print(f"  SHA-256 of the choices left: {programme.sha256(found.left.tobytes())}")
    compare(found)


@cache
def equilibria_of(players: int) -> tuple[SmallGame, Equilibria]:
    """Return the game of the open positions and its equilibria, from nothing."""
    found = bounds_of(players)
    groups = (programme.GROUPS,) * players
    places = [
        (0, int(np.ravel_multi_index((programme.GROUP[number], *others), groups))) for number, others in found.open()
    ]
    game = small_game.small_game(found.whole(), places, found.play)
    return game, small_game.equilibria(game, np.ones((1, len(places), 2), bool))


def seven() -> None:
    """Print the bounds for seven players and the equilibria between them."""
    large(SEVEN)
    game, ways = equilibria_of(SEVEN)
    count = len(game.places)
    print(f"  {len(ways.hurries)} of the 2^{count} ways to play in the {count} are equilibria;", end=" ")
    print(f"the seat to act hurries in so many, by position: {', '.join(map(str, ways.hurries.sum(axis=0)))}")
    print(f"    the other choice loses {100 * ways.loses:.1e} points at least;", end=" ")
    print(f"in the rest it gains {100 * ways.gains:.1e} or more somewhere")
    print(f"    no value is off by more than {up(100 * float(np.ptp(ways.worth, axis=0).max()))} points")
    report_spread(game, ways.worth.mean(axis=0))


def second_seven() -> float:
    """Return infinity where linear equations for each of the ways find other equilibria of seven players."""
    game, ways = equilibria_of(SEVEN)
    found = by_equations(game, product((0, 1), repeat=len(game.places)))
    return 0.0 if found == set(map(tuple, ways.hurries.astype(int).tolist())) else float("inf")


def compare(found: CompiledBounds) -> None:
    """Print the values of a cleared table, and the errors of the fast odds."""
    players = found.players
    habit = four_twenty_solver._habit(players)
    hurried = [programme.GROUP[number] for number in habit.hurries]
    calm = [
        np.flatnonzero(~np.isin(np.indices((programme.GROUPS,) * seats).reshape(seats, -1), hurried).any(axis=0))
        for seats in (players // 2, players - players // 2)
    ]
    off = np.zeros((len(calm[0]), len(calm[1])))
    places = places_drawn(players, hurried)
    hands = [hands_at(place, players) for place in places.tolist()]
    fast = np.array([four_twenty_solver._wins.__wrapped__(each, four_twenty_solver._best(each)) for each in hands])
    errors, cleared = np.zeros(len(places)), np.empty((2, players))
    next_places = places[:, None] % programme.GROUPS ** (players - 1) * programme.GROUPS + range(programme.GROUPS)
    worth: dict[int, Array] = {}
    for seat, low, high in found.lap():
        cleared[:, seat] = low[0], high[0]
        worth[seat] = (low[places] + high[places]) / 2
        np.maximum(errors, np.abs(fast[:, seat] - worth[seat]), out=errors)
        if seat == players - 1:  # the seat to act is the last one next
            reached = (low[next_places] + high[next_places]) / 2
        first, others = programme.race_of(seat, players, habit.curves, habit.keeps)
        for row in range(0, len(off), PART):
            part = calm[0][row : row + PART]
            here = part[:, None] * len(others) + calm[1]
            error = np.abs(first[part] @ others[calm[1]].T - (low[here] + high[here]) / 2)
            np.maximum(off[row : row + PART], error, out=off[row : row + PART])
    digits = -ceil(log10(50 * np.ptp(cleared, axis=0).max()))
    print("  a cleared table, in %:", " ".join(f"{100 * each:.{digits}f}" for each in cleared.mean(axis=0)), end="; ")
    print(f"off by at most 2e-{digits:02} points")  # half of it for the bounds, and a quarter for the last digit
    report_calm(off.ravel())
    losses = []
    for each, mine, after in zip(hands, worth[0], reached, strict=True):
        if each[0] in habit.hurries:
            kept = programme.KEEPS.index(four_twenty_solver._best(each))
            losses.append(float(mine - programme.TWENTY[kept] - programme.TO_GROUP[kept] @ after))
    report_drawn(errors, losses, " drawn by lot")


def places_drawn(players: int, hurried: list[int]) -> NDArray[np.intp]:
    """Return positions drawn by lot among those in which somebody holds a hand of these groups."""
    lot = Random(420)
    places: list[int] = []
    while len(places) < DRAWN:
        groups = lot.choices(range(programme.GROUPS), k=players)
        if not set(hurried).isdisjoint(groups):
            places.append(int(np.ravel_multi_index(groups, (programme.GROUPS,) * players)))
    return np.array(places)


SECTIONS: dict[str, tuple[str, Callable[[], None]]] = {
    "seven": ("twenty minutes and 8 GB", seven),
    "eight": ("forty minutes and 16 GB", lambda: large(8)),
}
"""``[section]``: its duration in words, and the function that prints it."""

SECOND: dict[str, Callable[[], float]] = {"seven": second_seven}
