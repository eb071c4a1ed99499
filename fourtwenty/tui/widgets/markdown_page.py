"""A page of Markdown as one widget: Textual's (8.2) has one a block and took 0.75 s for the rules, if busy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

EMPHASIS = {"strong": "bold", "em": "italic"}
BULLET = "• "
PAGE_COLUMN_GAP = 3


class MarkdownPage(Widget):
    DEFAULT_CSS = "MarkdownPage { height: auto; min-width: 12; }"

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self._tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
        self._lines: list[Content] = []
        self._width = 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self._wrapped(width))

    def render(self) -> Content:
        return Content("\n").join(self._wrapped(self.content_size.width))

    def _wrapped(self, width: int) -> list[Content]:
        if width != self._width:
            self._lines, self._width = [*_lines(self._tokens, max(1, width))], width
        return self._lines


def marked(token: Token) -> Content:
    """Return a line of Markdown with its bold and italic words."""
    parts: list[tuple[str, str]] = []
    styles: list[str] = []
    for child in token.children or []:
        if child.nesting > 0:
            styles.append(EMPHASIS.get(child.tag, ""))
        elif child.nesting < 0:
            styles.pop()
        else:
            parts.append((" " if child.type == "softbreak" else child.content, " ".join(filter(None, styles))))
    return Content.assemble(*parts)


def _lines(tokens: list[Token], width: int) -> Iterator[Content]:
    """Yield the lines of a page, with a blank one after each block except headings."""
    row: list[Content] = []
    rows: list[list[Content]] = []
    in_list = in_table = False
    heading = ""
    for token in tokens:
        match token.type:
            case "bullet_list_open" | "bullet_list_close":
                in_list = token.nesting > 0
                if not in_list:
                    yield Content()
            case "heading_open":
                heading = "bold $primary"
            case "heading_close":
                heading = ""
            case "tr_open":
                row = []
            case "tr_close":
                rows.append(row)
            case "table_open":
                in_table, rows = True, []
            case "table_close":
                in_table = False
                yield from _table(rows, width)
                yield Content()
            case "inline" if in_table:
                row.append(marked(token))
            case "inline" if in_list:
                first, *more = marked(token).wrap(width - len(BULLET))
                yield Content.assemble((BULLET, "$quiet"), first)
                yield from (Content.assemble(" " * len(BULLET), line) for line in more)
            case "inline":
                text = marked(token)
                yield from (text.stylize(heading) if heading else text).wrap(width)
                if not heading:
                    yield Content()


def _table(rows: list[list[Content]], width: int) -> Iterator[Content]:
    """Yield the lines of a table with titles in its first row; the widest column wraps if room is short."""
    widths = [max(cell.cell_length for cell in column) for column in zip(*rows, strict=True)]
    missing = sum(widths) + PAGE_COLUMN_GAP * (len(widths) - 1) - width
    if missing > 0:
        widest = widths.index(max(widths))
        widths[widest] = max(1, widths[widest] - missing)
    for number, row in enumerate(rows):
        cells = (cell.wrap(most) for cell, most in zip(row, widths, strict=True))
        for parts in zip_longest(*cells, fillvalue=Content()):
            padded = [part.pad_right(most - part.cell_length) for part, most in zip(parts, widths, strict=True)]
            line = Content(" " * PAGE_COLUMN_GAP).join(padded)
            yield line if number else line.stylize("$quiet")
