"""The question how to play with others at machines of their own."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from fourtwenty.tui.dialogs.ask import Ask


class WithFriends(Ask[Literal["host", "join"]]):
    """Ends with what the people here want; with None if they go back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h,H,enter", "answer('host')", "Host a table", id="lobby.host", tooltip="Others come to your table"),
        Binding("j,J", "answer('join')", "Join a table", id="lobby.join", tooltip="Go to the table of another machine"),
        Binding("escape,q", "back", "Back", id="friends.back"),
    ]

    def __init__(self) -> None:
        super().__init__("With friends", "Everyone plays at a machine or a phone of their own. One hosts the table.")
