"""The page for guests of ``fourtwenty host --web``, for as long as the table is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fourtwenty.rooms.web.guests import GuestServer
from fourtwenty.web.server import new_token, own_command

PORT = 8420
"""The port of the page, if it is free."""


@asynccontextmanager
async def guest_page(here: str, table: str, name: str, key: str) -> AsyncIterator[str]:
    """Serve the page at an address of this machine, and give its URL; each tab joins the table as a guest of a machine.

    Raises OSError when nothing can listen at the address.
    """
    command = own_command("join", table, "--guest-of", name, "--host-key", key)
    server = GuestServer(command, here, PORT, new_token())
    try:
        await server.start()
    except OSError:
        server = GuestServer(command, here, 0, new_token())
        await server.start()
    try:
        yield server.address
    finally:
        await server.stop()
