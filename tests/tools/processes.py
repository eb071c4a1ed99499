"""Programs, pipes and threads of a test, which end with the block that has opened them."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from socketserver import BaseServer
from typing import Any, BinaryIO


@contextmanager
def program(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run a program, and kill it at the end; ``with subprocess.Popen`` would wait for one that goes on."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()


@asynccontextmanager
async def child(*command: str | Path, **options: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program for the event loop, and end it."""
    process = await asyncio.create_subprocess_exec(*command, **options)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


@contextmanager
def piped() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a pipe; yield its ends, for reading and for writing."""
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as reads, os.fdopen(writer, "wb", 0) as writes:
        yield reads, writes


@contextmanager
def answering(server: BaseServer) -> Iterator[None]:
    """Let a server answer in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(server.serve_forever, 0.01)
        try:
            yield
        finally:
            server.shutdown()
