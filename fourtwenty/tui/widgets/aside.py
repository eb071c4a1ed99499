"""The column beside the hand: short tables and charts, as many as fit. The screen says what is in them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Region, Size
from textual.reactive import reactive, var
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.tui.widgets.seats import BOLD, TINTS, fit, mark, tint

BARS = "▁▂▃▄▅▆▇█"
"""The columns of a chart one row high, from the lowest."""


class Section(Struct, frozen=True):
    """A heading with lines below it."""

    heading: str
    lines: tuple[str, ...]
    colours: tuple[int, ...] = ()
    """Colour indexes of the marks before the lines; none for lines without."""
    pointed: int | None = None
    """The line that is chosen, -1 for none of them; None where there is nothing to choose."""
    cut: bool = False
    """Whether the last lines may be left out when there is no room."""


class Aside(Widget):
    """Sections below each other, in the order of their worth; those that are too high or too wide are left out."""

    ALLOW_MAXIMIZE = False
    COMPONENT_CLASSES = {  # noqa: RUF012
        "aside--heading",
        "aside--pointed",
        *(f"aside--tint-{number}" for number in range(TINTS)),
    }

    sections: var[tuple[Section, ...]] = var(())
    coloured: reactive[bool] = reactive(True)
    """Whether marks have the tints of their seats."""

    def __init__(self) -> None:
        super().__init__(id="aside")
        self._rows: tuple[tuple[Section, int] | None, ...] = ()
        """The section and the line that each row shows; -1 for the heading, None for a blank row."""

    def watch_sections(self) -> None:
        """Repaint the rows that have changed."""
        rows = self._fitting()
        changed = [
            y for y in range(max(len(rows), len(self._rows))) if self._look(self._rows, y) != self._look(rows, y)
        ]
        self._rows = rows
        if changed:
            self.refresh(Region(0, changed[0], self.content_size.width, changed[-1] - changed[0] + 1))

    @staticmethod
    def _look(rows: Sequence[tuple[Section, int] | None], y: int) -> object:
        shown = rows[y] if y < len(rows) else None
        if shown is None:
            return None
        section, line = shown
        if line < 0:
            return section.heading
        return section.lines[line], section.pointed == line, section.colours[line : line + 1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return the rows of the last section, which stays where there is no room for others."""
        return 1 + len(self.sections[-1].lines) if self.sections else 0

    def on_resize(self) -> None:
        self._rows = self._fitting()
        self.refresh()

    def _fitting(self) -> tuple[tuple[Section, int] | None, ...]:
        rows: list[tuple[Section, int] | None] = []
        for section in self.sections:
            indent = 2 * (section.pointed is not None or bool(section.colours))
            if indent + max(map(cell_len, section.lines), default=0) > self.content_size.width:
                continue
            room = self.content_size.height - len(rows) - 1
            lines = min(len(section.lines), room) if section.cut else len(section.lines)
            if lines < 1 or lines > room:
                continue
            rows += [(section, line) for line in range(-1, lines)]
            rows.append(None)
        return tuple(rows)

    def render_line(self, y: int) -> Strip:
        width, plain = self.content_size.width, self.rich_style
        shown = self._rows[y] if y < len(self._rows) else None
        if shown is None:
            return Strip.blank(width, plain)
        section, line = shown
        if line < 0:
            heading = plain + self.get_component_rich_style("aside--heading", partial=True)
            indent = "" if section.pointed is None else "  "
            return Strip([Segment(fit(indent + section.heading, width), heading)])
        pointed = line == section.pointed
        style = plain + self.get_component_rich_style("aside--pointed", partial=True) + BOLD if pointed else plain
        pointer = "" if section.pointed is None else "▶ " if pointed else "  "
        parts = [Segment(fit(pointer + section.lines[line], width - 2 * bool(section.colours)), style)]
        if section.colours:
            colour = section.colours[line]
            shade = self.get_component_rich_style(f"aside--tint-{tint(colour)}", partial=True)
            parts.insert(0, Segment(f"{mark(colour)} ", style + shade if self.coloured else style))
        return Strip(parts).adjust_cell_length(width, style)


def sparkline(chances: Sequence[float | None]) -> str:
    """Return chances from 0 to 1 as columns of one row; a gap for None."""
    return "".join(" " if chance is None else BARS[min(7, int(8 * chance))] for chance in chances)
