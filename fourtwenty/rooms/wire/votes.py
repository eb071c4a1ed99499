"""Votes to carry on without absent machines: which may be left now, and this machine's answers. No network."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from fourtwenty.rooms.local_machine import Body, LocalMachine
from fourtwenty.rooms.room import RoomMatch
from fourtwenty.rooms.wire.presence import Presence


class Votes:
    """The machines that may be left: ``RoomMatch.awaited_machines``, as far as their heartbeats have stopped."""

    def __init__(self, local: LocalMachine, others: Presence) -> None:
        self.local = local
        """The machine whose votes they are: this one, or a page's."""
        self.presence = others
        self._cursor: tuple[int, ...] = ()
        self._moved = others.clock()

    def for_machine(self, local: LocalMachine) -> Votes:
        """Return the present votes for another machine that sees the table by this one's signs of life."""
        votes = copy(self)
        votes.local = local
        return votes

    def update(self) -> None:
        """Notice when the match goes on, or a seat changes before a match."""
        if self.local.room.cursor != self._cursor:
            self._cursor, self._moved = self.local.room.cursor, self.presence.clock()

    @property
    def waited(self) -> float:
        """The seconds since the table has gone on."""
        return self.presence.clock() - self._moved

    @property
    def may_be_left(self) -> tuple[int, ...]:
        """The machines that this one may leave, and has not agreed to leave yet; often none."""
        match = self.local.room.match
        late = self._late(match, match.patience) if match and match.patience else frozenset()
        if not match or late.isdisjoint(match.awaited_machines):
            return ()
        asked = self.local.index in match.voters(late) - match.votes.get(late, set())
        return tuple(sorted(late)) if asked else ()

    def owed(self) -> Iterator[Body]:
        """Yield the agreement to the others' vote: for bots after the patience, for people after it once more."""
        match, mine = self.local.room.match, self.local.index
        if match is None or mine is None or not match.patience or not match.votes:
            return
        people = any(not seat.bot for seat in match.participants[mine].players)
        late = self._late(match, match.patience * (2 if people else 1))
        for others, agreed in match.votes.items():
            if others <= late and mine in match.voters(others) - agreed:
                yield self.local.carry_on_without(match, others)

    def _late(self, match: RoomMatch, seconds: float) -> frozenset[int]:
        """The other machines that have been silent for so long, or awaited while their people did nothing."""
        owing = match.awaited_machines if self.waited >= seconds else ()
        return frozenset(
            machine
            for machine in match.remaining
            if machine != self.local.index
            and (machine in owing or self.presence.silence(match.participants[machine].author) >= seconds)
        )
