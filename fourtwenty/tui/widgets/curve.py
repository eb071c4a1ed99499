"""A curve over time: columns that stand on nought or hang from it, with a scale to the left."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

EIGHTHS = " ▁▂▃▄▅▆▇█"
"""A cell, filled from below by eighths."""
HANGING = " ▔▔▀▀▀███"
"""The same from above, as near as there are characters for it."""
WIDEST = 4
"""Cells a value may take."""


class Curve(Widget):
    """A column a value; where there are more values than cells, each column is the mean of some."""

    DEFAULT_CSS = "Curve { height: 1fr; min-height: 2; }"

    COMPONENT_CLASSES = {"curve--quiet", "curve--above", "curve--below"}  # noqa: RUF012

    values: reactive[tuple[float, ...]] = reactive(())
    """In the order of time."""

    def __init__(self, say: Callable[[float], str], *, id: str) -> None:  # noqa: A002
        """Take what writes a value beside the scale."""
        super().__init__(id=id)
        self.say = say

    def render_line(self, y: int) -> Strip:
        """Draw one line of the scale and of all columns."""
        width, height = self.size
        if not self.values:
            return Strip.blank(width, self.rich_style)
        high, low = max(0.0, *self.values), min(0.0, *self.values)
        above = lines_above(high, low, height)
        line = max(high / max(1, above), -low / max(1, height - above)) or 1
        """How much a line is worth."""
        labels = {max(0, above - 1): "0"}
        if high:
            labels[0] = self.say(high)
        if low:
            labels[height - 1] = self.say(low)
        scale = max(map(len, labels.values()))
        quiet, up, down = (
            self.rich_style + self.get_component_rich_style(f"curve--{part}", partial=True)
            for part in ("quiet", "above", "below")
        )
        parts = [Segment(labels.get(y, "").rjust(scale) + " ", quiet)]
        for value in self._columns(width - scale - 1):
            if y < above:
                parts.append(Segment(EIGHTHS[_eighths(value / line, above - 1 - y)], up))
            else:
                parts.append(Segment(HANGING[_eighths(-value / line, y - above)], down))
        return Strip(parts).simplify().adjust_cell_length(width, self.rich_style)

    def _columns(self, cells: int) -> Iterator[float]:
        """The value of each cell from the left."""
        values = self.values
        columns = min(cells, WIDEST * len(values))
        for column in range(columns):
            first = column * len(values) // columns
            some = values[first : max(first + 1, (column + 1) * len(values) // columns)]
            yield sum(some) / len(some)


def lines_above(high: float, low: float, height: int) -> int:
    """Return how many of the lines are above nought, for values from low, at most 0, to high, at least 0."""
    if not low:
        return height
    if not high:
        return 0
    return max(1, min(height - 1, round(height * high / (high - low))))


def _eighths(lines: float, below: int) -> int:
    """How much of a cell is filled, by so many lines from nought when so many lie below; something shows at once."""
    filled = max(0, min(8, round(8 * (lines - below))))
    return 1 if not filled and lines > 0 and not below else filled
