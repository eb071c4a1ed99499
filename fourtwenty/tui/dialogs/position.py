"""The dialog for the starting position of a match, in the form of ``--position``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from fourtwenty.games import GAMES
from fourtwenty.games.game import State
from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog
from fourtwenty.tui.textual_base.actions import CANCEL


class PositionDialog(FieldDialog[State]):
    HELP = """\
A position is one line: the hand of every player in their order, then the numbers of the round. **-** is a hand that is
not rolled yet, **\\*** marks who started the round, and **>** whose turn it is. **y** at a table copies its position.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Play from here", id="position.accept", tooltip="Start a game from this position"),
        CANCEL,
    ]
    heading = "Start from a position"

    def __init__(self, lineup: Lineup) -> None:
        super().__init__()
        self.lineup = lineup

    def contents(self) -> Iterator[Widget]:
        cleared = GAMES[self.lineup.game].start(len(self.lineup.seats), self.lineup.starting_seat or 0)
        yield Field(cleared.to_text(), id="position")

    @property
    def resting_sentence(self) -> str:
        try:
            return self.read().caption()
        except ValueError as refusal:
            return str(refusal)

    def read(self) -> State:
        return self.lineup.parse_position(self.line.value)
