"""A line chart over time with two axes, drawn in braille: four dots by two in a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from rich.segment import Segment
from textual.reactive import reactive

from fourtwenty.tui.textual_base.drawn import DrawnWidget

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""``[row][column]``: the bit of each dot of a cell (Unicode, Braille Patterns)."""
BRAILLE = 0x2800
MIN_WITH_AXIS = 5
"""The height, in cells, from which the time axis is drawn."""
LATEST = "●"


class LineChart(DrawnWidget):
    """One line through two or more values; beyond the number of dots, a dot is a mean."""

    DEFAULT_CSS = "LineChart { height: 1fr; min-height: 3; }"

    COMPONENT_CLASSES = {"chart--quiet", "chart--above", "chart--below"}  # noqa: RUF012

    values: reactive[tuple[float, ...]] = reactive(())
    """In the order of time."""
    ends: reactive[tuple[str, str]] = reactive(("", ""))
    """The labels of the first and the latest value, under the chart."""

    def __init__(self, label: Callable[[float], str], least_top: float, *, id: str) -> None:  # noqa: A002
        """``label`` writes the values of the scale, which reaches from at most 0 to at least ``least_top``."""
        super().__init__(id=id)
        self.label = label
        self.least_top = least_top

    def draw_line(self, y: int, width: int) -> list[Segment]:
        if len(self.values) < 2:
            return []
        quiet, above, below = (self.style_of(f"chart--{part}") for part in ("quiet", "above", "below"))
        height = self.content_size.height
        rows = height if height < MIN_WITH_AXIS else height - 2
        high, low = max(self.least_top, *self.values), min(0.0, *self.values)
        zero = _row(0, high, low, rows)
        labels = {0: self.label(high), rows - 1: self.label(low), zero: "0"}
        scale = max(map(len, labels.values()))
        room = max(1, width - scale - 2)
        if y == rows:
            parts = [Segment(" " * (scale + 1) + "└" + "─" * room, quiet)]
        elif y > rows:
            first, latest = self.ends
            parts = [Segment(" " * (scale + 2) + first + latest.rjust(room - len(first)), quiet)]
        else:
            label = labels.get(y, "")
            parts = [Segment(f"{label.rjust(scale)} {'┤' if label else '│'}", quiet)]
            cells = list(_cells(self.values, room, rows, high, low)[y])
            if y == _row(self.values[-1], high, low, rows):
                cells[-1] = LATEST
            line = "".join(cells)
            ground = "┄" if y == zero and low < 0 else " "
            style = below if y > zero else above
            parts += [Segment(ground, quiet) if cell == chr(BRAILLE) else Segment(cell, style) for cell in line]
        return parts


def _row(value: float, high: float, low: float, rows: int) -> int:
    """Return the row of cells of a value, from the top."""
    return _height(value, high, low, 4 * rows) // 4


def _height(value: float, high: float, low: float, dots: int) -> int:
    """Return the row of dots of a value, from the top."""
    return round((high - value) / (high - low) * (dots - 1)) if high > low else dots - 1


def _cells(values: Sequence[float], width: int, height: int, high: float, low: float) -> list[str]:
    """Return the lines of a chart of this size in cells."""
    bits = [[0] * width for _ in range(height)]
    heights = [_height(value, high, low, 4 * height) for value in _columns(values, 2 * width)]
    for column, (start, end) in enumerate(pairwise([heights[0], *heights])):
        # from the dot after the last one, so that a steep line is one dot wide
        step = 1 if end > start else -1
        for row in range(start + step if start != end else end, end + step, step):
            bits[row // 4][column // 2] |= DOTS[row % 4][column % 2]
    return ["".join(chr(BRAILLE + cell) for cell in line) for line in bits]


def _columns(values: Sequence[float], dots: int) -> Iterator[float]:
    """Yield the value of each column of dots: between two values, or the mean of several."""
    last = len(values) - 1
    for dot in range(dots):
        at = dot * last / (dots - 1)
        if last < dots:
            left = min(int(at), last - 1)
            yield values[left] + (at - left) * (values[left + 1] - values[left])
        else:
            some = values[dot * len(values) // dots : (dot + 1) * len(values) // dots]
            yield sum(some) / len(some)
