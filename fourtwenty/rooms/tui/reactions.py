"""The dialog of the reactions that can be shown to the others in a room; there is no other chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Label, OptionList

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.client import Client


def react(app: App[None], client: Client) -> None:
    """Ask for a reaction, and show it to the others."""
    from fourtwenty.rooms.wire.client import REACTIONS

    def answered(reaction: int | None) -> None:
        if reaction is not None:
            client.react(reaction)

    app.push_screen(Reactions(REACTIONS), answered)


class Reactions(Dialog[int]):
    """Dismissed with the index of a reaction, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{number}", f"choose({number - 1})", f"Reaction {number}", id=f"reactions.{number}", show=False)
            for number in range(1, 9)
        ),
        Binding("enter", "accept", "Show", id="reactions.show", tooltip="Show the others this reaction"),
        Binding("escape,q,e", "back", "Back", id="reactions.back"),
    ]

    def __init__(self, reactions: Sequence[str]) -> None:
        """Offer these eight reactions."""
        super().__init__()
        self.reactions = reactions

    def compose(self) -> ComposeResult:
        """Lay out the reactions with their keys."""
        with Vertical(classes="dialog"):
            yield Label("To everybody at the table", id="heading")
            lines = (Content.assemble((f"{number} ", "$accent bold"), text) for number, text in self._numbered)
            yield OptionList(*lines, markup=False)
            yield CommandRow(Command("reactions.show"), Command("reactions.back"))

    @property
    def _numbered(self) -> Sequence[tuple[int, str]]:
        return [*enumerate(self.reactions, 1)]

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """End with the reaction that was clicked or chosen."""
        self.end(event.option_index)

    def action_accept(self) -> None:
        """End with the reaction at the pointer."""
        self.query_one(OptionList).action_select()

    def action_choose(self, reaction: int) -> None:
        """End with a reaction by its number."""
        self.end(reaction)

    def action_back(self) -> None:
        """End with None."""
        self.end()
