"""The door to the wing, as ``tui.app.RoomDoor`` describes it. It imports what lies behind it when it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.screen import Screen

    from fourtwenty.play.lineup import Lineup, Seat
    from fourtwenty.play.match import Match
    from fourtwenty.rooms.tui.room_flow import Opening
    from fourtwenty.rooms.wire.opening import Opened
    from fourtwenty.tui.app import FourTwentyApp, Stay


class Door:
    """The tables of several machines, for an app."""

    def __init__(self, opening: Opening | None = None) -> None:
        """Take the opening of the table that the program was started for, if it was."""
        self.opening = opening

    def first_screen(self) -> Screen[None]:
        """Return the screen while the first table is opened."""
        from fourtwenty.rooms.tui.gathering import Opening as FirstScreen

        return FirstScreen()

    async def enter(self, app: FourTwentyApp) -> Stay:
        """Open the table that the program was started for. Raises NotOpened."""
        assert self.opening
        return await _entered(app, self.opening)

    async def host(self, app: FourTwentyApp, lineup: Lineup) -> Stay:
        """Open a table here for the players of a line-up. Raises NotOpened."""
        from fourtwenty.rooms.tui.room_flow import hosting

        return await _entered(app, hosting(lineup))

    async def rejoin(self, app: FourTwentyApp, match: Match) -> Stay:
        """Come back to the table of an unfinished match. Raises NotOpened."""
        from fourtwenty.rooms.tui.room_flow import rejoining

        return await _entered(app, rejoining(match))

    def join(self, app: FourTwentyApp, lineup: Lineup) -> None:
        """Ask for the address of a table, and for the players, at first the people of a line-up, and stay there."""
        from fourtwenty.rooms.own_name import named
        from fourtwenty.rooms.tui.join import JoinDialog
        from fourtwenty.rooms.tui.room_flow import RoomFlow, joining, opened_by

        async def join(table: str, players: tuple[Seat, ...]) -> Opened:
            return await opened_by(joining(table, players, lineup))

        def joined(opened: Opened | None) -> None:
            if opened:
                app.lineup = lineup
                app.stay_in_room(RoomFlow(app, opened).play)

        people = [seat for seat in lineup.seats if not seat.bot]
        app.push_screen(JoinDialog(named(people), join), joined)


async def _entered(app: FourTwentyApp, opening: Opening) -> Stay:
    from fourtwenty.rooms.tui.room_flow import RoomFlow, opened_by

    return RoomFlow(app, await opened_by(opening)).play
