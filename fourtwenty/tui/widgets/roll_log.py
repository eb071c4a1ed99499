"""A match's log in a scrolling box of a fixed size: a growing text would lay the screen out with every line."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rich.segment import Segment
from rich.text import Text
from textual.events import MouseScrollDown, MouseScrollUp
from textual.reactive import reactive

from fourtwenty.tui.textual_base.drawn import DrawnWidget
from fourtwenty.tui.widgets.seats import fit

LOG_LINES = 60


class RollLog(DrawnWidget, can_focus=False):
    above: reactive[int] = reactive(0)
    """Number of rows scrolled back from the newest."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.lines: deque[str] = deque(maxlen=LOG_LINES)
        self._rows: list[str] = []
        self._instead: list[str] = []

    def show_instead(self, lines: list[str]) -> None:
        """Show lines in place of the log; the log again for none."""
        if lines != self._instead:
            self._instead = lines
            self.repaint()

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)
        self._rows = [*self._rows, *self._wrapped(lines)][-2 * LOG_LINES :]
        self.above = 0
        self.repaint()

    def _wrapped(self, lines: Iterable[str]) -> list[str]:
        width = self.content_size.width
        return [row.plain for line in lines for row in Text(line).wrap(self.app.console, width)] if width else []

    def on_resize(self) -> None:
        self._rows = self._wrapped(self.lines)
        self.above = 0
        self.refresh()

    def draw_line(self, y: int, width: int) -> list[Segment]:
        rows = self._instead or self._rows
        at = y + (0 if self._instead else max(0, len(rows) - self.content_size.height - self.above))
        row = rows[at] if at < len(rows) else ""
        return [Segment(fit(row, width), self.style_of())]

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.above = min(self.above + 2, max(0, len(self._rows) - self.content_size.height))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.above = max(self.above - 2, 0)
