"""The meeting after each connection: a machine says nothing new before the others here have laid what they have.

A broker may have lost the end of its log, and this machine may not know what that was. No network.
"""

from __future__ import annotations

from collections.abc import Collection

from fourtwenty.rooms.wire import presence
from fourtwenty.rooms.wire.presence import Presence

MEET_SECONDS = 3.0
"""Time in which a machine that is here answers, or is back after the broker was."""

SHORT_SECONDS = 0.5
"""Time in which most meetings are over, so that nobody needs to know for whom they wait."""


class Meeting:
    """The machines that have laid all that they have, since the last connection."""

    def __init__(self, others: Presence) -> None:
        """Take the signs of life of the other machines."""
        self._presence = others
        self._began: float | None = None
        """When this machine has read the log, and laid what it has."""
        self._read: dict[bytes, int | None] = {}
        """The number of entries of each machine that has been heard; None while it has not laid them all."""
        self._here: set[bytes] = set()
        """The machines that were here when a connection was lost; who is away now is not waited for."""
        self._knows_all = False
        """Whether this machine has met the others before, and so knows who is here."""
        self.over = False
        """Whether this machine may say something new; it stays so until the connection is lost."""
        self.missing: tuple[bytes, ...] = ()
        """The machines that are waited for longer than for a short time, by public key."""

    def begin(self) -> None:
        """Wait for the others: the connection is new."""
        others = self._presence.others.items()
        self._here |= {each for each, sign in others if sign.shown_up and not self._presence.away(each)}
        self._presence.listen()
        self._read.clear()
        self._began, self.over, self.missing = None, False, ()

    def lose(self) -> None:
        """Hear nobody until it begins again: the connection is lost."""
        self._presence.lose()

    def hear(self, author: bytes, number: int, all_there: bool) -> None:
        """Take the number of entries of a machine, and whether they are all at the broker."""
        self._read[author] = number if all_there else None

    def look(self, seated: Collection[bytes], number: int, lost: bool) -> bool:
        """Return whether the meeting ends now, at a table with these seats, for a machine with so many entries.

        Who is known to be away is not waited for. Others that have seats or were here, and are not heard, are waited
        for as long as a machine may be silent, if the broker has ``lost`` something, else for a moment. Who has no seat
        is not waited for longer than that because it is still laying what it has: anybody with the code may say so. A
        machine that has just started may not know of all who have what is lost, and waits for a moment in any case.
        """
        if self.over:
            return False
        now = self._presence.clock()
        self._began = now if self._began is None else self._began
        waited = now - self._began
        longer = waited >= MEET_SECONDS
        here = {author for author, sign in self._presence.others.items() if sign.shown_up}
        others = sorted({*seated, *here, *self._here} - {self._presence.own})
        believed = seated if longer else others
        missing = tuple(each for each in others if self._is_missing(each, number, longer and not lost, believed))
        all_known = self._knows_all or not lost or longer
        self.over = (not missing and all_known) or waited >= presence.AWAY_SECONDS
        self._knows_all |= self.over
        self.missing = missing if waited >= SHORT_SECONDS and not self.over else ()
        return self.over

    def _is_missing(self, author: bytes, number: int, heard_only: bool, believed: Collection[bytes]) -> bool:
        if author not in self._read:
            known = author in self._presence.others
            return not heard_only and not (known and self._presence.away(author))
        there = self._read[author]
        return author in believed if there is None else there > number
