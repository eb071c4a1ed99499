"""Guards a host's broker: a process that runs nats-server, and limits each address.

nats-server 2.15 does not limit what a connection sends: thousands of entries at once would delay all others. A second
port serves the page for phones and its WebSocket. broker.py runs this file by its path, so it imports the standard
library only.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

BYTES_BURST, BYTES_PER_SECOND = 2**14, 2**13
"""Bytes that an address may send. A roll takes about 1,500 of each of two machines, and so does a log-in."""
CONNECTIONS_PER_HOST = 64
"""For an address at once, on both ports together."""
REMEMBERED_HOSTS = 1000
"""Beyond it, addresses that have their whole share are forgotten."""
PIECE = 4096
"""Bytes of an address passed on at once."""
LOOPBACK = "127.0.0.1"
"""Where nats-server listens."""
OPEN_FILES = 4096
"""A connection has two; macOS gives a process 256 unless it asks for more."""
END_SECONDS = 3.0
"""Seconds for nats-server to end; then it is killed."""
TOO_MANY_CONNECTIONS = b"INFO {\"headers\":true}\r\n-ERR 'maximum connections exceeded'\r\n"
"""nats-server's own text."""
MAX_HEAD_BYTES, HEAD_SECONDS = 2**13, 2.0
"""Bytes of the head of a browser's request, and seconds for all of it to arrive."""
MIN_REQUEST_BYTES = 512
"""Least bytes that count for a request, as for browsers': its answer has many more."""
LAST_SECONDS = 10.0
"""Seconds for the last bytes to be read."""
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css"}
REQUEST = re.compile(r"GET (/[!-~]*) HTTP/1\.1")
FIELD = re.compile(r"([!#$%&'*+.^_`|~\w-]+):([\t -~\x80-\xff]*)", re.ASCII)
SWITCHED = b"HTTP/1.1 101 "
"""The beginning of the answer that makes a connection a WebSocket."""
HEADERS = """\
HTTP/1.1 {status}\r
Content-Type: {kind}\r
Content-Length: {size}\r
Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
connect-src 'self' ws://{authority}; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
Cache-Control: no-store\r
Referrer-Policy: no-referrer\r
X-Content-Type-Options: nosniff\r
Connection: close\r
\r
"""
FOUND, BAD, MISSING, FULL = "200 OK", "400 Bad Request", "404 Not Found", "503 Service Unavailable"
"""The only answers to a request that does not become a WebSocket."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
"""A connection."""


class RateLimit:
    """A budget to spend at once, then so much a second."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._available, self._then = burst, clock()

    @property
    def available(self) -> float:
        """The part that may be spent now; below 0 if overspent."""
        now = self._clock()
        self._available = min(self._burst, self._available + (now - self._then) * self._per_second)
        self._then = now
        return self._available

    def spend(self, size: float) -> float:
        """Spend some of it; return the seconds until the whole spending is allowed."""
        self._available = self.available - size
        return max(0.0, -self._available / self._per_second)


class RemoteHost:
    """An address of another machine."""

    def __init__(self) -> None:
        self.limit = RateLimit(BYTES_BURST, BYTES_PER_SECOND)
        self.connections = 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing need be remembered of it."""
        return not self.connections and self.limit.available == BYTES_BURST


class PhonePage(NamedTuple):
    """The page for phones."""

    folder: Path
    authority: str
    """The address and port in its URL."""
    websocket_port: int
    """The local port of nats-server's WebSocket."""

    def answer(self, status: str, kind: str = "text/plain", body: bytes = b"") -> bytes:
        """Return the whole answer to a request; without a body, a line with the error."""
        body = body or f"{status}\n".encode()
        return HEADERS.format(status=status, kind=kind, size=len(body), authority=self.authority).encode() + body

    def find(self, path: str) -> bytes:
        """Return the answer to a path, which names a file in the folder or none; messengers add queries to links."""
        name = path.partition("?")[0].removeprefix("/") or "index.html"
        file = next((file for file in self.folder.glob("*") if file.name == name), None)
        kind = TYPES.get(file.suffix) if file else None
        return self.answer(FOUND, kind, file.read_bytes()) if file and kind else self.answer(MISSING)


