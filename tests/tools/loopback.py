"""Ports, connections and brokers of this machine, which end with the block that has opened them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from itertools import cycle
from pathlib import Path

from processes import program
from waiting import MAX_WAIT_SECONDS

from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.wire import broker
from fourtwenty.rooms.wire.broker import Broker, find_server, listens
from fourtwenty.rooms.wire.room_log import OnConnection, RoomLog

LOOPBACK = "127.0.0.1"

BLOCKS = range(20_000, 32_000, 100)
"""The first ports of blocks below the ports that a system gives to connections: Linux from 32,768 on, macOS and Windows
from 49,152."""


@cache
def own_block() -> int:
    """Return the number of a block of ports that no other process of tests has until this one ends.

    The claim is the bound first port of the block.
    """
    for number, first in enumerate(BLOCKS):
        with socket.socket() as claim, suppress(OSError):
            claim.bind((LOOPBACK, first))
            claim.detach()  # open until the process ends
            return number
    raise OSError(f"all ports from {BLOCKS.start} to {BLOCKS.stop} are in use")


@cache
def own_ports() -> Iterator[int]:
    first = BLOCKS[own_block()]
    return cycle(range(first + 1, first + BLOCKS.step))


def free_port() -> int:
    """Return a port that nobody takes before the test does: no other process of tests, and no connection."""
    return next(port for port in own_ports() if port == broker.free_port(LOOPBACK, port))


def own_address() -> str:
    """Return an address of this machine at which no other process of tests opens a table; only Linux has many."""
    return f"127.0.1.{1 + own_block()}" if sys.platform == "linux" else LOOPBACK


@asynccontextmanager
async def connected(
    port: int, source: str = LOOPBACK, host: str = LOOPBACK, limit: int = 2**16
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Connect to a port from an address of this machine."""
    reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0), limit=limit)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def nats_server(configuration: Path, port: int, name: str) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Run nats-server, and wait until the one of this name listens at a port."""
    output = configuration.with_suffix(".output")
    with output.open("wb") as file, program([find_server(), "-c", configuration], stderr=file) as process:
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            while not await listens(LOOPBACK, port, name):
                assert process.poll() is None, output.read_text()
        yield process


@asynccontextmanager
async def running_broker(folder: Path, keys: RoomKeys, host: str = LOOPBACK) -> AsyncIterator[Broker]:
    """Run the broker of a host; it has the same ports when it is started again."""
    run = Broker(folder, keys, host, free_port(), free_port())
    try:
        await run.start()
        yield run
    finally:
        if run.running and sys.platform != "win32":
            assert run._process
            os.killpg(run._process.pid, signal.SIGCONT)  # a test that has failed may have left it stopped
        await run.stop()


@asynccontextmanager
async def opened_log(log: RoomLog, on_connection: OnConnection = lambda _: None) -> AsyncIterator[RoomLog]:
    try:
        await log.open(lambda *_: None, lambda _: None, on_connection)
        yield log
    finally:
        await log.close()
