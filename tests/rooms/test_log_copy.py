"""This machine's copy of the log beside a broker in memory: read on, uploaded again, or split."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path
from unittest.mock import Mock

import pytest
from machines import at_head
from memory_client import KEYS
from memory_log import MemoryBroker, MemoryLog

from fourtwenty.play.lineup import Seat
from fourtwenty.play.match import SaveError
from fourtwenty.rooms.encryption import MachineKey, encrypt_entry
from fourtwenty.rooms.local_machine import LocalMachine, SeatRequest
from fourtwenty.rooms.room import MIN_KEYS, InvalidEntryError, LogEntry, Room
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire import log_copy
from fourtwenty.rooms.wire.log_copy import LogCopy


class Copied:
    """A copy, and a room whose machine has sat down so often."""

    def __init__(self, folder: Path) -> None:
        self.broker = MemoryBroker()
        self.log = MemoryLog(self.broker, KEYS.room)
        self.file = RoomFile(KEYS.room, KEYS.code, "memory", folder)
        self.machine = MachineKey(self.file.secret)
        self.room = Room(KEYS.table)
        self.station = LocalMachine(self.room, self.machine.public, self.file.secret, MIN_KEYS)
        self.copy = LogCopy(KEYS, self.log, self.file, self.room, lambda _: None, self.fold, lambda _: None)
        self.folded: list[tuple[bytes, bool]] = []
        self.uploads = 0

    def sit(self, name: str) -> bytes:
        body = self.station.sit(SeatRequest((Seat(name),), "420"))
        return encrypt_entry(KEYS, self.machine, at_head(self.room, body))

    def fold(self, entry: LogEntry, may_count: bool, now: bool) -> None:  # noqa: ARG002
        self.folded.append((entry.digest, may_count))
        if may_count:
            with suppress(InvalidEntryError):
                self.room.feed(entry)

    async def before_upload(self) -> None:
        self.uploads += 1

    async def sync(self) -> None:
        await self.copy.read(self.before_upload)

    @property
    def kept(self) -> list[bytes]:
        return [*self.broker.entries[KEYS.room]]


@pytest.fixture
async def copied(tmp_path: Path) -> AsyncIterator[Copied]:
    copied = Copied(tmp_path)
    with closing(copied.file):
        await copied.log.open(lambda *_: None, lambda _: None, lambda _: None)
        for name in ("Ann", "Anna", "Annie"):
            copied.broker.store(KEYS.room, copied.sit(name))
            await copied.sync()
        yield copied


async def test_the_log_is_read_on_from_the_last_entry_here(copied: Copied) -> None:
    assert [*copied.file.entries()] == copied.kept
    assert copied.room.head[0] == 3
    assert (copied.uploads, copied.copy.synced) == (0, True)


@pytest.mark.parametrize("left", [0, 1, 2])
async def test_entries_that_a_broker_has_lost_are_laid_again_in_their_order(copied: Copied, left: int) -> None:
    before = copied.kept
    for data in before[left:]:
        del copied.broker.entries[KEYS.room][data]
    await copied.sync()
    assert copied.kept == before
    assert (copied.uploads, copied.copy.diverged) == (1, False)


async def test_of_a_log_that_tells_another_story_nothing_is_taken_and_nothing_laid(copied: Copied) -> None:
    for data in copied.kept[1:]:
        del copied.broker.entries[KEYS.room][data]
    rise = copied.station.get_up() | {"number": 1, "head": copied.room.heads[1]}
    copied.broker.store(KEYS.room, encrypt_entry(KEYS, copied.machine, rise))
    kept = copied.kept
    await copied.sync()
    assert copied.copy.diverged
    assert copied.kept == kept
    assert copied.room.head[0] == 3
    assert not copied.copy.receive(99, b"more")
    copied.broker.entries[KEYS.room].clear()  # another broker, where the log of this machine goes on
    copied.copy.connection_lost()
    await copied.sync()
    assert not copied.copy.diverged
    assert len(copied.kept) == 3


async def test_live_entries_wait_until_the_log_is_read(copied: Copied) -> None:
    copied.copy.connection_lost()
    data = copied.sit("Anne")
    assert not copied.copy.receive(4, data)
    await copied.sync()
    assert copied.room.head[0] == 4
    assert copied.copy.receive(5, copied.sit("Anni"))
    assert copied.room.head[0] == 5


async def test_an_entry_that_was_received_and_is_lost_again_is_uploaded(copied: Copied) -> None:
    """Another machine has uploaded it, and the broker has crashed once more: else no read would ever end."""
    before, copied.copy.synced = copied.kept, False
    copied.broker.entries[KEYS.room].clear()
    for sequence, data in enumerate(before, 1):
        assert not copied.copy.receive(sequence, data)
    await copied.sync()
    assert copied.kept == before
    assert copied.copy.synced


async def test_no_entry_that_counts_is_void_when_the_log_is_read_again(copied: Copied) -> None:
    """Else a host's broker would delete it."""
    copied.broker.store(KEYS.room, b"nothing")
    await copied.copy.read(copied.before_upload, whole=True)
    assert copied.copy.void == {4}


async def test_what_does_not_count_where_it_stands_does_not_count_after_a_loss_either(copied: Copied) -> None:
    early = copied.sit("Anne")  # fits only after the entry that the broker loses now
    lost = copied.kept[-1]
    del copied.broker.entries[KEYS.room][lost]
    copied.broker.store(KEYS.room, early)
    await copied.sync()
    assert copied.kept[-2:] == [early, lost]
    assert copied.room.head[0] == 3
    assert [may_count for _, may_count in copied.folded] == [True, True, True, False]
    assert copied.copy.void == {4}
    assert copied.kept[:2] + copied.kept[3:] == [*copied.file.entries()]


async def test_what_is_sent_again_is_void(copied: Copied) -> None:
    first = copied.kept[0]
    assert copied.copy.receive(4, first)
    assert copied.copy.receive(1, first), "as when it is heard twice"
    assert copied.copy.void == {4}
    assert copied.file.last_entry == (3, copied.kept[-1])


async def test_only_so_many_sequences_of_what_is_void_are_remembered(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_copy, "MAX_VOID", 2)
    for sequence in (4, 5, 6):
        assert copied.copy.receive(sequence, copied.kept[0])
    assert copied.copy.void == {4, 5}
    assert copied.copy.receive(7, copied.sit("Anne"))
    assert copied.room.head[0] == 4, "what counts still does"


async def test_what_a_full_disk_did_not_take_is_laid_again_and_stored_later(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(copied.file, "save_entries", Mock(side_effect=SaveError("the disk is full")))
        for name in ("Anne", "Annette"):
            copied.broker.store(KEYS.room, copied.sit(name))
            await copied.sync()
        copied.copy.connection_lost()
        await copied.sync()
        assert not copied.copy.void, "a host throws away what is void"
    told = copied.kept
    assert [*copied.file.entries()] == told[:3]
    for data in told[2:]:
        del copied.broker.entries[KEYS.room][data]
    copied.copy.connection_lost()
    await copied.sync()
    assert not copied.copy.diverged
    assert copied.kept == told
    assert [*copied.file.entries()] == told
