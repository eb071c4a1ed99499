"""The dialog of the reactions that can be shown to the others in a room; there is no other chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen

from fourtwenty.rooms.wire.presence import REACTIONS
from fourtwenty.tui.dialogs.ask import Choose
from fourtwenty.tui.touch import touched

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.client import Client


def react(screen: Screen[Any], client: Client) -> None:
    """Ask on a screen for a reaction, and show it to the others."""

    def answered(reaction: int | None) -> None:
        if reaction is not None:
            client.react(reaction)

    if screen.is_active:
        screen.app.push_screen(Reactions(numbered=not touched(screen.app)), answered)


class Reactions(Choose):
    """Dismissed with the index of a reaction, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{number}", f"answer({number - 1})", f"Reaction {number}", id=f"reactions.{number}", show=False)
            for number in range(1, len(REACTIONS) + 1)
        ),
        Binding("enter", "choose", "Show", id="reactions.show", tooltip="Show the others this reaction"),
        Binding("escape,q,e", "back", "Back", id="reactions.back"),
    ]

    def __init__(self, numbered: bool) -> None:
        """Show the reactions; ``numbered`` is whether each has its key before it."""
        lines = [
            Content.assemble((f"{number} " if numbered else "", "$accent bold"), text)
            for number, text in enumerate(REACTIONS, 1)
        ]
        super().__init__("To everybody at the table", lines)
