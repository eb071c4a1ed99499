"""The server of ``fourtwenty host --web``: the page of ``fourtwenty serve`` for guests with nothing but a phone.

It listens on the one address that the room is printed with, inside the event loop of the host's program, and writes
nothing to the terminal. Each tab is a client of the room in an app process with a data folder of its own.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path

from aiohttp import WSCloseCode, web

from fourtwenty.paths import data_folder, make_private
from fourtwenty.rooms.web.text_page import IN_LINES, TEXT_FILES, TEXT_LINK, LinesProcess
from fourtwenty.rooms.wire.opening import TABLE_VARIABLE
from fourtwenty.web.driver import PAGE_CLOSED
from fourtwenty.web.server import (
    CLOSING_SECONDS,
    FILES,
    MOST_TABS,
    AppProcess,
    TabServer,
    listen,
    load_token,
    log,
    new_socket,
    own_command,
    page_of,
    size_of,
)

PORT = 8420
"""The port of the page, if it is free."""
TAB_ID = re.compile(r"[\w-]{22}", re.ASCII)
"""128 random bits that page.js draws and keeps."""
MOVED = 4001
"""The code of a websocket that is closed because its guest has come back by another one; page.js knows it."""
NO_GUEST_TOKEN = "This address is not complete. The whole one is on the screen of the host.\n"
NO_TAB_ID = "A tab of a guest has an id of 22 characters.\n"
WITHOUT_PAGE_SECONDS = 600
"""Time for which the app of a guest goes on without a page."""
BY_TOUCH = {"TEXTUAL_DRIVER": "fourtwenty.web.driver:TouchDriver"}
"""The environment of an app on a phone."""
LOGGERS = ("aiohttp", "asyncio", "textual-serve", log.name)


class GuestServer(TabServer):
    """Serves a room to phones: an app process a tab id, which a guest who comes back takes over."""

    no_token = NO_GUEST_TOKEN
    files = FILES | TEXT_FILES

    def __init__(
        self, command: str, listening: socket.socket, token: str, environment: Mapping[str, str] | None = None
    ) -> None:
        """Take the shell command of the app, the socket on which to listen, and the token of the address.

        ``own_command`` and ``new_token`` of server.py make a command and a token. All accounts of the laptop can read
        a command, so what they may not know is in the ``environment`` of the app.
        """
        host, self.port = listening.getsockname()
        self.authority = f"{host}:{self.port}"
        super().__init__(command, f"http://{self.authority}", token)
        self.environment = environment or {}
        self.guests: dict[str, Guest] = {}
        """Those whose app runs, by tab id."""
        self._listening = listening
        self._runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=CLOSING_SECONDS)

    async def start(self) -> None:
        for name in LOGGERS:  # without a handler, logging writes warnings to the terminal
            logging.getLogger(name).addHandler(logging.NullHandler())
        await self._runner.setup()
        await web.SockSite(self._runner, self._listening).start()

    async def stop(self) -> None:
        """Stop listening, close the tabs, and wait for the end of their apps."""
        for site in [*self._runner.sites]:
            await site.stop()
        await asyncio.gather(*(guest.leave(WSCloseCode.GOING_AWAY) for guest in [*self.guests.values()]))
        await self._runner.cleanup()

    def is_own_host(self, host: str) -> bool:
        """Return whether a Host header is the address that is printed, as DNS names of other sites are not."""
        return host == self.authority

    def page(self, host: str) -> web.Response:
        """Return the page for a host, which reconnects by itself."""
        return page_of("-guest", host, link=TEXT_LINK)

    async def run_tab(self, request: web.Request) -> web.WebSocketResponse:
        """Run an app process while the websocket of its page is open. A newer one of the same tab id ends it."""
        as_text = "text" in request.query
        size = (0, 0) if as_text else size_of(request)
        tab = request.query.get("tab", "")
        if not TAB_ID.fullmatch(tab):
            log.warning("refused a tab without an id")
            raise web.HTTPBadRequest(text=NO_TAB_ID)
        websocket = new_socket()
        await websocket.prepare(request)
        given_up = self.guests.pop(tab, None) or self._without_page()
        if not given_up and len(self.guests) >= MOST_TABS:
            await websocket.close(code=WSCloseCode.TRY_AGAIN_LATER)
            return websocket
        guest = self.guests[tab] = Guest(websocket, as_text)
        try:
            if given_up:
                await given_up.leave(MOVED)
            if not websocket.closed:
                await guest.play(self.command, self.environment, make_guest_folder(tab), size)
        finally:
            guest.gone.set()
            if self.guests.get(tab) is guest:
                del self.guests[tab]
        return websocket

    def _without_page(self) -> Guest | None:
        """Remove and return a guest without a page if a place is needed."""
        if len(self.guests) < MOST_TABS:
            return None
        absent = next((tab for tab, guest in self.guests.items() if guest.websocket.closed), None)
        return self.guests.pop(absent) if absent else None


class Guest:
    """A tab, and its app for as long as it runs."""

    def __init__(self, websocket: web.WebSocketResponse, as_text: bool) -> None:
        self.websocket = websocket
        self.as_text = as_text
        self.app: AppProcess | None = None
        self.gone = asyncio.Event()
        """Set once the app process has ended."""

    async def play(self, command: str, variables: Mapping[str, str], home: Path, size: tuple[int, int]) -> None:
        """Run the app until it ends, is told to by ``leave``, or its page has been away for too long."""
        # textual-serve 1.1.3 prints the errors of an app on the terminal of the server.
        process, errors, front = (LinesProcess, "&1", IN_LINES) if self.as_text else (AppProcess, os.devnull, BY_TOUCH)
        environment = {**variables, **front, "FOURTWENTY_HOME": str(home)}
        self.app = app = process(f"{command} 2>{errors}", self.websocket, environment)
        await app.start(*size)
        try:
            await listen(app, self.websocket)
            await app.send_meta({"type": PAGE_CLOSED})
            # A phone sleeps between the turns of its guest, whose key every roll needs.
            with suppress(TimeoutError):
                async with asyncio.timeout(WITHOUT_PAGE_SECONDS):
                    await app.over.wait()
        finally:
            await app.stop()

    async def leave(self, code: int) -> None:
        """Close the websocket with a code, and wait for the end of the app."""
        if self.app:
            self.app.over.set()
        with suppress(ConnectionError):
            await self.websocket.close(code=code)
        await self.gone.wait()


def make_guest_folder(tab: str) -> Path:
    """Create the data folder of a tab id, which only the host may read. Raises OSError when it cannot be created.

    It depends on the tab id only, so that a guest keeps key, seat and settings whenever the same phone comes back.
    """
    home = guests_folder() / sha256(tab.encode()).hexdigest()[:16]
    make_private(home)
    return home


def guests_folder() -> Path:
    """Create the folder of all guests, which only the host may read. Raises OSError when it cannot be created."""
    guests = data_folder() / "guests"
    make_private(guests)
    return guests


@asynccontextmanager
async def guest_page(here: str, table: str, name: str, key: str) -> AsyncIterator[str]:
    """Serve the page at an address of this machine, and give its URL; each tab joins the table as a guest of a machine.

    The page of a table keeps its URL when the table is opened again, so that phones come back by themselves. Raises
    OSError when nothing can listen at the address.
    """
    code = table.rpartition("/")[2]
    token = load_token(guests_folder() / f"{sha256(code.encode()).hexdigest()[:16]}.token")
    command = own_command("join", f"--guest-of={name}", f"--host-key={key}")
    try:
        listening = socket.create_server((here, PORT))
    except OSError:
        listening = socket.create_server((here, 0))
    server = GuestServer(command, listening, token, {TABLE_VARIABLE: table})
    try:
        await server.start()
        yield server.address
    finally:
        await server.stop()
