"""The dialog that sets up a position: one line of text, read by the rules, from which a match then starts."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from fourtwenty.games.game import Game, State
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow


def read_position(game: Game, text: str, seats: int) -> State:
    """Read a position that a match of so many seats can start from. Raises ValueError with a sentence."""
    start = game.position(text)
    if start.seats != seats:
        raise ValueError(f"The position has {start.seats} seats, the table has {seats}.")
    if start.to_act is None:
        raise ValueError("The round is over there.")
    return start


class PositionDialog(Dialog[State | None]):
    """Ends with the state to start from, or None when it was thought better of."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Play from there", id="position.accept", priority=True),
        Binding("escape", "cancel", "Cancel", id="position.cancel"),
    ]

    def __init__(self, game: Game, state: State) -> None:
        """Set up a position of a game; the state is the one it would start from otherwise."""
        super().__init__()
        self.game = game
        self.state = state

    def compose(self) -> ComposeResult:
        """Lay out the line, what is wrong with it, and what to do."""
        with Vertical(classes="dialog"):
            yield Label("Set up a position: hands in turn, * began the round, > acts", id="heading", markup=False)
            field = Input(self.state.position(), id="position")
            field.cursor_blink = False
            yield field
            yield Label("", id="refusal", markup=False)
            yield CommandRow(Command("position.accept"), Command("position.cancel"))

    @on(Input.Changed)
    def judge(self, event: Input.Changed) -> None:
        """Say what the line means so far."""
        try:
            start = read_position(self.game, event.value, self.state.seats)
        except ValueError as error:
            self.query_one("#refusal", Label).update(str(error))
        else:
            self.query_one("#refusal", Label).update(start.caption())

    def action_accept(self) -> None:
        """End with the position, or say again why it cannot be."""
        try:
            start = read_position(self.game, self.query_one(Input).value, self.state.seats)
        except ValueError as error:
            self.query_one("#refusal", Label).update(str(error))
            self.app.bell()
        else:
            self.end(start)

    def action_cancel(self) -> None:
        """End without a position."""
        self.end()
