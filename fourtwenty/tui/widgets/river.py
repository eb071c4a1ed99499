"""A river of chances: every seat a stream as wide as its chance, roll by roll, with a cursor on one of the rolls."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.tui.widgets.seats import BOLD, TINTS, mark, tint

WIDEST = 6
"""Cells a roll may take."""
SCALE = 6
"""Cells of the scale to the left."""
FOOT = 2
"""Lines below the streams: who rolled, and the cursor."""


@dataclass(frozen=True, slots=True)
class Step:
    """One column of the river."""

    shares: tuple[float, ...]
    """By seat, from 0 up; a stream is as wide as its part of their sum."""
    seat: int | None = None
    """Who rolled; None before the first roll."""
    flagged: bool = False
    """Whether the choice before the roll was a mistake."""


class River(Widget):
    """Drawn in the seats' marks and tints, so that it reads without colour too."""

    DEFAULT_CSS = "River { height: 10; }"
    COMPONENT_CLASSES = {  # noqa: RUF012
        "river--quiet",
        "river--cursor",
        *(f"river--tint-{number}" for number in range(TINTS)),
    }

    steps: reactive[tuple[Step, ...]] = reactive(())
    cursor: reactive[int] = reactive(0)
    """The step the cursor is at, from 0."""

    class Clicked(Message):
        """A step was clicked."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, colours: tuple[int, ...], coloured: bool) -> None:
        """Take the colour numbers of the seats, and whether marks wear their tints."""
        super().__init__(id="river")
        self.colours = colours
        self.coloured = coloured

    @property
    def _column(self) -> int:
        """Cells a step takes."""
        return max(1, min(WIDEST, (self.size.width - SCALE) // max(1, len(self.steps))))

    @property
    def _first(self) -> int:
        """The first step in sight: all of them where they fit, else those around the cursor."""
        seen = max(1, (self.size.width - SCALE) // self._column)
        return max(0, min(self.cursor - seen // 2, len(self.steps) - seen))

    def render_line(self, y: int) -> Strip:
        """Draw one line of all streams, or one below them."""
        width, height = self.size
        streams = height - FOOT
        quiet = self.rich_style + self.get_component_rich_style("river--quiet", partial=True)
        seen = list(enumerate(self.steps))[self._first :][: max(1, (width - SCALE) // self._column)]
        if y < streams:
            level = 1 - (y + 0.5) / streams
            label = "100 %" if y == 0 else " 50 %" if y == streams // 2 else ""
            segments = [Segment(label.ljust(SCALE), quiet)]
            for at, step in seen:
                seat = _seat_at(step.shares, level * sum(step.shares))
                style = self._style(seat, at)
                glyph = mark(self.colours[seat])
                segments.append(Segment((glyph * (self._column - 1) or glyph).ljust(self._column), style))
        elif y == streams:
            segments = [Segment("rolls".ljust(SCALE), quiet)]
            for at, step in seen:
                glyph = " " if step.seat is None else mark(self.colours[step.seat])
                style = quiet if step.seat is None else self._style(step.seat, at)
                segments.append(Segment(glyph.ljust(self._column), style))
        else:
            segments = [Segment(" " * SCALE, quiet)]
            cursor = self.rich_style + self.get_component_rich_style("river--cursor", partial=True) + BOLD
            for at, step in seen:
                glyph = ("^" if at == self.cursor else "") + ("!" if step.flagged else "")
                segments.append(Segment(glyph.ljust(self._column)[: self._column], cursor))
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _style(self, seat: int, step: int) -> Style:
        style = self.rich_style
        if step == self.cursor:
            style += self.get_component_rich_style("river--cursor", partial=True) + BOLD
        if self.coloured:
            style += self.get_component_rich_style(f"river--tint-{tint(self.colours[seat])}", partial=True)
        return style

    def on_click(self, event: Click) -> None:
        """Say which step was clicked."""
        step = self._first + (event.x - SCALE) // self._column
        if event.x >= SCALE and step < len(self.steps):
            self.post_message(self.Clicked(step))


def _seat_at(shares: tuple[float, ...], level: float) -> int:
    """Whose stream lies at a level, from 0 to the sum of all shares; the first seat's is on top."""
    below = 0.0
    for seat in reversed(range(len(shares))):
        below += shares[seat]
        if level < below:
            return seat
    return 0
