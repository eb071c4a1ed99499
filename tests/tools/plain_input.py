"""Lines that people type in plain mode."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable


async def input_lines(lines: Iterable[str]) -> AsyncIterator[str]:
    """Yield each line when it is asked for."""
    for line in lines:
        yield line
