"""A WebSocket as RFC 6455 has it, by the standard library: what a page opens, and what a hostile one may send."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from hashlib import sha1

from loopback import LOOPBACK, connected

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
"""Kinds of frames."""
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""What a server adds to the key of a handshake."""


async def answer_to(authority: str, request: bytes, source: str = LOOPBACK) -> bytes:
    """Return all that the page's port says to somebody who sends this."""
    host, port = authority.split(":")
    answer = b""
    async with connected(int(port), source, host) as (reader, writer):
        with suppress(ConnectionError):
            writer.write(request)
            while read := await reader.read(2**16):
                answer += read
    return answer


def head_of(authority: str, path: str = "/", **more: str) -> tuple[bytes, bytes]:
    """Return the head by which a page of this authority asks for a WebSocket, and its key.

    ``more`` replaces or adds headers, by their names with "_" for "-"; an empty one is left out.
    """
    key = b64encode(secrets.token_bytes(16))
    headers = {"Host": authority, "Origin": f"http://{authority}", "Upgrade": "websocket", "Connection": "Upgrade"}
    headers |= {"Sec-WebSocket-Key": key.decode(), "Sec-WebSocket-Version": "13"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items() if value), "", ""]
    return "\r\n".join(lines).encode(), key


class WebSocket:
    """An open WebSocket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    @asynccontextmanager
    async def open(
        cls, authority: str, path: str = "/", source: str = LOOPBACK, **headers: str
    ) -> AsyncIterator[WebSocket]:
        """Ask for a WebSocket as ``head_of``. Raises ConnectionError with the answer where there is none."""
        host, port = authority.split(":")
        async with connected(int(port), source, host) as (reader, writer):
            head, key = head_of(authority, path, **headers)
            writer.write(head)
            try:
                answer = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError as error:
                answer = error.partial
            accepted = b64encode(sha1(key + MAGIC, usedforsecurity=False).digest())
            if not answer.startswith(b"HTTP/1.1 101 ") or accepted not in answer:
                raise ConnectionError(answer.decode())
            yield cls(reader, writer)

    def send(self, data: bytes, kind: int = BINARY, masked: bool = True, last: bool = True) -> None:
        """Send a frame; those of a page are masked."""
        size = len(data)
        long = b"" if size < 126 else size.to_bytes(2 if size < 2**16 else 8)
        length = {0: size, 2: 126, 8: 127}[len(long)]
        frame = bytes([kind | last << 7, length | masked << 7]) + long
        if masked:
            mask = secrets.token_bytes(4)
            data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)) if size < 2**16 else data
            frame += mask if size < 2**16 else bytes(4)
        self.writer.write(frame + data)

    async def read(self) -> bytes:
        """Return the next message; nothing at the end. A ping is answered."""
        message = b""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, size = await self.reader.readexactly(2)
                if size >= 126:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
                data = await self.reader.readexactly(size)
                match kind & 15:
                    case 8:
                        return b""
                    case 9:
                        self.send(data, PONG)
                    case _:
                        message += data
                        if kind >> 7:
                            return message
        return b""


@asynccontextmanager
async def by_web_socket(authority: str, source: str = LOOPBACK) -> AsyncIterator[str]:
    """Yield an address at which a client of NATS speaks by the WebSocket of a page."""
    writers: set[asyncio.StreamWriter] = set()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        with closing(writer), suppress(ConnectionError):
            async with WebSocket.open(authority, source=source) as socket:
                writers.add(socket.writer)

                async def speak() -> None:
                    with suppress(ConnectionError):
                        while data := await reader.read(2**16):
                            socket.send(data)
                            await socket.writer.drain()
                    socket.writer.close()

                speaking = asyncio.create_task(speak())
                while data := await socket.read():
                    writer.write(data)
                    await writer.drain()
                speaking.cancel()

    async with await asyncio.start_server(connect, LOOPBACK, 0) as server:
        host, port = server.sockets[0].getsockname()
        try:
            yield f"{host}:{port}"
        finally:
            for writer in writers:
                writer.transport.abort()
