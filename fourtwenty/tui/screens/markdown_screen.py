"""Shows a text as a page: the rules of a game, or the help of a screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from fourtwenty.tui.textual_base.actions import back
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.markdown_page import MarkdownPage


class MarkdownScreen(BaseScreen[None]):
    CSS_PATH = "markdown_screen.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [back("enter", "question_mark")]

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.markdown = markdown

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield MarkdownPage(self.markdown)
        yield KeyBar()
