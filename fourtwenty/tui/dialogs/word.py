"""The question for a word that the dice follow from, asked of one person before the first roll."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from fourtwenty.play.dice import LONGEST_WORD, check_word
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class WordDialog(Dialog[str | None]):
    """Ends with the word, empty for none; with None when they have thought better of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Add", id="word.accept"),
        Binding("escape", "cancel", "Cancel", id="word.cancel"),
    ]

    def __init__(self, name: str, word: str) -> None:
        """Ask a person of this name, whose word so far is offered."""
        super().__init__()
        self.person = name
        self.word = word

    def compose(self) -> ComposeResult:
        """Lay out the line over what it is for."""
        with Vertical(classes="dialog"):
            yield Label(f"{self.person}: a word for the dice", id="heading", markup=False)
            field = Input(self.word, id="word", max_length=LONGEST_WORD, placeholder="anything you like")
            field.cursor_blink = False
            yield field
            yield Label("Every roll follows from it too, so nobody can have chosen the dice.")
            yield Label("", id="refusal", markup=False)
            yield CommandRow(Command("word.accept"), Command("word.cancel"))

    @on(Input.Submitted)
    def action_accept(self) -> None:
        """End with the word, or say why it cannot be."""
        word = self.query_one(Input).value.strip()
        refusal = check_word(word)
        if refusal:
            self.query_one("#refusal", Label).update(refusal)
            self.app.bell()
        else:
            self.end(word)

    def action_cancel(self) -> None:
        """End without a word."""
        self.end()
