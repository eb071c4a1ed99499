"""The dialog that asks one person for a word, which the dice of the match then depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Label

from fourtwenty.play.dice import LONGEST_WORD, check_word
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog


class WordDialog(FieldDialog[str]):
    """Dismissed with the word, empty for none, or with None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Add", id="word.accept"),
        Binding("escape", "back", "Cancel", id="word.cancel"),
    ]

    def __init__(self, name: str, word: str) -> None:
        super().__init__()
        self.heading = f"{name}: a word for the dice"
        self.word = word

    def contents(self) -> Iterator[Widget]:
        yield Field(self.word, id="word", max_length=LONGEST_WORD, placeholder="anything you like")
        yield Label("Every roll depends on it too, so nobody can have chosen the dice.")
        yield self.refusal()

    def read(self) -> str:
        word = self.line.value.strip()
        refusal = check_word(word)
        if refusal:
            raise ValueError(refusal)
        return word
