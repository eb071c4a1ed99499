"""The palette: commands to search and run, over any screen. The app and the keys of the screen supply them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from fourtwenty.tui.dialogs.picker import Picker
from fourtwenty.tui.widgets.row_list import Column


class PaletteCommand(Struct, frozen=True):
    """One command."""

    title: str
    help: str
    """The command in a sentence without a full stop."""
    key: str
    """Its key as the screens show it; empty for none."""
    run: Callable[[], object]

    @property
    def text(self) -> str:
        """Everything that a search looks at."""
        return f"{self.title} {self.help}".casefold()


class Palette(Picker[PaletteCommand]):
    """Ends with the command to run; with None when the dialog is cancelled."""

    def __init__(self, commands: Sequence[PaletteCommand]) -> None:
        """Offer these commands."""
        titles = Column(max(len(command.title) for command in commands))
        keys = Column(max(len(command.key) for command in commands), quiet=True, right=True)
        super().__init__("What would you like to do?", (titles, Column(quiet=True), keys))
        self.commands = commands

    def row(self, item: PaletteCommand) -> tuple[str, ...]:
        """Return the title, the help and the key of a command."""
        return item.title, item.help, item.key

    async def find(self, search: str) -> Sequence[PaletteCommand]:
        """Return the commands that contain all words of a search text; those whose title begins with it come first."""
        text = search.strip().casefold()
        found = [command for command in self.commands if all(word in command.text for word in text.split())]
        return sorted(found, key=lambda command: not command.title.casefold().startswith(text))
