"""The dialog of a match that cannot be kept: wait until it can, play on unkept, or leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.widgets import Label

from fourtwenty.games.words import sentence_case
from fourtwenty.tui.dialogs.ask import Ask

TRY_SECONDS = 0.25
"""The time between two tries in seconds."""


class Unkept(Ask[Literal["kept", "play", "leave"]]):
    """Dismissed with "kept" once a try has succeeded, else with the choice of the players."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "answer('play')", "Play on unsaved", id="unkept.play"),
        Binding("q,escape", "answer('leave')", "Leave", id="unkept.leave"),
    ]

    def __init__(self, reason: str, keep: Callable[[], str]) -> None:
        """Show a reason. ``keep`` tries to keep the match and returns the reason if it fails, else an empty text."""
        super().__init__(
            "This game can't be saved right now",
            _sentence(reason),
            "It goes on by itself as soon as it can be saved. Until then nothing is shown.",
        )
        self.keep = keep

    def on_mount(self) -> None:
        self.set_interval(TRY_SECONDS, self.try_again)

    def try_again(self) -> None:
        """End if the match can be kept, else show the reason."""
        if self.is_active:
            reason = self.keep()
            if reason:
                self.query(".lines").first(Label).update(_sentence(reason))
            else:
                self.end("kept")


def _sentence(reason: str) -> str:
    return f"{sentence_case(reason)}."
