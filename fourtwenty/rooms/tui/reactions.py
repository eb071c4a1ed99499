"""The dialog of the reactions that can be shown to the others in a room; there is no other chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content

from fourtwenty.tui.dialogs.ask import Choose
from fourtwenty.tui.touch import touched

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.client import Client


def react(app: App[None], client: Client) -> None:
    """Ask for a reaction, and show it to the others."""
    from fourtwenty.rooms.wire.presence import REACTIONS

    def answered(reaction: int | None) -> None:
        if reaction is not None:
            client.react(reaction)

    app.push_screen(Reactions(REACTIONS, numbered=not touched(app)), answered)


class Reactions(Choose):
    """Dismissed with the index of a reaction, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{number}", f"answer({number - 1})", f"Reaction {number}", id=f"reactions.{number}", show=False)
            for number in range(1, 9)
        ),
        Binding("enter", "choose", "Show", id="reactions.show", tooltip="Show the others this reaction"),
        Binding("escape,q,e", "back", "Back", id="reactions.back"),
    ]

    def __init__(self, reactions: Sequence[str], numbered: bool = True) -> None:
        """Show the reactions; ``numbered`` is whether each has its key before it."""
        numbers = (f"{number} " if numbered else "" for number in range(1, len(reactions) + 1))
        lines = (Content.assemble((each, "$accent bold"), text) for each, text in zip(numbers, reactions, strict=True))
        super().__init__("To everybody at the table", [*lines])
