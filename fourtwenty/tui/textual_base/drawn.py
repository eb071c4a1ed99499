"""A widget that draws its lines itself, and repaints only the changed ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from os.path import commonprefix
from typing import TYPE_CHECKING, Self

from rich.segment import Segment
from rich.style import Style
from textual import getters
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.cells import cell_len
from fourtwenty.console import strip_controls
from fourtwenty.tui.textual_base.base_app import BaseApp

if TYPE_CHECKING:
    from textual.filter import LineFilter


class DrawnWidget(Widget):
    """Draws lines of its content's width; ``repaint`` is called after every change of what they show."""

    app = getters.app(BaseApp)

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._drawn: dict[int, list[Segment]] = {}
        """The lines on the screen, by row."""
        self._redrawn: dict[tuple[int, int], list[Segment]] = {}
        """The changed lines that Textual is about to ask for, by row and width."""
        self._styles: dict[tuple[str, bool], Style] = {}

    def draw_line(self, y: int, width: int) -> Iterable[Segment]:
        """Return a line of the content; blanks follow up to its width."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        width = self.content_size.width
        self._drawn[y] = self._redrawn.pop((y, width), []) or self._line(y, width)
        return Strip(self._drawn[y], width)

    def _line(self, y: int, width: int) -> list[Segment]:
        return merged(Segment.adjust_line_length([*self.draw_line(y, width)], width, self.style_of()))

    def repaint(self) -> None:
        """Repaint the lines that have changed, each from its first to its last changed cell."""
        width, height = self.content_size
        redrawn = {(y, width): self._line(y, width) for y in self._drawn if y < height}
        changes = [(y, changed_cells(self._drawn[y], line)) for (y, _), line in redrawn.items()]
        regions = [Region(x, y, cells, 1) for y, (x, cells) in changes if cells]
        if regions:  # otherwise Textual would repaint all
            self.refresh(*regions)
        self._redrawn = redrawn

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        self._redrawn.clear()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the app's filters without ``TextOnly``, which every picture would ask again: see ``merged``."""
        return self.app.look_filters

    # Textual 8.2 (widget.py, refresh) forgets them at every refresh.
    def style_of(self, component: str = "", partial: bool = False) -> Style:
        """Return the style of a component, over the widget's own unless ``partial``; the widget's style for ""."""
        if (component, partial) not in self._styles:
            self._styles[component, partial] = (
                self.get_component_rich_style(component, partial=partial) if component else self.rich_style
            )
        return self._styles[component, partial]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()
        self._redrawn.clear()


def merged(line: Iterable[Segment]) -> list[Segment]:
    """Return the segments of a line without harmful characters, neighbours of one style joined.

    Blanks need the same background only.
    """
    parts: list[Segment] = []
    before, style_before = "", None
    for text, style, _ in line:
        if not text.isprintable():
            text = strip_controls(text, "")
        if not text:
            continue
        same, same_blank = (True, True) if style is style_before else _alike(style_before, style)
        if before and (same or (same_blank and (text.isspace() or before.isspace()))):
            style = style_before if text.isspace() else style
            text = before + text
            parts.pop()
        parts.append(Segment(text, style))
        before, style_before = text, style
    return parts


@lru_cache(1024)
def _alike(one: Style | None, other: Style | None) -> tuple[bool, bool]:
    """Return whether two styles are equal; and whether a blank looks the same, and a click on it does the same."""
    if one is None or other is None:
        return one == other, False
    ground = (one.bgcolor, one.meta) == (other.bgcolor, other.meta)
    return one == other, ground and not any(each.reverse or each.underline or each.strike for each in (one, other))


def changed_cells(then: Iterable[Segment], now: Iterable[Segment]) -> tuple[int, int]:
    """Return the first cell and the number of cells of all that differs between two lines of one width."""
    before, after = [*then], [*now]
    left = _drop_alike(before, after, 0)
    _drop_alike(before, after, -1)
    return left, Segment.get_line_length(after)


def _drop_alike(before: list[Segment], after: list[Segment], end: int) -> int:
    """Drop what two lines have in common at one end, 0 or -1; return its number of cells."""
    cells = 0
    while before and after and before[end] == after[end]:
        cells += cell_len(after.pop(end).text)
        before.pop(end)
    if before and after and before[end].style == after[end].style:
        step = 1 if end == 0 else -1
        alike = commonprefix([before[end].text[::step], after[end].text[::step]])  # noqa: RUF071 - not paths
        number = len(alike)
        cells += cell_len(alike)
        for line in (before, after):
            text, style, _ = line[end]
            line[end] = Segment(text[number:] if end == 0 else text[: len(text) - number], style)
    return cells
