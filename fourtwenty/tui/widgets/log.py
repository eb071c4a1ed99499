"""The log of a match: its last lines in a box that scrolls. The lines themselves come from the screen."""

from __future__ import annotations

from collections import deque

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

LOG_LINES = 60
"""Number of lines that are shown; a text widget that grows without end becomes slow."""


class RollLog(VerticalScroll, can_focus=False):
    """The last lines of the log, the newest in sight."""

    BORDER_TITLE = "Rolls"

    def __init__(self) -> None:
        super().__init__(id="log")
        self._lines: deque[str] = deque(maxlen=LOG_LINES)
        self._text = Static("", markup=False)

    def compose(self) -> ComposeResult:
        """Lay out the text."""
        yield self._text

    def add(self, *lines: str) -> None:
        """Add lines below the others and scroll to the last."""
        self._lines.extend(lines)
        self._text.update("\n".join(self._lines))
        self.scroll_end(animate=False)
