"""Entries that are not in the log yet: sent while the outbox is open, and until they have arrived."""

from __future__ import annotations

import asyncio
from typing import Any

from machines import entry

from fourtwenty.rooms.local_machine import Body
from fourtwenty.rooms.room import LogEntry
from fourtwenty.rooms.wire.outbox import Outbox, PendingEntry
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError


class Way:
    """The way to a log, which may fail."""

    def __init__(self) -> None:
        self.appended: list[bytes] = []
        self.fails: Exception | None = None
        self.reasons: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.outbox = Outbox(self.append, self.start, self.reasons.append)

    async def append(self, data: bytes) -> None:
        self.appended.append(data)
        if self.fails:
            raise self.fails

    def start(self, work: Any) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    async def said(self, *bodies: Body) -> list[LogEntry]:
        entries = [entry(b"ann", body) for body in bodies]
        for each, body in zip(entries, bodies, strict=True):
            self.outbox.add(PendingEntry(each, b"sealed " + each.digest, body))
        await self.sent()
        return entries

    async def sent(self) -> None:
        while self.tasks:
            await self.tasks.pop()


RISE, LEAVE = {"at": "rise"}, {"at": "leave"}


async def test_what_is_said_waits_until_the_outbox_is_open() -> None:
    way = Way()
    await way.said(RISE, LEAVE)
    assert way.appended == []
    assert [*way.outbox] == [RISE, LEAVE]
    way.outbox.open = True
    way.outbox.flush()
    way.outbox.flush()
    await way.sent()
    assert len(way.appended) == 2, "nothing that is on its way is sent again"


async def test_an_entry_that_nobody_has_acknowledged_is_sent_again_in_the_same_bytes_until_it_arrives() -> None:
    way = Way()
    way.outbox.open, way.fails = True, UnreachableError("gone")
    (said,) = await way.said(RISE)
    way.outbox.flush()
    await way.sent()
    first, second = way.appended
    assert first == second
    assert way.outbox.entry(first) == said, "it need not be decrypted"
    assert way.outbox.arrived(said) == RISE
    assert way.outbox.arrived(said) is None
    way.outbox.flush()
    await way.sent()
    assert (len(way.outbox), len(way.appended)) == (0, 2)


async def test_a_broker_that_refuses_is_told() -> None:
    way = Way()
    way.outbox.open, way.fails = True, RefusedError("it is full")
    await way.said(RISE)
    assert way.reasons == ["it is full"]
