"""The progress of a simulation, on one line of a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from math import ceil, inf

SECONDS_BETWEEN = 0.2
"""From one drawing to the next."""
WIDTH = 30
"""Cells inside the bar."""


class Progress:
    """How much is done and how long the rest will take: a line of a terminal on standard error, or nothing."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self._terminal = sys.stderr if sys.stderr and sys.stderr.isatty() else None
        self._began = time.monotonic()
        self._drawn = -inf
        """When it was drawn last, in seconds of a monotonic clock."""
        self.show(0)

    def show(self, played: int) -> None:
        """Draw the line, unless it has just been drawn."""
        if not self._terminal:
            return
        now = time.monotonic()
        if now - self._drawn < SECONDS_BETWEEN and played < self.matches:
            return
        self._drawn = now
        line = f"[{'#' * (WIDTH * played // self.matches):{WIDTH}}] {played:,} of {self.matches:,}"
        if 0 < played < self.matches:
            line += f", {time_left((now - self._began) / played * (self.matches - played))}"
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{line[:width]:{width}}", end="", file=self._terminal, flush=True)
        if played == self.matches:
            self.leave()

    def leave(self) -> None:
        """Go on below the line."""
        if self._terminal:
            print(file=self._terminal)


def time_left(seconds: float) -> str:
    """Return a time in words, rounded up: "12 s left", "5 min left", "2 h 10 min left"."""
    if seconds < 60:
        return f"{ceil(seconds)} s left"
    hours, minutes = divmod(ceil(seconds / 60), 60)
    return f"{f'{hours} h ' if hours else ''}{minutes} min left"
