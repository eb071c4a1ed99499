"""A column chart over time, with a scale at the left; columns of negative values hang below zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.segment import Segment
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

EIGHTHS = " ▁▂▃▄▅▆▇█"
"""A cell, filled from below by eighths."""
HANGING = " ▔▔▀▀▀███"
"""A cell, filled from above by eighths, as nearly as common fonts have characters for it."""
WIDEST_COLUMN = 4
"""The greatest width of a column in cells."""


class ColumnChart(Widget):
    """One column for each value; where there are more values than cells, a column is the mean of several."""

    DEFAULT_CSS = "ColumnChart { height: 1fr; min-height: 2; }"

    COMPONENT_CLASSES = {"chart--quiet", "chart--above", "chart--below"}  # noqa: RUF012

    values: reactive[tuple[float, ...]] = reactive(())
    """In the order of time."""

    def __init__(self, label: Callable[[float], str], *, id: str) -> None:  # noqa: A002
        """Make a chart whose scale is written by a function from a value to its label."""
        super().__init__(id=id)
        self.label = label

    def render_line(self, y: int) -> Strip:
        """Draw one line of the scale and the columns."""
        width, height = self.size
        if not self.values:
            return Strip.blank(width, self.rich_style)
        high, low = max(0.0, *self.values), min(0.0, *self.values)
        above = lines_above(high, low, height)
        line_value = max(high / max(1, above), -low / max(1, height - above)) or 1
        labels = {max(0, above - 1): "0"}
        if high:
            labels[0] = self.label(high)
        if low:
            labels[height - 1] = self.label(low)
        scale = max(map(len, labels.values()))
        quiet, up, down = (
            self.rich_style + self.get_component_rich_style(f"chart--{part}", partial=True)
            for part in ("quiet", "above", "below")
        )
        parts = [Segment(labels.get(y, "").rjust(scale) + " ", quiet)]
        for value in self._columns(width - scale - 1):
            if y < above:
                parts.append(Segment(EIGHTHS[_eighths(value / line_value, above - 1 - y)], up))
            else:
                parts.append(Segment(HANGING[_eighths(-value / line_value, y - above)], down))
        return Strip(parts).simplify().adjust_cell_length(width, self.rich_style)

    def _columns(self, cells: int) -> Iterator[float]:
        """Yield the value of each cell from the left."""
        values = self.values
        columns = min(cells, WIDEST_COLUMN * len(values))
        for column in range(columns):
            first = column * len(values) // columns
            some = values[first : max(first + 1, (column + 1) * len(values) // columns)]
            yield sum(some) / len(some)


def lines_above(high: float, low: float, height: int) -> int:
    """Return how many of the lines are above zero, for values from low (at most 0) to high (at least 0)."""
    if not low:
        return height
    if not high:
        return 0
    return max(1, min(height - 1, round(height * high / (high - low))))


def _eighths(length: float, distance: int) -> int:
    """Return how many eighths of a cell a column fills.

    The length of the column and the cell's distance from zero are in lines. A column that is not empty fills an eighth
    at least.
    """
    filled = max(0, min(8, round(8 * (length - distance))))
    return 1 if not filled and length > 0 and not distance else filled
