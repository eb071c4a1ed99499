"""The dialog that asks one person for a word, which the dice of the match then depend on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from fourtwenty.play.dice import LONGEST_WORD, check_word
from fourtwenty.tui.dialogs.dialog import Dialog, Field
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class WordDialog(Dialog[str | None]):
    """Dismissed with the word, empty for none, or with None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Add", id="word.accept"),
        Binding("escape", "cancel", "Cancel", id="word.cancel"),
    ]

    def __init__(self, name: str, word: str) -> None:
        """Ask the person of a name, beginning with the word so far."""
        super().__init__()
        self.person = name
        self.word = word

    def compose(self) -> ComposeResult:
        """Lay out the field above its purpose."""
        with Vertical(classes="dialog"):
            yield Label(f"{self.person}: a word for the dice", id="heading", markup=False)
            yield Field(self.word, id="word", max_length=LONGEST_WORD, placeholder="anything you like")
            yield Label("Every roll depends on it too, so nobody can have chosen the dice.")
            yield Label("", id="refusal", markup=False)
            yield CommandRow(Command("word.accept"), Command("word.cancel"))

    def action_accept(self) -> None:
        """End with the word, or show why it is refused."""
        word = self.query_one(Input).value.strip()
        refusal = check_word(word)
        if refusal:
            self.query_one("#refusal", Label).update(refusal)
            self.app.bell()
        else:
            self.end(word)

    def action_cancel(self) -> None:
        """End with None."""
        self.end()
