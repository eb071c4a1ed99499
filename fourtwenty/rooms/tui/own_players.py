"""The dialog in which those at this machine say who plays here, in a room. The room itself seats them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Label

from fourtwenty.play.lineup import Seat, read_seats
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog
from fourtwenty.tui.widgets.command_row import Command

if TYPE_CHECKING:
    from fourtwenty.rooms.room import Room

NAMES_HINT = "Ann, Ben, bot:Steady"
WATCH_HINT = "Several names with commas between them; leave it empty to watch."


def players_text(seats: Iterable[Seat]) -> str:
    """Return players as they are typed: "Ann, bot:Steady"."""
    return ", ".join(f"bot:{seat.bot}" if seat.bot else seat.name for seat in seats)


def read_players(text: str, others: Sequence[Seat] = ()) -> tuple[Seat, ...]:
    """Return the players of a text, none of an empty one. Raises ValueError with a sentence when they are refused."""
    names = text.strip().strip(",")
    return read_seats(names, others) if names else ()


def others_at(room: Room, own: bytes) -> list[Seat]:
    """Return the players at all machines of a room but this one, whose public key is ``own``."""
    sittings = [*room.sittings.values(), *(room.play.sittings if room.play and room.playing else ())]
    return [seat for sitting in sittings if sitting.author != own for seat in sitting.players]


class OwnPlayers(FieldDialog[tuple[Seat, ...]]):
    """Dismissed with the players, none to watch; with None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Sit down", id="own-players.accept", tooltip="Take seats for these players"),
        Binding("escape", "back", "Cancel", id="own-players.cancel", tooltip="Change nothing"),
    ]

    def __init__(self, players: Sequence[Seat], others: Sequence[Seat], alone: bool) -> None:
        """Begin with the players so far, whose names must differ from those of the others.

        ``alone`` is whether one person holds the machine, as a phone: then a name is asked for and nothing else.
        """
        super().__init__()
        self.players = players
        self.others = others
        self.alone = alone
        self.heading = "Your name" if alone else "Who plays at this machine?"

    def contents(self) -> Iterator[Widget]:
        yield Field(players_text(self.players), id="names", placeholder="" if self.alone else NAMES_HINT)
        if not self.alone:
            yield Label(WATCH_HINT, classes="lines")
        yield self.refusal()

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The way back from a name leads to a screen on which nobody plays, if nobody has."""
        back = "Watch" if self.alone and not self.players else "Cancel"
        return Command("own-players.accept"), Command("own-players.cancel", back)

    def read(self) -> tuple[Seat, ...]:
        players = read_players(self.line.value, self.others)
        if self.alone and not players:
            raise ValueError("Type your name.")
        return players
