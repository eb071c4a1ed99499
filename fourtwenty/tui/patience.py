"""Asking the history again while another program is writing, without holding up the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from fourtwenty.journal.database import BUSY_SECONDS
from fourtwenty.play.match import Busy

RETRY_SECONDS = 0.05
"""How long to wait before the history is asked once more."""

Answer = TypeVar("Answer")


async def patiently(ask: Callable[[], Answer]) -> Answer:
    """Return what the history answers, asked until nobody else is writing, or for ``BUSY_SECONDS``. Raises NotKept."""
    for _ in range(round(BUSY_SECONDS / RETRY_SECONDS)):
        with suppress(Busy):
            return ask()
        await asyncio.sleep(RETRY_SECONDS)
    return ask()
