"""The seats of a line-up as cards, each with a tile in its colour; a plain list where there is no room for them."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from fourtwenty.tui.widgets.die import FRAME
from fourtwenty.tui.widgets.seats import BOLD, Row, Seats, fit, mark, tint

TILE_WIDTH = 7
CARD_HEIGHT = 4
"""The height of a card in cells, with the blank line below it."""


class PlayerTiles(Seats):
    """A list of seats that draws them as cards if there is room for all of them."""

    cards = False
    """Whether the seats are drawn as cards."""
    roomy = False
    """Whether the screen is large enough for cards."""

    @property
    def lines_a_seat(self) -> int:
        """The height of a seat in cells."""
        self.cards = self.roomy and len(self.rows) * CARD_HEIGHT - 1 <= self.scrollable_content_region.height
        return CARD_HEIGHT if self.cards else super().lines_a_seat

    def render_line(self, y: int) -> Strip:
        """Draw one line of one seat."""
        lines = self.lines_a_seat
        if not self.cards:
            return super().render_line(y)
        seat, line = divmod(y + self.scroll_offset.y, lines)
        width = self.size.width
        if seat >= len(self.rows) or line == CARD_HEIGHT - 1:
            return Strip.blank(width, self.rich_style)
        row, pointed = self.rows[seat], seat == self.pointed
        plain = self.get_component_rich_style("seats--pointed") if pointed else self.rich_style
        quiet = plain + self.get_component_rich_style("seats--quiet", partial=True)
        room = width - 2 - TILE_WIDTH - 4
        note = fit(row.note, min(cell_len(row.note), room // 2))
        texts = (
            [Segment(row.detail and " " * room, plain)],
            [Segment(fit(row.name, room - cell_len(note) - 1) + " ", plain + BOLD), Segment(note, quiet)],
            [Segment(fit(row.detail, room), quiet)],
        )
        arrow = Segment("▶ " if pointed and line == 1 else "  ", plain)
        return Strip(
            [arrow, self._tile(row, line), Segment("  ", plain), *(texts[line] if line else [])]
        ).adjust_cell_length(width, plain)

    def _tile(self, row: Row, line: int) -> Segment:
        """Return a line of the tile of a seat: its mark on its colour, in a frame where there are no colours."""
        variable = f"seat-{tint(row.colour)}" if self.coloured else "dice-white"
        colours = self.app.theme_variables
        style = Style(
            color=Color.parse(colours[f"{variable}-pip"]).rich_color,
            bgcolor=Color.parse(colours[variable]).rich_color,
            bold=True,
        )
        top_left, edge, top_right, side, bottom_left, bottom_right = tuple(FRAME if self.app.no_color else " " * 6)
        inside = TILE_WIDTH - 2
        sign = mark(row.colour) if self.coloured or self.app.no_color else " "
        return Segment(
            (
                top_left + edge * inside + top_right,
                side + sign.center(inside) + side,
                bottom_left + edge * inside + bottom_right,
            )[line],
            style,
        )