class ConnectionGuard:
    """Passes connections on to a local port, and limits each address."""

    def __init__(self, own: str, inside: int, page: PhonePage) -> None:
        self._own = {own, LOOPBACK}
        self._inside = inside
        self._page = page
        self._remote_hosts: dict[str, RemoteHost] = {}

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on a new connection's data both ways, until either side ends it."""
        await self._receive((reader, writer), self._connect, TOO_MANY_CONNECTIONS)

    async def accept_page(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send a new connection one file, or pass it on as a WebSocket until either side ends it."""
        await self._receive((reader, writer), self._answer, self._page.answer(FULL))

    async def _receive(
        self, client: Streams, talk: Callable[[Streams, RateLimit | None], Awaitable[None]], full: bytes
    ) -> None:
        """Serve a new connection at its address's limit, or say that there are too many.

        It is closed after its last data, with a limited wait for slow readers.
        """
        writer = client[1]
        address = (writer.get_extra_info("peername") or ("",))[0]
        remote_host = None if address in self._own else self._remote_host(address)
        if remote_host and remote_host.connections == CONNECTIONS_PER_HOST:
            writer.write(full)
            writer.close()
            return
        if remote_host:
            remote_host.connections += 1
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await talk(client, remote_host.limit if remote_host else None)
                writer.close()
                async with asyncio.timeout(LAST_SECONDS):
                    await writer.wait_closed()
        finally:
            writer.transport.abort()
            if remote_host:
                remote_host.connections -= 1

    def _remote_host(self, address: str) -> RemoteHost:
        if len(self._remote_hosts) >= REMEMBERED_HOSTS:
            self._remote_hosts = {
                each: remote_host for each, remote_host in self._remote_hosts.items() if not remote_host.is_idle
            }
        return self._remote_hosts.setdefault(address, RemoteHost())

    async def _answer(self, client: Streams, limit: RateLimit | None) -> None:
        reader, writer = client
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            writer.write(self._page.answer(BAD))
            return
        if limit and (seconds := limit.spend(max(len(head), MIN_REQUEST_BYTES))):
            await asyncio.sleep(seconds)
        path, upgrade = read_request(head, self._page.authority)
        if upgrade and path == "/":
            await self._connect(client, limit, head)
        else:
            writer.write(self._page.answer(BAD) if upgrade or not path else self._page.find(path))

    async def _connect(self, client: Streams, limit: RateLimit | None, head: bytes = b"") -> None:
        """Pass data on to nats-server until either side ends; ``head`` is a request for a WebSocket."""
        reader, writer = client
        port = self._page.websocket_port if head else self._inside
        answers, server = await asyncio.open_connection(LOOPBACK, port)
        ways = list[asyncio.Task[None]]()
        try:
            if head:
                server.write(head)
                answer = await answers.readuntil(b"\r\n\r\n")
                # nats-server would read another request, for another path, after one that it has refused.
                if not answer.startswith(SWITCHED):
                    writer.write(self._page.answer(BAD))
                    return
                writer.write(answer)
            ways += [asyncio.create_task(way) for way in (pass_on(reader, server, limit), pass_on(answers, writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            server.close()


def read_request(head: bytes, authority: str) -> tuple[str, bool]:
    """Return the path of a request, and whether it asks for a WebSocket; no path unless it is a plain GET for here."""
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    asked, found = REQUEST.fullmatch(first), [FIELD.fullmatch(line) for line in lines]
    fields = [(field[1].lower(), field[2].strip(" \t")) for field in found if field]
    hosts = [value for name, value in fields if name == "host"]
    upgrades = [value.lower() for name, value in fields if name == "upgrade"]
    if not asked or None in found or hosts != [authority] or upgrades not in ([], ["websocket"]):
        return "", False
    return asked[1], bool(upgrades)


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: RateLimit | None = None) -> None:
    """Write what is read, at most at a limit of bytes, until either side ends."""
    with suppress(OSError):
        while data := await reader.read(PIECE if limit else 2**16):
            if limit and (seconds := limit.spend(len(data))):
                await asyncio.sleep(seconds)
            writer.write(data)
            await writer.drain()


async def run_server(host: str, port: int, page_port: int, inside: int, page: PhonePage, command: list[str]) -> None:
    """Listen, run nats-server as a child, and end with it. Raises OSError when a port is taken."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        files = OPEN_FILES if most == resource.RLIM_INFINITY else min(most, OPEN_FILES)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    guard = ConnectionGuard(host, inside, page)
    async with (
        await asyncio.start_server(guard.accept, host, port, limit=PIECE),
        await asyncio.start_server(guard.accept_page, host, page_port, limit=MAX_HEAD_BYTES),
    ):
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)
        threading.Thread(target=_end_with_program, args=(server,), daemon=True).start()
        threading.Thread(target=lambda: os._exit(server.wait()), daemon=True).start()
        await asyncio.get_running_loop().create_future()


def _end_with_program(server: subprocess.Popen[bytes]) -> None:
    """End nats-server when this process's input ends, as it does with its starting program."""
    os.read(0, 1)
    server.terminate()
    try:
        server.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()


if __name__ == "__main__":
    os.umask(0o077)
    address, folder = sys.argv[1:3]
    port, page_port, inside, websocket = map(int, sys.argv[3:7])
    page = PhonePage(Path(folder), f"{address}:{page_port}", websocket)
    asyncio.run(run_server(address, port, page_port, inside, page, sys.argv[7:]))
