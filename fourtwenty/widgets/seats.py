"""The seats as a list that scrolls: one or two lines a seat, drawn only where seen, so that hundreds cost no more."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

MARKS = "●■▲◆▼★✚"
TINTS = 6
"""Marks and tints tell seats apart; seven and six of them make forty-two pairs before one comes again."""

BOLD = Style(bold=True)

ONE_LINE = 50
"""From this width, in cells, a seat fits on one line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One seat as the list shows it."""

    colour: int
    """Number of the seat's mark and tint, from 0."""
    name: str
    tag: str = ""
    """A word beside the name."""
    detail: str = ""
    """The hand, or the character."""
    note: str = ""
    """The state, set to the right."""
    playing: bool = True
    """Seats that no longer play are dimmed."""


def mark(colour: int) -> str:
    """Return the shape that goes with a colour number."""
    return MARKS[colour % len(MARKS)]


def tint(colour: int) -> int:
    """Return the number of the tint, ``$seat-0`` to ``$seat-5``, that goes with a colour number."""
    return colour % TINTS


def fit(text: str, width: int) -> str:
    """Return the text in exactly that many cells, cut with an ellipsis where it is too long."""
    if width <= 0:
        return ""
    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


class Seats(ScrollView):
    """The list of seats, with one of them pointed at."""

    COMPONENT_CLASSES = {  # noqa: RUF012
        "seats--pointed",
        "seats--quiet",
        "seats--gone",
        *(f"seats--tint-{number}" for number in range(TINTS)),
    }

    rows: reactive[tuple[Row, ...]] = reactive((), layout=False)
    """The seats in clockwise order."""
    pointed: reactive[int] = reactive(0, layout=False)
    """Which seat the pointer is at, from 0; kept in sight."""
    coloured: reactive[bool] = reactive(True, layout=False)
    """Whether marks wear their tints."""

    class Clicked(Message):
        """A seat was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    @property
    def lines_a_seat(self) -> int:
        """One line where there is room, else two."""
        return 1 if self.scrollable_content_region.width >= ONE_LINE else 2

    def watch_rows(self) -> None:
        """Show the new rows."""
        self._measure()

    def watch_pointed(self) -> None:
        """Keep the pointed seat in sight."""
        self._follow()
        self.refresh()

    def watch_coloured(self) -> None:
        """Paint the marks anew."""
        self.refresh()

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Lay the lines out for the new width."""
        self._measure()

    def _measure(self) -> None:
        self._tag_width = 1 + max((cell_len(row.tag) for row in self.rows), default=0)
        self._detail_width = max((cell_len(row.detail) for row in self.rows), default=0)
        self._note_width = max((cell_len(row.note) for row in self.rows), default=0)
        height = len(self.rows) * self.lines_a_seat
        self.virtual_size = Size(self.scrollable_content_region.width, height)
        self._follow()
        self.refresh()

    def _follow(self) -> None:
        lines = self.lines_a_seat
        self.scroll_to_region(Region(0, self.pointed * lines, 1, lines), animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """Draw one line of one seat."""
        width = self.scrollable_content_region.width
        seat, line = divmod(y + self.scroll_offset.y, self.lines_a_seat)
        if seat >= len(self.rows):
            return Strip.blank(self.size.width, self.rich_style)
        row = self.rows[seat]
        pointed = seat == self.pointed
        lead = "▶ " if pointed and line == 0 else "  "
        if self.lines_a_seat == 1:
            note_width = self._note_width
            tag_width = self._tag_width
            rest = width - 4 - tag_width - note_width - 2
            detail_width = max(14, min(self._detail_width, rest * 2 // 3))
            texts = [
                fit(row.name, rest - detail_width) + " ",
                fit(row.tag, tag_width),
                fit(row.detail, detail_width) + " ",
                fit(row.note.rjust(note_width), note_width),
            ]
        elif line == 0:
            tag_width = cell_len(row.tag)
            texts = [fit(row.name, width - 5 - tag_width) + " ", row.tag, "", ""]
        else:
            note_width = cell_len(row.note)
            texts = ["  ", "", fit(row.detail, width - 6 - note_width), row.note]
        shape = (mark(row.colour) if line == 0 else " ") + " "
        base = self.get_component_rich_style("seats--pointed") if pointed else self.rich_style
        quiet = base + self.get_component_rich_style("seats--quiet", partial=True)
        if not row.playing:
            base = quiet = base + self.get_component_rich_style("seats--gone", partial=True)
        shade = base
        if self.coloured and row.playing:
            shade = base + self.get_component_rich_style(f"seats--tint-{tint(row.colour)}", partial=True)
        name, tag, detail, note = texts
        segments = [
            Segment(lead, base),
            Segment(shape, shade),
            Segment(name, base + BOLD if pointed else base),
            Segment(tag, quiet),
            Segment(detail, base),
            Segment(note, quiet),
        ]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def on_click(self, event: Click) -> None:
        """Say which seat was clicked."""
        at = event.get_content_offset(self)
        seat = (at.y + self.scroll_offset.y) // self.lines_a_seat if at else len(self.rows)
        if seat < len(self.rows):
            self.post_message(self.Clicked(seat))
