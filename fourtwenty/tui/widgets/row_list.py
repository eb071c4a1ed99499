"""A list in columns that fetches rows when they are drawn: a hundred thousand cost no more than ten."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from rich.segment import Segment
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from fourtwenty.cells import cell_len
from fourtwenty.tui.widgets.seats import BOLD, fit

COLUMN_GAP = 2
"""Cells between columns, and before the first one, for the cursor."""


class Column(Struct, frozen=True):
    width: int | None = None
    """Width in cells; None for as wide as its texts, and all the rest in the last such column."""
    heading: str = ""
    """The heading; its line is only there if a column has one."""
    quiet: bool = False
    align_right: bool = False
    """Whether it is aligned right, as numbers are."""
    min_list_width: int = 0
    """Least width of the list, in cells, that shows it."""


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of one line with a cursor; the screen binds the keys that move it."""

    COMPONENT_CLASSES = {"row-list--cursor", "row-list--quiet"}  # noqa: RUF012

    length: reactive[int] = reactive(0)
    cursor: reactive[int] = reactive(0, repaint=False)
    """The row of the cursor, from 0; it is scrolled into view."""

    class CursorMoved(Message):
        def __init__(self, row_list: RowList) -> None:
            super().__init__()
            self.row_list = row_list

        @property
        def control(self) -> RowList:
            return self.row_list

    class DoubleClicked(CursorMoved):
        """A row was clicked twice."""

    def __init__(self, columns: tuple[Column, ...], row: Callable[[int], tuple[str, ...]], *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self.columns = columns
        self.row = row
        self._heads = int(any(column.heading for column in columns))
        self._widest = [0] * len(columns)
        """The widest text of each column so far, in cells, among rows that were in view."""
        self._measured = range(0)
        """The rows measured last."""

    def show(self, length: int, cursor: int = 0) -> None:
        """Show a number of rows, which may have changed, with the cursor at one of them."""
        self.length = length
        self._widest, self._measured = [cell_len(column.heading) for column in self.columns], range(0)
        self.set_reactive(RowList.cursor, max(0, min(length - 1, cursor)))
        self._measure()
        self.refresh()

    def move_cursor(self, step: int) -> None:
        self.cursor = max(0, min(self.length - 1, self.cursor + step))

    @property
    def page(self) -> int:
        return max(1, self.size.height - self._heads)

    def watch_cursor(self, before: int, now: int) -> None:
        for row in (before, now):
            self.refresh_line(row + self._heads)
        self._follow()
        self.post_message(self.CursorMoved(self))

    def on_resize(self) -> None:
        self._measure()

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.length + self._heads)
        self._follow()

    def _follow(self) -> None:
        top = self.cursor if self.cursor < self.scroll_offset.y else self.cursor + self._heads
        self.scroll_to_region(Region(0, top, 1, 1), animate=False, force=True)

    def _widths(self) -> list[int]:
        """Return the width of each column; 0 for those left out."""
        room = self.scrollable_content_region.width
        shown = [column.min_list_width <= room for column in self.columns]
        widths = [(column.width or 0) * there for column, there in zip(self.columns, shown, strict=True)]
        sharing = [at for at, column in enumerate(self.columns) if column.width is None and shown[at]]
        left = room - COLUMN_GAP * sum(shown) - sum(widths)
        for at in sharing[:-1]:
            self._measure_texts()
            behind = sum(self._widest[other] for other in sharing if other > at)
            widths[at] = min(self._widest[at], max(left // 3, left - behind))
            left -= widths[at]
        for at in sharing[-1:]:
            widths[at] = max(0, left)
        return widths

    def _measure_texts(self) -> None:
        """Measure the rows in view, once; columns grow while scrolling, and never shrink."""
        top = self.scroll_offset.y
        rows = range(top, min(self.length, top + self.page))
        if rows != self._measured:
            self._measured = rows
            for row in rows:
                self._widest = [
                    max(most, cell_len(text)) for most, text in zip(self._widest, self.row(row), strict=True)
                ]

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y - self._heads
        head = y < self._heads
        if not head and row >= self.length:
            return Strip.blank(self.size.width, self.rich_style)
        at_cursor = not head and row == self.cursor
        plain = self.get_component_rich_style("row-list--cursor") if at_cursor else self.rich_style
        quiet = plain + self.get_component_rich_style("row-list--quiet", partial=True)
        cells = [column.heading for column in self.columns] if head else self.row(row)
        parts = [Segment("▶ " if at_cursor else "  ", plain)]
        for column, width, cell in zip(self.columns, self._widths(), cells, strict=True):
            if width:
                text = fit(" " * (width - cell_len(cell)) * column.align_right + cell, width)
                style = quiet if column.quiet or head else plain + BOLD if at_cursor else plain
                parts += [Segment(text, style), Segment(" " * COLUMN_GAP, plain)]
        return Strip(parts[:-1]).adjust_cell_length(self.size.width, plain)

    def on_click(self, event: Click) -> None:
        """Move the cursor to a clicked row; a second click chooses it."""
        at = event.get_content_offset(self)
        row = at.y + self.scroll_offset.y - self._heads if at and at.y >= self._heads else self.length
        if row < self.length:
            double = row == self.cursor and event.chain > 1
            self.cursor = row
            if double:
                self.post_message(self.DoubleClicked(self))
