"""The dialog that asks a person who is out for a bet. It takes no bet itself."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from fourtwenty.tui.dialogs.ask import Choose


class BetDialog(Choose):
    """Dismissed with the index of the name that the bet is on, or with None if there is no bet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Bet", id="bet.take", tooltip="Bet on the player at the pointer"),
        Binding("escape,q", "back", "No bet", id="bet.cancel", tooltip="Do not bet"),
    ]
