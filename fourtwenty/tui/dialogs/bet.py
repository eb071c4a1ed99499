"""The dialog that asks a person who is out for a bet. It takes no bet itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class BetDialog(Dialog[int | None]):
    """Dismissed with the seat that the bet is on, or with None if there is no bet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Bet", id="bet.take", tooltip="Bet on the player at the pointer"),
        Binding("escape,q", "cancel", "No bet", id="bet.cancel", tooltip="Do not bet"),
    ]

    def __init__(self, question: str, options: Sequence[tuple[int, str]]) -> None:
        """Ask a question that is answered with one of these seats, each with its name."""
        super().__init__()
        self.question = question
        self.options = options

    def compose(self) -> ComposeResult:
        """Lay out the question above the names."""
        with Vertical(classes="dialog"):
            yield Label(self.question, id="heading", markup=False)
            yield OptionList(*(Option(name, id=str(seat)) for seat, name in self.options), markup=False)
            yield CommandRow(Command("bet.take"), Command("bet.cancel"))

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """End with the seat that was chosen."""
        self.end(self.options[event.option_index][0])

    def action_take(self) -> None:
        """End with the seat at the pointer."""
        self.query_one(OptionList).action_select()

    def action_cancel(self) -> None:
        """End with None."""
        self.end()
