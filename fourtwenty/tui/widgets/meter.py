"""A bar for the progress of a hand or a tally. Below the hand one widget has it and the sentence."""

from __future__ import annotations

from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.visual import VisualType
from textual.widgets import Static

from fourtwenty.cells import cell_len
from fourtwenty.games.game import Meter

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


class MeterAndSentence(Static):
    """A meter above a sentence, one widget because a key on a die changes both. It paints only changed cells."""

    COMPONENT_CLASSES = {"line--meter"}  # noqa: RUF012

    meter = ""
    _style: Style | None = None
    _rows = 0
    """The sentence's rows in the next refresh; 0 for the whole widget."""

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._style = None

    def show_meter(self, meter: str) -> None:
        before, self.meter = self.meter, meter
        least, most = sorted((len(before), len(meter)))
        first = 0
        while first < least and before[first] == meter[first]:
            first += 1
        if first < most:  # otherwise all would be painted
            self.refresh(Region(first, 0, most - first, 1))

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        width, height = self.content_size
        longest = max(cell_len(str(self.content)), cell_len(str(content)))
        self._rows = 0 if layout else 1 if longest <= width else height - 1
        super().update(content, layout=layout)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if self._rows:
            regions, self._rows = (Region(0, 1, self.content_size.width, self._rows),), 0
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_line(self, y: int) -> Strip:
        if y:
            return super().render_line(y - 1)
        style = self._style = self._style or self.get_component_rich_style("line--meter")
        return Strip([Segment(self.meter, style)]).adjust_cell_length(self.content_size.width, style)
