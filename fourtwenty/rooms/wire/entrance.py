"""The entrance of a host's broker: a process that runs nats-server, and takes from each address no more than its share.

nats-server 2.15 has no limit of what a connection sends, so that thousands of entries at once would make all others
wait. broker.py runs this file by its path, so it imports the standard library only.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

BYTES_AT_ONCE, BYTES_A_SECOND = 2**14, 2**13
"""That an address may send. A roll takes about 1,500 of each of two machines, and so does a log-in."""
CONNECTIONS = 64
"""That an address may have at once."""
ADDRESSES = 1000
"""That are remembered before those are forgotten that have their whole share."""
PIECE = 4096
"""Bytes of an address that are passed on at once."""
INSIDE = "127.0.0.1"
"""Where nats-server listens."""
OPEN_FILES = 4096
"""A connection has two; macOS lets a process open 256 if it does not ask for more."""
END_SECONDS = 3.0
"""Time for nats-server to end; then it is killed."""
NO_PLACE = b"INFO {\"headers\":true}\r\n-ERR 'maximum connections exceeded'\r\n"
"""As nats-server says it."""


class Allowance:
    """A budget of which so much may be spent at once, and then so much a second."""

    def __init__(self, at_once: float, a_second: float, clock: Callable[[], float] = monotonic) -> None:
        """Take the budget, and a clock in seconds."""
        self._at_once = at_once
        self._a_second = a_second
        self._clock = clock
        self._left, self._then = at_once, clock()

    @property
    def left(self) -> float:
        """The part that may be spent now; below 0 after more than that."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._then) * self._a_second)
        self._then = now
        return self._left

    def spend(self, size: float) -> float:
        """Spend some of it, and return the seconds until all that is spent has been allowed."""
        self._left = self.left - size
        return max(0.0, -self._left / self._a_second)


class Visitor:
    """An address that is not of this machine."""

    def __init__(self) -> None:
        self.allowance = Allowance(BYTES_AT_ONCE, BYTES_A_SECOND)
        """The bytes that it may send."""
        self.connections = 0

    @property
    def absent(self) -> bool:
        """Whether nothing need be remembered of it."""
        return not self.connections and self.allowance.left == BYTES_AT_ONCE


class Entrance:
    """Passes connections on to a port of this machine, and takes from each address no more than its allowance."""

    def __init__(self, own: str, inside: int) -> None:
        """Take the address of this machine, whose programs have no limit, and the port of nats-server."""
        self._own = {own, INSIDE}
        self._inside = inside
        self._visitors: dict[str, Visitor] = {}

    async def let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what a new connection sends and hears, until either side ends it."""
        address = (writer.get_extra_info("peername") or ("",))[0]
        try:
            if address in self._own:
                await self._connect(reader, writer, None)
            elif (visitor := self._visitor(address)).connections == CONNECTIONS:
                writer.write(NO_PLACE)
            else:
                visitor.connections += 1
                try:
                    await self._connect(reader, writer, visitor.allowance)
                finally:
                    visitor.connections -= 1
        finally:
            writer.close()

    def _visitor(self, address: str) -> Visitor:
        if len(self._visitors) >= ADDRESSES:
            self._visitors = {each: visitor for each, visitor in self._visitors.items() if not visitor.absent}
        return self._visitors.setdefault(address, Visitor())

    async def _connect(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowance: Allowance | None
    ) -> None:
        with suppress(OSError):
            answers, server = await asyncio.open_connection(INSIDE, self._inside)
            ways = [asyncio.create_task(way) for way in (pass_on(reader, server, allowance), pass_on(answers, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                server.close()


async def pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowance: Allowance | None = None
) -> None:
    """Write what is read, no faster than an allowance of bytes lets it, until either side ends."""
    with suppress(OSError):
        while data := await reader.read(PIECE if allowance else 2**16):
            if allowance and (seconds := allowance.spend(len(data))):
                await asyncio.sleep(seconds)
            writer.write(data)
            await writer.drain()


async def run_server(host: str, port: int, inside: int, command: list[str]) -> None:
    """Listen, run nats-server as a child, and end with it. Raises OSError when the port is taken."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        files = OPEN_FILES if most == resource.RLIM_INFINITY else min(most, OPEN_FILES)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    async with await asyncio.start_server(Entrance(host, inside).let_in, host, port, limit=PIECE):
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)
        threading.Thread(target=_end_with_program, args=(server,), daemon=True).start()
        threading.Thread(target=lambda: os._exit(server.wait()), daemon=True).start()
        await asyncio.get_running_loop().create_future()


def _end_with_program(server: subprocess.Popen[bytes]) -> None:
    """End nats-server once the input of this process ends, as it does with the program that has started it."""
    os.read(0, 1)
    server.terminate()
    try:
        server.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()


if __name__ == "__main__":
    os.umask(0o077)
    asyncio.run(run_server(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
