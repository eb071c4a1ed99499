"""The question that is asked before a match is left, over the screen it is asked on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from fourtwenty.widgets.choices import Choice, Choices


class LeaveMatch(ModalScreen[bool]):
    """Ends with True when the players are sure that they leave their match."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Leave", id="confirm.leave"),
        Binding("n,enter,escape", "answer(False)", "Play on", id="confirm.stay"),
    ]

    def compose(self) -> ComposeResult:
        """Lay out the question over its answers."""
        with Vertical(classes="dialog"):
            yield Label("Leave this match? It is not kept.")
            yield Choices(
                (Choice("enter", "Play on", "screen.answer(False)"), Choice("y", "Leave", "screen.answer(True)"))
            )

    def action_answer(self, yes: bool) -> None:
        """End with the answer."""
        if self.is_active:
            self.dismiss(yes)
