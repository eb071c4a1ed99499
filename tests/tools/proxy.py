"""Networks and brokers with faults: a TCP proxy that delays, cuts, stalls or refuses, and a broker that is full."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer

from loopback import connected
from processes import answering


@contextmanager
def full_broker() -> Iterator[str]:
    """Be a NATS server that has as many connections as it takes: it greets, says so and hangs up. Yield its address."""

    class Greeting(BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b'INFO {"headers":true}\r\n' + b"-ERR 'maximum connections exceeded'\r\n")

    with ThreadingTCPServer(("127.0.0.1", 0), Greeting) as server, answering(server):
        yield f"127.0.0.1:{server.server_address[1]}"


class Proxy:
    """Passes the bytes of TCP connections on to another address of this machine."""

    def __init__(
        self,
        port: int,
        host: str = "127.0.0.1",
        delay: Callable[[], float] = lambda: 0.0,
        source: str = "127.0.0.1",
    ) -> None:
        """Take the port and host to pass bytes on to, the delay in seconds of every piece of data, each way, and the
        address of this machine from which to connect.

        A connection is there after three delays, those of the handshake of TCP.
        """
        self.port = port
        self.host = host
        self.delay = delay
        self.source = source
        self.refusing = False
        """Whether new connections are closed at once."""
        self.connections = 0
        """Number of connections so far."""
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._server.close()
        self.cut()
        for task in (*self._tasks,):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def address(self) -> str:
        host, port = self._server.sockets[0].getsockname()
        return f"{host}:{port}"

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    def stall(self) -> None:
        """Pass nothing on, until ``flow``; the connections stay open on both sides, and new ones are taken."""
        self._flowing.clear()

    def flow(self) -> None:
        """Pass on what was stalled, and everything after it."""
        self._flowing.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        self.connections += 1
        try:
            if self.refusing:
                return
            await asyncio.sleep(3 * self.delay())
            async with connected(self.port, self.source, self.host) as (far_reader, far_writer):
                self._writers.add(far_writer)
                ways = (self._pass_on(reader, far_writer), self._pass_on(far_reader, writer))
                tasks = {asyncio.create_task(way) for way in ways}
                self._tasks |= tasks
                await asyncio.wait(tasks)
                self._tasks -= tasks
                self._writers.discard(far_writer)
        except OSError:
            return
        finally:
            writer.close()
            self._writers.discard(writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on each piece of data after its delay, in order, until one side has ended."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            with suppress(OSError):
                while data := await reader.read(65536):
                    pieces.put_nowait((loop.time() + self.delay(), data))
            pieces.put_nowait((loop.time(), b""))

        reading = asyncio.create_task(read())
        try:
            while True:
                when, data = await pieces.get()
                if (seconds := when - loop.time()) > 0:
                    await asyncio.sleep(seconds)
                await self._flowing.wait()
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        except OSError:
            writer.transport.abort()
        finally:
            reading.cancel()
            writer.close()
