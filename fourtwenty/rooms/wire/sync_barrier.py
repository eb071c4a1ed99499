"""The sync barrier after each connection: a machine sends nothing new before the others here have uploaded theirs.

A broker may have lost the end of its log, and this machine may not know what that was. No key is opened twice then
(``LocalMachine``); but who says something first, and hears later what was lost, cannot follow the others any more.
"""

from __future__ import annotations

from collections.abc import Collection

from fourtwenty.rooms.wire.presence import AWAY_SECONDS, Presence

BARRIER_SECONDS = 3.0
"""Time in which a machine that is here answers, or is back after the broker was."""

SHORT_SECONDS = 0.5
"""Time in which most barriers are passed, so that nobody needs to know for whom they wait."""


class SyncBarrier:
    """The machines that have uploaded all that they have, since the last connection."""

    def __init__(self, others: Presence) -> None:
        self._presence = others
        self._began: float | None = None
        """When this machine has read the log, and uploaded what it has."""
        self._uploaded: dict[bytes, int | None] = {}
        """The number of entries of each machine that has been heard; None while it has not uploaded them all."""
        self.over = False
        """Whether this machine may say something new; it stays so until the connection is lost."""
        self.awaited: tuple[bytes, ...] = ()
        """The machines that are waited for longer than for a short time, by public key."""

    def begin(self) -> None:
        """Wait for the others: the connection is new."""
        self._presence.connection_restored()
        self._uploaded.clear()
        self._began, self.over, self.awaited = None, False, ()

    def connection_lost(self) -> None:
        """Hear nobody until it begins again: the connection is lost."""
        self._presence.connection_lost()

    def record(self, author: bytes, number: int, all_there: bool) -> None:
        """Take the number of entries of a machine, and whether they are all at the broker."""
        self._uploaded[author] = number if all_there else None

    def update(self, seated: Collection[bytes], number: int) -> bool:
        """Return whether the barrier is passed now, at a table with these seats, for a machine with so many entries.

        Who is known to be away is not waited for, who is not heard for a moment only, and who says that it is still
        uploading what it has for as long as a machine may be silent.
        """
        if self.over:
            return False
        now = self._presence.clock()
        self._began = now if self._began is None else self._began
        waited = now - self._began
        missing = tuple(sorted(each for each in seated if each != self._presence.own and self._misses(each, number)))
        uploads = any(self._uploaded.get(each, 0) is None for each in missing)
        self.over = not missing or waited >= (AWAY_SECONDS if uploads else BARRIER_SECONDS)
        self.awaited = missing if waited >= SHORT_SECONDS and not self.over else ()
        return self.over

    def _misses(self, author: bytes, number: int) -> bool:
        """Whether a machine is to come or is uploading, or this one has not read what it has uploaded."""
        if author in self._uploaded:
            uploaded = self._uploaded[author]
            return uploaded is None or uploaded > number
        return author not in self._presence.others or not self._presence.away(author)
