"""The dialog that asks for another name of a player in the history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from fourtwenty.play.lineup import check_name
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog
from fourtwenty.tui.textual_base.actions import CANCEL


class RenameDialog(FieldDialog[str]):
    """Ends with the name, an empty one for the recorded names, or with None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "accept", "Rename", id="rename.accept"), CANCEL]
    resting_sentence = "Another player's name makes one of two; an empty name takes all of it back."

    def __init__(self, name: str) -> None:
        super().__init__()
        self.heading = f"Another name for {name}"
        self.before = name

    def contents(self) -> Iterator[Widget]:
        yield Field(self.before, id="name")

    def read(self) -> str:
        name = self.line.value.strip()
        if refusal := name and check_name(name, ()):
            raise ValueError(refusal)
        return name
