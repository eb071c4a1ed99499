"""The game in a browser on this machine: a page, and for every tab that shows it a copy of the app on the same history.

Needs textual-serve, the extra ``[web]``. Nothing is loaded from the internet, and nobody else is let in: the page is
answered on the loopback address only, and no page but this one may talk to the app.
"""

from __future__ import annotations

import logging
import shlex
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from importlib.resources import files

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server

LOOPBACK = "127.0.0.1"
HERE = (LOOPBACK, "localhost")
"""What a browser on this machine calls it."""
CLOSING_SECONDS = 0.2
"""How long the tabs have to close when the server ends."""


class Table(Server):
    """Gives the page to whoever asks from this machine, and to each page an app of its own."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(ours_only)
        return app

    async def on_startup(self, app: web.Application) -> None:  # noqa: ARG002
        """Say where the game is."""
        print(f"420 is at {self.public_url} in a browser on this machine. ctrl+c ends it.", flush=True)

    async def handle_index(self, request: web.Request) -> web.Response:  # noqa: ARG002
        """Give the page; it finds everything else itself."""
        page = files("fourtwenty").joinpath("serve.html").read_text("utf-8")
        return web.Response(text=page, content_type="text/html")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run the app for as long as its page is open."""
        socket = web.WebSocketResponse(heartbeat=15, timeout=CLOSING_SECONDS)
        await socket.prepare(request)

        async def close() -> None:
            await socket.close()

        app = Served(
            self.command,
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=close,
            download_manager=self.download_manager,
        )
        await app.start(int(request.query.get("width", 80)), int(request.query.get("height", 24)))
        try:
            await self._process_messages(socket, app)
        finally:
            await app.stop()
        return socket


class Served(AppService):
    """The app in a process of its own; when it ends, however, its page is told."""

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        return {**super()._build_environment(width, height), "TEXTUAL_DRIVER": "fourtwenty.tab:Tab"}

    async def run(self) -> None:
        """Run the app until it ends."""
        await super().run()
        await self.remote_close()


@web.middleware
async def ours_only(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse other sites that are open in the same browser, and names from outside that lead here."""
    origin = f"http://{request.host}"
    if request.url.host not in HERE or request.headers.get("Origin", origin) != origin:
        raise web.HTTPForbidden(text="This table is for its own page on this machine.\n")
    return await handler(request)


def this_program() -> str:
    """Return the command, for a shell, that starts this program as it was started, without its arguments."""
    started = [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]]
    if sys.platform == "win32":
        return subprocess.list2cmdline(started)
    return shlex.join(["exec", *started])


def serve(port: int) -> None:
    """Serve the game until somebody ends it; port 0 takes any that is free. Raises OSError when the port is taken."""
    logging.getLogger("aiohttp.access").disabled = True
    with socket.create_server((LOOPBACK, port)) as listening:
        table = Table(this_program(), LOOPBACK, listening.getsockname()[1], title="420")
        web.run_app(table._make_app(), sock=listening, print=None, shutdown_timeout=CLOSING_SECONDS)
