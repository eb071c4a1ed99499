"""The river: win probabilities roll by roll, each seat a stream as wide as its probability, with a cursor."""

from __future__ import annotations

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.tui.widgets.seats import BOLD, mark, tinted_style

WIDEST_STEP = 6
"""The greatest width of a step in cells."""
SCALE = 6
"""The width of the scale at the left in cells."""
SIGNS = "^ shown below  ! costly"
"""The meaning of the signs in the last line, where there is room beside them."""
FOOT = 2
"""The lines below the streams: the seats that rolled, and the cursor."""


class RiverStep(Struct, frozen=True):
    """One column of the river: the start of a round, or the position after a roll."""

    shares: tuple[float, ...]
    """Win probabilities, ``[seat]``, from 0 to 1; 0 for a seat that does not play. The sum need not be 1."""
    seat: int | None = None
    """The seat that rolled; None before the first roll."""
    flagged: bool = False
    """Whether the choice before the roll was a mistake."""


class River(Widget):
    """A chart of streams, drawn with the seats' marks and tints: the marks tell seats apart without colour."""

    DEFAULT_CSS = "River { height: 10; }"
    COMPONENT_CLASSES = {"river--quiet", "river--cursor"}  # noqa: RUF012

    steps: reactive[tuple[RiverStep, ...]] = reactive(())
    cursor: reactive[int] = reactive(0)
    """The index of the step at the cursor."""

    class Clicked(Message):
        """A step was clicked."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, colours: tuple[int, ...], coloured: bool) -> None:
        """Make a river for seats with these colour indexes; without tints unless ``coloured``."""
        super().__init__(id="river")
        self.colours = colours
        self.coloured = coloured

    @property
    def _column(self) -> int:
        return max(1, min(WIDEST_STEP, (self.size.width - SCALE) // max(1, len(self.steps))))

    @property
    def _first(self) -> int:
        """The index of the first visible step: 0 if all steps fit, else such that the cursor is in the middle."""
        seen = max(1, (self.size.width - SCALE) // self._column)
        return max(0, min(self.cursor - seen // 2, len(self.steps) - seen))

    def render_line(self, y: int) -> Strip:
        width, height = self.size
        streams = height - FOOT
        quiet = self.rich_style + self.get_component_rich_style("river--quiet", partial=True)
        seen = list(enumerate(self.steps))[self._first :][: max(1, (width - SCALE) // self._column)]
        if y < streams:
            level = 1 - (y + 0.5) / streams
            label = "100%" if y == 0 else " 50%" if y == streams // 2 else ""
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
            left = width - SCALE - len(seen) * self._column
            if left > len(SIGNS):
                segments.append(Segment(SIGNS.rjust(left), quiet))
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _style(self, seat: int, step: int) -> Style:
        style = self.rich_style
        if step == self.cursor:
            style += self.get_component_rich_style("river--cursor", partial=True) + BOLD
        if self.coloured:
            style += tinted_style(self.app, self.colours[seat])
        return style

    def on_click(self, event: Click) -> None:
        step = self._first + (event.x - SCALE) // self._column
        if event.x >= SCALE and step < len(self.steps):
            self.post_message(self.Clicked(step))


def _seat_at(shares: tuple[float, ...], level: float) -> int:
    """Return the seat whose stream is at a level, from 0 to the sum of all shares. Seat 0 is on top."""
    below = 0.0
    for seat in reversed(range(len(shares))):
        below += shares[seat]
        if level < below:
            return seat
    return 0
