"""The chances of a match, roll by roll: a line for each seat with its hand and chance, and a cursor below."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.segment import Segment
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive

from fourtwenty.cells import cell_len
from fourtwenty.tui.textual_base.drawn import DrawnWidget
from fourtwenty.tui.widgets.seats import BOLD, Row, fit, mark, tinted_style
from fourtwenty.tui.widgets.side_panel import chart

MAX_STEP_WIDTH = 6
NAME_CELLS = 12
LABEL_CELLS = len("over 99.9%")
MIN_CHART_WIDTH = 15
"""The chart's least width, in cells, beside the hands."""
SIGNS = "^ shown  ! costly  | new round"


class ChanceStep(Struct, frozen=True):
    """A column of the chart: the start of a round, or the position after a roll."""

    chances: tuple[float | None, ...]
    """``[seat]``: from 0 to 1; None for a seat outside the round."""
    opens: bool = False
    """Whether it is the start of a round."""
    flagged: bool = False
    """Whether the choice before the roll was a mistake."""


class ChanceChart(DrawnWidget):
    """A line has a seat's mark, name, hand and chance at the cursor, and its chances so far."""

    COMPONENT_CLASSES = {"chances--quiet", "chances--cursor"}  # noqa: RUF012

    steps: reactive[tuple[ChanceStep, ...]] = reactive(())
    rows: reactive[tuple[Row, ...]] = reactive(())
    """``[seat]``: the seats at the cursor; seats that do not play have no line."""
    cursor: reactive[int] = reactive(0)
    acting: reactive[int] = reactive(0)
    """The seat that acted at the cursor; it always has a line."""

    class Clicked(Message):
        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, details: int, coloured: bool) -> None:
        super().__init__(id="chances")
        self.details = details
        self.coloured = coloured

    @property
    def _words(self) -> tuple[int, int, int]:
        """The widths of names, of hands, and of everything before the chart, in cells."""
        name = min(NAME_CELLS, max((cell_len(row.name) for row in self.rows), default=0))
        before = len("▶ ● " + "  " + " " + "  ") + name + LABEL_CELLS  # as _seat_line sets them
        details = min(self.details, max(0, self.content_size.width - before - MIN_CHART_WIDTH))
        return name, details, before + details

    @property
    def _column(self) -> int:
        room = self.content_size.width - self._words[-1]
        return max(1, min(MAX_STEP_WIDTH, room // max(1, len(self.steps))))

    @property
    def _shown(self) -> range:
        """The steps in view: all if they fit, else with the cursor in the middle."""
        seen = max(1, (self.content_size.width - self._words[-1]) // self._column)
        first = max(0, min(self.cursor - seen // 2, len(self.steps) - seen))
        return range(first, min(len(self.steps), first + seen))

    @property
    def _seats(self) -> Sequence[int]:
        """The seats with a line: as many as fit, with the one that acted."""
        playing = [seat for seat, row in enumerate(self.rows) if row.playing or seat == self.acting]
        lines = max(1, self.content_size.height - 1)
        before = sum(seat < self.acting for seat in playing)
        first = max(0, min(before - lines // 2, len(playing) - lines))
        return playing[first : first + lines]

    def draw_line(self, y: int, width: int) -> list[Segment]:  # noqa: ARG002
        seats = self._seats
        if y < len(seats):
            return self._seat_line(seats[y])
        return self._foot() if y == len(seats) else []

    def _seat_line(self, seat: int) -> list[Segment]:
        row, plain = self.rows[seat], self.style_of()
        name, details, _ = self._words
        shade = plain + tinted_style(self.app, row.colour) if self.coloured else plain
        acts = seat == self.acting
        parts = [
            Segment("▶ " if acts else "  ", plain),
            Segment(f"{mark(row.colour)} ", shade),
            Segment(f"{fit(row.name, name)}  ", plain + BOLD if acts else plain),
            Segment(f"{fit(row.detail, details)} {fit(row.bar_label.rjust(LABEL_CELLS), LABEL_CELLS)}  ", plain),
        ]
        columns = chart([self.steps[at].chances[seat] for at in self._shown], 1.0, 1)[0]
        cursor = self.style_of("chances--cursor", partial=True)
        for at, column in zip(self._shown, columns, strict=True):
            parts.append(Segment(column * self._column, shade + cursor if at == self.cursor else shade))
        return parts

    def _foot(self) -> list[Segment]:
        """Return the line below the chart: cursor, mistakes, and starts of rounds."""
        plain, before = self.style_of(), self._words[-1]
        quiet = self.style_of("chances--quiet")
        parts = [Segment(" " * before, plain)]
        for at in self._shown:
            step = self.steps[at]
            sign = "^" if at == self.cursor else "!" if step.flagged else "|" if step.opens and at else ""
            parts.append(Segment(sign.ljust(self._column), plain + BOLD if sign in "^!" else quiet))
        return parts

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset(self)
        step = (at.x - self._words[-1]) // self._column if at else -1
        if 0 <= step < len(self._shown):
            self.post_message(self.Clicked(self._shown[step]))
