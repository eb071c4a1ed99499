"""The dialog that takes the position a match starts from, as one line of text. The rules read the text."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from fourtwenty.games.game import Game, State
from fourtwenty.tui.dialogs.dialog import Dialog, Field
from fourtwenty.tui.widgets.command_row import Command, CommandRow


def read_position(game: Game, text: str, seats: int) -> State:
    """Return the state of a position from which a match with this number of seats can start.

    Raises ValueError with a sentence for the player.
    """
    start = game.position(text)
    if start.seats != seats:
        raise ValueError(f"The position has {start.seats} seats, the table has {seats}.")
    if start.to_act is None:
        raise ValueError("The round is over there.")
    return start


class PositionDialog(Dialog[State | None]):
    """Dismissed with the state to start from, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Play from there", id="position.accept"),
        Binding("escape", "cancel", "Cancel", id="position.cancel"),
    ]

    def __init__(self, game: Game, state: State) -> None:
        """Ask for a position of a game, beginning with that of a state."""
        super().__init__()
        self.game = game
        self.state = state

    def compose(self) -> ComposeResult:
        """Lay out the field above its meaning and the commands."""
        with Vertical(classes="dialog"):
            yield Label("Set up a position: hands in turn, * began the round, > acts", id="heading", markup=False)
            yield Field(self.state.position(), id="position")
            yield Label("", id="refusal", markup=False)
            yield CommandRow(Command("position.accept"), Command("position.cancel"))

    @on(Input.Changed)
    def preview(self, event: Input.Changed) -> None:
        """Show the meaning of the typed position, or why there is none."""
        try:
            start = read_position(self.game, event.value, self.state.seats)
        except ValueError as error:
            self.query_one("#refusal", Label).update(str(error))
        else:
            self.query_one("#refusal", Label).update(start.caption())

    def action_accept(self) -> None:
        """End with the state of the position, or show again why there is none."""
        try:
            start = read_position(self.game, self.query_one(Input).value, self.state.seats)
        except ValueError as error:
            self.query_one("#refusal", Label).update(str(error))
            self.app.bell()
        else:
            self.end(start)

    def action_cancel(self) -> None:
        """End with None."""
        self.end()
