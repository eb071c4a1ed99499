"""The event loop of plain mode, and the lines of input and the news that it waits for."""

from __future__ import annotations

import asyncio
import io
import re
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from threading import Semaphore, Thread
from typing import Any

from fourtwenty.console import check_encoding, decode_lines, strip_controls

MAX_LINES = 64
"""Number of lines that are read ahead; a program that writes without end has to wait."""


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run plain mode. ctrl+c raises KeyboardInterrupt at once, in calculations too."""
    with asyncio.Runner() as runner:
        # Runner.run (Python 3.11 to 3.14) would only cancel the task, which notices that when it waits the next time.
        runner.get_loop().run_until_complete(work)


def standard_input() -> Iterable[str]:
    """Return the lines of standard input; end the program when there can be none."""
    check_encoding()
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Another reader of the same file: Python 3.11 to 3.14 cannot end while a daemon thread reads sys.stdin itself.
        return decode_lines(open(sys.stdin.fileno(), "rb", closefd=False), sys.stdin.encoding)
    return sys.stdin or ()


def dice_named(text: str) -> tuple[int, ...]:
    """Return the positions of dice in a text such as "1 3", "1,3" or "13", in digits of any script; else none.

    >>> dice_named("1,3"), dice_named("13"), dice_named("1 x")
    ((1, 3), (1, 3), ())
    """
    digits = re.sub(r"[\s,\uff0c\u3001]", "", text)  # the commas of Chinese and Japanese keyboards too
    return tuple(map(int, digits)) if digits.isdecimal() else ()


def action_words(line: str) -> list[str]:
    """Return the words of a line, at least one, with "roll" before bare dice."""
    words = line.lower().split() or [""]
    return ["roll", *words] if dice_named(words[0]) or words[0] == "all" else words


def command_of(word: str, names: Iterable[str]) -> str:
    """Return the first of these commands that a word begins, "help" for "?"; empty for none."""
    return "help" if word == "?" else next((name for name in names if word and name.startswith(word)), "")


def unknown_command(word: str, advice: str) -> str:
    return f"Unknown command: {strip_controls(word)}. {advice}"


class TypedLines:
    """Lines of input, read in a thread of their own because reading blocks, and news from the event loop."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._lines: deque[str] = deque()
        self._room = Semaphore(MAX_LINES)
        self._news = False
        self._over = False
        Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: Iterable[str]) -> None:
        """Read in the thread, until the event loop is closed and nobody waits any more."""
        with suppress(RuntimeError):
            with suppress(OSError):  # a terminal that is gone has no more lines
                for line in lines:
                    self._room.acquire()
                    self._loop.call_soon_threadsafe(self._add, line.rstrip("\n"))
            self._loop.call_soon_threadsafe(self._end)

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._changed.set()

    def _end(self) -> None:
        self._over = True
        self.add_news()

    def add_news(self) -> None:
        """Let who waits know that something has happened; it looks itself what it is."""
        self._news = True
        self._changed.set()

    @property
    def ended(self) -> bool:
        return self._over and not self._lines

    def __aiter__(self) -> TypedLines:
        """Return the lines alone, without news."""
        return self

    async def __anext__(self) -> str:
        while not self._lines:
            if self._over:
                raise StopAsyncIteration
            await self._wait()
        return self._take()

    async def next(self, wanted: Callable[[str], bool]) -> str | None:
        """Wait for news, which comes first, or a wanted line; return None for news and at the end of the input."""
        await asyncio.sleep(0)  # what the last line has set off goes on before the next one
        while not self._news and not (self._lines and wanted(self._lines[0])):
            await self._wait()
        if self._news:
            self._news = False
            return None
        return self._take()

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _take(self) -> str:
        self._room.release()
        return self._lines.popleft()
