"""The rules of a game as a page, from the Markdown file beside its engine."""

from __future__ import annotations

from importlib.resources import files
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from fourtwenty.games.game import Game
from fourtwenty.tui.textual_base.actions import back
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.markdown_page import MarkdownPage


class Rules(BaseScreen[None]):
    CSS_PATH = "rules.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        back("enter", "question_mark"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield MarkdownPage(files("fourtwenty.games").joinpath(f"{self.game.key}.md").read_text("utf-8"))
        yield KeyBar()
