"""The game in a browser on this machine: a page, and for every tab that shows it a copy of the app on the same history.

Needs textual-serve, the extra ``[web]``. Nothing is loaded from the internet, and nobody else is let in: the page is
answered on the loopback address only, and only to those who know the token in its address.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shlex
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hmac import compare_digest
from importlib.resources import files

from aiohttp import WSMessage, WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from fourtwenty.paths import token_file, write_whole

LOOPBACK = "127.0.0.1"
HERE = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]{1,5})?")
"""The names by which a browser on this machine knows it; the port may be that of an ssh tunnel."""
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
MOST_TABS = 16
"""Each one is a process of about 30 MB."""
MOST_COLUMNS, MOST_ROWS = 1000, 500
LONGEST_MESSAGE = 65536
"""In bytes. What is pasted arrives in one message."""
CLOSING_SECONDS = 0.2
"""Time for the tabs to close when the server ends."""

STATIC = ("textual_serve", "static")
FILES = {
    "": (("fourtwenty.web", "page.html"), "text/html"),
    "page.js": (("fourtwenty.web", "page.js"), "text/javascript"),
    "textual.js": ((*STATIC, "js", "textual.js"), "text/javascript"),
    "xterm.css": ((*STATIC, "css", "xterm.css"), "text/css"),
    "regular.ttf": ((*STATIC, "fonts", "RobotoMono-VariableFont_wght.ttf"), "font/ttf"),
    "italic.ttf": ((*STATIC, "fonts", "RobotoMono-Italic-VariableFont_wght.ttf"), "font/ttf"),
}
"""All that the page is made of, by its address: the package it is in, the path there, and its content type."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Sent with every response; the page has a policy of its own."""
# 'unsafe-inline' is for the page's own styles and those that textual.js 1.1.3 inserts as it starts.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; "
    "connect-src ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

OURS_ONLY = "This table is for its own page on this machine.\n"
NO_TOKEN = "This address is not complete. The whole one is on the terminal where `fourtwenty serve` was started.\n"
NO_TABLE_FREE = f"All {MOST_TABS} tables are taken. Close another tab of the game first.\n"

log = logging.getLogger(__name__)


