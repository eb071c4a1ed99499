"""The door to the wing, as ``tui.app.RoomDoor`` describes it: it opens and joins tables, and imports them only then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen

    from fourtwenty.play.lineup import Lineup, Seat
    from fourtwenty.play.match import Match
    from fourtwenty.rooms.room_file import KnownRoom
    from fourtwenty.rooms.wire.opening import OpenRoom, Seating
    from fourtwenty.tui.app import FourTwentyApp, Stay

Opener = Callable[[], Awaitable["OpenRoom"]]
"""Opens or joins a table. Raises the errors of ``rooms.wire.opening.FAILURES``."""


class Door:
    """The tables of several machines, for an app."""

    def __init__(self, opening: Opener | None = None) -> None:
        """Take the opening of the table that the program was started for, if it was."""
        self.opening = opening
        self.guest: Seating | None = None
        """The seating of somebody who plays at this machine from afar, and so is at that table only."""

    def first_screen(self) -> Screen[None]:
        from fourtwenty.rooms.tui.gathering import Connecting

        return Connecting()

    async def enter(self, app: FourTwentyApp) -> Stay:
        assert self.opening
        return _stay(app, await _opened(self.opening))

    async def host(self, app: FourTwentyApp, lineup: Lineup) -> Stay:
        from fourtwenty.rooms.own_name import named
        from fourtwenty.rooms.wire.opening import host
        from fourtwenty.tui.app import NotOpened

        if self.guest:
            raise NotOpened("A guest can't host a table.")

        return _stay(app, await _opened(partial(host, _seating(lineup, named(lineup.seats)))))

    async def rejoin(self, app: FourTwentyApp, match: Match) -> Stay:
        """The table opens again where it was hosted."""
        return _stay(app, await _opened(partial(_rejoined, match, self.guest)))

    def join(self, app: FourTwentyApp, lineup: Lineup) -> None:
        """A guest comes back to the table of its host."""
        if self.guest:
            app.enter_room(self.enter)
            return

        from fourtwenty.rooms.own_name import named
        from fourtwenty.rooms.tui.own_players import JoinDialog

        async def join(table: str, players: tuple[Seat, ...]) -> OpenRoom:
            from fourtwenty.rooms.wire import opening

            return await _opened(partial(opening.join, table, _seating(lineup, players)))

        def joined(opened: OpenRoom | None) -> None:
            if opened:
                app.lineup = lineup
                app.stay_in_room(_stay(app, opened))

        people = [seat for seat in lineup.seats if not seat.bot]
        app.push_screen(JoinDialog(named(people), join), joined)


def _stay(app: FourTwentyApp, opened: OpenRoom) -> Stay:
    from fourtwenty.rooms.tui.room_flow import RoomFlow

    return RoomFlow(app, opened).play


def _seating(lineup: Lineup, players: tuple[Seat, ...]) -> Seating:
    """Return the seating of players here, none to watch, and the match of a line-up as their proposal."""
    from fourtwenty.rooms.own_name import own_name
    from fourtwenty.rooms.wire.opening import Seating

    return Seating(players, lineup.game, lineup.first_to, name=own_name())


async def _opened(opening: Opener) -> OpenRoom:
    """Return the table that is opened. Raises NotOpened."""
    from fourtwenty.rooms.wire.opening import FAILURES
    from fourtwenty.tui.app import NotOpened

    try:
        return await opening()
    except FAILURES as error:
        reason = str(error)
        raise NotOpened(f"{reason[:1].upper()}{reason[1:].rstrip('.')}.") from error


async def _rejoined(match: Match, guest: Seating | None) -> OpenRoom:
    from asyncio import to_thread

    from msgspec.structs import replace

    from fourtwenty.paths import is_there
    from fourtwenty.play.shared_dice import SharedDice
    from fourtwenty.rooms.own_name import own_name
    from fourtwenty.rooms.wire.log import Refused, Unreachable
    from fourtwenty.rooms.wire.opening import Seating, host, join

    assert isinstance(match.dice, SharedDice)
    room = await to_thread(_known_room, match.dice.table)
    seating = replace(guest, players=()) if guest else Seating((), name=own_name())
    try:
        return await join(f"{room.address}/{room.code}", seating)
    except (Unreachable, Refused) as error:
        if is_there(room.path.with_suffix("")):  # the broker ran here
            return await host(seating, resume=room.code)
        raise type(error)(f"{error}. To open it here for all: fourtwenty host --resume {room.code}") from error


def _known_room(table: bytes) -> KnownRoom:
    """Return the room that this machine has been in. Raises ValueError."""
    from fourtwenty.rooms.encryption import RoomKeys
    from fourtwenty.rooms.room_file import known_rooms

    found = next((room for room in known_rooms() if RoomKeys.of(room.code).table == table), None)
    if not found:
        raise ValueError("this game's table is open in another window, or no longer known here")
    return found
