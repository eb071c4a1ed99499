"""The server of ``fourtwenty serve``: a page, and an app process for every browser tab that shows it.

Needs textual-serve, the extra ``[web]``. The server listens on the loopback address only, answers only requests with
the token in their address, and loads nothing from the internet. The server of guests.py is built on it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import shlex
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hmac import compare_digest
from importlib.resources import files
from pathlib import Path

from aiohttp import WSMessage, WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from fourtwenty.journal.user_files import only_window
from fourtwenty.paths import is_private, read_whole, token_file, write_whole

LOOPBACK = "127.0.0.1"
LOCAL_HOST = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]{1,5})?")
"""The Host headers of browsers on this machine. The port may differ from the server's, through an ssh tunnel."""
TOKEN = re.compile(r"[\w-]{22}", re.ASCII)
MOST_TABS = 16
"""Each tab has a process of about 30 MB."""
MOST_COLUMNS, MOST_ROWS = 1000, 500
LONGEST_MESSAGE = 65536
"""In bytes. Pasted text arrives in one message."""
CLOSING_SECONDS = 0.2
"""Time for the tabs to close when the server stops."""
HEARTBEAT_SECONDS = 10
"""Pause between two questions whether a page is still there. One that does not answer for half of it more is gone."""
EXIT_SECONDS = 5
"""Time for an app to exit when it is told to."""

STATIC = ("textual_serve", "static")
FILES = {
    "": (("fourtwenty.web", "page.html"), "text/html"),
    "page.js": (("fourtwenty.web", "page.js"), "text/javascript"),
    "touch.js": (("fourtwenty.web", "touch.js"), "text/javascript"),
    "tab.js": (("fourtwenty.web", "tab.js"), "text/javascript"),
    "textual.js": ((*STATIC, "js", "textual.js"), "text/javascript"),
    "xterm.css": ((*STATIC, "css", "xterm.css"), "text/css"),
    "regular.ttf": ((*STATIC, "fonts", "RobotoMono-VariableFont_wght.ttf"), "font/ttf"),
    "italic.ttf": ((*STATIC, "fonts", "RobotoMono-Italic-VariableFont_wght.ttf"), "font/ttf"),
}
"""The page and its files by their address: the package, the path in it, and the content type."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every response; the page overrides the policy."""
# 'unsafe-inline' allows the page's own styles and those that textual.js of textual-serve 1.1.3 inserts.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; "
    "connect-src ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

OURS_ONLY = "This table is for its own page on this machine.\n"
NO_TOKEN = "This address is not complete. The whole one is on the terminal where `fourtwenty serve` was started.\n"
NO_TABLE_FREE = f"All {MOST_TABS} tables are taken. Close another tab of the game first.\n"

log = logging.getLogger(__name__)


