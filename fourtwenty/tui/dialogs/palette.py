"""What can be done on every screen, over the screen it was asked on: found while it is typed, and done.

Textual's own palette searches in the background, and does not bear keys and clicks that come while it opens or closes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.row_list import Column, RowList


class Palette(Dialog[SystemCommand | None]):
    """Ends with what is to be done; with None when it was thought better of."""

    DEFAULT_CSS = """
    Palette {
        .dialog { width: 72; }
        RowList { height: 8; }
        &.-short RowList { height: 5; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose", id="palette.choose"),
        Binding("up", "point(-1)", "Line above", id="palette.above"),
        Binding("down", "point(1)", "Line below", id="palette.below"),
        Binding("pageup", "point(-10)", "Ten lines up", show=False),
        Binding("pagedown", "point(10)", "Ten lines down", show=False),
        Binding("escape", "back", "Back", id="palette.back"),
    ]

    def __init__(self, heading: str, commands: Sequence[SystemCommand]) -> None:
        """Offer these under a heading."""
        super().__init__()
        self.heading = heading
        self.commands = commands
        self.found = commands

    def compose(self) -> ComposeResult:
        """Lay out the search over what can be done."""
        with Vertical(classes="dialog"):
            yield Label(self.heading, id="heading", markup=False)
            search = Input(placeholder="type a part of it", id="search")
            search.cursor_blink = False
            yield search
            widest = max(len(command.title) for command in self.commands)
            yield RowList((Column(widest), Column(quiet=True)), self._row, id="commands")
            yield CommandRow(
                (
                    Command("enter", "Choose", "screen.choose"),
                    Command("↑ ↓", "Point", "screen.point(1)"),
                    Command("esc", "Back", "screen.back"),
                )
            )

    def on_mount(self) -> None:
        """Begin with everything; what is typed at once is searched for too."""
        self.set_focus(self.query_one(Input))
        self.query_one(RowList).show(len(self.found))

    def _row(self, row: int) -> tuple[str, ...]:
        command = self.found[row]
        return command.title, command.help

    @on(Input.Changed)
    def search_for(self, event: Input.Changed) -> None:
        """Show what holds all the words that have been typed."""
        words = event.value.casefold().split()
        self.found = [
            command
            for command in self.commands
            if all(word in f"{command.title} {command.help}".casefold() for word in words)
        ]
        self.query_one(RowList).show(len(self.found))

    @on(Input.Submitted)
    @on(RowList.Chosen)
    def action_choose(self) -> None:
        """End with what is pointed at."""
        if self.is_active and self.found:
            self.dismiss(self.found[self.query_one(RowList).pointed])

    def action_point(self, step: int) -> None:
        """Move the pointer."""
        self.query_one(RowList).point(step)

    def action_back(self) -> None:
        """End without doing anything."""
        if self.is_active:
            self.dismiss(None)
