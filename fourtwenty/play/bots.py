"""The bots: named characters, each with a policy over the states of any game."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import exp
from typing import TYPE_CHECKING

from msgspec import Struct

from fourtwenty.games.game import Action, Roll, Stand, State

if TYPE_CHECKING:
    from fourtwenty.odds.interface import Choice

Policy = Callable[[State, Callable[[], float]], Action]
"""Returns a legal action of the seat to act.

The second argument is its only source of chance: it draws a uniform number from 0 up to 1. Half the policies draw none.
"""


class Character(Struct, frozen=True):
    """A bot that the lobby offers."""

    name: str
    about: str
    """Its style of play in a few words."""
    choose: Policy


def steady(state: State, chance: Callable[[], float]) -> Action:  # noqa: ARG001
    """Stand if the game allows it; otherwise keep as many dice as the rules allow, with the lowest total."""
    if Stand() in state.actions:
        return Stand()
    return min(_rolls(state), key=lambda roll: (len(roll.dice), _kept_total(state, roll)))


def bold(state: State, chance: Callable[[], float]) -> Action:  # noqa: ARG001
    """Roll as few dice as the rules allow, but two or more; keep the highest total."""
    hand_size = max(len(roll.dice) for roll in _rolls(state))
    bold_rolls = [roll for roll in _rolls(state) if len(roll.dice) >= min(2, hand_size)]
    return min(bold_rolls, key=lambda roll: (len(roll.dice), -_kept_total(state, roll)))


def any_legal(state: State, chance: Callable[[], float]) -> Action:
    """Draw one of the legal actions, all equally likely."""
    return state.actions[int(chance() * len(state.actions))]


def perfect(state: State, chance: Callable[[], float]) -> Action:  # noqa: ARG001
    """Make the choice of the highest value."""
    from fourtwenty.odds import odds_of

    return odds_of(state).best(state)


class QuantalResponse(Struct, frozen=True):
    """A policy that errs as people do: the logit quantal response to the odds (McKelvey and Palfrey 1995)."""

    slip: float
    """The loss, in points, that makes a choice e times rarer than the best choice."""

    def __call__(self, state: State, chance: Callable[[], float]) -> Action:
        """Draw one of the choices; the more a choice loses, the rarer it is."""
        choices = _choices(state)
        weights = (exp(100 * (choice.value - choices[0].value) / self.slip) for choice in choices)
        reached = list(accumulate(weights))
        return choices[bisect(reached, chance() * reached[-1], hi=len(choices) - 1)].action


CHARACTERS = {
    character.name: character
    for character in (
        Character("Steady", "keeps as many dice as it can, lowest first", steady),
        Character("Bold", "always rolls at least two, keeps the highest", bold),
        Character("Random", "picks any legal move", any_legal),
        Character("Perfect", "plays best, as far as that is known", perfect),
        Character("Sober", "plays like someone on a good day", QuantalResponse(slip=1)),
        Character("Merry", "plays like someone two drinks in", QuantalResponse(slip=3)),
        Character("Tipsy", "plays like someone five drinks in", QuantalResponse(slip=9)),
    )
}
"""The characters by name, in the order of the lobby."""


def character_named(name: str) -> Character:
    """Return the character of a name, ignoring case. Raises ValueError with all names when there is none."""
    if ":" in name:
        raise ValueError(f"{name} is a rule of your own: only simulate plays those, for a game must replay anywhere")
    for character in CHARACTERS.values():
        if character.name.casefold() == name.casefold():
            return character
    raise ValueError(f"there is no bot {name!r}; the bots are {', '.join(CHARACTERS)}")


def _choices(state: State) -> Sequence[Choice]:
    from fourtwenty.odds import odds_of

    return odds_of(state).choices(state)


def _rolls(state: State) -> list[Roll]:
    return [action for action in state.actions if isinstance(action, Roll)]


def _kept_total(state: State, roll: Roll) -> int:
    assert state.to_act is not None
    return sum(face for die, face in enumerate(state.hand(state.to_act), 1) if die not in roll.dice)