class TabServer:
    """Sends the page and its files to those who know the token; a subclass runs the app of each open page."""

    no_token: str
    """The answer to a request without the token."""
    files = FILES

    def __init__(self, command: str, origin: str, token: str) -> None:
        """Take the shell command of the app, the origin of the server, and the token of its address."""
        mask_in_logs(token)
        self.command = command
        self.token = token
        self.address = f"{origin}/{token}/"

    def is_own_host(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        raise NotImplementedError

    def page(self, host: str) -> web.Response:
        raise NotImplementedError

    async def run_tab(self, request: web.Request) -> web.WebSocketResponse:
        """Run an app process while the websocket of its page is open."""
        raise NotImplementedError

    def application(self) -> web.Application:
        application = web.Application(middlewares=[self.authorize])
        application.add_routes(
            [
                web.get("/{token}", self.redirect),
                web.get("/{token}/ws", self.run_tab),
                web.get("/{token}/{file:.*}", self.send_file),
            ]
        )
        application.on_response_prepare.append(add_headers)
        return application

    @web.middleware
    async def authorize(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse requests of other sites in the same browser, and requests without the token."""
        if not (self.is_own_host(request.host) and is_from_own_page(request)):
            refusal = OURS_ONLY
        elif not self.knows_token(request):
            refusal = self.no_token
        else:
            return await handler(request)
        log.warning("refused %s %.80s: %s", request.method, request.path, refusal)
        return web.Response(status=403, text=refusal)

    def knows_token(self, request: web.Request) -> bool:
        """Whether the path of a request begins with the token."""
        given = request.path.removeprefix("/").partition("/")[0]
        return compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    async def redirect(self, request: web.Request) -> web.Response:  # noqa: ARG002
        """Redirect to the address with a slash at its end, to which the links of the page are relative."""
        raise web.HTTPFound(f"/{self.token}/")

    async def send_file(self, request: web.Request) -> web.Response:
        name = request.match_info["file"]
        if name not in self.files:
            raise web.HTTPNotFound(text="There is no such page here.\n")
        return response_of(*self.files[name], request.host) if name else self.page(request.host)


class GameServer(TabServer):
    """Serves the game to the browsers of this machine, an app process for each open page."""

    no_token = NO_TOKEN

    def __init__(self, command: str, origin: str, token: str) -> None:
        super().__init__(command, origin, token)
        self.tabs = 0
        """Number of running app processes."""

    def is_own_host(self, host: str) -> bool:
        return LOCAL_HOST.fullmatch(host) is not None

    def page(self, host: str) -> web.Response:
        """Return the page for a host, which says so when all tables are taken."""
        taken = self.tabs >= MOST_TABS
        return page_of("-full" if taken else "", host, status=503 if taken else 200)

    async def run_tab(self, request: web.Request) -> web.WebSocketResponse:
        size = size_of(request)
        if self.tabs >= MOST_TABS:
            log.warning("refused a tab: all %d tables are taken", MOST_TABS)
            raise web.HTTPServiceUnavailable(text=NO_TABLE_FREE)
        self.tabs += 1
        try:
            socket = new_socket()
            await socket.prepare(request)
            app = AppProcess(self.command, socket, {})
            await app.start(*size)
            try:
                await listen(app, socket)
            finally:
                await app.stop()
            return socket
        finally:
            self.tabs -= 1


class AppProcess(AppService):
    """The app of one tab in a process of its own; the end of the process closes the tab's websocket."""

    def __init__(self, command: str, socket: web.WebSocketResponse, environment: Mapping[str, str]) -> None:
        self.over = asyncio.Event()
        """Set when the app ends, or is to end."""

        async def write_bytes(painted: bytes) -> None:
            with suppress(ConnectionError):  # an app goes on while its page is gone
                await socket.send_bytes(painted)

        async def write_str(message: str) -> None:
            with suppress(ConnectionError):
                await socket.send_str(message)

        async def close() -> None:
            self.over.set()
            await socket.close()

        super().__init__(
            command,
            write_bytes=write_bytes,
            write_str=write_str,
            close=close,
            download_manager=DownloadManager(),
        )
        self._environment = environment

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        driver = {"TEXTUAL_DRIVER": "fourtwenty.web.driver:BrowserDriver", "ACCESSIBLE": ""}
        return {**super()._build_environment(width, height), **driver, **self._environment}

    async def run(self) -> None:
        """Run the app until its process has ended."""
        await super().run()
        # textual-serve 1.1.3 closes the websocket only after an app has announced its exit, which a killed one has
        # not, and does not wait for the process.
        await self.remote_close()
        assert self._process
        self.stdin.close()
        await self._process.wait()

    async def stop(self) -> None:
        """Tell the app to exit, and wait for its end. One that hangs is killed."""
        assert self._process
        kill = asyncio.get_running_loop().call_later(EXIT_SECONDS, self._process.kill)
        try:
            await super().stop()
        finally:
            kill.cancel()


def new_socket() -> web.WebSocketResponse:
    """Return a websocket that notices when its page is gone."""
    return web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS, timeout=CLOSING_SECONDS, max_msg_size=LONGEST_MESSAGE)


async def listen(app: AppProcess, socket: web.WebSocketResponse) -> None:
    """Carry out the messages of a page until its websocket is closed."""
    async for message in socket:
        try:
            await forward(message, app, socket)
        except (ValueError, RecursionError):
            log.warning("ignored a message that no page sends: %.80r", message.data)


async def forward(message: WSMessage, app: AppProcess, socket: web.WebSocketResponse) -> None:
    """Carry out a message from the page. Raises ValueError or RecursionError when it is malformed."""
    match message.json() if message.type is WSMsgType.TEXT else None:
        case ["stdin", str(typed)]:
            await app.send_bytes(typed.encode())
        case ["resize", {"width": int(width), "height": int(height)}]:
            await app.set_terminal_size(*check_window_size(width, height))
        case ["ping", str(sent)]:
            await socket.send_json(["pong", sent])
        case ["focus"]:
            await app.focus()
        case ["blur"]:
            await app.blur()
        case _:
            raise ValueError


def response_of(place: tuple[str, ...], kind: str, host: str) -> web.Response:
    """Return a file by its place and content type, as in ``FILES``; a page may talk to a host only."""
    package, *path = place
    response = web.Response(body=files(package).joinpath(*path).read_bytes(), content_type=kind)
    if kind == "text/html":
        response.headers["Content-Security-Policy"] = PAGE_POLICY.format(host=host)
    return response


def page_of(state: str, host: str, status: int = 200, link: str = "") -> web.Response:
    """Return the page in a state, a class of its body, with a link before all else."""
    page = response_of(*FILES[""], host)
    assert isinstance(page.body, bytes)
    page.body = page.body.replace(b"<body>", f'<body class="{state}">{link}'.encode())
    page.set_status(status)
    return page


def size_of(request: web.Request) -> tuple[int, int]:
    """Return the width and height in cells that a tab asks for. Raises HTTPBadRequest when it asks for none."""
    try:
        return check_window_size(int(request.query["width"]), int(request.query["height"]))
    except (KeyError, ValueError):
        log.warning("refused a tab of odd size: %.80s", request.query_string)
        raise web.HTTPBadRequest(text="A tab has a width and a height in cells.\n") from None


def check_window_size(width: int, height: int) -> tuple[int, int]:
    """Return a size in cells unchanged. Raises ValueError when no window has that size."""
    if not (0 < width <= MOST_COLUMNS and 0 < height <= MOST_ROWS):
        raise ValueError
    return width, height


def is_from_own_page(request: web.Request) -> bool:
    """Return whether a request comes from the page of its own host, or from a person who opens it."""
    origin = f"http://{request.host}"
    return (
        request.headers.get("Origin", origin) == origin
        and request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")
        and request.headers.get("Sec-Fetch-Dest") not in ("iframe", "frame", "fencedframe", "embed", "object")
    )


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:  # noqa: ARG001
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def new_token() -> str:
    """Draw a token of 128 bits, 22 characters that an address may have."""
    return secrets.token_urlsafe(16)


def load_token(path: Path) -> str:
    """Return the token of the address that a file has, so that an open tab can reconnect to the next server.

    A new token is drawn and stored if there is none, or if other users can read it. If it cannot be stored, it is good
    for this server only.
    """
    token = new_token()
    with suppress(OSError), only_window(path):  # of two servers that start at once, both have the one that is stored
        with suppress(OSError, ValueError):
            found = read_whole(path)
            if TOKEN.fullmatch(found) and is_private(path):
                return found
        write_whole(path, token)
    return token


def own_command(*arguments: str) -> str:
    """Return the shell command that starts this program with these arguments, by the same interpreter."""
    started = [sys.executable, *sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv) + 1], *arguments]
    if sys.platform == "win32":
        return subprocess.list2cmdline(started)
    return shlex.join(["exec", *started])  # textual-serve 1.1.3 starts a shell, which exec replaces by the app


