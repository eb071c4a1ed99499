"""What chance makes of every choice: exact mathematics over the rules, one file a game. Nothing is thrown here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from fourtwenty.games.game import Action, Faces, Roll, State


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing the seat to act may do; rolls that leave the same faces are one choice."""

    action: Action
    stay: Faces
    """The faces that stay, by position."""
    chances: tuple[float, ...]
    """What it may bring, from 0 to 1, in the order of ``Odds.LABELS``."""
    value: float
    """What ``Odds.values`` counts, for the seat to act, with this choice and best play from then on, from 0 to 1."""
    classes: tuple[float, ...] = ()
    """What the throw may make of the hand, from 0 to 1, in the order of ``Odds.CLASSES``."""
    amount: float | None = None
    """How much of ``Odds.AMOUNT`` the seat has after the round, on average."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What everybody at the table wants."""

    name: str
    """A word for it."""
    chance: str
    """What a chance of it is called."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A second thing that lies ahead of every seat."""

    name: str
    numbers: tuple[float, ...]
    """By seat."""
    share: bool
    """Whether they are chances from 0 to 1; otherwise an amount."""


class Odds(Protocol):
    """What the coach, the review and the bots ask of a game's mathematics; a module answers to it."""

    LABELS: tuple[str, ...]
    """What the chances of a choice are chances of."""
    CLASSES: tuple[str, ...]
    """What a throw may make of the hand, where that has names."""
    AMOUNT: str
    """What ``Choice.amount`` counts; empty where nothing is."""
    LAMP: str
    """How often other hands matter to the best choice, in a sentence."""

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Return every choice of the seat to act, the best first; none when the round is over."""

    def goal(self, state: State) -> Goal:
        """Return what ``values`` are chances of."""

    def values(self, state: State) -> tuple[float, ...]:
        """Return by seat the chance of that, from 0 to 1, when everybody plays best from here on."""

    def values_after(self, state: State, action: Action) -> tuple[float, ...]:
        """Return the same after an action of the seat to act, before its dice have landed."""

    def second(self, state: State) -> Outlook | None:
        """Return what else is told of every seat; None where the values say all."""

    def ending(self, state: State) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Return by seat the chances to come first in a match, and last, in best play; None where nobody knows."""

    def others_matter(self, state: State) -> bool:
        """Say whether the best choice now would be another one beside other hands."""


def choice_of(choices: Sequence[Choice], state: State, action: Action) -> Choice:
    """Return the choice that an action of the seat to act is; one that leaves the same faces is the same."""
    assert state.to_act is not None
    hand = state.hand(state.to_act)
    thrown = action.dice if isinstance(action, Roll) else ()
    stay = sorted(face for die, face in enumerate(hand, 1) if die not in thrown)
    return next(choice for choice in choices if type(choice.action) is type(action) and sorted(choice.stay) == stay)


MODULES = {
    "420": "fourtwenty.odds.four_twenty",
    "421": "fourtwenty.odds.bar_421",
    "ten-rounds": "fourtwenty.odds.ten_rounds",
}
"""Where the mathematics of each game is, by the game's key; imported by those who ask."""


def odds_of(state: State) -> Odds:
    """Return the mathematics of a state's game."""
    return cast(Odds, import_module(MODULES[state.key]))
