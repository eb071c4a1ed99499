"""Waiting in tests: for a condition, never for a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 120
"""The longest wait of a test, in seconds: only a program that hangs takes so long, however busy the machine is."""

EMPTY_TURNS = 50
"""Turns of the event loop after which most conditions hold."""

NAP_SECONDS = 0.005
"""The time between two looks after those: what is waited for is then the work of a thread or of a timer."""


async def until(ready: Callable[[], object]) -> None:
    """Let the event loop work until something is true. Raises TimeoutError after ``PATIENCE``."""
    async with asyncio.timeout(PATIENCE):
        turns = 0
        while not ready():
            turns += 1
            await asyncio.sleep(0 if turns < EMPTY_TURNS else NAP_SECONDS)


async def settled() -> None:
    """Let everything happen that can happen now."""
    for _ in range(30):
        await asyncio.sleep(0)
