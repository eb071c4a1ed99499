"""Runs a room: people gather, and play match after match. No screen and no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourtwenty.games.english import join_words
from fourtwenty.rooms.tui.gathering import Gathering
from fourtwenty.rooms.tui.room_table import RoomTable
from fourtwenty.rooms.wire.notices import SECOND_WINDOW
from fourtwenty.rooms.wire.room_history import is_unfinished_here, match_so_far

if TYPE_CHECKING:
    from fourtwenty.rooms.room import RoomMatch
    from fourtwenty.rooms.wire.presence import Reaction
    from fourtwenty.rooms.wire.room_session import RoomSession
    from fourtwenty.tui.app import FourTwentyApp


class RoomFlow:
    def __init__(self, app: FourTwentyApp, session: RoomSession) -> None:
        """Take the app for the screens, and the table, which is closed at the end of ``play``."""
        self.app = app
        self.session = session
        self.client = session.client
        self._history = None if session.second else app.history_service.history
        """The history for saving the matches; None if another window of this machine saves them."""
        self._shown: Gathering | RoomTable | None = None
        self._over: RoomMatch | None = None
        """The last match after which this machine has sat down by itself, or had no need to."""
        self._called: RoomMatch | None = None
        self._next: RoomSession | None = None
        self._due = False
        self._calls_back = session.client.has_broker and session.client.room.playing
        """Whether a reopened table shows how missing people can come back."""

    async def play(self) -> None:
        """Stay at the table, then at the next one if the people here go to another."""
        client = self.client
        client.notices.attach(lambda sentence: self.app.call_later(self.app.warn, sentence))
        client.on_reaction = lambda reaction: self.app.call_later(self._show_reaction, reaction)
        client.listeners.append(self._follow_soon)
        match = client.room.match
        if self.session.second:
            self.app.warn(SECOND_WINDOW)
        try:
            missed = match and await is_unfinished_here(match, self._history)
            while (missed or await self._gather()) and await self._play_match():
                missed = False
        finally:
            client.listeners.remove(self._follow_soon)
            await self.session.close()
        if self._next:
            await RoomFlow(self.app, self._next).play()

    def _follow_soon(self) -> None:
        """Show the room's changes, once for all that happen now, from the app's message loop."""
        if not self._due:
            self._due = True
            self.app.call_later(self._follow)

    def _follow(self) -> None:
        self._due = False
        self._sit_by_itself()
        self._announce_return()
        self._announce_next_match()
        if isinstance(self._shown, Gathering):
            self.client.start_rematch()
        if self._shown:
            self._shown.follow()

    def _announce_return(self) -> None:
        """Tell missing people how to come back, once that is known: the table does not show its address."""
        if self._calls_back and self.client.barrier.over:
            self._calls_back = False
            if missed := [participant.name for participant in self.client.view.missed]:
                back = f"To come back, {join_words(missed)} can type: {self.session.command}"
                self.app.notify(back, timeout=30, markup=False)

    def _show_reaction(self, reaction: Reaction) -> None:
        if isinstance(self._shown, RoomTable) and self._shown.is_active:
            self._shown.show_reaction(reaction)
        else:
            self.app.notify(f"{reaction.name}: {reaction.text}", timeout=3, markup=False)

    def _sit_by_itself(self) -> None:
        """Sit down once after a match without a draw, or after one watched in order to play in the next."""
        match, shown = self.client.room.match, self._shown
        if match is None or not match.over or match is self._over:
            return
        if match.abandoned if isinstance(shown, Gathering) else shown and shown.room_match is match:
            self._over = match
            if (match.abandoned or self.client.local.index is None) and not self.client.spectates:
                self._sit_again()

    def _announce_next_match(self) -> None:
        """Tell people at the end of a match, once, that they have seats in the next one."""
        match, shown = self.client.room.match, self._shown
        plays_on = isinstance(shown, RoomTable) and shown.room_match is not match and self.client.room.playing
        if plays_on and self.client.local.index is not None and match is not self._called:
            self._called = match
            self.app.notify("The next game has begun, and you play in it.", timeout=8)

    def _sit_again(self) -> None:
        """Take the same seats for the next match, or at first the requested ones."""
        if self.client.seat_request.players and not self.client.view.mine:
            self.client.sit(self.client.next_seat_request)

    # -- before a match ----------------------------------------------------------------------------------------

    async def _gather(self) -> bool:
        """Show the participants until a match is played; return False when the people here leave."""
        if self.client.view.begun:
            return True
        await self.app.large_enough.wait()
        self._shown = gathering = Gathering(self.session)
        try:
            chosen = await self.app.push_screen_wait(gathering)
        finally:
            self._shown = None
        if not isinstance(chosen, str):
            self._next = chosen
        return chosen == "play"

    # -- a match -----------------------------------------------------------------------------------------------

    async def _play_match(self) -> bool:
        """Play or watch the match to its end, or while keys last; return False when the people here leave."""
        from fourtwenty.rooms.wire.client import ClientMatch

        room_match = self.client.room.match
        assert room_match
        match = await match_so_far(room_match, self._history, self.app.lineup)
        remote = ClientMatch(self.client, room_match)
        self._shown = table = RoomTable(match, remote, self.session, self.app.table_pace)
        try:
            choice = await self.app.play_match(table)
        finally:
            self._shown = None
        if table.flow.left or not match.state.outcome:
            return room_match.abandoned
        if not self.client.room.playing and choice == "rematch":
            self._sit_again()
        return True
