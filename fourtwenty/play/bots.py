"""Defines the bots and their policies for the states of any game."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from math import exp
from typing import TYPE_CHECKING

from msgspec import Struct

from fourtwenty.games.game import Action, Roll, Stand, State

if TYPE_CHECKING:
    from fourtwenty.odds.solver import Choice

Policy = Callable[[State], Action]
"""Returns a legal action of the seat to act."""

Chance = Callable[[], float]
"""Draws a uniform number from 0 up to 1."""


class Bot(Struct, frozen=True):
    """A bot."""

    name: str
    about: str
    """Strength and style of play in a few words."""
    policy: Callable[[Chance], Policy]
    """Returns its policy; all chance comes from the argument."""

    def choose(self, state: State, seed: bytes, number: int) -> Action:
        """Return its action in a state; all chance follows from a seed and the number of events so far."""
        from fourtwenty.play.dice import uniform_float  # the lobby does without

        actions = state.actions
        return actions[0] if len(actions) == 1 else self.policy(lambda: uniform_float(seed, f"bot {number}"))(state)


def steady(state: State) -> Action:
    """Stand if possible; otherwise keep as many dice as allowed, with the lowest total."""
    if Stand() in state.actions:
        return Stand()
    return min(_rolls(state), key=lambda roll: (len(roll.dice), _kept_total(state, roll)))


def bold(state: State) -> Action:
    """Roll as few dice as allowed, but two or more; keep the highest total."""
    hand_size = max(len(roll.dice) for roll in _rolls(state))
    bold_rolls = [roll for roll in _rolls(state) if len(roll.dice) >= min(2, hand_size)]
    return min(bold_rolls, key=lambda roll: (len(roll.dice), -_kept_total(state, roll)))


def any_legal(chance: Chance) -> Policy:
    """Return the policy that draws a legal action, all equally likely."""
    return lambda state: state.actions[int(chance() * len(state.actions))]


def perfect(state: State) -> Action:
    """Make a choice of the highest value."""
    from fourtwenty.odds import solver_for

    return solver_for(state).best(state)


def quantal_response(slip: float, chance: Chance) -> Policy:
    """Return a policy that errs as people do: the logit quantal response to the odds (McKelvey and Palfrey 1995).

    ``slip`` is the loss, in points, that makes a choice e times rarer than the best one.
    """

    def choose(state: State) -> Action:
        choices = _choices(state)
        weights = (exp(100 * (choice.value - choices[0].value) / slip) for choice in choices)
        reached = list(accumulate(weights))
        return choices[bisect(reached, chance() * reached[-1], hi=len(choices) - 1)].action

    return choose


def _drawing_nothing(policy: Policy) -> Callable[[Chance], Policy]:
    return lambda _: policy


BOTS = {
    bot.name: bot
    for bot in (
        Bot("Tipsy", "easy: plays like someone five drinks in", partial(quantal_response, 9)),
        Bot("Merry", "middling: plays like someone two drinks in", partial(quantal_response, 3)),
        Bot("Steady", "strong: keeps as many dice as it can", _drawing_nothing(steady)),
        Bot("Perfect", "perfect, as far as that is known", _drawing_nothing(perfect)),
        Bot("Sober", "plays like someone on a good day", partial(quantal_response, 1)),
        Bot("Bold", "always rolls at least two, keeps the highest", _drawing_nothing(bold)),
        Bot("Random", "picks any legal move", any_legal),
    )
}
"""The bots by name, from easy to perfect, the lobby's first."""
OFFERED = ("Tipsy", "Merry", "Steady", "Perfect")
"""The bots of the lobby. In the second seat of two in 420 they beat Perfect in 37.0, 41.6, 47.0 and 47.3% of 6,000
games. The others play like one of them."""


def bot_named(name: str) -> Bot:
    """Return a bot by name, ignoring case. Raises ValueError with all names for another."""
    if ":" in name:
        raise ValueError(f"{name} is a bot of your own: only simulate plays those, for a game must replay anywhere")
    for bot in BOTS.values():
        if bot.name.casefold() == name.casefold():
            return bot
    raise ValueError(f"{name!r} isn't a bot. The bots are {', '.join(BOTS)}.")


def _choices(state: State) -> Sequence[Choice]:
    from fourtwenty.odds import solver_for

    return solver_for(state).choices(state)


def _rolls(state: State) -> list[Roll]:
    return [action for action in state.actions if isinstance(action, Roll)]


def _kept_total(state: State, roll: Roll) -> int:
    assert state.to_act is not None
    return sum(face for die, face in enumerate(state.hand(state.to_act), 1) if die not in roll.dice)
