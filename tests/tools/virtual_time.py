"""An event loop whose seconds pass as soon as nothing else is to do, so that hours of a table take moments."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its clock jumps to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        select = self._selector.select  # type: ignore[attr-defined]

        def skip(timeout: float | None = None) -> Any:
            events = select(0)
            if not events and timeout is None:
                raise RuntimeError("nothing will ever happen")
            self._now += 0 if events else timeout or 0
            return events

        self._selector.select = skip  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._now

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ARG002
        """Wait for the threads in real seconds: none of their time passes here."""
        executor: Executor | None = self._default_executor  # type: ignore[attr-defined]
        if executor:
            executor.shutdown()


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run something to its end, and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
