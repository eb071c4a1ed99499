"""The page for guests of ``fourtwenty host --web``, for as long as the table is open."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256

from fourtwenty.rooms.web.guests import GuestServer, guests_folder
from fourtwenty.rooms.wire.opening import TABLE_VARIABLE
from fourtwenty.web.server import load_token, own_command

PORT = 8420
"""The port of the page, if it is free."""


@asynccontextmanager
async def guest_page(here: str, table: str, name: str, key: str) -> AsyncIterator[str]:
    """Serve the page at an address of this machine, and give its URL; each tab joins the table as a guest of a machine.

    The page of a table keeps its URL when the table is opened again, so that phones come back by themselves. Raises
    OSError when nothing can listen at the address.
    """
    code = table.rpartition("/")[2]
    token = load_token(guests_folder() / f"{sha256(code.encode()).hexdigest()[:16]}.token")
    command = own_command("join", "--guest-of", name, "--host-key", key)
    listen = partial(socket.create_server, family=socket.AF_INET6 if ":" in here else socket.AF_INET)
    try:
        listening = listen((here, PORT))
    except OSError:
        listening = listen((here, 0))
    server = GuestServer(command, listening, token, {TABLE_VARIABLE: table})
    try:
        await server.start()
        yield server.address
    finally:
        await server.stop()
