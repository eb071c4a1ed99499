"""The seats of a match: a list, or cards with dice if there is room. It folds before it scrolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.events import MouseScrollDown, MouseScrollUp
from textual.reactive import reactive
from textual.strip import Strip

from fourtwenty.cells import cell_len, set_cell_size
from fourtwenty.games.game import Meter, State
from fourtwenty.tui.textual_base.drawn import DrawnWidget
from fourtwenty.tui.widgets.bar import EDGES, MAX_CELLS, MIN_BAR_WIDTH, bar
from fourtwenty.tui.widgets.die import SMALL, chip, draw

MARKS = "●■▲◆▼★✚"
TINTS = 6
"""Seven marks and six tints are coprime, so that the pairs of the first 42 seats differ."""

BOLD = Style(bold=True)

ONE_LINE = 48
"""The width, in cells, from which a seat of the list has one line instead of two."""
MIN_NAME_WIDTH = 8
"""The cells of a longer name that stay while other parts can be left out."""
HEADING = len("▶ ● ")
"""The width before a seat's name and its dice, without places, in cells."""
GAP = 2
"""The least gap between two seats, or two columns of a list, in cells."""
LOOSE = 8
"""The largest gap between two cards, in cells."""


class Row(Struct, frozen=True):
    colour: int
    """The seat's colour index, from 0: it selects the mark and the tint."""
    name: str
    place: str = ""
    """The place at the end, such as "1st", before the mark; may be empty."""
    tag: str = ""
    tag_first: bool = False
    """Whether the name is cut before the tag is left out."""
    detail: str = ""
    """The hand; in the lobby, the kind of player."""
    dice: tuple[int, ...] = ()
    """The faces of the hand, drawn as dice before ``total`` in place of the detail; empty for none."""
    total: str = ""
    meter: Meter | None = None
    note: str = ""
    playing: bool = True
    """Whether the seat still plays; others are dimmed."""
    tally: str = ""
    """The seat's tokens or points, with their number as the last two words."""
    share: float | None = None
    """The length of the bar, from 0 to 1; None for no bar."""
    bar_label: str = ""
    """The chance, and after two blanks the other expected values."""

    @property
    def count(self) -> str:
        """The number of tokens or points: "7 tokens"."""
        return " ".join(self.tally.split()[-2:])

    @property
    def chance(self) -> str:
        return self.bar_label.split("  ")[0]


