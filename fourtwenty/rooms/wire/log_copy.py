"""Copies a room's log, in order and to a file, and uploads entries that the broker has lost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from functools import partial

from fourtwenty.play.match import SaveError
from fourtwenty.rooms.encryption import RoomKeys, decrypt_entry
from fourtwenty.rooms.local_machine import OpenedKey
from fourtwenty.rooms.room import UNORDERED, InvalidEntryError, LogEntry, Room
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.room_log import RoomLog, UnreachableError

NumberedEntry = tuple[int, bytes, LogEntry | None]
"""The entry's sequence in the log, its bytes, and the entry; None for invalid bytes."""
MAX_VOID = 50_000
"""Number of remembered sequences that do not count."""


class LogCopy:
    """This machine's copy of the log, in step with the broker."""

    def __init__(
        self,
        keys: RoomKeys,
        log: RoomLog,
        file: RoomFile,
        room: Room,
        known: Callable[[bytes], LogEntry | None],
        fold: Callable[[LogEntry, bool, bool], object],
        not_saved: Callable[[str], None],
    ) -> None:
        """Take the room's keys, its log, its open file and its fold here.

        ``known`` returns the entry for bytes that need not be decrypted. ``fold`` gets each entry that does not count
        yet, whether it may count, and whether it is live. In a log that is read again, an entry may count only if it
        does for a first-time reader. ``not_saved`` gets the reason why the file is not written.
        """
        self._keys = keys
        self.log = log
        self._file = file
        self.room = room
        self._known = known
        self._fold = fold
        self._not_saved = not_saved
        self._live: dict[bytes, int] = {}
        """Received before the log is read to its end."""
        self._reading = False
        self.synced = False
        """Whether the log has been read to its end since the last connection."""
        self.diverged = False
        """Whether the log differs from the one that this machine has seen. Then no entry is accepted."""
        self.void: set[int] = set()
        """The remembered sequences, in the log, of entries that do not count, since the last connection."""
        self.act = b""
        """The last action or start that counts, encrypted: keys of a running step are opened for it."""
        self._last = 0
        """The sequence of the last entry that counts."""
        self._unsaved: list[tuple[int, bytes]] = []
        """Entries that count and could not be stored, with their sequences in the broker's log."""

    def load(self) -> None:
        """Fold the entries of the file. Raises SaveError."""
        for data in self._file.entries():
            if entry := decrypt_entry(self._keys, data):
                self._fold_entry(entry, data, True, False)

    def connection_lost(self) -> None:
        """Forget the broker's state, but not that the log has diverged."""
        self.synced = False
        self.void.clear()
        self._live.clear()

    async def read(self, before_upload: Callable[[], Awaitable[None]], whole: bool = False) -> None:
        """Read the log after the last entry that counts. Raises UnreachableError, RefusedError and SaveError.

        ``whole`` also reads entries before it that were lost on their way here. A broker without that entry has lost
        something, or is another one: its missing entries are uploaded again, after ``before_upload`` has been called.
        """
        self._reading = True
        try:
            entries, counting, heads = await self._read(before_upload, whole)
            live, self._live, self.synced = self._live, {}, True
        except BaseException:
            self.synced = False
            raise
        finally:
            self._reading = False
        taken: list[tuple[int, bytes]] = []
        if not self.diverged:
            taken = self._fold_entries(entries, counting)
            # A key that the others did not see in time makes no head, but then this machine cannot follow their votes.
            # A vote that came too late for the others makes one that they lack.
            self.diverged = heads is not None and len(self.room.heads) != heads
        if self.diverged:
            # The file forgets how far the log was read: the next program, too, reads all and finds this out, unless the
            # disk is full.
            self._stored(partial(self._file.save_entries, []))
            return
        if counting is not None:  # all that counts is among them
            self._unsaved.clear()
        read_to = entries[-1][0] if entries else 0
        late = [self._decrypted(number, data) for data, number in live.items() if number > read_to]
        self._save(taken + self._fold_entries(late))

    async def _read(
        self, before_upload: Callable[[], Awaitable[None]], whole: bool
    ) -> tuple[list[NumberedEntry], Collection[int] | None, int | None]:
        """Return the next entries.

        If they are all of a log, they come with the sequences that count for a first-time reader, and, unless the log
        is out of order, with that reader's number of heads. Without this second fold,
        test_what_does_not_count_where_it_stands_does_not_count_after_a_loss_either,
        test_no_entry_that_counts_is_void_when_the_log_is_read_again,
        test_an_entry_that_is_laid_too_early_makes_no_other_story and, for the number of heads,
        test_who_has_counted_a_vote_that_came_too_late_for_the_others_is_told fail.
        """
        last = self._unsaved[-1] if self._unsaved else self._file.last_entry
        last = None if self.diverged else last
        self._last = last[0] if last else 0
        entries = await self.log.read(self._last - 1 if last else 0)
        if last and entries[:1] != [last]:
            self.synced = False
            await before_upload()
        elif not whole and (last or not self.room.counted):
            return [self._decrypted(*each) for each in entries], None, None
        for repeated in range(3):
            self._last = 0
            self.void.clear()
            decrypted = [self._decrypted(*each) for each in await self.log.read(0)]
            replayed, counting = Room(self._keys.table), set()
            for sequence, _, entry in decrypted:
                if entry:
                    with suppress(InvalidEntryError):
                        replayed.feed(entry)
                        counting.add(sequence)
            heads = len(replayed.heads) if self._in_order(decrypted, replayed) else None
            diverged = heads is not None and not self.room.shares_log_with(replayed.heads)
            kept = {data for _, data, _ in decrypted}
            own = (*self._file.entries(), *(data for _, data in self._unsaved))
            missing = [data for data in own if data not in kept and self._counts(data)]
            if diverged or not missing:
                self.diverged = diverged
                return decrypted, counting, heads
            for data in missing:
                if repeated or data not in self._live:  # another machine uploads it, too, but it may be lost again
                    await self.log.append(data)
        raise UnreachableError("the broker doesn't store entries")

    def _in_order(self, decrypted: Iterable[NumberedEntry], replayed: Room) -> bool:
        """Whether no entry counts only here, and not for a first-time reader, before one that counts for both.

        One does if a hub has deleted old entries, which were uploaded again behind the others, or if a machine has
        uploaded one too early. The log has not split then, but newcomers cannot follow. After the first entry of
        another log none that makes a head counts for both.
        """
        here = [entry for _, _, entry in decrypted if entry and entry.digest in self.room.counted]
        there = [entry.digest in replayed.counted for entry in here]
        last = max((at for at, each in enumerate(here) if there[at] and each.body["at"] not in UNORDERED), default=0)
        return all(there[: last + 1])

    def _decrypted(self, sequence: int, data: bytes) -> NumberedEntry:
        return sequence, data, self._known(data) or decrypt_entry(self._keys, data)

    def _counts(self, data: bytes) -> bool:
        entry = decrypt_entry(self._keys, data)
        return entry is not None and entry.digest in self.room.counted

    def receive(self, sequence: int, data: bytes) -> bool:
        """Receive a live entry; return whether it is accepted: none is before the log is read to its end."""
        if not self.synced or self._reading:
            self._live[data] = sequence
            return False
        if self.diverged:
            return False
        self._save(self._fold_entries([self._decrypted(sequence, data)], now=True))
        return True

    def _fold_entries(
        self, entries: Iterable[NumberedEntry], counting: Collection[int] | None = None, now: bool = False
    ) -> list[tuple[int, bytes]]:
        """Fold the log's next entries, except any that count already; return the entries that count there."""
        taken, counted = [], self.room.counted
        for sequence, data, entry in entries:
            counts = counting is not None and sequence in counting
            if entry and entry.digest not in counted:
                counts |= self._fold_entry(entry, data, counting is None or counts, now)
            if counts:
                taken.append((sequence, data))
                self.void.discard(sequence)
                self._last = sequence
            elif sequence > self._last and len(self.void) < MAX_VOID:  # others have been received twice
                self.void.add(sequence)
        return taken

    def _fold_entry(self, entry: LogEntry, data: bytes, may_count: bool, now: bool) -> bool:
        """Fold an entry; return whether it counts."""
        self._fold(entry, may_count, now)
        counts = entry.digest in self.room.counted
        if counts and entry.body["at"] in ("act", "start"):
            self.act = data
        return counts

    def save_opened_key(self, key: OpenedKey) -> bool:
        """Store an opened key's action, once the action itself is stored; return whether it is."""
        self._save([])
        return not self._unsaved and self._stored(partial(self._file.save_opened_key, key))

    def _save(self, taken: list[tuple[int, bytes]]) -> None:
        """Store entries that count. Entries refused by a full disk are stored with the next entry."""
        self._unsaved += taken
        if self._unsaved and self._stored(partial(self._file.save_entries, self._unsaved)):
            self._unsaved.clear()

    def _stored(self, write: Callable[[], None]) -> bool:
        """Whether the file takes a change."""
        try:
            write()
        except SaveError as reason:
            self._not_saved(str(reason))
            return False
        return True
