"""The seats round the table: each a card with its dice, its value and its chance, in rows; or the plain list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.reactive import reactive
from textual.strip import Strip

from fourtwenty.tui.widgets.die import CHIP, MEDIUM, SMALL, draw
from fourtwenty.tui.widgets.seats import Row, Seats, Shades, bar, cut, fit

INDENT = 2
"""Cells before the name and the dice of a card."""

GAP = 2
"""The least number of cells between two cards."""

LOOSE = 8
"""The most cells between two cards."""


class Arrangement(Struct, frozen=True):
    """The size and order of the cards."""

    die: tuple[int, int]
    """The size of the dice, one of those in ``die``."""
    columns: int
    """Number of cards side by side."""
    pitch: int
    """Cells from one card to the next."""
    bars: bool
    """Whether a chance has a bar on a line of its own."""
    tallies: bool
    """Whether tokens or points have a line of their own."""
    loose: bool
    """Whether there is a blank line below a card."""
    rows: int
    """Number of cards below each other."""

    @property
    def lines_a_card(self) -> int:
        """The height of a card: its name, its dice, its value, and more."""
        own_line = self.die != CHIP
        return 1 + self.die[1] + own_line + self.bars + self.tallies + self.loose

    @property
    def lines(self) -> int:
        """The height of all cards."""
        return self.rows * self.lines_a_card - self.loose


def arranged(rows: Sequence[Row], hand_size: int, size: tuple[int, int], largest: tuple[int, int]) -> Arrangement:
    """Return the largest arrangement, with dice no larger than ``largest``, that fits a size in cells.

    Bars go before dice get smaller; chips are used even if they do not fit.
    """
    width, height = size
    tallies = any(row.tally for row in rows)
    bars = any(row.share is not None for row in rows)
    tried: list[Arrangement] = []
    sizes = [die for die in (MEDIUM, SMALL, CHIP) if die <= largest]
    for die in sizes:
        value = 8 if die == CHIP else 0
        card = INDENT + hand_size * (die[0] + 1) - 1 + value
        most = max(1, (width + GAP) // (card + GAP))
        below = -(-len(rows) // most)
        columns = -(-len(rows) // below)
        pitch = min((width + GAP) // columns, card + LOOSE)
        bars = bars and die != CHIP
        for with_bars, loose in ((bars, below > 1), (bars, False), (False, False)):
            tried.append(Arrangement(die, columns, pitch, with_bars, tallies, loose, below))
            if tried[-1].lines <= height:
                return tried[-1]
    return tried[-1]


def changed_cells(then: Sequence[Segment], now: Sequence[Segment]) -> tuple[int, int]:
    """Return the first cell in which two lines differ, and the one after the last; (0, 0) for none."""
    same = next((at for at, pair in enumerate(zip_longest(then, now)) if pair[0] != pair[1]), None)
    if same is None:
        return 0, 0
    first = sum(cell_len(segment.text) for segment in now[:same])
    pairs = enumerate(zip_longest(_cells(then[same:]), _cells(now[same:])), first)
    changed = [at for at, (before, after) in pairs if before != after]
    return (changed[0], changed[-1] + 1) if changed else (0, 0)


def _cells(line: Sequence[Segment]) -> list[tuple[str, Style | None]]:
    """Return the character and the style in each cell: a wide character is in two, one without width in none."""
    return [(char, segment.style) for segment in line for char in segment.text for _ in range(cell_len(char))]


class SeatCards(Seats):
    """The seats as cards in rows, or in the list of ``Seats`` while there is no arrangement."""

    rows: reactive[tuple[Row, ...]] = reactive((), repaint=False)
    pointed: reactive[int] = reactive(0, repaint=False)
    arrangement: reactive[Arrangement | None] = reactive(None)
    """The order of the cards; None for the list."""

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._drawn: dict[tuple[int, int], list[Segment]] = {}
        """The lines of the cards as they were drawn last, by seat and line."""

    def on_mount(self) -> None:
        """Measure the rows that the list was made with."""
        self._measure()

    @property
    def lines_a_seat(self) -> int:
        return self.arrangement.lines_a_card if self.arrangement else super().lines_a_seat

    @cached_property
    def _seat_order(self) -> list[int]:
        """The seats in the order of the cards: as at the table, but chips of those who still play first."""
        seats = range(len(self.rows))
        crowded = self.arrangement is not None and self.arrangement.die == CHIP
        return sorted(seats, key=lambda seat: crowded and not self.rows[seat].playing)

    def watch_arrangement(self) -> None:
        self._measure()

    def _measure(self) -> None:
        self.__dict__.pop("_seat_order", None)
        if not self.arrangement:
            super()._measure()
            return
        self._take_lines(self.arrangement.lines)
        self._follow()

    def _follow(self) -> None:
        if not self.arrangement:
            super()._follow()
        elif self.pointed >= 0 and self.rows:
            lines = self.arrangement.lines_a_card
            below = self._seat_order.index(self.pointed) // self.arrangement.columns
            self.scroll_to_region(Region(0, below * lines, 1, lines), animate=False, force=True)

    def watch_rows(self, before: tuple[Row, ...] = (), rows: tuple[Row, ...] = ()) -> None:
        """Measure the new rows, and repaint the cards that have changed."""
        order = self._seat_order
        self._measure()
        if not self.arrangement or len(before) != len(rows) or order != self._seat_order:
            self.refresh()
            return
        changed = [seat for seat, (then, now) in enumerate(zip(before, rows, strict=True)) if then != now]
        self._repaint(changed, self.arrangement.lines_a_card - self.arrangement.loose)

    def watch_pointed(self, before: int = -1, pointed: int = -1) -> None:
        """Scroll the card at the pointer into view, and repaint the names that have changed."""
        self._follow()
        if self.arrangement:
            self._repaint([seat for seat in (before, pointed) if 0 <= seat < len(self.rows)], 1)
        else:
            lines = self.lines_a_seat
            width = self.scrollable_content_region.width
            top = self.scroll_offset.y
            self.refresh(*(Region(0, seat * lines - top, width, lines) for seat in (before, pointed) if seat >= 0))

    def _repaint(self, seats: Sequence[int], lines: int) -> None:
        """Repaint what has changed in the first lines of the cards of these seats, as far as they are in sight."""
        arrangement = self.arrangement
        if not arrangement or not self._drawn:  # then all will be painted
            return
        margin, top = self._margin(arrangement), self.scroll_offset.y
        box = self.scrollable_content_region.reset_offset
        regions = []
        for seat in seats:
            below, column = divmod(self._seat_order.index(seat), arrangement.columns)
            x, y = margin + column * arrangement.pitch, below * arrangement.lines_a_card - top
            for line in range(lines):
                first, end = changed_cells(self._drawn.get((seat, line), []), self._card(arrangement, seat, line))
                regions.append(Region(x + first, y + line, end - first, 1).intersection(box))
        regions = [region for region in regions if region]
        if regions:  # or Textual would repaint all
            self.refresh(*regions)

    def _margin(self, arrangement: Arrangement) -> int:
        used = arrangement.columns * arrangement.pitch - GAP
        return max(0, (self.scrollable_content_region.width - used) // 2)

    def render_line(self, y: int) -> Strip:
        arrangement = self.arrangement
        if not arrangement:
            return super().render_line(y)
        below, line = divmod(y + self.scroll_offset.y, arrangement.lines_a_card)
        if arrangement.loose and line == arrangement.lines_a_card - 1:
            return Strip.blank(self.size.width, self.rich_style)
        first = below * arrangement.columns
        margin = self._margin(arrangement)
        segments = [Segment(" " * margin, self.rich_style)]
        for seat in self._seat_order[first : first + arrangement.columns]:
            self._drawn[seat, line] = self._card(arrangement, seat, line)
            segments += self._drawn[seat, line]
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _card(self, arrangement: Arrangement, seat: int, line: int) -> list[Segment]:
        """Return one line of a card, as wide as the pitch."""
        row, width = self.rows[seat], arrangement.pitch - GAP
        shades = self.shades(seat, pointed=line == 0)
        last = arrangement.lines_a_card - 1 - arrangement.loose
        if line == 0:
            parts = self._title(seat, width, shades)
        elif arrangement.die == CHIP and line == 1:
            value = row.total if row.dice else row.note
            chips = self.chips(row, shades.plain) if row.dice else ()
            parts = [Segment(" " * INDENT, shades.plain), *chips]
            parts.append(Segment(cut(value, width - sum(cell_len(part.text) for part in parts)), shades.plain))
            if row.bar_label:
                chance = row.bar_label.split("  ")[0]
                room = width - sum(cell_len(part.text) for part in parts)
                if room > len(chance):
                    parts.append(Segment(chance.rjust(room), shades.quiet))
        elif line <= arrangement.die[1]:
            parts = self._dice(arrangement, row, line - 1, shades)
        elif line == last and arrangement.bars:
            whole = f" {row.bar_label}"
            label = whole if width - INDENT - cell_len(whole) >= 10 else whole.split("  ")[0]
            parts = bar(row.share, label, INDENT, width, shades)
        elif arrangement.tallies and line == last - arrangement.bars:
            parts = [Segment(" " * INDENT + fit(row.tally, width - INDENT), shades.plain)]
        else:
            parts = self._value(row, width, shades, with_chance=not arrangement.bars)
        return [*Strip(parts).adjust_cell_length(width, shades.plain), Segment(" " * GAP, self.rich_style)]

    def _title(self, seat: int, width: int, shades: Shades) -> list[Segment]:
        """Return the line of the name of a card, with its tag if there is room."""
        row = self.rows[seat]
        beside = row.tag_first or cell_len(row.name) + cell_len(row.tag) + 5 <= width
        tag = f" {fit(row.tag, min(cell_len(row.tag), width - 9))}" if row.tag and beside else ""
        name = fit(row.name, min(cell_len(row.name), width - 4 - cell_len(tag)))
        return self._heading(seat, name, tag, shades, shades.bold)

    def _dice(self, arrangement: Arrangement, row: Row, line: int, shades: Shades) -> list[Segment]:
        """Return one line of the dice of a card; without dice, its note in the middle line."""
        width, height = arrangement.die
        indent = Segment(" " * INDENT, shades.plain)
        if not row.dice:
            note = cut(row.note, arrangement.pitch - GAP - INDENT) if line == height // 2 else ""
            return [indent, Segment(note, shades.quiet)]
        body = self.body(row)
        digits, framed = self.app.has_class("-digits"), self.app.no_color
        parts, gap = [indent], Segment(" ", Style(bgcolor=shades.plain.bgcolor))
        for face in row.dice:
            parts += Segment(draw(face, width, height, "", False, digits, framed)[line], body), gap
        return parts

    def _value(self, row: Row, width: int, shades: Shades, with_chance: bool) -> list[Segment]:
        """Return the line of the value of the hand, with the chance at its end unless that has a bar."""
        chance = row.bar_label.split("  ")[0] if with_chance else ""
        room = width - INDENT - len(chance) - bool(chance)
        value, note = "", ""
        if row.dice:
            value = row.aim if cell_len(row.aim) + cell_len(row.note) + 2 <= room else row.total
            note = f"  {row.note}" if value != row.aim and cell_len(value) + cell_len(row.note) + 2 <= room else ""
        value = cut(value, room)
        left = INDENT + cell_len(value) + cell_len(note)
        return [
            Segment(" " * INDENT + value, shades.plain),
            Segment(note, shades.quiet),
            Segment(chance.rjust(max(0, width - left)), shades.plain),
        ]
