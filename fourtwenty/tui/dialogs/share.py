"""The card: what is sent to others, seen before it is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.play.match import Match
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.frame.actions import ScreenAction, back
from fourtwenty.tui.widgets.command_row import Command


class Share(Dialog[None]):
    """Shows lines of text, of a match with the way to its proof; sends them, or what is marked, to the clipboard."""

    ALLOW_SELECT = True
    HELP = "Mark with the mouse what you want to send, or send it all. A terminal marks by itself while Shift is held."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "copy", "Copy", id="share.copy", tooltip="Send it to the clipboard"),
        ScreenAction(
            "f",
            "fairness",
            "Proof of the dice",
            id="share.fairness",
            tooltip="The seed that shows the dice were fair",
            there=lambda screen: screen.match is not None,
        ),
        back(),
    ]

    def __init__(self, text: str, match: Match | None = None) -> None:
        super().__init__()
        self.text = text
        self.match = match

    @property
    def shown_commands(self) -> Sequence[Command]:
        return [each for each in super().shown_commands if self.match or each.binding != "share.fairness"]

    def contents(self) -> Iterator[Widget]:
        yield Static(self.text, id="card", markup=False)

    def copied(self) -> str:
        return self.get_selected_text() or self.text

    def action_fairness(self) -> None:
        from fourtwenty.tui.dialogs.fairness import FairnessDialog

        if self.match and self.is_active:
            self.app.push_screen(FairnessDialog(self.match))
