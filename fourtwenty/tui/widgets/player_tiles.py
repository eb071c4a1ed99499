"""The seats of a line-up as cards, each with a tile in its colour; a plain list where there is no room for them."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from fourtwenty.tui.widgets.die import FRAME
from fourtwenty.tui.widgets.seats import BOLD, Row, Seats, fit, mark

TILE_WIDTH = 7
CARD_HEIGHT = 4
"""The height of a card in cells, with the blank line below it."""


class PlayerTiles(Seats):
    """A list of seats to click on, drawn as cards if there is room for all of them."""

    cards = False
    """Whether the seats are drawn as cards."""
    roomy = False
    """Whether the screen is large enough for cards."""

    class Clicked(Message):
        """A seat was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    @property
    def lines_a_seat(self) -> int:
        self.cards = self.roomy and len(self.rows) * CARD_HEIGHT - 1 <= self.scrollable_content_region.height
        return CARD_HEIGHT if self.cards else super().lines_a_seat

    @property
    def _lines(self) -> int:
        lines = super()._lines
        return lines - 1 if self.cards else lines  # nothing is below the last card

    def render_line(self, y: int) -> Strip:
        lines = self.lines_a_seat
        if not self.cards:
            return super().render_line(y)
        seat, line = divmod(y + self.scroll_offset.y, lines)
        width = self.size.width
        if seat >= len(self.rows) or line == CARD_HEIGHT - 1:
            return Strip.blank(width, self.rich_style)
        row, shades = self.rows[seat], self.shades(seat)
        room = width - 2 - TILE_WIDTH - 4
        note = fit(row.note, min(cell_len(row.note), room // 2))
        texts = (
            [Segment(row.detail and " " * room, shades.plain)],
            [
                Segment(fit(row.name, room - cell_len(note) - 1) + " ", shades.plain + BOLD),
                Segment(note, shades.quiet),
            ],
            [Segment(fit(row.detail, room), shades.quiet)],
        )
        arrow = Segment("▶ " if seat == self.pointed and line == 1 else "  ", shades.plain)
        return Strip(
            [arrow, self._tile(row, line), Segment("  ", shades.plain), *(texts[line] if line else [])]
        ).adjust_cell_length(width, shades.plain)

    def _tile(self, row: Row, line: int) -> Segment:
        """Return a line of the tile of a seat: its mark on its colour, in a frame where there are no colours."""
        top_left, edge, top_right, side, bottom_left, bottom_right = tuple(FRAME if self.app.no_color else " " * 6)
        inside = TILE_WIDTH - 2
        return Segment(
            (
                top_left + edge * inside + top_right,
                side + mark(row.colour).center(inside) + side,
                bottom_left + edge * inside + bottom_right,
            )[line],
            self.body(row) + BOLD,
        )

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset(self)
        seat = (at.y + self.scroll_offset.y) // self.lines_a_seat if at else len(self.rows)
        if seat < len(self.rows):
            self.post_message(self.Clicked(seat))
