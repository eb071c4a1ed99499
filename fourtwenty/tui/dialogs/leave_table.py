"""The question before players leave a match in a room: their seat is kept, or given up. Nothing is left here."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Label

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class LeaveTable(Dialog[str]):
    """Dismissed with "leave", "give up", or None to play on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,n,escape", "back", "Play on", id="leave-table.back", tooltip="Stay at the table"),
        Binding("q,y", "answer('leave')", "Leave", id="leave-table.leave", tooltip="Leave; your seat is kept"),
        Binding("g", "answer('give up')", "Give up", id="leave-table.give-up", tooltip="Leave for good; you come last"),
    ]

    def __init__(self, hosted: bool = False) -> None:
        """Ask; ``hosted`` is whether the others lose the table with this program."""
        super().__init__()
        self.hosted = hosted

    def compose(self) -> ComposeResult:
        """Lay out the question above the answers."""
        kept = (
            "The table closes for everybody, and is kept: r in the lobby opens it again for all. "
            if self.hosted
            else "Your seat is kept, and the others wait: r in the lobby brings you back to it. "
        )
        with Vertical(classes="dialog"):
            yield Label("Leave the table?", id="heading")
            yield Label(
                f"{kept}Or give it up: then they go on without you, and you come last.",
                classes="lines",
            )
            yield CommandRow(
                Command("leave-table.back"),
                Command("leave-table.leave", "Leave, keep my seat"),
                Command("leave-table.give-up", "Give up my seat"),
            )

    def action_answer(self, answer: str) -> None:
        """End with the answer."""
        self.end(answer)

    def action_back(self) -> None:
        """End with None."""
        self.end()
