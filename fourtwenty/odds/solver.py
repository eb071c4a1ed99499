"""Defines ``Solver``, the interface of one module a game, and the values it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from fourtwenty.games.game import Action, Faces, Roll, State


class Choice(Struct, frozen=True):
    """A choice of the seat to act; rolls that keep the same faces are one."""

    action: Action
    kept: Faces
    """The kept faces, by die position."""
    chances: tuple[float, ...]
    """The probabilities of ``Solver.LABELS``, in order."""
    value: float
    """``Solver.values`` of the seat to act after this choice."""
    classes: tuple[float, ...] = ()
    """The probabilities of ``Solver.CLASSES``, in order."""
    amount: float | None = None
    """The seat's expected ``Solver.AMOUNT_UNIT`` after the round; None in a game without one."""


class Objective(Struct, frozen=True):
    """The event that ``Solver.values`` returns the probability of."""

    name: str
    """The goal in one word."""
    label: str
    """The name of its probability, as in "chance to win the round"."""
    note: str = ""
    """A sentence with the advice: what the goal leaves out, or the meaning of other figures; may be empty."""


class SecondaryValues(Struct, frozen=True):
    """A second figure for every seat."""

    name: str
    figures: tuple[float, ...]
    """``[seat]``: a probability or an expected amount (``share``)."""
    are_probabilities: bool
    """True for probabilities from 0 to 1, False for amounts such as tokens or points."""


class PlacementOdds(Struct, frozen=True):
    """Probabilities of places with best play, ``[seat]``; None where unknown. Sums are 1 unless seats share a place."""

    first: tuple[float, ...] | None
    """To come first: in 420, to win the first round."""
    last: tuple[float, ...] | None
    """To come last: in 420 to buy the drinks, in 421 to pick up the tab."""


class Solver(Protocol):
    """The odds of one game, provided by a module. mypy checks each one in ``solver_for``."""

    LABELS: tuple[str, ...]
    """The names of the outcomes in ``Choice.chances``."""
    CLASSES: tuple[str, ...]
    """The short names of ``Choice.classes``, strongest first; empty in a game without classes."""
    AMOUNT_UNIT: str
    """The unit of ``Choice.amount``; empty in a game without one."""

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Return every choice of the seat to act, best first; empty when the round is over."""

    def best(self, state: State) -> Action:
        """Return the first of ``choices`` as an action, faster in some games. Raises ValueError after the round."""

    def objective(self, state: State) -> Objective:
        """Return the goal of ``values``."""

    def values(self, state: State) -> tuple[float, ...]:
        """Return ``[seat]``: the probability of the goal, 0 to 1, with best play.

        The sum is 1 only if exactly one seat reaches the goal.
        """

    def values_after(self, state: State, action: Action) -> tuple[float, ...]:
        """Return the expectation of ``values`` after ``action``. Raises ValueError when the round is over."""

    def secondary_values(self, state: State) -> SecondaryValues | None:
        """Return every seat's second figure; None where ``values`` suffice."""

    def is_estimated(self, state: State) -> bool:
        """Return whether values are estimates, shown as "about"; docs/paper/solution.md has their errors."""

    def placement_odds(self, state: State) -> PlacementOdds:
        """Return the probabilities of final places, before the match's first roll."""

    def others_matter(self, state: State) -> bool:
        """Return whether the best choice differs between the weakest and the strongest hands of all others."""

    def choice_key(self, state: State) -> str:
        """Return a key, stored in the history, of positions with the same best choices for the same reason.

        Raises ValueError when the round is over.
        """

    def situation(self, state: State) -> str:
        """Return in a few words, for people, what matters besides the own dice; empty for nothing.

        Less precise than ``choice_key``. Raises ValueError when the round is over.
        """


def seat_to_act(state: State) -> int:
    """Return the seat to act. Raises ValueError when the round is over."""
    if state.to_act is None:
        raise ValueError("The round is over: no seat is to act.")
    return state.to_act


def choice_for(choices: Sequence[Choice], state: State, action: Action) -> Choice:
    """Return the choice that contains ``action`` of the seat to act."""
    hand = state.hand(seat_to_act(state))
    thrown = action.dice if isinstance(action, Roll) else ()
    kept = sorted(face for die, face in enumerate(hand, 1) if die not in thrown)
    return next(choice for choice in choices if type(choice.action) is type(action) and sorted(choice.kept) == kept)
