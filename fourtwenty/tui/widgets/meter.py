"""The meter of a hand above a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region

from fourtwenty.cells import cell_len, set_cell_size
from fourtwenty.games.game import Meter
from fourtwenty.tui.textual_base.drawn import DrawnWidget
from fourtwenty.tui.widgets.bar import EDGES, MAX_CELLS, MIN_BAR_WIDTH, bar

GAP = "   "
"""The blanks between two labels."""


class MeterAndSentence(DrawnWidget):
    """A meter above a sentence, one widget because a key on a die changes both."""

    COMPONENT_CLASSES = {"line--meter", "line--refusal"}  # noqa: RUF012

    meter = sentence = ""
    """The upper line as far as it fits, and the sentence below it."""
    _labels: Sequence[str] = ()
    _meter: Meter | None = None
    refused = False
    """Whether the sentence says why something cannot be done."""
    _rows: Sequence[str] = ()
    """The sentence, wrapped."""

    def show_meter(self, *labels: str, meter: Meter | None = None) -> None:
        """Show labels after a meter's bar if they have room: the bar shrinks, then the last labels go whole."""
        before, self._labels, self._meter = self.meter, labels, meter
        self._fit_meter()
        if self.meter != before:
            self.refresh(Region(0, 0, max(cell_len(before), cell_len(self.meter)), 1))

    def _fit_meter(self) -> None:
        labels, width = [label for label in self._labels if label], self.content_size.width or inf  # before the layout
        while len(labels) > 1 and cell_len(GAP.join(labels)) > width:
            labels.pop()
        self.meter = GAP.join(labels)
        if labels and self._meter:
            cells = min(self._meter.full, MAX_CELLS, width - EDGES - 1 - cell_len(self.meter))
            self.meter = f"{bar(self._meter, int(cells))} {self.meter}" if cells >= MIN_BAR_WIDTH else self.meter

    def say(self, sentence: str, refused: bool = False) -> None:
        before = self._rows, self.refused
        self.sentence, self.refused = sentence, refused
        self._wrap()
        if before != (self._rows, refused):
            rows = [*before[0], *self._rows]
            self.refresh(Region(0, 1, max(map(cell_len, rows)), max(len(before[0]), len(self._rows))))

    def on_resize(self) -> None:
        self._fit_meter()
        self._wrap()
        self.refresh()

    def _wrap(self) -> None:
        width = self.content_size.width
        fits = cell_len(self.sentence) <= width or not width  # before the layout
        self._rows = [self.sentence] if fits else [row.plain for row in Content(self.sentence).wrap(width)]
        room = self.content_size.height - 1
        if 0 < room < len(self._rows):
            rest = " ".join(self._rows[room - 1 :])
            self._rows = [*self._rows[: room - 1], f"{set_cell_size(rest, width - 1)}…"]

    def draw_line(self, y: int, width: int) -> list[Segment]:  # noqa: ARG002
        if y == 0:
            return [Segment(self.meter, self.style_of("line--meter"))]
        row = self._rows[y - 1] if y <= len(self._rows) else ""
        return [Segment(row, self.style_of("line--refusal" if self.refused else ""))]