class Table:
    """Gives the page to whoever knows its address, and to each page an app of its own."""

    def __init__(self, command: str, origin: str, token: str) -> None:
        """Take the shell command of the app, where it is served, and the token that opens it."""
        self.command = command
        self.token = token
        self.address = f"{origin}/{token}/"
        self.tabs = 0
        """The number of apps that run."""

    def application(self) -> web.Application:
        """Return the web application."""
        application = web.Application(middlewares=[self.let_in])
        application.add_routes(
            [
                web.get("/{token}", self.add_slash),
                web.get("/{token}/ws", self.run_tab),
                web.get("/{token}/{file:.*}", self.give_file),
            ]
        )
        application.on_response_prepare.append(add_headers)
        application.on_startup.append(self.say_where)
        return application

    async def say_where(self, application: web.Application) -> None:  # noqa: ARG002
        """Print the address."""
        print(f"420 is at {self.address} in a browser on this machine. ctrl+c ends it.", flush=True)

    @web.middleware
    async def let_in(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse other sites that are open in the same browser, and anybody who does not know the token."""
        if not is_ours(request):
            refusal = OURS_ONLY
        elif not self.knows_token(request):
            refusal = NO_TOKEN
        else:
            return await handler(request)
        log.warning("refused %s %.80s: %s", request.method, request.path, refusal)
        return web.Response(status=403, text=refusal)

    def knows_token(self, request: web.Request) -> bool:
        """Whether the token is where it belongs in the address."""
        given = request.path.removeprefix("/").partition("/")[0]
        return compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    async def add_slash(self, request: web.Request) -> web.Response:  # noqa: ARG002
        """Lead on from the address without its last slash, where the page would not find its files."""
        raise web.HTTPFound(f"/{self.token}/")

    async def give_file(self, request: web.Request) -> web.Response:
        """Give the page or one of its files."""
        name = request.match_info["file"]
        if name not in FILES:
            raise web.HTTPNotFound(text="There is no such page here.\n")
        (package, *path), kind = FILES[name]
        body = files(package).joinpath(*path).read_bytes()
        if name:
            return web.Response(body=body, content_type=kind)
        taken = self.tabs >= MOST_TABS
        return web.Response(
            status=503 if taken else 200,
            body=body.replace(b"<body>", b'<body class="-full">') if taken else body,
            content_type=kind,
            headers={"Content-Security-Policy": PAGE_POLICY.format(host=request.host)},
        )

    async def run_tab(self, request: web.Request) -> web.WebSocketResponse:
        """Run the app for as long as its page is open."""
        try:
            width, height = playable(int(request.query["width"]), int(request.query["height"]))
        except (KeyError, ValueError):
            log.warning("refused a tab of odd size: %.80s", request.query_string)
            raise web.HTTPBadRequest(text="A tab has a width and a height in cells.\n") from None
        if self.tabs >= MOST_TABS:
            log.warning("refused a tab: all %d tables are taken", MOST_TABS)
            raise web.HTTPServiceUnavailable(text=NO_TABLE_FREE)
        self.tabs += 1
        try:
            return await self._run_tab(request, width, height)
        finally:
            self.tabs -= 1

    async def _run_tab(self, request: web.Request, width: int, height: int) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=15, timeout=CLOSING_SECONDS, max_msg_size=LONGEST_MESSAGE)
        await socket.prepare(request)

        async def close() -> None:
            await socket.close()

        app = Served(
            self.command,
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=close,
            download_manager=DownloadManager(),
        )
        await app.start(width, height)
        try:
            async for message in socket:
                try:
                    await pass_on(message, app, socket)
                except (ValueError, RecursionError):
                    log.warning("ignored a message that no page sends: %.80r", message.data)
        finally:
            await app.stop()
        return socket


class Served(AppService):
    """The app in a process of its own; when it ends, however, its page is told."""

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        return {**super()._build_environment(width, height), "TEXTUAL_DRIVER": "fourtwenty.web.driver:Tab"}

    async def run(self) -> None:
        """Run the app until its process has ended."""
        await super().run()
        await self.remote_close()
        assert self._process
        self.stdin.close()
        await self._process.wait()


async def pass_on(message: WSMessage, app: Served, socket: web.WebSocketResponse) -> None:
    """Do what a message from the page asks for. Raises ValueError or RecursionError when it makes no sense."""
    match message.json() if message.type is WSMsgType.TEXT else None:
        case ["stdin", str(typed)]:
            await app.send_bytes(typed.encode())
        case ["resize", {"width": int(width), "height": int(height)}]:
            await app.set_terminal_size(*playable(width, height))
        case ["ping", str(sent)]:
            await socket.send_json(["pong", sent])
        case ["focus"]:
            await app.focus()
        case ["blur"]:
            await app.blur()
        case _:
            raise ValueError


def playable(width: int, height: int) -> tuple[int, int]:
    """Return a size in cells as it is. Raises ValueError when no window has that size."""
    if not (0 < width <= MOST_COLUMNS and 0 < height <= MOST_ROWS):
        raise ValueError
    return width, height


def is_ours(request: web.Request) -> bool:
    """Whether a request comes from the game's own page, or from a person who opens it."""
    origin = f"http://{request.host}"
    return (
        HERE.fullmatch(request.host) is not None
        and request.headers.get("Origin", origin) == origin
        and request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")
        and request.headers.get("Sec-Fetch-Dest") not in ("iframe", "frame", "fencedframe", "embed", "object")
    )


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:  # noqa: ARG001
    """Give a response the headers that all have."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def kept_token() -> str:
    """Return the token, kept from start to start, so that a tab still open can play on after the next one.

    It is a fresh one when it cannot be read, or could be by others, and lasts for this start when it cannot be kept.
    """
    path = token_file()
    with suppress(OSError, ValueError):
        token = path.read_text("ascii")
        if TOKEN.fullmatch(token) and (os.name == "nt" or not path.stat().st_mode & 0o077):
            return token
    token = secrets.token_urlsafe(16)
    with suppress(OSError):
        write_whole(path, token)  # into a file that is private from the beginning, as temporary files are
    return token


def this_program() -> str:
    """Return the command, for a shell, that starts this program as it was started, without its arguments."""
    started = [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1]]
    if sys.platform == "win32":
        return subprocess.list2cmdline(started)
    return shlex.join(["exec", *started])


class OneLine(logging.Formatter):
    """An event in one line that is safe for a terminal: of an exception its kind and its words, no traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        error = record.exc_info[1] if record.exc_info else None
        said = record.getMessage() + (f": {type(error).__name__}: {error}" if error else "")
        line = " ".join(f"fourtwenty serve: {said}".split())
        return "".join(character if character.isprintable() else "?" for character in line)[:300]


def serve(port: int) -> None:
    """Serve the game until somebody ends it; port 0 takes any that is free. Raises OSError when the port is taken."""
    lines = logging.StreamHandler()
    lines.setFormatter(OneLine())
    logging.basicConfig(handlers=[lines])
    with socket.create_server((LOOPBACK, port)) as listening:
        table = Table(this_program(), f"http://{LOOPBACK}:{listening.getsockname()[1]}", kept_token())
        web.run_app(table.application(), sock=listening, print=None, access_log=None, shutdown_timeout=CLOSING_SECONDS)
