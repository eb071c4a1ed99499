"""Waiting in tests: for a condition, never for a time."""

from __future__ import annotations

import asyncio
import gc
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

MAX_WAIT_SECONDS = 120
"""The longest wait of a test, in seconds: only a program that hangs takes so long, however busy the machine is."""

EMPTY_TURNS = 50
"""Turns of the event loop after which most conditions hold."""

NAP_SECONDS = 0.005
"""The time between two looks after those: what is waited for is then the work of a thread or of a timer."""


async def until(ready: Callable[[], object]) -> None:
    """Let the event loop work until something is true.

    Raises TimeoutError after ``MAX_WAIT_SECONDS``, with what the screens show.
    """
    turns = 0
    async with time_limit():
        while not ready():
            turns += 1
            await asyncio.sleep(0 if turns < EMPTY_TURNS else NAP_SECONDS)


@asynccontextmanager
async def time_limit() -> AsyncIterator[None]:
    """Give up what is done inside after ``MAX_WAIT_SECONDS``: raise TimeoutError with the last screen of every app."""
    try:
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            yield
    except TimeoutError:
        screens = [screen_of(app) for app in running_apps()]
        raise TimeoutError("\n".join([f"It has not come in {MAX_WAIT_SECONDS} seconds.", *screens])) from None


def running_apps() -> Iterator[App[Any]]:
    """Yield the apps that run in this process: only their pilots know them, and most waits have no pilot."""
    if "textual.app" in sys.modules:
        from textual.app import App

        yield from (
            each for each in gc.get_objects() if issubclass(type(each), App) and each.is_running and each.screen_stack
        )


def screen_of(app: App[Any]) -> str:
    """Return the whole screen as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in strips).replace("\N{NO-BREAK SPACE}", " ")


def last_screen(written: str) -> str:
    """Return the end of what a program has written to a terminal: no styles, a line for every jump of the cursor."""
    text = re.sub(r"\x1b\[[\d;]*H", "\n", written[-20_000:])
    text = re.sub(r"\x1b(\[[<>?=]?[\d;:]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|P[^\x1b]*\x1b\\|.)", "", text)
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join([line for line in lines if line][-40:])


async def settled() -> None:
    """Let everything happen that can happen now."""
    for _ in range(30):
        await asyncio.sleep(0)
