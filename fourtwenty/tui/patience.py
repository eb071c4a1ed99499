"""Retries of the history while another program writes to it, without blocking the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from fourtwenty.journal.database import BUSY_SECONDS
from fourtwenty.play.match import Busy

RETRY_SECONDS = 0.05
"""Pause between two attempts."""

Answer = TypeVar("Answer")


async def patiently(ask: Callable[[], Answer]) -> Answer:
    """Return the result of ``ask``, which is called until it raises no Busy, for at most ``BUSY_SECONDS``.

    Raises NotKept.
    """
    for _ in range(round(BUSY_SECONDS / RETRY_SECONDS)):
        with suppress(Busy):
            return ask()
        await asyncio.sleep(RETRY_SECONDS)
    return ask()
