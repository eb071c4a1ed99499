"""The names of the history, over the statistics: one is found while it is typed, and chosen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.row_list import Column, RowList

Found = tuple[tuple[str, int], ...]
"""Names, each with how many matches it has finished."""


class Names(Dialog[str | None]):
    """Ends with a name; with None when it was thought better of."""

    DEFAULT_CSS = """
    Names {
        RowList { height: 10; }
        &.-short RowList { height: 5; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose", id="names.choose", priority=True),
        Binding("up", "point(-1)", "Name above", id="names.above"),
        Binding("down", "point(1)", "Name below", id="names.below"),
        Binding("pageup", "point(-10)", "Ten names up", show=False),
        Binding("pagedown", "point(10)", "Ten names down", show=False),
        Binding("escape", "back", "Back", id="names.back"),
    ]

    def __init__(self, find: Callable[[str], Awaitable[Found]]) -> None:
        """Take what finds the names that hold a text."""
        super().__init__()
        self.find = find
        self.found: Found = ()

    def compose(self) -> ComposeResult:
        """Lay out the search over the names."""
        with Vertical(classes="dialog"):
            yield Label("Whose matches?", id="heading")
            search = Input(placeholder="type a part of the name", id="search")
            search.cursor_blink = False
            yield search
            yield RowList((Column(), Column(15, quiet=True, right=True)), self._row, id="names")
            yield CommandRow(
                (
                    Command("enter", "Choose", "screen.choose"),
                    Command("↑ ↓", "Point", "screen.point(1)"),
                    Command("esc", "Back", "screen.back"),
                )
            )

    def on_mount(self) -> None:
        """Begin with all names."""
        self.look("")

    @on(Input.Changed)
    def search_for(self, event: Input.Changed) -> None:
        """Show the names that hold what has been typed."""
        self.look(event.value)

    @work(exclusive=True)
    async def look(self, search: str) -> None:
        """Show the names that hold this."""
        self.found = await self.find(search)
        if self.is_running:
            self.query_one(RowList).show(len(self.found))

    def _row(self, row: int) -> tuple[str, ...]:
        name, matches = self.found[row]
        return name, f"{matches:,} {'match' if matches == 1 else 'matches'}"

    @on(RowList.Chosen)
    def action_choose(self) -> None:
        """End with the name that is pointed at."""
        if self.is_active and self.found:
            self.dismiss(self.found[self.query_one(RowList).pointed][0])

    def action_point(self, step: int) -> None:
        """Move the pointer."""
        self.query_one(RowList).point(step)

    def action_back(self) -> None:
        """End without a name."""
        if self.is_active:
            self.dismiss(None)
