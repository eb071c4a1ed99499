"""The column beside the hand: as many short tables and charts as fit. The screen provides them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace
from rich.segment import Segment
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive, var
from textual.strip import Strip

from fourtwenty.cells import cell_len
from fourtwenty.tui.textual_base.drawn import DrawnWidget
from fourtwenty.tui.widgets.seats import BOLD, fit, mark, tinted_style

BARS = "▁▂▃▄▅▆▇█"
"""The columns of a chart's row, the lowest first."""
HIGHEST = 6
ROOM_FOR_CHOICES = 12
"""The rows that charts leave to lines of choices, which come and go with every turn."""


class Section(Struct, frozen=True):
    heading: str
    lines: tuple[str, ...]
    colours: tuple[int, ...] = ()
    """Colour indexes of the marks before the lines; none for lines without."""
    cursor: int | None = None
    """The selected line, -1 for none of them; None without choices."""
    charts: tuple[tuple[float | None, ...], ...] = ()
    """Chances from 0 to 1 drawn behind each line, None for a gap; none for lines without. They take the rows that all
    sections leave."""
    cut: bool = False
    """Whether the last lines may be left out if room is short."""


class SidePanelRow(Struct, frozen=True):
    """A row of the column: a heading, a line of a section, or a row of a line's chart."""

    text: str
    columns: str | None = None
    """This row's part of the line's chart; None for a line without a mark or a chart."""
    colour: int | None = None
    """The colour index of the line's seat; None for none."""
    above: bool = False
    """Whether it is a chart's row above its line."""
    at_cursor: bool = False
    heading: bool = False


class SidePanel(DrawnWidget):
    """Sections below each other, most important first; those too high or too wide are left out."""

    class Fitted(Message):
        """Another size has room for other sections."""

    COMPONENT_CLASSES = {"side-panel--heading", "side-panel--cursor"}  # noqa: RUF012

    sections: var[tuple[Section, ...]] = var(())
    coloured: reactive[bool] = reactive(True)
    """Whether marks have the tints of their seats."""

    def __init__(self) -> None:
        super().__init__(id="side-panel")
        self._rows: tuple[SidePanelRow | None, ...] = ()
        """The rows from the top; None for a blank one."""

    def watch_sections(self) -> None:
        self._rows = self._fitting()
        self.repaint()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return the height of the last section, which stays if others have no room."""
        return 1 + len(self.sections[-1].lines) if self.sections else 0

    def on_resize(self) -> None:
        self._rows = self._fitting()
        self.refresh()
        self.post_message(self.Fitted())

    def shows(self, heading: str) -> bool:
        """Return whether the section with this heading has room."""
        return any(row is not None and row.heading and row.text.strip() == heading for row in self._rows)

    def _fitting(self) -> tuple[SidePanelRow | None, ...]:
        fitting: list[tuple[Section, int]] = []
        used = 0
        for section in self.sections:
            indent = 2 * (section.cursor is not None or bool(section.colours))
            if indent + max(map(cell_len, section.lines), default=0) > self.content_size.width:
                continue
            room = self.content_size.height - used - 1
            lines = min(len(section.lines), room) if section.cut else len(section.lines)
            if lines < 1 or lines > room:
                continue
            fitting.append((section, lines))
            used += lines + 2
        chosen_from = sum(lines + 2 for section, lines in fitting if section.cursor is not None)
        free = max(0, self.content_size.height + 1 - used - max(0, ROOM_FOR_CHOICES - chosen_from))
        rows: list[SidePanelRow | None] = []
        for section, lines in fitting:
            indent_of_others = "" if section.cursor is None else "  "
            rows.append(SidePanelRow(indent_of_others + section.heading, heading=True))
            charts = self._charts(section, min(HIGHEST, 1 + free // lines)) if section.charts else ()
            for line in range(lines):
                *above, last = charts[line] if charts else ["" if section.colours else None]
                at_cursor = line == section.cursor
                text = f"{'▶ ' if at_cursor else indent_of_others}{section.lines[line]}"
                row = SidePanelRow(text, last, section.colours[line] if section.colours else None, at_cursor=at_cursor)
                blank = replace(row, text=" " * cell_len(text), above=True)
                rows += [*(replace(blank, columns=part) for part in above), row]
            rows.append(None)
        return tuple(rows)

    def _charts(self, section: Section, rows: int) -> Sequence[Sequence[str]]:
        """Return the chart of each line of a section in a number of rows, upper row first."""
        room = max(0, self.content_size.width - 2 - max(map(cell_len, section.lines)) - 1)
        shown = [chances[-room:] if room else () for chances in section.charts]
        highest = max((chance for chances in shown for chance in chances if chance), default=1.0)
        return [chart(chances, highest, rows) for chances in shown]

    def draw_line(self, y: int, width: int) -> Iterable[Segment]:
        plain = self.style_of()
        shown = self._rows[y] if y < len(self._rows) else None
        if shown is None:
            return []
        heading, cursor = (self.style_of(f"side-panel--{part}", partial=True) for part in ("heading", "cursor"))
        style = plain + heading if shown.heading else plain + cursor + BOLD if shown.at_cursor else plain
        if shown.columns is None:
            return [Segment(fit(shown.text, width), style)]
        shade = style if shown.colour is None or not self.coloured else style + tinted_style(self.app, shown.colour)
        sign = "" if shown.colour is None else "  " if shown.above else f"{mark(shown.colour)} "
        parts = [Segment(sign, shade), Segment(shown.text, style), Segment(f" {shown.columns}", shade)]
        return Strip(parts).adjust_cell_length(width, style)


def chart(chances: Sequence[float | None], highest: float, rows: int) -> list[str]:
    """Return chances as columns in rows, upper row first; the highest chance fills them, None leaves a gap."""
    eighths = [0 if chance is None else max(1, round(8 * rows * chance / highest)) for chance in chances]
    return [
        "".join(" " if height <= below else BARS[min(8, height - below) - 1] for height in eighths)
        for below in range(8 * (rows - 1), -1, -8)
    ]
