"""Lines of input and news from another thread, for the one thread that waits for both. The only lock of plain mode."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from threading import Condition, Thread

MOST_LINES = 64
"""Number of lines that are read ahead; a program that writes without end has to wait."""
WAKE_SECONDS = 0.5
"""Longest wait at a time: on Windows, ctrl+c does not interrupt the wait for a lock (Python 3.11 to 3.14)."""


class Inbox:
    """Filled by other threads, emptied by one."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Take the lines of input, which are read in a thread of their own: reading them blocks."""
        self._changed = Condition()
        self._lines: deque[str] = deque()
        self._news = False
        self._over = False
        """Whether all lines have been read."""
        Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            with self._changed:
                self._changed.wait_for(lambda: len(self._lines) < MOST_LINES)
                self._lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._over = self._news = True
            self._changed.notify_all()

    def add_news(self) -> None:
        """Let the waiting thread know that something has happened; it looks itself what it is."""
        with self._changed:
            self._news = True
            self._changed.notify_all()

    @property
    def ended(self) -> bool:
        """Whether no line is left, and none will come."""
        with self._changed:
            return self._over and not self._lines

    def next(self, wanted: Callable[[str], bool]) -> str | None:
        """Wait for news or a line, and return the line; None for news, of which the end of the input is one.

        News comes first. A line that is not wanted now waits, and those after it with it.
        """
        with self._changed:
            while not self._news and not (self._lines and wanted(self._lines[0])):
                self._changed.wait(WAKE_SECONDS)
            if self._news:
                self._news = False
                return None
            self._changed.notify_all()
            return self._lines.popleft()
