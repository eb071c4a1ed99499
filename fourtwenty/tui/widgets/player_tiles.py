"""The seats of a line-up to click on, each with a tile in its colour; a plain list where there is no room for them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.segment import Segment
from textual.events import Click
from textual.message import Message

from fourtwenty.tui.widgets.die import FRAME
from fourtwenty.tui.widgets.seats import BOLD, GAP, Form, Row, Seats, Shades, fit, mark

TILE_WIDTH = 7
CARD_HEIGHT = 4
"""The height of a card in cells, with the blank line below it."""


class PlayerTiles(Seats):
    """A list of seats to click on, drawn as cards if there is room for all of them."""

    roomy = False
    """Whether the screen is large enough for cards."""

    class Clicked(Message):
        """A seat was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    def _forms(self, width: int) -> Iterator[Form]:
        if self.roomy:
            yield Form(("tile 0", "tile 1", "tile 2", "space"), 1, width + GAP)
        yield from super()._forms(width)

    def _part(self, part: str, seat: int, width: int, shades: Shades) -> list[Segment]:
        if not part.startswith("tile"):
            return super()._part(part, seat, width, shades)
        row, line, shades = self.rows[seat], int(part.removeprefix("tile ")), self.shades(seat, pointed=True)
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
        return [arrow, self._tile(row, line), Segment("  ", shades.plain), *texts[line]]

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
        seat = self.seat_at(*at) if at else None
        if seat is not None:
            self.post_message(self.Clicked(seat))
