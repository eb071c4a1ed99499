"""Plain mode in a tab of a browser where Python itself runs: a page writes the lines, and sends those that are typed.

``web/page`` makes the page, tui/browser_app.py is its other half, on the screen. Textual is not imported.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import Protocol

from fourtwenty import file_storage
from fourtwenty.cli.plain_home import PlainHome
from fourtwenty.cli.text_table import TextTable
from fourtwenty.journal.history import History

STORAGE_SECONDS = 5.0
"""Time for which the storage of a browser may keep the players waiting before they are asked."""


class LinesPage(Protocol):
    """The page as text."""

    def show(self, line: str) -> None:
        """Write a line."""


class PageLines:
    def __init__(self) -> None:
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    def __aiter__(self) -> PageLines:
        return self

    async def __anext__(self) -> str:
        return await self.typed.get()


lines: PageLines | None = None


async def play(page: LinesPage, storage: file_storage.Storage) -> str:
    """Run plain mode in the data folder of ``storage`` until somebody quits; return an empty text, for no damage."""
    global lines
    file_storage.storage = storage
    TextTable.quiet_seconds = STORAGE_SECONDS  # the storage confirms later, and other tabs write nothing
    lines = PageLines()
    with closing(History(file_storage.history_file(), page.show)) as history:
        await PlainHome(history, lines, page.show).run()
    return ""


def send(method: str, *values: str) -> None:
    """Take what the page sends: ``feed`` and a line."""
    if lines and method == "feed":
        lines.typed.put_nowait(values[0])
