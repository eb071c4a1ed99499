"""The event loop of plain mode, with lines of input and news."""

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
"""The most lines read ahead; an endless writer must wait."""


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run plain mode. ctrl+c raises KeyboardInterrupt at once, in calculations too."""
    with asyncio.Runner() as runner:
        # Runner.run (Python 3.11 to 3.14) would only cancel the task, which notices that at its next wait.
        runner.get_loop().run_until_complete(work)


def standard_input() -> Iterable[str]:
    """Return the lines of standard input; exit when it is missing."""
    check_encoding()
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A second reader of the file: Python 3.11 to 3.14 cannot end while a daemon thread reads sys.stdin itself.
        return decode_lines(open(sys.stdin.fileno(), "rb", closefd=False), sys.stdin.encoding)
    return sys.stdin or ()


def dice_named(text: str) -> tuple[int, ...]:
    """Return the dice named in a text such as "1 3", "1,3" or "13", in digits of any script; else none.

    >>> dice_named("1,3"), dice_named("13"), dice_named("1 x")
    ((1, 3), (1, 3), ())
    """
    digits = re.sub(r"[\s,\uff0c\u3001]", "", text)  # with commas of Chinese and Japanese keyboards
    return tuple(map(int, digits)) if digits.isdecimal() else ()


def action_words(line: str) -> list[str]:
    """Return a line's words, at least one, with "roll" before bare dice."""
    words = line.lower().split() or [""]
    return ["roll", *words] if dice_named(words[0]) or words[0] == "all" else words


def command_of(word: str, names: Iterable[str]) -> str:
    """Return the first command that a word begins, "help" for "?"; empty for none."""
    return "help" if word == "?" else next((name for name in names if word and name.startswith(word)), "")


def unknown_command(word: str, advice: str) -> str:
    return f"Unknown command: {strip_controls(word)}. {advice}"


class TypedLines:
    """Lines of input, read in a thread because reading blocks, and news from the event loop."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._lines: deque[str] = deque()
        self._capacity = Semaphore(MAX_LINES)
        self._news = False
        self._over = False
        Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: Iterable[str]) -> None:
        """Read in the thread, until the event loop is closed."""
        with suppress(RuntimeError):
            with suppress(OSError):  # a closed terminal has no more lines
                for line in lines:
                    self._capacity.acquire()
                    self._loop.call_soon_threadsafe(self._add, line.rstrip("\n"))
            self._loop.call_soon_threadsafe(self._end)

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._changed.set()

    def _end(self) -> None:
        self._over = True
        self.notify()

    def notify(self) -> None:
        """Wake the waiting reader, which looks for the news itself."""
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
        """Wait for news first, or a wanted line; return None for news and at the end of input."""
        await asyncio.sleep(0)  # finish the last line's work before the next one
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
        self._capacity.release()
        return self._lines.popleft()
