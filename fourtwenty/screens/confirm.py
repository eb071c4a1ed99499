"""A question with two answers, asked over the screen it is about."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label

from fourtwenty.widgets.choices import Choice, Choices


class Confirm(ModalScreen[bool]):
    """Ends with True when the question is answered with yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="confirm.yes"),
        Binding("n,enter,escape", "answer(False)", "No", id="confirm.no"),
    ]

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self.question = question
        self.answers = (Choice("enter", no, "screen.answer(False)"), Choice("y", yes, "screen.answer(True)"))

    def compose(self) -> ComposeResult:
        """Lay out the question over its answers."""
        with Vertical(classes="dialog"):
            yield Label(self.question, markup=False)
            yield Choices(self.answers)

    def action_answer(self, yes: bool) -> None:
        """End with the answer."""
        self.dismiss(yes)
