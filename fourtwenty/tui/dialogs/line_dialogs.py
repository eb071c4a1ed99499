"""Defines the dialogs with one line of text: the starting position of a match, and another name of a player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from fourtwenty.games import GAMES
from fourtwenty.games.game import State
from fourtwenty.play.lineup import Lineup, check_name
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog
from fourtwenty.tui.textual_base.actions import CANCEL


class PositionDialog(FieldDialog[State]):
    """Ends with a position in the form of ``--position``, or with None if it is cancelled."""

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
