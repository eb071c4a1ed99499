"""The open positions of 420 as a game of their own, with numpy; docs/paper has the proof, and the rounding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from full_programme import ALLOWED, BEST, GROUP, GROUPS, HURRIED, MEMBER, TO_GROUP, TWENTY, Array, Bounds, Mask, Profile

GOES_ON = 1e-4
"""A round is followed until the probability that it goes on is below this; then the bounds limit its payoffs."""
ROUNDED = 1e-12
"""Every number is a sum of products that are not negative, and off by less than this part of it."""


Play = Callable[[Array, int], tuple[float, Array]]
"""A turn: it takes the chance of each position and the phase, and returns (the chance of 20, the chances next)."""


@dataclass(frozen=True)
class SmallGame:
    """The chances from each open position, by choice: 0 waits, 1 hurries."""

    found: Bounds
    places: list[tuple[int, int]]
    """``[open]``: the phase, and the position by groups."""
    settled: list[Profile]
    """``[phase]``: where the seat to act hurries in all equilibria. It waits in the open positions."""
    prizes: Array
    """``[phase, bound, seat]``: the payoffs when the seat to act makes 20."""
    pays: Array
    """``[bound, open, choice, seat]``: the payoffs of rounds that do not come to an open position soon."""
    comes: Array
    """``[open, choice, open reached, turns modulo the seats]``: the probability that it comes to that one first."""
    play: Play | None = None
    """A turn by the settled choices, if it is compiled."""


@dataclass(frozen=True)
class Equilibria:
    """The pure and stationary equilibria of a small game."""

    hurries: Mask
    """``[equilibrium, open]``: whether the seat to act hurries."""
    loses: float
    """The least loss of the seat to act by the other choice, in them."""
    gains: float
    """The least gain of some seat by the other choice, in all other profiles."""
    worth: Array
    """``[bound, equilibrium, open, seat]``: the payoffs."""


def small_game(found: Bounds, places: list[tuple[int, int]], play: Play | None = None) -> SmallGame:
    """Return the game of the open positions, from the bounds that leave them open."""
    settled: list[Profile] = [{} for _ in found.left]
    for profile, phase in zip(settled, found.left, strict=True):
        for number, (allowed, left) in enumerate(zip(ALLOWED, phase, strict=True)):
            ways = BEST[number], HURRIED[number]
            assert not any(some.any() for kept, some in zip(allowed, left, strict=True) if kept not in ways)
            if ways[0] != ways[1]:
                wait, hurry = (left[allowed.index(kept)] for kept in ways)
                profile[GROUP[number]] = hurry & ~wait
    prizes = np.array([found.stakes.least, found.stakes.most]).swapaxes(0, 1)
    seats, count = prizes.shape[-1], len(places)
    game = SmallGame(
        found, places, settled, prizes, np.zeros((2, count, 2, seats)), np.zeros((count, 2, count, seats)), play
    )
    for number, (start, place) in enumerate(places):
        mine, others = divmod(place, GROUPS ** (seats - 1))
        for choice, kept in enumerate((BEST[MEMBER[mine]], HURRIED[MEMBER[mine]])):
            mass = np.zeros(GROUPS**seats)
            mass[GROUPS * others :][:GROUPS] = TO_GROUP[kept]
            pays, game.comes[number, choice] = follow(game, mass, start, 1)
            game.pays[:, number, choice] = TWENTY[kept] * prizes[start] + pays
    return game


def follow(game: SmallGame, mass: Array, start: int, turns: int = 0) -> tuple[Array, Array]:
    """Follow a round from ``mass[position]``, some turns after the phase ``start``, to its end or to an open position.

    Return ``[bound, seat]``, the payoffs of the first; ``[open, turns modulo the seats]``, the chances of the second.
    """
    seats = game.prizes.shape[-1]
    pays, comes = np.zeros((2, seats)), np.zeros((len(game.places), seats))
    while mass.sum() >= GOES_ON:
        phase = (start + turns) % len(game.settled)
        for number, (here, place) in enumerate(game.places):
            if here == phase:
                comes[number, turns % seats] += mass[place]
                mass[place] = 0
        won, mass = game.play(mass, phase) if game.play else _turn(mass, game.settled[phase], seats)
        pays += won * np.roll(game.prizes[phase], turns, axis=1)
        turns += 1
    rest = [bound[(start + turns) % len(bound)] @ mass for bound in (game.found.low, game.found.high)]
    return pays + np.roll(rest, turns, axis=1) + [[-ROUNDED], [ROUNDED]], comes


def _turn(mass: Array, hurries: Profile, seats: int) -> tuple[float, Array]:
    """Return (the chance of 20, the chances next) after a turn from ``mass[position]``, which it changes."""
    waits = mass.reshape(GROUPS, -1)
    hurry = np.array([np.where(where, waits[group], 0) for group, where in hurries.items()])
    for group, where in hurries.items():
        waits[group][where] = 0
    keeps = [BEST[number] for number in MEMBER] + [HURRIED[MEMBER[group]] for group in hurries]
    held = np.concatenate([waits, hurry])
    won = TWENTY[keeps] @ held.reshape(len(held), GROUPS ** (seats // 2), -1).sum(axis=2).sum(axis=1)
    return float(won), (held.T @ TO_GROUP[keeps]).ravel()


def leads(game: SmallGame, may: Mask) -> tuple[Array, Array, Array]:
    """Return the least and the most that hurrying brings more, ``[profile, open]``; ``[bound, profile, open, seat]``.

    ``may[profile, open, choice]``: whether a choice may be made. Where both may, the bounds hold whichever is.
    """
    seats = game.pays.shape[-1]
    worth = np.stack([np.zeros((*may.shape[:2], seats)), np.ones((*may.shape[:2], seats))])
    for _ in range(25):  # from 0 and 1; few rounds come back
        # the seat to act is, so many turns later, so many seats before the one to act then
        later = np.stack([np.roll(worth, turns, axis=-1) for turns in range(seats)], axis=3)
        brings = np.tensordot(later, game.comes, axes=([2, 3], [2, 3])).transpose(0, 1, 3, 4, 2)
        brings = (brings + game.pays[:, None]) * np.array([1 - ROUNDED, 1 + ROUNDED]).reshape(2, 1, 1, 1, 1)
        worth[0] = np.where(may[..., None], brings[0], np.inf).min(axis=2)
        worth[1] = np.where(may[..., None], brings[1], -np.inf).max(axis=2)
    return brings[0, ..., 1, 0] - brings[1, ..., 0, 0], brings[1, ..., 1, 0] - brings[0, ..., 0, 0], worth


def equilibria(game: SmallGame, may: Mask) -> Equilibria:
    """Return all pure and stationary equilibria that ``may`` allows.

    Choices are fixed in one position after the other, and left out where somebody gains by the other one, whatever is
    done in the rest.
    """
    gains = np.inf
    for place in [*np.flatnonzero(may[0].all(axis=1)), None]:
        if place is not None:
            may = may.repeat(2, axis=0)
            may[0::2, place, 0] = may[1::2, place, 1] = False
        least, most, worth = leads(game, may)
        loses = np.where(may.all(axis=2), np.inf, np.where(may[..., 0], -least, most))
        stays = (loses > 0).all(axis=1)
        gains = min(gains, -float(loses[~stays].min(axis=1).max(initial=-np.inf)))
        may, least, most, worth = may[stays], least[stays], most[stays], worth[:, stays]
    loses = np.where(may[..., 0], -most, least)
    assert (loses > 0).all(), "none is in doubt"
    return Equilibria(may[..., 1], float(loses.min(initial=np.inf)), gains, worth)
