"""A yes-or-no question before something is lost. The dialog itself deletes and leaves nothing."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Label

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class Confirm(Dialog[bool]):
    """A question, answered with True for yes and False for no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="confirm.yes"),
        Binding("enter,n,escape,q", "answer(False)", "No", id="confirm.no"),
    ]

    def __init__(self, question: str, no: str, yes: str) -> None:
        """Ask a question whose answers have these labels."""
        super().__init__()
        self.question = question
        self.commands = Command("confirm.no", no), Command("confirm.yes", yes)

    def compose(self) -> ComposeResult:
        """Lay out the question above the answers."""
        with Vertical(classes="dialog"):
            yield Label(self.question, markup=False)
            yield CommandRow(*self.commands)

    def action_answer(self, yes: bool) -> None:
        """End with the answer."""
        self.end(yes)


class LeaveMatch(Confirm):
    """The question before players leave a match that is not kept."""

    def __init__(self) -> None:
        super().__init__("Leave this game? It isn't saved.", no="Play on", yes="Leave")
