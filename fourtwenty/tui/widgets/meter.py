"""A bar for the progress of a hand or a tally. Below the hand one widget has it and the sentence."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region

from fourtwenty.cells import cell_len
from fourtwenty.games.game import Meter
from fourtwenty.tui.textual_base.drawn import DrawnWidget

EDGES = 2
"""The cells of a bar's edges."""
MAX_CELLS = 21
"""The most cells between them: a token each, or a point of 20."""


def bar(meter: Meter, cells: int) -> str:
    """Return a meter's bar with so many cells between its edges, full from ``Meter.full`` on.

    >>> bar(Meter(17, 20, "17"), 20), bar(Meter(16, 20, "16 + ?", least=15), 10)
    ('▕█████████████████∙∙∙▏', '▕███████┃∙∙▏')
    """
    filled = min(cells, max(meter.value > 0, meter.value * cells // meter.full))
    inside = "█" * filled + "∙" * (cells - filled)
    if meter.least:
        tick = -(-meter.least * cells // meter.full) - 1
        inside = f"{inside[:tick]}┃{inside[tick + 1 :]}"
    return f"▕{inside}▏"


class MeterAndSentence(DrawnWidget):
    """A meter above a sentence, one widget because a key on a die changes both."""

    COMPONENT_CLASSES = {"line--meter", "line--refusal"}  # noqa: RUF012

    meter = sentence = ""
    refused = False
    """Whether the sentence says why something cannot be done."""
    _rows: Sequence[str] = ()
    """The sentence, wrapped."""

    def show_meter(self, meter: str) -> None:
        before, self.meter = self.meter, meter
        if meter != before:
            self.refresh(Region(0, 0, max(cell_len(before), cell_len(meter)), 1))

    def say(self, sentence: str, refused: bool = False) -> None:
        before = self._rows, self.refused
        self.sentence, self.refused = sentence, refused
        self._wrap()
        if before != (self._rows, refused):
            rows = [*before[0], *self._rows]
            self.refresh(Region(0, 1, max(map(cell_len, rows)), max(len(before[0]), len(self._rows))))

    def on_resize(self) -> None:
        self._wrap()
        self.refresh()

    def _wrap(self) -> None:
        width = self.content_size.width
        fits = cell_len(self.sentence) <= width or not width  # before the layout
        self._rows = [self.sentence] if fits else [row.plain for row in Content(self.sentence).wrap(width)]

    def draw_line(self, y: int, width: int) -> list[Segment]:  # noqa: ARG002
        if y == 0:
            return [Segment(self.meter, self.style_of("line--meter"))]
        row = self._rows[y - 1] if y <= len(self._rows) else ""
        return [Segment(row, self.style_of("line--refusal" if self.refused else ""))]
