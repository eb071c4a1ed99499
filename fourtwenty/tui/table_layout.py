"""The layout of the table: hand, seats, guide and log."""

from __future__ import annotations

from typing import Literal

from textual.geometry import Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from fourtwenty.tui.widgets.seats import Seats

Shape = Literal["round", "party", "columns", "stack", "phone"]
"""Seats in rows above the hand; beside it, on its left or on its right; or all below each other, on a screen of
usual height or on an upright phone."""

SIDE_PANEL_COLUMNS, WIDE_SIDE_PANEL_COLUMNS = 46, 60
"""The columns that are kept for the side panel where the seats sit in rows, without and with charts of chances: when a
coach comes, nothing moves."""
RIVER_COLUMNS = 120
"""Columns from which the chances are charted roll by roll."""
MIN_LOG_ROWS = 5
"""The rows of the log, with its edge, before the hand gets rows to be centred in."""
SHORT_LOG = 1
"""The rows left to the log where all parts are below each other."""
MIN_SEATS = 3
"""The rows that the seats get there before the log gets any: twelve names at 60 columns."""
PARTY_NEEDS = 15
"""Rows that the seats of a party leave to choices and guide before they fold."""
PHONE_NEEDS = 24
"""Rows that the seats leave to the rest on an upright phone."""


class TableLayout(Layout):
    """Arranges hand, seats, side panel with the guide, and log."""

    name = "table"

    def __init__(self) -> None:
        self.shape: Shape = "columns"
        self._room: tuple[int, int] | None = None
        """The columns and rows that the seats can have; None before the first layout."""
        self._seat_rows = 0

    def is_outdated(self, seats: Seats) -> bool:
        """Return whether the seats need another height than they were given."""
        return self._room is not None and self._seat_rows != _rows_of(seats, *self._room)

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002
        """Return the places of the parts; spare rows are above and below the hand."""
        play, seats, panel, log = children
        assert isinstance(seats, Seats)
        viewport = parent.app.size
        width, height = size
        stacked = self.shape in ("stack", "phone")
        wide = width if stacked else width_of_play(play, width)
        rows = min(height, play.get_content_height(size, viewport, wide - play.gutter.width) + play.gutter.height)
        beside = self.shape in ("party", "columns")
        rooms = {
            "round": viewport.height // 3,
            "party": max(viewport.height - PARTY_NEEDS, min(viewport.height - 3, len(seats.rows))),
            "columns": viewport.height,
            "stack": max(MIN_SEATS, height - SHORT_LOG - rows),
            "phone": height - PHONE_NEEDS,
        }
        self._room = width - wide * beside, rooms[self.shape]
        self._seat_rows = wanted = _rows_of(seats, *self._room)
        if self.shape == "round":
            kept = WIDE_SIDE_PANEL_COLUMNS if width >= RIVER_COLUMNS else SIDE_PANEL_COLUMNS
            regions = _round(size, (wide, rows), wanted, kept)
        elif beside:
            regions = _columns(size, (wide, rows), wanted, 0 if self.shape == "party" else wide)
        else:
            guide = panel.get_content_height(size, viewport, width) + panel.gutter.height
            regions = _stack(size, rows, wanted, guide)
        return [
            WidgetPlacement(region, region.offset - region.offset, widget.styles.margin, widget)
            for widget, region in zip((play, seats, panel, log), regions, strict=True)
        ]


def _rows_of(seats: Seats, width: int, room: int) -> int:
    """Return the height of the seats with their title, in a width with room for so many rows of seats."""
    return min(room, seats.lines_in(width - seats.gutter.width, room)) + seats.gutter.height


def width_of_play(play: Widget, most: int) -> int:
    """Return the columns of the play if it is not full-width, at most ``most``; also before a layout."""
    least = play.styles.min_width
    hand = play.get_content_width(play.app.size, play.app.size) + play.gutter.width
    return min(most, max(hand, int(least.value) if least else 0))


def _round(size: Size, play: tuple[int, int], seats: int, panel: int) -> tuple[Region, ...]:
    """Return the places of play, seats, side panel and log: the seats in rows, the others in the middle below."""
    width, height = size
    wide, rows = play
    room = height - seats
    spare = max(0, room - rows)
    log = min(spare, max(MIN_LOG_ROWS, room // 3))
    above = (spare - log) // 2
    beside = min(panel, width - wide)
    left = (width - wide - beside) // 2
    return (
        Region(left, seats + above, wide, rows),
        Region(0, 0, width, seats),
        Region(left + wide, seats + above, beside, room - above),
        Region(left, height - log, wide, log),
    )


def _columns(size: Size, play: tuple[int, int], seats: int, beside: int) -> tuple[Region, ...]:
    """Return the places of play, seats, side panel and log: the log below the play, the side panel below the seats.

    ``beside`` is the first column of the seats: 0, or the width of the play.
    """
    width, height = size
    wide, rows = play
    seats = min(seats, height)
    left = 0 if beside else width - wide
    return (
        Region(left, 0, wide, rows),
        Region(beside, 0, width - wide, seats),
        Region(beside, seats, width - wide, height - seats),
        Region(left, rows, wide, height - rows),
    )


def _stack(size: Size, rows: int, seats: int, guide: int) -> tuple[Region, ...]:
    """Return the places of play, seats, side panel and log below each other; the panel only if it fits whole."""
    width, height = size
    seats = max(0, min(seats, max(height - rows - SHORT_LOG, min(height - rows, MIN_SEATS))))
    spare = height - rows - seats
    guide = guide if spare >= guide + MIN_LOG_ROWS else 0
    spare -= guide
    log = min(spare, max(MIN_LOG_ROWS, height // 4))
    gap = spare - log
    top = gap // 3
    return (
        Region(0, top, width, rows),
        Region(0, top + rows + top, width, seats),
        Region(0, top + rows + top + seats, width, guide),
        Region(0, height - log, width, log),
    )
