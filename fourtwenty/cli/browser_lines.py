"""Plain mode in a browser that runs Python: a page shows the lines and sends typed ones. Without Textual."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing

from fourtwenty import file_storage
from fourtwenty.cli.browser_page import STORAGE_SECONDS, BrowserPage
from fourtwenty.cli.plain_home import PlainHome
from fourtwenty.cli.text_table import TextTable
from fourtwenty.journal.history import History

typed: asyncio.Queue[str] | None = None


async def play(page: BrowserPage, storage: file_storage.Storage) -> str:
    """Run plain mode in the data folder of ``storage`` until somebody quits; return an empty text for no damage."""
    global typed
    file_storage.storage = storage
    TextTable.quiet_seconds = STORAGE_SECONDS  # the storage confirms later, and no other tab writes
    typed = queue = asyncio.Queue[str]()

    async def lines() -> AsyncIterator[str]:
        while True:
            yield await queue.get()

    with closing(History(file_storage.history_file(), page.show)) as history:
        await PlainHome(history, lines(), page.show).run()
    return ""


def send(method: str, *values: str) -> None:
    """Receive ``feed`` and a line from the page."""
    if typed and method == "feed":
        typed.put_nowait(values[0])
