"""Sync barrier: after a reconnect, a machine sends nothing new until the others have uploaded their entries.

A broker may have lost the end of its log, unknown to this machine. No key is opened twice then (``LocalMachine``); but
a machine that sends first, and receives the lost entries later, cannot follow the others any more:
test_nobody_says_anything_new_while_another_machine_uploads_for_long.
"""

from __future__ import annotations

from collections.abc import Collection

from fourtwenty.rooms.wire.presence import AWAY_SECONDS, Presence

BARRIER_SECONDS = 3.0
"""Seconds for a present machine to answer, or to be back after the broker was."""

SHORT_SECONDS = 0.5
"""Seconds for most barriers to pass. Until then, the awaited machines need not be shown."""


class SyncBarrier:
    """The machines that have uploaded all their entries, since the last connection."""

    def __init__(self, others: Presence) -> None:
        self._presence = others
        self._began: float | None = None
        """The time when this machine had read the log and uploaded its entries."""
        self._uploaded: dict[bytes, int | None] = {}
        """Each known machine's number of entries; None while it has not uploaded them all."""
        self.over = False
        """Whether this machine may send new entries, until the connection is lost."""
        self.awaited: tuple[bytes, ...] = ()
        """The machines awaited for longer than SHORT_SECONDS, by public key."""

    def begin(self) -> None:
        """Wait for the others: the connection is new."""
        self._presence.connection_restored()
        self._uploaded.clear()
        self._began, self.over, self.awaited = None, False, ()

    def connection_lost(self) -> None:
        """Ignore the others until it begins again: the connection is lost."""
        self._presence.connection_lost()

    def record(self, author: bytes, number: int, all_there: bool) -> None:
        """Record a machine's number of entries, and whether the broker has them all."""
        self._uploaded[author] = number if all_there else None

    def update(self, seated: Collection[bytes], number: int) -> bool:
        """Return whether it is passed: away machines are ignored, silent ones get a short wait, uploads a long one."""
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
        """Whether a machine is to come or is uploading, or this one has not read its uploaded entries."""
        if author in self._uploaded:
            uploaded = self._uploaded[author]
            return uploaded is None or uploaded > number
        return author not in self._presence.others or not self._presence.away(author)
