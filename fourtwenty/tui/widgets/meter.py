"""The meter: how far a hand or a tally is, as a bar. Below the hand it is a widget, in a row of the seats a text."""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Region
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.games.game import Meter

EDGES = 2
"""The cells of a bar that are its edges."""
MOST_CELLS = 21
"""The most cells between them: a token each, or a point of 20."""


def bar(meter: Meter, cells: int) -> str:
    """Return the bar of a meter with so many cells between its edges; it is full from ``Meter.full`` on.

    >>> bar(Meter(17, 20, "17"), 20), bar(Meter(16, 20, "16 + ?", least=15), 10)
    ('▕█████████████████∙∙∙▏', '▕███████┃∙∙▏')
    """
    filled = min(cells, max(meter.value > 0, meter.value * cells // meter.full))
    inside = "█" * filled + "∙" * (cells - filled)
    if meter.least:
        tick = -(-meter.least * cells // meter.full) - 1
        inside = f"{inside[:tick]}┃{inside[tick + 1 :]}"
    return f"▕{inside}▏"


class MeterLine(Widget):
    """One line with a meter. Only the cells that change are painted again."""

    DEFAULT_CSS = "MeterLine { height: 1; }"

    text: var[str] = var("")

    def watch_text(self, before: str, now: str) -> None:
        least, most = sorted((len(before), len(now)))
        first = next((at for at in range(least) if before[at] != now[at]), least)
        self.refresh(Region(first, 0, most - first, 1))

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - it has one
        style = self.rich_style
        return Strip([Segment(self.text, style)]).adjust_cell_length(self.size.width, style)