def replace_token() -> None:
    """Store a new token, so that no later server has the old address. Raises OSError when it cannot be stored."""
    write_whole(token_file(), new_token())


MASK, MASKED_PIECE = "***", 6
"""The sign for a token in a log, and the least number of its characters that are masked where it is not complete."""

_secrets: set[str] = set()
"""The tokens that are masked in logs."""


def mask_in_logs(token: str) -> None:
    """Mask a token in whatever this process logs from now on: who reads along on the terminal cannot open the game."""
    _secrets.add(token)
    logging.setLogRecordFactory(MaskedRecord)


def masked(text: str) -> str:
    """Return a text without the tokens of addresses, and without longer pieces of them."""
    for token in _secrets:
        for length in range(len(token), MASKED_PIECE - 1, -1):
            for start in range(len(token) - length + 1):
                text = text.replace(token[start : start + length], MASK)
    return text


class MaskedRecord(logging.LogRecord):
    """A log record, of any logger, whose message has no token."""

    def getMessage(self) -> str:  # noqa: N802 - the name in logging
        return masked(super().getMessage())


class OneLine(logging.Formatter):
    """Formats a log record as one line that is safe for a terminal: an exception by type and message, no traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, at most 300 characters."""
        error = record.exc_info[1] if record.exc_info else None
        message = record.getMessage() + (masked(f": {type(error).__name__}: {error}") if error else "")
        line = " ".join(f"fourtwenty serve: {message}".split())
        return "".join(character if character.isprintable() else "?" for character in line)[:300]


def serve(port: int) -> None:
    """Serve the game until ctrl+c or a signal; port 0 takes any free port. Raises OSError when the port is taken."""
    lines = logging.StreamHandler()
    lines.setFormatter(OneLine())
    logging.basicConfig(handlers=[lines])
    with socket.create_server((LOOPBACK, port)) as listening:
        server = GameServer(own_command(), f"http://{LOOPBACK}:{listening.getsockname()[1]}", load_token(token_file()))

        async def print_address(application: web.Application) -> None:  # noqa: ARG001
            print(f"420 is at {server.address} in a browser on this machine. ctrl+c ends it.", flush=True)

        application = server.application()
        application.on_startup.append(print_address)
        web.run_app(application, sock=listening, print=None, access_log=None, shutdown_timeout=CLOSING_SECONDS)
