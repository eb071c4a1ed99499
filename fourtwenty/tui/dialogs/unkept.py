"""The dialog of a match that cannot be kept: wait until it can, play on unkept, or leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Label

from fourtwenty.games.words import sentence_case
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow

TRY_SECONDS = 0.25
"""The time between two tries in seconds."""


class Unkept(Dialog[Literal["kept", "play", "leave"]]):
    """Dismissed with "kept" once a try has succeeded, else with the choice of the players."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "answer('play')", "Play on unsaved", id="unkept.play"),
        Binding("q,escape", "answer('leave')", "Leave", id="unkept.leave"),
    ]

    def __init__(self, reason: str, keep: Callable[[], str]) -> None:
        """Show a reason. ``keep`` tries to keep the match and returns the reason if it fails, else an empty text."""
        super().__init__()
        self.keep = keep
        self.reason = reason

    def compose(self) -> ComposeResult:
        """Lay out the reason above the answers."""
        with Vertical(classes="dialog"):
            yield Label("This game can't be saved right now", id="heading")
            yield Label(self._sentence, id="reason", markup=False)
            yield Label("It goes on by itself as soon as it can be saved. Until then nothing is shown.")
            yield CommandRow(Command("unkept.play"), Command("unkept.leave"))

    @property
    def _sentence(self) -> str:
        return f"{sentence_case(self.reason)}."

    def on_mount(self) -> None:
        """Try again at intervals."""
        self.set_interval(TRY_SECONDS, self.try_again)

    def try_again(self) -> None:
        """End if the match can be kept, else show the reason."""
        if self.is_active:
            self.reason = self.keep()
            if self.reason:
                self.query_one("#reason", Label).update(self._sentence)
            else:
                self.end("kept")

    def action_answer(self, answer: Literal["play", "leave"]) -> None:
        """End with the answer."""
        self.end(answer)
