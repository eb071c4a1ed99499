"""A match's log in a scrolling box of a fixed size: a growing text would lay the screen out with every line."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from rich.segment import Segment
from rich.text import Text
from textual.events import MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.tui.widgets.seats import fit

LOG_LINES = 60


class RollLog(Widget, can_focus=False):
    above: reactive[int] = reactive(0)
    """Number of rows scrolled back from the newest."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self.lines: deque[str] = deque(maxlen=LOG_LINES)
        self._rows: list[str] = []

    def add(self, *lines: str) -> None:
        before = self._visible()
        self.lines.extend(lines)
        self._rows = [*self._rows, *self._wrapped(lines)][-2 * LOG_LINES :]
        self.above = 0
        width = self.content_size.width
        changed = [y for y, (then, now) in enumerate(zip(before, self._visible(), strict=True)) if then != now]
        if changed:
            self.refresh(Region(0, changed[0], width, changed[-1] - changed[0] + 1))

    def _visible(self) -> list[str]:
        """Return the visible rows, with empty ones below until the box is full."""
        height = self.content_size.height
        first = max(0, len(self._rows) - height - self.above)
        rows = self._rows[first : first + height]
        return rows + [""] * (height - len(rows))

    def _wrapped(self, lines: Iterable[str]) -> list[str]:
        width = self.content_size.width
        return [row.plain for line in lines for row in Text(line).wrap(self.app.console, width)] if width else []

    def on_resize(self) -> None:
        self._rows = self._wrapped(self.lines)
        self.above = 0
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, height = self.content_size
        at = y + max(0, len(self._rows) - height - self.above)
        row = self._rows[at] if at < len(self._rows) else ""
        return Strip([Segment(fit(row, width), self.rich_style)])

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.above = min(self.above + 2, max(0, len(self._rows) - self.content_size.height))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.above = max(self.above - 2, 0)
