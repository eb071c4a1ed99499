"""The wait of Textual's pilot in tests: until the event loop is idle, instead of 20 ms or more after every key.

Textual 8.2 (_wait.py, wait_for_idle) sleeps for 20 ms again and again, until the process works for less than 1 ms of
these, at most for one second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, process_time
from typing import Any
from weakref import WeakSet

import pytest
import textual.app
import textual.pilot
from textual._wait import SLEEP_GRANULARITY, SLEEP_IDLE, wait_for_idle
from textual.timer import Timer

TIMERS: WeakSet[Timer] = WeakSet()
"""The timers that tick within 20 ms unless they are paused: those of refreshes, animations and the terminal's size."""

CALLS: WeakSet[asyncio.Future[Any]] = WeakSet()
"""The calls that an event loop has given to threads, those of Textual's workers too."""


async def until_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Wait until no callback is ready, no timer due, no refresh or resize pending, and no thread works for the loop.

    A thread that waits for something else is not waited for. This gives up after ``max_sleep`` seconds, as Textual's
    own wait does, which waits on a loop that is not asyncio's.
    """
    loop: Any = asyncio.get_running_loop()
    if not hasattr(loop, "_ready") or not hasattr(loop, "_scheduled"):
        return await wait_for_idle(min_sleep, max_sleep)
    end = monotonic() + max_sleep
    waiting: set[asyncio.Future[Any]] = set()
    while monotonic() < end:
        await asyncio.sleep(0)  # the loop asks its sockets and timers before it goes on here
        wakes = loop._scheduled[0].when() - loop.time() if loop._scheduled else SLEEP_GRANULARITY
        if loop._ready or wakes < loop._clock_resolution:
            continue
        if any(timer._active.is_set() and timer._task and not timer._task.done() for timer in TIMERS):
            await asyncio.sleep(min(wakes, SLEEP_GRANULARITY))
        elif working := {call for call in CALLS if call.get_loop() is loop and not call.done()} - waiting:
            worked = process_time()
            _, left = await asyncio.wait(working, timeout=SLEEP_GRANULARITY)
            if process_time() - worked < SLEEP_IDLE:
                waiting |= left
        else:
            return None
    return None


@contextmanager
def idle_pilots() -> Iterator[None]:
    """Let every pilot wait so."""
    start, run_in_executor = Timer._start, asyncio.BaseEventLoop.run_in_executor

    def start_noted(timer: Timer) -> None:
        if timer._interval <= SLEEP_GRANULARITY:
            TIMERS.add(timer)
        start(timer)

    def run_noted(loop: asyncio.BaseEventLoop, *call: Any) -> asyncio.Future[Any]:
        future = run_in_executor(loop, *call)
        CALLS.add(future)
        return future

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Timer, "_start", start_noted)
        patch.setattr(asyncio.BaseEventLoop, "run_in_executor", run_noted)
        patch.setattr(textual.app, "wait_for_idle", until_idle)
        patch.setattr(textual.pilot, "wait_for_idle", until_idle)
        yield
