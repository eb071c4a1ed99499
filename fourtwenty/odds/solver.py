"""``Solver``, the interface that one module a game provides, and the values it returns. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from fourtwenty.games.game import Action, Faces, Roll, State


class Choice(Struct, frozen=True):
    """A choice of the seat to act. Rolls that keep the same faces are one choice."""

    action: Action
    kept: Faces
    """The faces that are kept, by die position."""
    chances: tuple[float, ...]
    """The probability of each outcome in ``Solver.LABELS``, in that order."""
    value: float
    """``Solver.values`` of the seat to act after this choice, with best play from then on."""
    classes: tuple[float, ...] = ()
    """The probability of each class of hands in ``Solver.CLASSES``, in that order."""
    amount: float | None = None
    """The expected ``Solver.AMOUNT_UNIT`` of the seat to act after the round; None in a game without one."""


class Objective(Struct, frozen=True):
    """The event whose probability ``Solver.values`` returns."""

    name: str
    """The goal in one word."""
    chance: str
    """The name of its probability, as in "chance to win the round"."""
    note: str = ""
    """A sentence shown with the advice: what the goal leaves out, or what other figures mean; empty for neither."""


class SecondaryValues(Struct, frozen=True):
    """A second figure for every seat, beside ``Solver.values``."""

    name: str
    figures: tuple[float, ...]
    """``[seat]``: a probability or an expected amount, as ``share`` says."""
    share: bool
    """True for probabilities from 0 to 1, False for amounts such as tokens or points."""


class PlacementOdds(Struct, frozen=True):
    """The probabilities of the ends of a match with best play; ``[seat]``, or None where they are not known.

    Each adds up to 1, unless seats may share that place.
    """

    first: tuple[float, ...] | None
    """To come first: in 420, to win the first round."""
    last: tuple[float, ...] | None
    """To come last: in 420 to buy the drinks, in 421 to pick up the tab."""


class Solver(Protocol):
    """The odds of one game, for the coach, the review and the bots.

    A module provides it: mypy checks each module against this protocol in ``solver_for``. Every module therefore has
    constants and functions of these names.
    """

    LABELS: tuple[str, ...]
    """The names of the outcomes in ``Choice.chances``."""
    CLASSES: tuple[str, ...]
    """The short names of the classes in ``Choice.classes``, strongest first; empty in a game without classes."""
    AMOUNT_UNIT: str
    """The unit of ``Choice.amount``; empty in a game without one."""

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Return every choice of the seat to act, best first; empty when the round is over."""

    def best(self, state: State) -> Action:
        """Return the action of the first of ``choices``: all that a bot needs, and faster in some games.

        Raises ValueError when the round is over.
        """

    def objective(self, state: State) -> Objective:
        """Return the goal whose probability ``values`` returns."""

    def values(self, state: State) -> tuple[float, ...]:
        """Return ``[seat]``: the probability of the goal, from 0 to 1, with best play of every seat.

        They add up to 1 only in a game whose goal exactly one seat reaches.
        """

    def values_after(self, state: State, action: Action) -> tuple[float, ...]:
        """Return ``values`` once the seat to act has chosen ``action``: the expectation over its throw.

        Raises ValueError when the round is over.
        """

    def secondary_values(self, state: State) -> SecondaryValues | None:
        """Return a second figure for every seat; None where ``values`` say everything."""

    def is_estimated(self, state: State) -> bool:
        """Return whether the values are estimates, shown as "about"; docs/paper/solution.md states their errors."""

    def placement_odds(self, state: State) -> PlacementOdds:
        """Return the probabilities of the ends of the match, before its first roll."""

    def others_matter(self, state: State) -> bool:
        """Return whether the best choice depends on the other hands on the table.

        It does when it differs between the weakest and the strongest hands of all others.
        """

    def choice_key(self, state: State) -> str:
        """Return a text that positions share if they differ by nothing that matters to the choice of the seat to act.

        They have the same best choices, for the same reason. It is kept in the history. Raises ValueError when the
        round is over.
        """

    def situation(self, state: State) -> str:
        """Return what matters to the choice besides the own dice, in a few words; empty where nothing does.

        It names what people can keep in mind, so it says less than ``alike``. Raises ValueError when the round is over.
        """


def seat_to_act(state: State) -> int:
    """Return the seat to act. Raises ValueError when the round is over."""
    if state.to_act is None:
        raise ValueError("The round is over: no seat is to act.")
    return state.to_act


def choice_for(choices: Sequence[Choice], state: State, action: Action) -> Choice:
    """Return the choice that contains ``action``, an action of the seat to act."""
    hand = state.hand(seat_to_act(state))
    thrown = action.dice if isinstance(action, Roll) else ()
    kept = sorted(face for die, face in enumerate(hand, 1) if die not in thrown)
    return next(choice for choice in choices if type(choice.action) is type(action) and sorted(choice.kept) == kept)
