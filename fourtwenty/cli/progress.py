"""The progress line of a simulation."""

from __future__ import annotations

import shutil
import sys
import time
from math import ceil, inf

SECONDS_BETWEEN = 0.2
"""Least time from one drawing to the next."""
BAR_WIDTH = 30
"""Width of the bar in cells, without its brackets."""


class Progress:
    """A line on standard error with a bar and the time left; nothing where standard error is no terminal."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self._terminal = sys.stderr if sys.stderr and sys.stderr.isatty() else None
        self._began = time.monotonic()
        self._drawn = -inf
        """Time of the last drawing, in seconds of the monotonic clock."""
        self.show(0)

    def show(self, played: int) -> None:
        """Draw the line for this number of played matches, unless it was drawn less than SECONDS_BETWEEN ago."""
        if not self._terminal:
            return
        now = time.monotonic()
        if now - self._drawn < SECONDS_BETWEEN and played < self.matches:
            return
        self._drawn = now
        line = f"[{'#' * (BAR_WIDTH * played // self.matches):{BAR_WIDTH}}] {played:,} of {self.matches:,}"
        if 0 < played < self.matches:
            line += f", {time_left((now - self._began) / played * (self.matches - played))}"
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{line[:width]:{width}}", end="", file=self._terminal, flush=True)
        if played == self.matches:
            self.leave()

    def leave(self) -> None:
        """Move to the next line of the terminal."""
        if self._terminal:
            print(file=self._terminal)


def time_left(seconds: float) -> str:
    """Return a time in words, rounded up: "12 s left", "5 min left", "2 h 10 min left"."""
    if seconds < 60:
        return f"{ceil(seconds)} s left"
    hours, minutes = divmod(ceil(seconds / 60), 60)
    return f"{f'{hours} h ' if hours else ''}{minutes} min left"
