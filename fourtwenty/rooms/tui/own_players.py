"""Asks for the players of this machine: at a table, and at one to join. The room seats them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Label

from fourtwenty.games.english import sentence_case
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.names import read_seats
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog, NamesField
from fourtwenty.tui.textual_base.actions import CANCEL

if TYPE_CHECKING:
    from fourtwenty.rooms.local_machine import SeatRequest
    from fourtwenty.rooms.wire.client import Client
    from fourtwenty.rooms.wire.room_session import RoomSession  # noqa: F401 - the result of JoinDialog

ADDRESS_EXAMPLE = "192.168.1.23/K7QF-3XMP"
NAMES_EXAMPLE = "Ann, Ben, bot:Steady"
NAMES_HELP = "Several names with commas between them; leave it empty to watch."


def players_text(seats: Iterable[Seat]) -> str:
    """Return players as typed: "Ann, bot:Steady"."""
    return ", ".join(f"bot:{seat.bot}" if seat.bot else seat.name for seat in seats)


def read_players(text: str, others: Sequence[Seat] = ()) -> tuple[Seat, ...]:
    """Return the players of a text, none for an empty one. Raises ValueError with a sentence."""
    names = text.strip().strip(",")
    return read_seats(names, others) if names else ()


class OwnPlayersDialog(FieldDialog[tuple[Seat, ...]]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Sit down", id="own-players.accept", tooltip="Take seats for these players"),
        CANCEL,
    ]

    heading = "Who plays at this machine?"

    def __init__(self, client: Client) -> None:
        """Begin with the players here so far; their names must differ from those at the other machines."""
        super().__init__()
        self.players = client.seat_request.players
        machines = (*client.view.participants, *client.view.match_participants)
        self.others = [seat for each in machines if each.author != client.machine.public for seat in each.players]

    def contents(self) -> Iterator[Widget]:
        yield NamesField(players_text(self.players), id="names", placeholder=NAMES_EXAMPLE)
        yield Label(NAMES_HELP, classes="lines")

    def read(self) -> tuple[Seat, ...]:
        return read_players(self.line.value, self.others)


class JoinDialog(FieldDialog["RoomSession"]):
    HELP = """\
Type or paste what the others send you: 192.168.1.23/K7QF-3XMP, a link, or the whole line.

Several people can play at one machine: Ben, Cleo. A bot is bot:Steady. Without a name, you watch.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Join", id="join.accept", tooltip="Sit down at this table"),
        Binding("up", "app.focus_previous", "Field above", id="join.above", show=False, tooltip="To the address"),
        Binding("down", "app.focus_next", "Field below", id="join.below", show=False, tooltip="To the players"),
        CANCEL,
    ]
    heading = "Join a table"

    def __init__(self, seat_request: SeatRequest, refusal: str = "") -> None:
        """Offer the people of a request. ``refusal``: why this machine has no table of its own; empty for none."""
        super().__init__()
        self.seat_request = seat_request
        self.refusal = refusal

    @property
    def resting_sentence(self) -> str:
        return self.refusal

    def contents(self) -> Iterator[Widget]:
        yield Label("The address that the host's screen shows:")
        yield Field(id="address", placeholder=ADDRESS_EXAMPLE)
        yield Label("Players here:")
        people = (seat for seat in self.seat_request.players if not seat.bot)
        yield NamesField(players_text(people), id="names", placeholder=NAMES_EXAMPLE)
        yield Label(NAMES_HELP, classes="lines")

    def read(self) -> tuple[str, tuple[Seat, ...]]:
        players = read_players(self.query_one("#names", NamesField).value)
        address = self.line.value.strip()
        if not address:
            raise ValueError(f"Type the address of the table: {ADDRESS_EXAMPLE}")
        return address, players

    def accept(self, value: tuple[str, tuple[Seat, ...]]) -> None:
        self._join(*value)

    @work(exclusive=True)
    async def _join(self, address: str, players: tuple[Seat, ...]) -> None:
        from fourtwenty.rooms.wire import room_session

        self.say("Joining…")
        try:
            session = await room_session.join(address, replace(self.seat_request, players=players))
        except room_session.FAILURES as error:
            self.say(f"{sentence_case(str(error))}.", refused=True)
            return
        async with AsyncExitStack() as until_gone:
            until_gone.push_async_callback(session.close)
            await self.uncovered()
            until_gone.pop_all()
            self.end(session)
