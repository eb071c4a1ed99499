"""Defines the dialogs of a room: the players here, a table to join, reactions, leaving, the QR code for phones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec.structs import replace
from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label

from fourtwenty.games.english import sentence_case
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.names import read_seats
from fourtwenty.rooms.wire.presence import REACTIONS
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog, NamesField
from fourtwenty.tui.dialogs.question_dialogs import ChoiceDialog, ConfirmDialog, QuestionDialog
from fourtwenty.tui.textual_base.actions import CANCEL, back

if TYPE_CHECKING:
    from fourtwenty.rooms.local_machine import SeatRequest
    from fourtwenty.rooms.wire.client import Client
    from fourtwenty.rooms.wire.room_session import RoomSession  # noqa: F401 - the result of JoinDialog

ADDRESS_EXAMPLE = "192.168.1.23/K7QF-3XMP"
NAMES_EXAMPLE = "Ann, Ben, bot:Steady"
NAMES_HELP = "Several names with commas between them; leave it empty to watch."

BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""A cell by its upper and lower module, 1 for dark."""
QUIET_ZONE = 4
"""Light modules on each side (ISO/IEC 18004, 6.3.8)."""


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
    resting_sentence = ""

    def __init__(self, seat_request: SeatRequest, refusal: str = "") -> None:
        """Offer the people of a request. ``refusal``: why this machine has no table of its own; empty for none."""
        super().__init__()
        self.seat_request = seat_request
        self.resting_sentence = refusal

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


class ReactionDialog(ChoiceDialog):
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{number}", f"answer({number - 1})", f"Reaction {number}", id=f"reactions.{number}", show=False)
            for number in range(1, len(REACTIONS) + 1)
        ),
        Binding("enter", "choose", "Show", id="reactions.show", tooltip="Show the others this reaction"),
        back("e"),
    ]

    def __init__(self) -> None:
        lines = [Content.assemble((f"{number} ", "$accent bold"), text) for number, text in enumerate(REACTIONS, 1)]
        super().__init__("To everybody at the table", lines)


class LeaveTableDialog(QuestionDialog[Literal["leave", "give up"]]):
    """The question before players leave a match: save their seat, or give it up. Ends with None to play on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,n,escape", "back", "Play on", id="leave-table.back", tooltip="Stay at the table"),
        Binding("q,y", "answer('leave')", "Leave, keep my seat", id="leave-table.leave", tooltip="You can come back"),
        Binding("g", "answer('give up')", "Give up my seat", id="leave-table.give-up", tooltip="You come last"),
    ]

    def __init__(self, hosted: bool, closed: str = "") -> None:
        """``hosted``: the others lose the table with this program. ``closed``: the sentence on one closed already."""
        kept = "Your seat is kept, and the others wait: r in the lobby brings you back to it. "
        if hosted:
            kept = "The table closes for everybody, and your seat is kept: r in the lobby opens it again for all. "
        elif closed:
            kept = f"{closed} Once it is open again, r in the lobby brings you back to it. "
        super().__init__("Leave the table?", f"{kept}Or give up your seat: the others carry on, and you come last.")


class CloseTableDialog(ConfirmDialog):
    """The question before a host leaves a table that others lose with this program."""

    def __init__(self) -> None:
        question = "Leave? The table closes for everybody, but it is kept on this machine."
        super().__init__(question, no="Stay", yes="Leave")


@cache
def qr_lines(text: str) -> Sequence[str]:
    """Return the QR code of a text as lines of equal width, for dark letters on a light ground.

    A line is two rows of modules in half blocks, the quiet zone included. The code is the smallest one, at error level
    L. Raises ValueError when the text is too long for a code.
    """
    import segno

    rows = [*segno.make_qr(text, error="l", boost_error=False).matrix_iter(border=QUIET_ZONE)]
    rows.append(bytes(len(rows)))  # a code has an odd number of them
    return ["".join(BLOCKS[pair] for pair in zip(*rows[top : top + 2], strict=True)) for top in range(0, len(rows), 2)]


class PageCodeDialog(QuestionDialog[None]):
    """Shows the link of the page for phones as a QR code in its full size, and copies it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy the link", id="page.copy", tooltip="Copy the link, for a chat"),
        back("enter", "p"),
    ]

    def __init__(self, link: str) -> None:
        rows, size = qr_lines(link), self.app.size
        fits = size.width >= len(rows[0]) and size.height >= len(rows)
        super().__init__("", "\n".join(rows) if fits else "The QR code needs a larger window: press y for the link.")
        self.link = link
        self.set_class(fits, "-code")

    def text_to_copy(self) -> str:
        return self.link
