"""The entrance of a host's broker: nobody takes more than a share of it, however much they send."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from faulty_table import ELSEWHERE, FaultyTable, member, publish_raw
from machines import Clock
from patience import PATIENCE, settled
from proxy import Proxy

from fourtwenty.rooms.encryption import MachineKey
from fourtwenty.rooms.wire import entrance
from fourtwenty.rooms.wire.entrance import Allowance, Entrance
from fourtwenty.rooms.wire.nats_log import NatsLog

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")


def test_an_allowance_fills_with_time() -> None:
    clock = Clock()
    allowance = Allowance(100, 10, clock)
    assert (allowance.left, allowance.spend(100), allowance.left) == (100, 0, 0)
    assert allowance.spend(10) == 1
    assert allowance.spend(10) == 2, "who sends by a second connection waits for both"
    clock.now = 1.5
    assert (allowance.left, allowance.spend(0)) == (-5, 0.5)
    clock.now = 2.5
    assert (allowance.left, allowance.spend(5), allowance.left) == (5, 0, 0)
    clock.now = 1000.0
    assert allowance.left == 100


def test_who_is_absent_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "ADDRESSES", 3)
    door = Entrance("10.0.0.1", 0)
    busy, here = door._visitor("10.0.0.2"), door._visitor("10.0.0.3")
    busy.allowance.spend(entrance.BYTES_AT_ONCE)
    here.connections = 1
    for address in ("10.0.0.4", "10.0.0.5", "10.0.0.6"):
        door._visitor(address)
    assert door._visitors.keys() == {"10.0.0.2", "10.0.0.3", "10.0.0.6"}
    assert (door._visitor("10.0.0.2"), door._visitor("10.0.0.3")) == (busy, here)


class Inside:
    """A server behind an entrance, that sends back whatever it reads."""

    def __init__(self) -> None:
        self.read = 0
        """Bytes so far."""
        self.changed = asyncio.Event()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(2**16):
                self.read += len(data)
                self.changed.set()
                writer.write(data)
        finally:
            writer.close()


@asynccontextmanager
async def entered() -> AsyncIterator[tuple[Inside, int]]:
    """Run an entrance before a server; yield the server and the port of the entrance."""
    inside = Inside()
    async with await asyncio.start_server(inside.answer, entrance.INSIDE, 0) as server:
        door = Entrance(entrance.INSIDE, server.sockets[0].getsockname()[1])
        async with await asyncio.start_server(door.let_in, entrance.INSIDE, 0, limit=entrance.PIECE) as outside:
            yield inside, outside.sockets[0].getsockname()[1]
            connections = asyncio.all_tasks() - {asyncio.current_task()}
            for task in connections:
                task.cancel()
            await asyncio.wait(connections)
            await settled()


@linux
async def test_who_sends_more_than_a_share_waits_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "BYTES_AT_ONCE", 10_000)
    monkeypatch.setattr(entrance, "BYTES_A_SECOND", 0.001)
    async with asyncio.timeout(PATIENCE), entered() as (inside, port):
        ways = [await asyncio.open_connection(entrance.INSIDE, port, local_addr=(ELSEWHERE, 0)) for _ in range(3)]
        for _, writer in ways:
            writer.write(bytes(100_000))
        while inside.read < 10_000 - entrance.PIECE:
            inside.changed.clear()
            await inside.changed.wait()
        for source in (entrance.INSIDE, "127.0.0.3"):
            reader, writer = await asyncio.open_connection(entrance.INSIDE, port, local_addr=(source, 0))
            writer.write(bytes(9000))
            assert await reader.readexactly(9000) == bytes(9000)
            writer.close()
        assert inside.read - 2 * 9000 <= 10_000
        for _, writer in ways:
            writer.transport.abort()


@linux
async def test_an_address_has_so_many_connections_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "CONNECTIONS", 3)

    writers: list[asyncio.StreamWriter] = []

    async def connect(source: str) -> bytes:
        reader, writer = await asyncio.open_connection(entrance.INSIDE, port, local_addr=(source, 0))
        writers.append(writer)
        writer.write(b"PING\r\n")
        return await reader.readline()

    async with asyncio.timeout(PATIENCE), entered() as (_, port):
        assert [await connect(ELSEWHERE) for _ in range(3)] == [b"PING\r\n"] * 3
        assert await connect(ELSEWHERE) == b'INFO {"headers":true}\r\n'
        assert [await connect(entrance.INSIDE) for _ in range(5)] == [b"PING\r\n"] * 5
        writers[0].close()
        while await connect(ELSEWHERE) != b"PING\r\n":
            pass
        for writer in writers:
            writer.transport.abort()


@linux
async def test_a_flood_of_entries_stops_no_roll_and_is_cut_to_its_share(tmp_path: Path) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=2) as table:
        begun = asyncio.get_running_loop().time()
        async with Proxy(table.broker.port, source=ELSEWHERE) as elsewhere:
            eve = MachineKey(bytes(32))
            client, subjects = await member(elsewhere.address, table.keys, eve)
            for number in range(5000):
                await publish_raw(client, subjects.own.encode(), b"", b"%04d" % number)
            table.play_another()
            assert await table.until(table.settled, PATIENCE)
            log = NatsLog(table.broker.address, table.keys, eve)
            await log.open(lambda *_: None, lambda _: None, lambda _: None)
            kept = len([data for _, data in await log.read(0) if len(data) == 4])
            seconds = asyncio.get_running_loop().time() - begun
            size = len(b"PUB %s 4\r\n0000\r\n" % subjects.own.encode())
            assert 0 < kept <= (entrance.BYTES_AT_ONCE + seconds * entrance.BYTES_A_SECOND) / size
            await log.close()
        await table.check()
