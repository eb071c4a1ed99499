"""The log of a machine in step over a broker in memory: when it reads, asks the others, and lets out what waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from machines import Clock, at_head
from memory_client import KEYS
from memory_log import MemoryBroker, MemoryLog
from waiting import settled

from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import MachineKey, encrypt_entry, new_entry
from fourtwenty.rooms.local_machine import LocalMachine, SeatRequest
from fourtwenty.rooms.room import MIN_KEYS, InvalidEntryError, LogEntry, Room
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.log_copy import LogCopy
from fourtwenty.rooms.wire.log_sync import LogSync
from fourtwenty.rooms.wire.notices import Notices
from fourtwenty.rooms.wire.outbox import Outbox, PendingEntry
from fourtwenty.rooms.wire.presence import Presence
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError
from fourtwenty.rooms.wire.sync_barrier import BARRIER_SECONDS, SHORT_SECONDS, SyncBarrier

BEN = MachineKey(bytes(32))


class Wired:
    """A machine that follows a log, beside Ben, who sits there and was here just now."""

    def __init__(self, folder: Path) -> None:
        self.log = MemoryLog(MemoryBroker(), KEYS.room)
        sit = LocalMachine(Room(KEYS.table), BEN.public, bytes(32), MIN_KEYS).sit(SeatRequest((Seat("Ben"),)))
        self.log.broker.store(KEYS.room, encrypt_entry(KEYS, BEN, at_head(Room(KEYS.table), sit)))
        self.file = RoomFile(KEYS.room, KEYS.code, "memory", folder)
        self.machine = MachineKey(self.file.secret)
        self.room = Room(KEYS.table)
        self.clock = Clock()
        presence = Presence(self.machine.public, self.clock)
        presence.record_heartbeat(BEN.public, {"at": "here"})
        self.meeting = SyncBarrier(presence)
        self.refusals: list[str] = []
        self.beats: list[bool] = []
        self.changes = 0
        notices = Notices()
        notices.notify = self.refusals.append
        self.outbox = Outbox(self.log.append, lambda work: self.sync.start(work), notices.broker_refused)
        self.copy = LogCopy(KEYS, self.log, self.file, self.room, self.outbox.entry, self.fold, notices.not_saved)
        self.sync = LogSync(self.copy, self.meeting, self.outbox, self.send_heartbeat, self.change, notices)

    def fold(self, new: LogEntry, *_: bool) -> None:
        with suppress(InvalidEntryError):  # to get up without a seat
            self.room.feed(new)

    async def send_heartbeat(self, asks: bool) -> None:
        self.beats.append(asks)

    def change(self) -> None:
        self.changes += 1
        self.sync.pass_barrier()

    def get_up(self) -> None:
        body = LocalMachine(self.room, self.machine.public, self.file.secret, MIN_KEYS).get_up()
        entry, data = new_entry(KEYS, self.machine, at_head(self.room, body))
        self.outbox.add(PendingEntry(entry, data, body))

    @property
    def kept(self) -> int:
        """The number of entries that the broker has besides Ben's."""
        return len(self.log.broker.entries[KEYS.room]) - 1


@pytest.fixture
async def wired(tmp_path: Path) -> AsyncIterator[Wired]:
    wired = Wired(tmp_path)
    await (await wired.sync.open(lambda _: None))
    yield wired
    await wired.sync.close()
    wired.file.close()


async def test_what_is_said_waits_for_the_others_who_are_asked_where_they_are(wired: Wired) -> None:
    wired.get_up()
    await settled()
    assert (wired.beats, wired.kept, [*wired.meeting.awaited]) == ([True], 0, [])
    wired.clock.now = SHORT_SECONDS
    wired.sync.pass_barrier()
    assert [*wired.meeting.awaited] == [BEN.public]
    wired.meeting.record(BEN.public, 1, True)
    wired.sync.pass_barrier()
    await settled()
    assert (wired.kept, [*wired.meeting.awaited]) == (1, [])


async def test_after_a_loss_all_meet_again(wired: Wired) -> None:
    wired.clock.now = BARRIER_SECONDS
    wired.sync.pass_barrier()
    assert wired.outbox.open
    wired.log.disconnect()
    assert not wired.copy.synced
    assert not wired.outbox.open
    wired.log.reconnect()
    await settled()
    assert wired.copy.synced
    assert not wired.outbox.open, "Ben has not come back"


async def test_after_a_loss_that_no_connection_shows_all_meet_again_too(wired: Wired) -> None:
    """It happens when a cluster loses the node with the entries while the machine is connected to another node."""
    wired.clock.now = BARRIER_SECONDS
    wired.sync.pass_barrier()
    wired.log.broker.entries[KEYS.room].clear()
    wired.sync.read_soon()
    await settled()
    assert (wired.copy.synced, wired.outbox.open) == (True, False)
    wired.clock.now = 2 * BARRIER_SECONDS
    wired.sync.pass_barrier()
    assert wired.outbox.open


@pytest.mark.parametrize(("error", "told"), [(UnreachableError, []), (RefusedError, ["Too much."])])
async def test_a_log_that_cannot_be_read_is_heard_of_and_read_later(
    wired: Wired, monkeypatch: pytest.MonkeyPatch, error: type[Exception], told: list[str]
) -> None:
    with monkeypatch.context() as unread:
        unread.setattr(wired.log, "read", AsyncMock(side_effect=error("too much")))
        wired.log.disconnect()
        before = wired.changes
        wired.log.reconnect()
        await settled()
        assert wired.changes > before + 1, "reconnected, and not read"
        assert not wired.copy.synced
        assert wired.refusals == told
    wired.sync.try_again()
    await settled()
    assert wired.copy.synced


async def test_nothing_is_read_or_sent_once_it_is_closed(wired: Wired) -> None:
    await wired.sync.close()
    wired.get_up()
    wired.sync.read_soon()
    await settled()
    assert not wired.sync.tasks
    assert not wired.copy.synced
    assert wired.kept == 0
