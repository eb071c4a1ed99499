"""The dialog that joins a table: its address, and who plays here. The joining itself is given to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Label

from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.tui.own_players import NAMES_HINT, WATCH_HINT, players_text, read_players
from fourtwenty.tui.app import NotOpened
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.opening import OpenRoom

ADDRESS_HINT = "192.168.1.23/K7QF-3XMP"
Join = Callable[[str, tuple[Seat, ...]], Awaitable["OpenRoom"]]
"""Joins the table of an address with players. Raises NotOpened."""


class JoinDialog(FieldDialog["OpenRoom"]):
    """Dismissed with the table that was joined, or with None if it is cancelled."""

    HELP = """\
Type or paste what the others tell you: 192.168.1.23/K7QF-3XMP, a link, or the whole command.

Who plays here can be several people at one machine: Ben, Cleo. A bot is bot:Steady. Nobody: you watch.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Join", id="join.accept", tooltip="Sit down at this table"),
        Binding("up", "app.focus_previous", "Field above", id="join.above", show=False),
        Binding("down", "app.focus_next", "Field below", id="join.below", show=False),
        Binding("escape", "back", "Cancel", id="join.cancel", tooltip="Back to the lobby"),
    ]
    heading = "Join a table"

    def __init__(self, players: Sequence[Seat], join: Join) -> None:
        """Begin with these players; ``join`` opens the table."""
        super().__init__()
        self.players = players
        self.join = join

    def contents(self) -> Iterator[Widget]:
        yield Label("The address that the host's screen shows:")
        yield Field(id="address", placeholder=ADDRESS_HINT)
        yield Label("Who plays here:")
        yield Field(players_text(self.players), id="names", placeholder=NAMES_HINT)
        yield Label(WATCH_HINT, classes="lines")
        yield self.refusal()

    def read(self) -> tuple[str, tuple[Seat, ...]]:
        players = read_players(self.query_one("#names", Field).value)
        address = self.line.value.strip()
        if not address:
            raise ValueError(f"Type the address of the table: {ADDRESS_HINT}")
        return address, players

    def accept(self, value: tuple[str, tuple[Seat, ...]]) -> None:
        self._join(*value)

    @work(exclusive=True)
    async def _join(self, address: str, players: tuple[Seat, ...]) -> None:
        self.say("Joining…")
        try:
            opened = await self.join(address, players)
        except NotOpened as why:
            self.refuse(str(why))
            return
        async with AsyncExitStack() as until_gone:
            until_gone.push_async_callback(opened.close)
            await self.uncovered()
            until_gone.pop_all()
            self.end(opened)
