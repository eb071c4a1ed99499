"""The question before players leave a match in a room: their seat is kept, or given up. Nothing is left here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from fourtwenty.tui.dialogs.ask import Ask
from fourtwenty.tui.widgets.command_row import Command


class LeaveTable(Ask[Literal["leave", "give up"]]):
    """Dismissed with the answer, or None to play on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,n,escape", "back", "Play on", id="leave-table.back", tooltip="Stay at the table"),
        Binding("q,y", "answer('leave')", "Leave", id="leave-table.leave", tooltip="Leave; your seat is kept"),
        Binding("g", "answer('give up')", "Give up", id="leave-table.give-up", tooltip="Leave for good; you come last"),
    ]

    def __init__(self, hosted: bool = False, back_by: str = "r in the lobby") -> None:
        """Ask; ``hosted`` is whether the others lose the table with this program, ``back_by`` the way back to it."""
        kept = (
            f"The table closes for everybody, and is kept: {back_by} opens it again for all. "
            if hosted
            else f"Your seat is kept, and the others wait: {back_by} brings you back to it. "
        )
        super().__init__("Leave the table?", f"{kept}Or give it up: then they go on without you, and you come last.")

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The answers in more words than the sheet of keys has."""
        return (
            Command("leave-table.back"),
            Command("leave-table.leave", "Leave, keep my seat"),
            Command("leave-table.give-up", "Give up my seat"),
        )