class SeatLayout(Struct, frozen=True):
    lines: tuple[str, ...]
    """The names of a seat's lines, from the top, as in ``Seats._part``."""
    columns: int
    pitch: int

    def height(self, seats: int) -> int:
        return -(-seats // self.columns) * len(self.lines) - (self.lines[-1] == "space")


class Fields(Struct, frozen=True):
    """The widths of the parts of a line of the list, in cells; 0 for parts left out."""

    name: int
    dice: bool
    hand: int
    count: int
    note: int
    chance: int
    meter: int = 0
    """The cells between the meter's edges, before the hand's value."""


class Shades(Struct, frozen=True):
    plain: Style
    bold: Style
    """The style of the name: bold at the cursor."""
    quiet: Style
    tinted: Style
    """The seat's tint if seats are coloured."""


def seat_row(state: State, seat: int, name: str) -> Row:
    """Return a seat of a match without its chances."""
    standing = state.standing(seat)
    return Row(
        colour=seat,
        name=name,
        detail=standing.detail,
        dice=standing.hand,
        total=standing.total,
        meter=state.meter(seat, standing.hand) if standing.playing else None,
        note=standing.note,
        playing=standing.playing,
        tally=standing.tally,
    )


def mark(colour: int) -> str:
    return MARKS[colour % len(MARKS)]


@lru_cache
def tint(colour: int) -> int:
    """Return the tint of a colour index, from 0 for ``$seat-0`` to 5 for ``$seat-5``."""
    return colour % TINTS


def tinted_style(app: App[Any], colour: int) -> Style:
    """Return the style of a mark in its tint; a component class for each would slow the start."""
    return ink(app.theme_variables[f"seat-{tint(colour)}"])


@lru_cache
def ink(colour: str) -> Style:
    return Style(color=Color.parse(colour).rich_color)


@lru_cache
def die_style(pips: str, ground: str) -> Style:
    """Return the style of a die by the colours of pips and ground, "#RRGGBB"."""
    return Style(color=Color.parse(pips).rich_color, bgcolor=Color.parse(ground).rich_color)


def fit(text: str, width: int) -> str:
    """Return a text padded, or cut with an ellipsis, to a width in cells."""
    if width <= 0:
        return ""
    return set_cell_size(text, width) if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


def cut(text: str, width: int) -> str:
    """Return a text of at most this width in cells, with an ellipsis if it was longer."""
    return text if cell_len(text) <= width else fit(text, width)


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


class Seats(DrawnWidget, can_focus=False, inherit_bindings=False):
    """The seats with a cursor. Only visible lines are drawn, so hundreds of seats cost no more."""

    DEFAULT_CSS = "Seats { width: 1fr; height: 1fr; }"
    COMPONENT_CLASSES = {"seats--cursor", "seats--quiet", "seats--gone"}  # noqa: RUF012

    rows: reactive[tuple[Row, ...]] = reactive((), repaint=False, init=False)
    """In clockwise order."""
    cursor: reactive[int] = reactive(0, repaint=False, init=False)
    """The seat at the cursor, which is scrolled into view; -1 for none."""
    coloured: reactive[bool] = reactive(True)
    chance_cells = 0
    """The least cells kept for a chance at the end of a line, where chances come and go."""
    card_dice = 0
    """The number of dice of a card; 0 for a list only."""
    dice_in_rows = False
    """Whether the rows of the list keep their dice and have the meter beside them."""
    top: reactive[int] = reactive(0, repaint=False, init=False)
    """The first visible row of seats."""

    heading = HEADING
    """The width before a seat's name and its dice, in cells."""
    seat_layout = SeatLayout(("line",), 1, 1)
    _fields = Fields(0, False, 0, 0, 0, 0)

    # -- what fits -----------------------------------------------------------------------------------------------

    def lines_in(self, width: int, height: int) -> int:
        """Return the height that the seats need for a width; if there is less, that of the last form."""
        return self._fitting(width, height).height(len(self.rows))

    def _fitting(self, width: int, height: int) -> SeatLayout:
        """Return the best form that fits a size in cells, else the one with most visible seats."""
        forms = [*self._forms(width)]
        return next((form for form in forms if form.height(len(self.rows)) <= height), forms[-1])

    def _forms(self, width: int) -> Iterator[SeatLayout]:
        """Yield the ways to draw the seats in a width, best first: without tallies, then lines."""
        seats = len(self.rows)
        tally = ("tally",) if any(row.tally for row in self.rows) else ()
        if self.card_dice:
            card = self.heading + self.card_dice * (SMALL[0] + 1) - 1
            below = -(-seats // max(1, (width + GAP) // (card + GAP)))
            columns = max(1, -(-seats // max(1, below)))
            pitch = min((width + GAP) // columns, card + LOOSE)
            for more in ((*tally, "space"), tally):
                yield SeatLayout(("name", "die 0", "die 1", "die 2", "value", *more), columns, pitch)
        seat = ("line",) if width >= ONE_LINE else ("name", "hand")
        for more in (("space",), ()) if self.dice_in_rows else (tally, ()):
            yield SeatLayout((*seat, *more), 1, width + GAP)
        least = self.heading + min(MIN_NAME_WIDTH, _widest(row.name for row in self.rows)) + GAP
        for columns in range(1, max(1, (width + GAP) // least) + 1):
            yield SeatLayout(("line",), columns, (width + GAP) // columns)

    def fold(self) -> None:
        """Arrange the seats for the present size, rows and kind of cards."""
        width, height = self.content_size
        self.seat_layout = self._fitting(width, height)
        self._fields = self._measured(self.seat_layout, self.seat_layout.pitch - GAP)
        self._follow()

    def _measured(self, form: SeatLayout, width: int) -> Fields:
        """Return the parts of a list's line that fit: the longest hand first, at last only the name."""
        rows = self.rows
        on_line = "line" in form.lines
        least = min(MIN_NAME_WIDTH, _widest(row.name for row in rows)) if on_line else 0
        tagged = [row for row in rows if row.tag_first or not self.dice_in_rows]  # the meter says more than "starts"
        names = [*(f"{row.name} {row.tag}".strip() for row in tagged), *(row.name for row in rows)]
        name = _widest(names) if on_line else 0
        chips = _widest(f"{'[6] ' * len(row.dice)}{row.total}" if row.dice else row.detail or row.note for row in rows)
        detail = _widest(row.detail or row.note for row in rows)
        total = _widest(row.total or row.note for row in rows)
        count = 0 if "tally" in form.lines else _widest(row.count for row in rows)
        note = _widest(row.note for row in rows if row.detail)
        kept = self.chance_cells if form.columns == 1 else 0  # side by side, the hands need the room
        chance = max(kept, _widest(row.chance for row in rows)) if on_line else 0
        tries = [
            (chips, count, note, chance),
            (chips, count, 0, chance),
            (detail, count, note, chance),
            (detail, count, 0, chance),
            (total, count, 0, chance),
            (total, count, 0, 0),
            (0 if count else total, count, 0, 0),
            (0, 0, 0, 0),
        ]
        tallies = [row.meter.label for row in rows if row.meter and row.meter.of_tally]
        in_rows = self.dice_in_rows and form.columns == 1
        if in_rows:
            dice = _widest("[6] " * len(row.dice) if row.dice else row.note for row in rows)
            metered = _widest(tallies) + EDGES + MIN_BAR_WIDTH + 1 if tallies else count
            tries[:2] = (chips, metered, note, chance), (chips, metered, 0, chance), (dice, metered, 0, chance)
        room = width - self.heading if on_line else width - self.heading + GAP
        rooms = [room - sum(GAP + each for each in fields if each) for fields in tries]
        best = next((index for index, room in enumerate(rooms) if room >= least), -1)
        name = min(name, max(0, rooms[best]))
        hand, count, note, chance = tries[best]
        most = max((row.meter.full for row in rows if row.meter and not row.meter.of_tally), default=0)
        beside_meter = rooms[best] - EDGES - MIN_BAR_WIDTH - 1
        if in_rows and most and beside_meter >= least:
            name = min(name, beside_meter)
        spare = rooms[best] - name - EDGES - 1
        for kept, room in ((note, spare), (0, spare + (note and GAP + note))):  # the meter says more than the note
            meter = min(most, MAX_CELLS, room)
            if hand == chips and meter >= MIN_BAR_WIDTH:
                return Fields(name, True, hand + EDGES + meter + 1, count, kept, chance, meter)
        in_rows = in_rows and 0 <= best < 3
        if in_rows and tallies:
            count = min(count + rooms[best] - name, EDGES + MAX_CELLS + 1 + _widest(row.count for row in rows))
        return Fields(name, in_rows or hand == chips, hand, count, note, chance)

    # -- which are in view ---------------------------------------------------------------------------------------

    @property
    def _page(self) -> int:
        """The number of visible rows of seats; if some are hidden, a line below says so."""
        height = self.content_size.height
        if self.seat_layout.height(len(self.rows)) <= height:
            return len(self.rows)
        return max(1, (height - 1) // len(self.seat_layout.lines))

    def scroll_rows(self, step: int) -> None:
        """Scroll by rows of seats, at most to their ends."""
        last = -(-len(self.rows) // self.seat_layout.columns) - self._page
        self.top = max(0, min(last, self.top + step))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.scroll_rows(1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.scroll_rows(-1)

    def watch_rows(self) -> None:
        self.heading = HEADING + max(0, _widest(row.place for row in self.rows) - 1)
        self.fold()

    def watch_cursor(self) -> None:
        self._follow()

    def watch_top(self) -> None:
        self.repaint()

    def on_resize(self) -> None:
        self.fold()
        self.refresh()

    def _follow(self) -> None:
        """Scroll to the cursor, and repaint the changes."""
        if self.cursor >= 0:
            below = self.cursor // self.seat_layout.columns
            self.scroll_rows(min(max(self.top, below - self._page + 1), below) - self.top)
        self.repaint()

    def seat_at(self, x: int, y: int) -> int | None:
        below, column = self.top + y // len(self.seat_layout.lines), x // self.seat_layout.pitch
        seat = below * self.seat_layout.columns + column
        return (
            seat
            if column < self.seat_layout.columns and seat < len(self.rows) and below < self.top + self._page
            else None
        )

    # -- lines ---------------------------------------------------------------------------------------------------

    def draw_line(self, y: int, width: int) -> list[Segment]:
        form = self.seat_layout
        below, line = divmod(y, len(form.lines))
        if below >= self._page:
            return self._rest() if y == self.content_size.height - 1 else []
        first = (self.top + below) * form.columns
        seats = range(first, min(first + form.columns, len(self.rows)))
        seat_width = form.pitch - GAP
        parts = [Segment(" " * ((width + GAP - form.columns * form.pitch) // 2), self.style_of())]
        for seat in seats:
            shades = self.shades(seat, at_cursor=line == 0)
            shown = Strip(self._part(form.lines[line], seat, seat_width, shades))
            parts += [*shown.adjust_cell_length(seat_width, shades.plain), Segment(" " * GAP, self.style_of())]
        return parts

    def _rest(self) -> list[Segment]:
        """Return the line that names the visible seats, if some are hidden."""
        seats, columns = len(self.rows), self.seat_layout.columns
        if self._page >= seats:
            return []
        shown = f"Players {self.top * columns + 1} to {min(seats, (self.top + self._page) * columns)} of {seats}"
        return [Segment(f"{' ' * self.heading}{shown}", self._over(self.style_of(), "seats--quiet"))]

    def _part(self, part: str, seat: int, width: int, shades: Shades) -> list[Segment]:
        """Return one line of a seat, by its name in a ``SeatLayout``."""
        row = self.rows[seat]
        match part:
            case "line":
                left = self.heading + self._fields.name
                name = Strip(self._title(seat, left, shades)).adjust_cell_length(left + GAP, shades.plain)
                return [*name, *self._standing(row, width - left - GAP, shades)]
            case "name":
                return self._named(seat, width, shades)
            case "hand":
                return [Segment(" " * self.heading, shades.plain), *self._standing(row, width - self.heading, shades)]
            case "tally":
                tally = self._tally(row, row.tally, width - self.heading, shades)
                return [Segment(" " * self.heading, shades.plain), *tally]
            case "value":
                return self._value(row, width, shades)
            case "space":
                return []
            case _:
                return self._dice(row, int(part.removeprefix("die ")), width, shades)

    def _title(self, seat: int, width: int, shades: Shades) -> list[Segment]:
        """Return a seat's place or cursor, mark and name, with its tag if there is room."""
        row = self.rows[seat]
        fits = self.heading + cell_len(row.name) + 1 + cell_len(row.tag) <= width
        tag = ""
        if row.tag and (row.tag_first or fits):
            tag = f" {row.tag if fits else cut(row.tag, width - self.heading - 5)}"
        return [
            Segment((row.place or "▶" * (seat == self.cursor)).ljust(self.heading - 2), shades.plain),
            Segment(f"{mark(row.colour)} ", shades.tinted),
            Segment(cut(row.name, width - self.heading - cell_len(tag)), shades.bold),
            Segment(tag, shades.quiet),
        ]

    def _standing(self, row: Row, width: int, shades: Shades) -> list[Segment]:
        """Return the text beside a name in the list, with the chance at the end, or below it."""
        fields = self._fields
        if row.dice and fields.dice:
            hand = [*self._chips(row, shades)]
            if row.meter and fields.meter:
                hand += Segment(bar(row.meter, fields.meter), shades.tinted), Segment(f" {row.total}", shades.plain)
            elif Segment.get_line_length(hand) + cell_len(row.total) <= fields.hand:
                hand.append(Segment(row.total, shades.plain))
        else:
            too_long = cell_len(row.detail) > fields.hand
            text = row.total if row.total and too_long else row.detail or row.note
            hand = [Segment(cut(text, fields.hand), shades.plain)]
        parts = [*Strip(hand).adjust_cell_length(fields.hand, shades.plain)]
        if fields.count:
            tally = Strip(self._tally(row, row.count, fields.count, shades))
            gap = " " * GAP if fields.hand else ""
            parts += Segment(gap, shades.plain), *tally.adjust_cell_length(fields.count, shades.plain)
        if fields.note and row.detail:
            parts.append(Segment("  " + row.note, shades.quiet))
        return _between(parts, row.chance if fields.chance else "", width, shades)

    def _tally(self, row: Row, text: str, width: int, shades: Shades) -> Iterator[Segment]:
        """Yield a seat's tally after a meter of it if there is room; in rows, its number if only that has room too."""
        if row.meter and row.meter.of_tally:
            labels = [text, *(each.count for each in self.rows)]
            if self.dice_in_rows and 0 < width - _widest(labels) < EDGES + MIN_BAR_WIDTH + 1:
                labels = [each.meter.label for each in (row, *self.rows) if each.meter]
            yield from _meter(row.meter, width, shades, labels)
        else:
            yield Segment(cut(text, width), shades.plain)

    def _chips(self, row: Row, shades: Shades) -> Iterator[Segment]:
        """Yield a seat's dice in one line, with a gap after each."""
        body = self.body(row)
        for face in row.dice:
            yield Segment(chip(face, self.app.no_color), body)
            yield Segment(" ", shades.plain)

    def _dice(self, row: Row, line: int, width: int, shades: Shades) -> list[Segment]:
        """Return one line of the dice of a card; without dice, its note in the middle line."""
        indent, gap = Segment(" " * self.heading, shades.plain), Segment(" ", Style(bgcolor=shades.plain.bgcolor))
        if not row.dice:
            note = row.note if line == SMALL[1] // 2 else ""
            return [indent, Segment(cut(note, width - self.heading), shades.quiet)]
        body, framed = self.body(row), self.app.no_color
        parts = [indent]
        for face in row.dice:
            parts += Segment(draw(face, *SMALL, "", False, framed)[line], body), gap
        return parts

    def _value(self, row: Row, width: int, shades: Shades) -> list[Segment]:
        """Return the line of the hand's value."""
        parts = [Segment(" " * self.heading, shades.plain)]
        room = width - self.heading
        if row.dice and row.meter and not row.meter.of_tally:
            labels = [row.meter.label, *(each.meter.label for each in self.rows if each.meter and each.dice)]
            parts += _meter(row.meter, room, shades, labels)
        elif row.dice:
            parts.append(Segment(cut(row.total, room), shades.plain))
            if cell_len(row.total) + GAP + cell_len(row.note) <= room:
                parts.append(Segment(f"  {row.note}", shades.quiet))
        return parts

    def _named(self, seat: int, width: int, shades: Shades) -> list[Segment]:
        """Return a seat's title, its chance as a bar if there is room, and the chance with other expected values."""
        row = self.rows[seat]
        if row.share is None:
            return self._title(seat, width, shades)
        title = self.heading + _widest(f"{each.name} {each.tag}".rstrip() for each in self.rows)
        labels = [each.bar_label for each in self.rows]
        if width - title - 2 * GAP - _widest(labels) < MIN_BAR_WIDTH:
            labels = [each.chance for each in self.rows]
        cells = min(MAX_CELLS, width - title - 2 * GAP - _widest(labels))
        full, cells = (round(cells * row.share), cells) if cells >= MIN_BAR_WIDTH else (0, 0)
        end = [
            Segment("━" * full, shades.tinted),
            Segment("╌" * (cells - full), shades.quiet),
            Segment(f"{' ' * GAP}{labels[seat].rjust(_widest(labels))}", shades.plain),
        ]
        room = width - Segment.get_line_length(end)
        return [*Strip(self._title(seat, room, shades)).adjust_cell_length(room, shades.plain), *end]

    # -- styles --------------------------------------------------------------------------------------------------

    def body(self, row: Row) -> Style:
        """Return the style of a seat's dice: its tint, or plain white, with contrasting pips."""
        variable = f"seat-{tint(row.colour)}" if self.coloured else "dice-white"
        colours = self.app.theme_variables
        return die_style(colours[f"{variable}-pip"], colours[variable])

    def shades(self, seat: int, at_cursor: bool) -> Shades:
        """Return a seat's styles; ``at_cursor``: the cursor shows on this line."""
        row, at_cursor = self.rows[seat], at_cursor and seat == self.cursor
        plain = self.style_of("seats--cursor") if at_cursor else self.style_of()
        quiet = self._over(plain, "seats--quiet")
        tinted = plain + tinted_style(self.app, row.colour) if self.coloured else plain
        if not row.playing:
            plain = quiet = tinted = self._over(plain, "seats--gone")
        return Shades(plain, plain + BOLD if at_cursor else plain, quiet, tinted)

    def _over(self, style: Style, component: str) -> Style:
        return style + self.style_of(component, partial=True)


def _meter(meter: Meter, width: int, shades: Shades, labels: list[str]) -> Iterator[Segment]:
    """Yield a meter, with room for each of these labels, and the first label; only the label if room is short."""
    cells = min(meter.full, MAX_CELLS, width - EDGES - 1 - _widest(labels))
    if cells >= MIN_BAR_WIDTH:
        yield Segment(bar(meter, cells), shades.tinted)
        yield Segment(" ", shades.plain)
    yield Segment(cut(labels[0], width), shades.plain)


def _between(parts: Iterable[Segment], end: str, width: int, shades: Shades) -> list[Segment]:
    """Return parts of a line of this width, with a text at its end."""
    left = Strip(parts).adjust_cell_length(width - cell_len(end), shades.plain)
    return [*left, Segment(end, shades.plain)]
