"""The sheet of F1: every key of the screen below, in parts, then that screen's help.

Textual's HelpPanel (8.2) narrows the screen, and no key scrolls or closes it while nothing has the focus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.screen_keys import Offer, in_parts, screen_keys
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, back
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.widgets.command_row import Command

TWO_COLUMNS = 100
"""The terminal width, in cells, from which there are two columns."""


class KeySheet(Dialog[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        back("enter", label="Close"),
        *CURSOR_BINDINGS,
        Binding("space", "page(1)", "A page down", id="keys.page", show=False),
    ]
    heading = "Help and keys"

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__()
        self.parts = in_parts(screen_keys(screen))
        self.prose = screen.help_text if isinstance(screen, BaseScreen) else ""

    def contents(self) -> Iterator[Widget]:
        with VerticalScroll(can_focus=False), Horizontal(id="columns"):
            for column in self._columns:
                yield Static(Content("\n\n").join(column))

    def on_resize(self) -> None:
        self.query_one(VerticalScroll).styles.max_height = max(3, self.app.size.height - 9)

    @property
    def _columns(self) -> list[list[Content]]:
        """The blocks of each column, one or two."""
        widest = max(len(_keys(key)) for keys in self.parts.values() for key in keys)
        blocks = [_part(title, keys, widest) for title, keys in self.parts.items()]
        if self.prose:
            blocks.append(_prose(self.prose))
        if self.app.size.width < TWO_COLUMNS or len(blocks) < 2:
            return [blocks]
        heights = [len(block.split("\n")) + 1 for block in blocks]
        half = min(range(1, len(blocks)), key=lambda count: abs(sum(heights[:count]) - sum(heights[count:])))
        return [blocks[:half], blocks[half:]]

    def on_click(self, event: Click) -> None:
        if event.widget is self:
            self.end()

    @property
    def shown_commands(self) -> Sequence[Command]:
        return Command("screen.back"), Command("screen.up"), Command("screen.down")

    def action_move_cursor(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        self.action_move_cursor(pages * max(1, self.query_one(VerticalScroll).size.height - 1))


def _keys(key: Offer) -> str:
    return " ".join(key.keys)


def _part(title: str, keys: Sequence[Offer], width: int) -> Content:
    """Return a title above a line for each key; keys that are dimmed now are quiet."""
    lines = [Content.styled(title, "bold")]
    for key in keys:
        name = Content.styled(_keys(key).ljust(width), "$accent bold" if key.enabled else "$quiet")
        lines.append(Content.assemble(name, "  ", (key.about, "" if key.enabled else "$quiet")))
    return Content("\n").join(lines)


def _prose(text: str) -> Content:
    """Return a help text in simple Markdown: paragraphs with bold words."""
    text = "\n\n".join(" ".join(block.split()) for block in text.strip().split("\n\n"))
    parts = re.split(r"\*\*(.+?)\*\*", text)
    return Content.assemble(*((part, "bold" if index % 2 else "") for index, part in enumerate(parts)))
