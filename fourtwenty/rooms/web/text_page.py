"""The page for guests as text: the lines of plain mode in a log that screen readers follow, and one field.

It is served by guests.py, behind the same token and the same websocket as the page of phones.
"""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.resources import files

from aiohttp import web

from fourtwenty.web.server import PAGE_POLICY, AppProcess

TEXT_FILES = {"text": ("text.html", "text/html"), "text.js": ("text.js", "text/javascript")}
"""The page and its script by their address: the file beside this one, and the content type."""

TEXT_LINK = '<a class="as-text" href="text">as text</a>'
"""The link to it, which stands first on the page of phones: a screen reader finds it there."""


def text_file(name: str, host: str) -> web.Response:
    """Return one of ``TEXT_FILES``, and let it talk to a host only."""
    file, kind = TEXT_FILES[name]
    return web.Response(
        body=files("fourtwenty.rooms.web").joinpath(file).read_bytes(),
        content_type=kind,
        headers={"Content-Security-Policy": PAGE_POLICY.format(host=host)},
    )


class LinesProcess(AppProcess):
    """The program of one tab in lines of text: each is sent as a message, and what the page sends is typed."""

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        in_lines = {"ACCESSIBLE": "1", "PYTHONIOENCODING": "utf-8"}
        return {**super()._build_environment(width, height), **in_lines}

    async def run(self) -> None:
        """Send the lines until the program has ended."""
        assert self._process
        assert self._process.stdout
        async for line in self._process.stdout:
            await self.remote_write_str(json.dumps(["line", line.decode("utf-8", "replace").rstrip("\r\n")]))
        await self.remote_close()
        await self._process.wait()

    async def send_bytes(self, data: bytes) -> bool:
        """Type something."""
        with suppress(ConnectionError):
            self.stdin.write(data)
            await self.stdin.drain()
        return True

    async def send_meta(self, data: dict[str, str | int | bool | None]) -> bool:
        """End the program when it is told to quit; it has no size, and no focus."""
        if data["type"] == "quit":
            assert self._process
            self.stdin.close()
            with suppress(ProcessLookupError):
                self._process.terminate()
        return True
