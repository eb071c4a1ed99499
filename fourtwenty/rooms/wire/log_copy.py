"""The log of a room as this machine follows it: read in its order, kept in a file, and laid again where it is lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from fourtwenty.play.match import NotKept
from fourtwenty.rooms.encryption import RoomKeys, decrypt_entry
from fourtwenty.rooms.entries import Entry
from fourtwenty.rooms.room import NotCounted, Room
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.log import Log, Unreachable

Kept = tuple[int, bytes]
"""An entry with its sequence in the log."""


class LogCopy:
    """This machine's copy of the log, in step with the broker."""

    def __init__(
        self,
        keys: RoomKeys,
        log: Log,
        file: RoomFile,
        room: Room,
        known: Callable[[bytes], Entry | None],
        fold: Callable[[Entry], object],
        unkept: Callable[[str], None],
    ) -> None:
        """Take the room's keys, its log, its open file and its fold here.

        ``known`` returns the entry in bytes that need not be decrypted, ``fold`` takes each entry that is new,
        ``unkept`` hears why the file is not written.
        """
        self._keys = keys
        self._log = log
        self._file = file
        self._room = room
        self._known = known
        self._fold = fold
        self._unkept = unkept
        self._live: dict[bytes, int] = {}
        """Heard before the log is read to its end."""
        self._reading = False
        self.synced = False
        """Whether the log has been read to its end since the last connection."""
        self.lost = False
        """Whether the broker has lost something, as far as it is known since the last connection."""
        self.astray = False
        """Whether the log tells another story than this machine has seen. Nothing more of it is taken then."""

    def load(self) -> None:
        """Fold the entries of the file. Raises NotKept."""
        for data in self._file.entries():
            if entry := decrypt_entry(self._keys, data):
                self._fold(entry)

    def lose(self) -> None:
        """Forget what was known about the broker: the connection is lost."""
        self.synced = self.lost = self.astray = False

    async def read(self, laying: Callable[[], Awaitable[None]]) -> None:
        """Take what the log has got since the last entry here. Raises Unreachable, Refused and NotKept.

        A broker without the last entry has lost something, or is another one: what it lacks is laid there again, after
        ``laying`` has been called.
        """
        self._reading = True
        try:
            entries = await self._read(laying)
            live, self._live, self.synced = self._live, {}, True
        except BaseException:
            self.synced = False
            raise
        finally:
            self._reading = False
        if not self.astray:
            self._take([*entries, *((sequence, data) for data, sequence in live.items())])

    async def _read(self, laying: Callable[[], Awaitable[None]]) -> Sequence[Kept]:
        last = self._file.last_entry
        entries = await self._log.read(last[0] - 1 if last else 0)
        if last is None or entries[:1] == [last]:
            return entries
        self.lost, self.synced = True, False
        await laying()
        for _ in range(3):
            entries = await self._log.read(0)
            self.astray = not self._room.is_of(self._heads_of(entries))
            kept = {data for _, data in entries}
            missing = [data for data in self._file.entries() if data not in kept and self._counts(data)]
            if self.astray or not missing:
                return entries
            for data in missing:
                if data not in self._live:  # another machine lays it, too
                    await self._log.append(data)
        raise Unreachable("the broker keeps nothing")

    def _counts(self, data: bytes) -> bool:
        entry = decrypt_entry(self._keys, data)
        return entry is not None and entry.digest in self._room.counted

    def _heads_of(self, entries: Sequence[Kept]) -> Sequence[str]:
        """The heads of the story that entries tell to somebody who reads them first."""
        room = Room(self._keys.table)
        for _, data in entries:
            entry = decrypt_entry(self._keys, data)
            if entry:
                with suppress(NotCounted):
                    room.feed(entry)
        return room.heads

    def hear(self, sequence: int, data: bytes) -> bool:
        """Take a live entry, and return whether it is taken now: none is before the log is read to its end."""
        if self.astray:
            return False
        if not self.synced or self._reading:
            self._live[data] = sequence
            return False
        self._take([(sequence, data)])
        return True

    def _take(self, entries: Sequence[Kept]) -> None:
        """Store the next entries of the log, and fold those that are new. Bytes that are no entry are not stored."""
        opened = [(each, self._known(each[1]) or decrypt_entry(self._keys, each[1])) for each in entries]
        try:
            self._file.add([each for each, entry in opened if entry])
        except NotKept as reason:
            self._unkept(str(reason))
        for _, entry in opened:
            if entry and not self._room.knows(entry.digest):
                self._fold(entry)
