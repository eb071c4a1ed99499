"""Computes the coach's advice as numbers. ``fourtwenty.odds`` is imported only for a match with a coach."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.english import NUMBERS, join_faces
from fourtwenty.games.game import Action, Faces, Roll, Stand, State
from fourtwenty.play.format import chance_in_words, cost, noticeable, percent

if TYPE_CHECKING:
    from fourtwenty.odds.solver import Choice, Solver


class Advice(Struct, frozen=True):
    """A choice of the seat to act, with its chances."""

    kept: Faces
    """The kept faces, by die position."""
    chances: tuple[tuple[str, float], ...]
    """Labels and chances of the choice, from 0 to 1."""
    amount: tuple[str, float] | None
    """The label and average amount of the seat after the round; None in games without one."""
    goal: str
    value: float
    """The win probability, from 0 to 1."""
    loss: float
    """The loss of win probability against the best choice, from 0 to 1."""
    forced: bool
    estimated: bool
    """Whether the chances and the loss are estimates (``Solver.is_estimated``)."""

    @property
    def verdict(self) -> Literal["forced", "best", "costs"]:
        if self.forced:
            return "forced"
        return "costs" if noticeable(self.loss, self.estimated) else "best"


def _in_words(state: State, choice: Choice) -> str:
    """Return a choice as an order: "Roll the 1", "Roll 5 1", "Roll all four", "Stand on 6 6 1"."""
    assert state.to_act is not None
    hand = state.hand(state.to_act)
    if not isinstance(choice.action, Roll):
        return f"Stand on {join_faces(hand)}"
    dice = choice.action.dice
    if len(dice) == GAMES[state.key].hand_size:
        return f"Roll all {NUMBERS[len(dice)]}"
    return f"Roll {'the ' if len(dice) == 1 else ''}{join_faces(hand[die - 1] for die in dice)}"


class Share(Struct, frozen=True):
    """The outlook of a seat that still plays."""

    value: float
    """The win probability, from 0 to 1."""
    outlook: str
    """``Solver.secondary_values`` in words: "drinks 33%"; empty for none."""
    estimated: bool


class Hint(Struct, frozen=True):
    """The best choice of the seat to act."""

    action: Action
    sentence: str
    """The action, its chance, and its lead: "Roll the 1: one in six to be out, best by 2.4 points."."""


class Advisor:
    """Computes advice."""

    def __init__(self, state: State) -> None:
        from fourtwenty.odds import solver_for

        self.odds: Solver = solver_for(state)

    def hint(self, state: State) -> Hint:
        """Return the hint for the seat to act. Raises ValueError when the round is over."""
        best, *others = self.odds.choices(state)
        if not others:
            return Hint(best.action, "There is no choice.")
        estimated = self.odds.is_estimated(state)
        margin = best.value - others[0].value
        chance = f"{chance_in_words(best.chances[0], estimated)} {GAMES[state.key].chance_text}"
        lead = f"best by {cost(margin, estimated)}" if noticeable(margin, estimated) else "as good as another"
        return Hint(best.action, f"{_in_words(state, best)}: {chance}, {lead}.")

    def advice(self, state: State, selection: Collection[int]) -> Advice | None:
        """Return the advice on rolling these dice, or on standing for none; None when illegal."""
        choice = self._choice(state, selection)
        return self._advice(state, choice) if choice else None

    def rank(self, state: State, selection: Collection[int]) -> int:
        """Return the rank of rolling these dice, 0 for the best; -1 when illegal."""
        choice = self._choice(state, selection)
        return self.odds.choices(state).index(choice) if choice else -1

    def every_advice(self, state: State) -> list[Advice]:
        """Return the advice on every choice, best first."""
        return [self._advice(state, choice) for choice in self.odds.choices(state)]

    def _choice(self, state: State, selection: Collection[int]) -> Choice | None:
        from fourtwenty.odds.solver import choice_for

        action = Roll(tuple(selection)) if selection else Stand()
        if state.to_act is None or state.check(action):
            return None
        return choice_for(self.odds.choices(state), state, action)

    def _advice(self, state: State, choice: Choice) -> Advice:
        odds, choices = self.odds, self.odds.choices(state)
        return Advice(
            kept=choice.kept,
            chances=tuple(zip(odds.LABELS, choice.chances, strict=True)),
            amount=None if choice.amount is None else (odds.AMOUNT_UNIT, choice.amount),
            goal=odds.objective(state).name,
            value=choice.value,
            loss=choices[0].value - choice.value,
            forced=len(choices) == 1,
            estimated=odds.is_estimated(state),
        )

    def shares(self, state: State) -> list[Share | None]:
        """Return the outlook by seat; None for seats that no longer play."""
        values, second = self.odds.values(state), self.odds.secondary_values(state)
        estimated = self.odds.is_estimated(state)
        outlooks = [""] * state.seats
        if second:
            amount = "{:.0f}" if estimated else "{:.1f}"
            figures = (
                percent(each, digits=0) if second.are_probabilities else amount.format(each) for each in second.figures
            )
            outlooks = [f"{second.name} {figure}" for figure in figures]
        return [
            Share(value, outlook, estimated) if state.standing(seat).playing else None
            for seat, (value, outlook) in enumerate(zip(values, outlooks, strict=True))
        ]
