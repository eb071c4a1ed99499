"""The dialog in which those at this machine say who plays here, in a room. The room itself seats them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Label

from fourtwenty.play.lineup import Seat, check_seats, parse_seats
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog
from fourtwenty.tui.touch import touched
from fourtwenty.tui.widgets.command_row import Command

NAMES_HINT = "Ann, Ben, bot:Steady"
WATCH_HINT = "Several names with commas between them; leave it empty to watch."


def players_text(seats: Iterable[Seat]) -> str:
    """Return players as they are typed: "Ann, bot:Steady"."""
    return ", ".join(f"bot:{seat.bot}" if seat.bot else seat.name for seat in seats)


def read_players(text: str, others: Sequence[Seat] = ()) -> tuple[Seat, ...]:
    """Return the players of a text, none of an empty one. Raises ValueError with a sentence when they are refused."""
    names = text.strip().strip(",")
    seats = parse_seats(names, others) if names else ()
    refusal = check_seats(seats, others)
    if refusal:
        raise ValueError(refusal)
    return seats


class OwnPlayers(FieldDialog[tuple[Seat, ...]]):
    """Dismissed with the players, none to watch; with None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Sit down", id="own-players.accept", tooltip="Take seats for these players"),
        Binding("escape", "back", "Cancel", id="own-players.cancel", tooltip="Change nothing"),
    ]
    heading = "Who plays at this machine?"

    def __init__(self, players: Sequence[Seat], others: Sequence[Seat]) -> None:
        """Begin with the players so far, whose names must differ from those of the others."""
        super().__init__()
        self.players = players
        self.others = others

    def contents(self) -> Iterator[Widget]:
        yield Field(players_text(self.players), id="names", placeholder=NAMES_HINT)
        yield Label(WATCH_HINT, classes="lines")
        yield self.refusal()

    def read(self) -> tuple[Seat, ...]:
        return read_players(self.line.value, self.others)


class OwnName(OwnPlayers):
    """The dialog on a phone, which one person holds: a name and nothing else."""

    heading = "Your name"

    def contents(self) -> Iterator[Widget]:
        yield Field(players_text(self.players), id="names")
        yield self.refusal()

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The way back leads to a screen on which nobody plays, if nobody has."""
        return Command("own-players.accept"), Command("own-players.cancel", "Cancel" if self.players else "Watch")

    def read(self) -> tuple[Seat, ...]:
        players = super().read()
        if not players:
            raise ValueError("Type your name.")
        return players


def ask_players(app: App[Any], players: Sequence[Seat], others: Sequence[Seat]) -> OwnPlayers:
    """Return the dialog for this app."""
    return (OwnName if touched(app) else OwnPlayers)(players, others)
