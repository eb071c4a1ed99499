"""The seats of a match in a list that scrolls. Only visible lines are drawn, so hundreds of seats cost no more."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from fourtwenty.tui.widgets.die import chip

MARKS = "●■▲◆▼★✚"
TINTS = 6
"""Seven marks and six tints are coprime, so that the pairs of the first 42 seats differ."""

BOLD = Style(bold=True)

ONE_LINE = 50
"""The width of the list, in cells, from which a seat is on one line instead of two."""


class Row(Struct, frozen=True):
    """The texts and the bar of one seat."""

    colour: int
    """The colour index of the seat, from 0: it selects the mark and the tint."""
    name: str
    tag: str = ""
    """A word after the name."""
    tag_first: bool = False
    """Whether the name is cut rather than the tag left out, where there is no room for both."""
    detail: str = ""
    """The hand; in the lobby, the kind of player."""
    dice: tuple[int, ...] = ()
    """The faces of the hand, drawn as dice before ``total`` in the place of the detail; empty for none."""
    total: str = ""
    """The value of the hand."""
    aim: str = ""
    """The value of the hand and how far it is from the goal."""
    note: str = ""
    """The standing in a few words."""
    playing: bool = True
    """Whether the seat still plays; others are dimmed."""
    tally: str = ""
    """The tokens or points of the seat, on a separate line."""
    share: float | None = None
    """The length of the bar, from 0 to 1, on a separate line; None for no bar."""
    bar_label: str = ""
    """The text after the bar."""


class Shades(Struct, frozen=True):
    """The styles of the parts of one seat."""

    plain: Style
    bold: Style
    """The style of the name: bold at the pointer."""
    quiet: Style
    tinted: Style
    """The tint of the seat where seats are coloured."""


def bar(share: float | None, label: str, indent: int, width: int, shades: Shades) -> list[Segment]:
    """Return a line with a bar and a label after it; nothing without a share."""
    if share is None:
        return []
    room = max(1, width - indent - cell_len(label))
    full = round(room * share)
    return [
        Segment(" " * indent, shades.plain),
        Segment("━" * full, shades.tinted),
        Segment("╌" * (room - full), shades.quiet),
        Segment(label, shades.plain),
    ]


def mark(colour: int) -> str:
    """Return the mark of a colour index."""
    return MARKS[colour % len(MARKS)]


def tint(colour: int) -> int:
    """Return the tint of a colour index, from 0 for ``$seat-0`` to 5 for ``$seat-5``."""
    return colour % TINTS


def tinted_style(app: App[object], colour: int) -> Style:
    """Return the style of a mark in the tint of its colour index; a component class for each would slow the start."""
    return _ink(app.theme_variables[f"seat-{tint(colour)}"])


@lru_cache
def _ink(colour: str) -> Style:
    return Style(color=Color.parse(colour).rich_color)


def fit(text: str, width: int) -> str:
    """Return a text padded, or cut with an ellipsis, to a width in cells."""
    if width <= 0:
        return ""
    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


def cut(text: str, width: int) -> str:
    """Return a text that has at most this width in cells, with an ellipsis where it was longer."""
    return text if cell_len(text) <= width else fit(text, width)


def _detail_width(row: Row) -> int:
    return 4 * len(row.dice) + 1 + cell_len(row.total) if row.dice else cell_len(row.detail)


@lru_cache
def die_style(pips: str, ground: str) -> Style:
    """Return the style of a die with pips of one colour on another, "#RRGGBB"."""
    return Style(color=Color.parse(pips).rich_color, bgcolor=Color.parse(ground).rich_color)


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


class Seats(ScrollView, can_focus=False, inherit_bindings=False):
    """A list of seats with a pointer."""

    ALLOW_MAXIMIZE = False
    COMPONENT_CLASSES = {"seats--pointed", "seats--quiet", "seats--gone"}  # noqa: RUF012

    rows: reactive[tuple[Row, ...]] = reactive(())
    """The seats in clockwise order."""
    pointed: reactive[int] = reactive(0)
    """The seat at the pointer, which is scrolled into view; -1 for none."""
    coloured: reactive[bool] = reactive(True)
    """Whether marks have the tints of their seats."""

    _tallies = False
    """Whether any seat has a tally."""
    _bars = False
    """Whether any seat has a bar."""
    _bar_label_width = 0
    """The width of the texts after the bars in cells."""
    _columns = (0, 0, 0, 0)
    """The widths of name, tag, detail and note in cells; none before the list knows its size."""

    @property
    def _one_line(self) -> bool:
        return self.scrollable_content_region.width >= ONE_LINE

    @property
    def lines_a_seat(self) -> int:
        """The height of a seat: one or two lines of texts, one for tallies and one for bars if any seat has one."""
        return (1 if self._one_line else 2) + self._tallies + self._bars

    @property
    def _lines(self) -> int:
        """The height of all seats."""
        return len(self.rows) * self.lines_a_seat

    def lines_in(self, width: int) -> int:
        """Return the height of the list in a width."""
        tallies, bars = any(row.tally for row in self.rows), any(row.share is not None for row in self.rows)
        return len(self.rows) * ((1 if width >= ONE_LINE else 2) + tallies + bars)

    def watch_rows(self) -> None:
        self._measure()

    def watch_pointed(self) -> None:
        self._follow()

    def on_resize(self) -> None:
        self._measure()
        self.refresh()

    def _detail(self, row: Row, width: int, plain: Style) -> list[Segment]:
        """Return the detail of a seat, or its dice as chips with their value if they have room, in a width."""
        if not row.dice or 4 * len(row.dice) + 2 > width:
            return [Segment(fit(row.detail, width), plain)]
        chips = self.chips(row, plain)
        total = fit(f" {row.total}", width - 4 * len(row.dice))
        return [*chips, Segment(total, plain)]

    def chips(self, row: Row, plain: Style) -> list[Segment]:
        """Return the dice of a seat as chips, with a gap after each."""
        body = self.body(row)
        framed = self.app.no_color
        return [each for face in row.dice for each in (Segment(chip(face, framed), body), Segment(" ", plain))]

    def body(self, row: Row) -> Style:
        """Return the style of the dice of a seat: its tint, or plain white, with the pips that contrast with it."""
        variable = f"seat-{tint(row.colour)}" if self.coloured else "dice-white"
        colours = self.app.theme_variables
        return die_style(colours[f"{variable}-pip"], colours[variable])

    def _measure(self) -> None:
        width = self.scrollable_content_region.width
        tag = _widest(row.tag for row in self.rows)
        note = _widest(row.note for row in self.rows)
        room = width - len("▶ ●  ") - tag - note - 4
        wanted = max((_detail_width(row) for row in self.rows), default=0)
        name = min(_widest(row.name for row in self.rows), max(room - wanted, room // 3))
        detail = min(wanted, room - name)
        self._tallies = any(row.tally for row in self.rows)
        self._bars = any(row.share is not None for row in self.rows)
        self._bar_label_width = _widest(row.bar_label for row in self.rows)
        self._columns = name, tag, detail, note
        """The widths of name, tag, detail and note in cells, where they are on one line."""
        self._take_lines(self._lines)
        self._follow()

    def _take_lines(self, lines: int) -> None:
        """Scroll over a number of lines. Where all are shown, as before, the screen needs no new layout."""
        size = Size(self.scrollable_content_region.width, lines)
        if lines <= self.scrollable_content_region.height and not self.show_vertical_scrollbar:
            self.set_reactive(Seats.virtual_size, size)
        else:
            self.virtual_size = size

    def _follow(self) -> None:
        lines = self.lines_a_seat
        self.scroll_to_region(Region(0, self.pointed * lines, 1, lines), animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """Draw one line of one seat."""
        seat, line = divmod(y + self.scroll_offset.y, self.lines_a_seat)
        if seat >= len(self.rows):
            return Strip.blank(self.size.width, self.rich_style)
        row, shades = self.rows[seat], self.shades(seat)
        width = self.scrollable_content_region.width
        last = self.lines_a_seat - 1
        if self._bars and line == last:
            parts = bar(row.share, "  " + row.bar_label.rjust(self._bar_label_width), 4, width, shades)
        elif self._tallies and line == last - self._bars:
            parts = [Segment("    " + fit(row.tally, width - 4), shades.plain)]
        elif self._one_line:
            name, tag, detail, note = self._columns
            parts = [
                *self._heading(seat, f"{fit(row.name, name)} ", f"{fit(row.tag, tag)}  ", shades, shades.plain),
                *self._detail(row, detail, shades.plain),
                Segment("  ", shades.plain),
                Segment(fit(row.note, note), shades.quiet),
            ]
        elif line == 0:
            name = width - len("▶ ●  ") - cell_len(row.tag)
            parts = self._heading(seat, f"{fit(row.name, name)} ", row.tag, shades, shades.plain)
        else:
            indent = 4 if row.dice else 6
            fits = _detail_width(row) + cell_len(row.note) < width - indent
            standing = f" {row.note}" if row.note and fits else ""
            parts = [
                Segment(" " * indent, shades.plain),
                *self._detail(row, width - indent - cell_len(standing), shades.plain),
                Segment(standing, shades.quiet),
            ]
        return Strip(parts).adjust_cell_length(self.size.width, shades.plain)

    def _heading(self, seat: int, name: str, tag: str, shades: Shades, arrow: Style) -> list[Segment]:
        """Return the pointer, the mark, the name and the tag of a seat."""
        return [
            Segment("▶ " if seat == self.pointed else "  ", arrow),
            Segment(f"{mark(self.rows[seat].colour)} ", shades.tinted),
            Segment(name, shades.bold),
            Segment(tag, shades.quiet),
        ]

    def shades(self, seat: int, pointed: bool = True) -> Shades:
        """Return the styles of a seat; ``pointed`` is whether the pointer shows on this line."""
        row, pointed = self.rows[seat], pointed and seat == self.pointed
        plain = self.get_component_rich_style("seats--pointed") if pointed else self.rich_style
        quiet = self._over(plain, "seats--quiet")
        tinted = plain + tinted_style(self.app, row.colour) if self.coloured else plain
        if not row.playing:
            plain = quiet = tinted = self._over(plain, "seats--gone")
        return Shades(plain, plain + BOLD if pointed else plain, quiet, tinted)

    def _over(self, style: Style, component: str) -> Style:
        return style + self.get_component_rich_style(component, partial=True)
