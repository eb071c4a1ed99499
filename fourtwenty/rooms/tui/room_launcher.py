"""Opens and joins tables, as a plugin of the app (``tui.app.RoomsPlugin``); imports the rest only then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen

    from fourtwenty.play.lineup import Lineup
    from fourtwenty.play.match import Match
    from fourtwenty.rooms.local_machine import SeatRequest
    from fourtwenty.rooms.wire.room_session import RoomSession
    from fourtwenty.tui.app import FourTwentyApp, StayAtTable


class RoomLauncher:
    def __init__(self, room_session: Callable[[], Awaitable[RoomSession]] | None = None) -> None:
        self.pending_table = room_session

    def first_screen(self) -> Screen[None]:
        from fourtwenty.rooms.tui.gathering import Connecting

        return Connecting()

    async def enter(self, app: FourTwentyApp) -> StayAtTable:
        assert self.pending_table
        return await _open(app, self.pending_table)

    async def host(self, app: FourTwentyApp, lineup: Lineup) -> StayAtTable:
        from fourtwenty.rooms.wire.room_session import host

        return await _open(app, partial(host, _seat_request(lineup)))

    async def rejoin(self, app: FourTwentyApp, match: Match) -> StayAtTable:
        """A hosted table opens again."""
        from fourtwenty.play.shared_dice import SharedDice
        from fourtwenty.rooms.local_machine import SeatRequest
        from fourtwenty.rooms.own_name import own_name
        from fourtwenty.rooms.wire.room_session import rejoin

        assert isinstance(match.dice, SharedDice)
        return await _open(app, partial(rejoin, match.dice.table, SeatRequest(name=own_name())))

    def join(self, app: FourTwentyApp, lineup: Lineup, refusal: str) -> None:
        from fourtwenty.rooms.tui.dialogs import JoinDialog

        def joined(session: RoomSession | None) -> None:
            if session:
                app.enter_room(partial(_stay, app, session))

        app.push_screen(JoinDialog(_seat_request(lineup), refusal), joined)


async def _open(app: FourTwentyApp, room_session: Callable[[], Awaitable[RoomSession]]) -> StayAtTable:
    """Open or join a table. Raises TableNotOpenedError for the errors of ``rooms.wire.room_session.FAILURES``."""
    from fourtwenty.games.english import sentence_case
    from fourtwenty.rooms.wire.room_session import FAILURES
    from fourtwenty.tui.app import TableNotOpenedError

    try:
        session = await room_session()
    except FAILURES as error:
        raise TableNotOpenedError(f"{sentence_case(str(error))}.") from error
    return await _stay(app, session)


async def _stay(app: FourTwentyApp, session: RoomSession) -> StayAtTable:
    from fourtwenty.rooms.tui.room_flow import RoomFlow

    return RoomFlow(app, session).play


def _seat_request(lineup: Lineup) -> SeatRequest:
    """Return the seat request of a line-up's players, with its match as their proposal."""
    from fourtwenty.rooms.local_machine import SeatRequest
    from fourtwenty.rooms.own_name import named, own_name

    return SeatRequest(named(lineup.seats), lineup.game, lineup.first_to, name=own_name())
