"""The page for guests as text: the lines of plain mode in a log that screen readers follow, and one field.

It is served by guests.py, behind the same token and the same websocket as the page of phones.
"""

from __future__ import annotations

import json
import signal
import sys
from contextlib import suppress

from fourtwenty.web.driver import PAGE_CLOSED
from fourtwenty.web.server import AppProcess

TEXT_FILES = {
    "text": (("fourtwenty.rooms.web", "text.html"), "text/html"),
    "text.js": (("fourtwenty.rooms.web", "text.js"), "text/javascript"),
}
"""The page and its script, as in ``FILES`` of server.py."""

TEXT_LINK = '<a class="as-text" href="text">as text</a>'
"""The link to it, which stands first on the page of phones: a screen reader finds it there."""

IN_LINES = {"ACCESSIBLE": "1", "PYTHONIOENCODING": "utf-8"}
"""The environment of a program in lines of text."""


class LinesProcess(AppProcess):
    """The program of one tab in lines of text: each is sent as a message, and what the page sends is typed."""

    async def run(self) -> None:
        """Send the lines until the program has ended."""
        assert self._process
        assert self._process.stdout
        async for line in self._process.stdout:
            await self.remote_write_str(json.dumps(["line", line.decode("utf-8", "replace").rstrip("\r\n")]))
        await self.remote_close()
        await self._process.wait()

    async def send_bytes(self, data: bytes) -> bool:
        with suppress(ConnectionError):
            self.stdin.write(data)
            await self.stdin.drain()
        return True

    async def send_meta(self, data: dict[str, str | int | bool | None]) -> bool:
        """End the program when it is told to quit, and say that its page is closed; it has no size, and no focus."""
        assert self._process
        with suppress(ProcessLookupError):
            if data["type"] == "quit":
                self.stdin.close()
                self._process.terminate()
            elif data["type"] == PAGE_CLOSED and sys.platform != "win32":  # which has no such signal
                self._process.send_signal(signal.SIGUSR1)
        return True
