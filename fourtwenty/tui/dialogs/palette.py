"""The palette: commands to search and run, over any screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import SystemCommand

from fourtwenty.tui.dialogs.picker import Picker
from fourtwenty.tui.widgets.row_list import Column


class Palette(Picker[SystemCommand]):
    """Ends with the command to run; with None when the dialog is cancelled."""

    def __init__(self, heading: str, commands: Sequence[SystemCommand]) -> None:
        """Offer these commands under a heading."""
        widest = max(len(command.title) for command in commands)
        super().__init__(heading, (Column(widest), Column(quiet=True)))
        self.commands = commands

    def row(self, item: SystemCommand) -> tuple[str, ...]:
        """Return the title and the help of a command."""
        return item.title, item.help

    def look(self, search: str) -> None:
        """Find the commands that contain all words of a search text."""
        words = search.casefold().split()
        self.show_found(
            [
                command
                for command in self.commands
                if all(word in f"{command.title} {command.help}".casefold() for word in words)
            ]
        )
