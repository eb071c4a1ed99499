"""The hint: a ranking of all choices with their chances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.games.english import join_faces
from fourtwenty.games.game import State
from fourtwenty.odds.solver import Solver
from fourtwenty.tui.dialogs.question_dialogs import QuestionDialog
from fourtwenty.tui.textual_base.actions import ScreenAction
from fourtwenty.tui.widgets.ranking import others_sentence, ranking

WIDE = 80
"""The terminal width, in cells, from which the ranking shows the classes of hands."""


class HintDialog(QuestionDialog[bool]):
    """The ranking of choices for the seat to act. Ends with whether the coach is wanted now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,h,q,space", "answer(False)", "Back to the dice", id="hint.back"),
        ScreenAction(
            "c", "answer(True)", "Show the odds from here on", id="hint.coach", available=lambda hint: not hint.coached
        ),
    ]

    def __init__(self, odds: Solver, state: State, coached: bool) -> None:
        """Rank the choices in a state; offer the coach if the players have none."""
        hand = () if state.to_act is None else state.hand(state.to_act)
        every = f"With {join_faces(hand)}: every" if hand else "Every"
        about = "; chances are estimates" if odds.is_estimated(state) else ""
        in_percent = ", in percent" if odds.CLASSES else ""
        super().__init__(f"{every} choice, the best first{in_percent}{about}")
        self.odds = odds
        self.state = state
        self.coached = coached

    def contents(self) -> Iterator[Widget]:
        choices = self.odds.choices(self.state)
        yield Static(ranking(self.odds, self.state, choices, wide=self.app.size.width >= WIDE), id="ranking")
        lines = others_sentence(self.odds, self.state), self.odds.objective(self.state).note
        yield Static("\n".join(filter(None, lines)), id="notes")
