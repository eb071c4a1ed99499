"""The palette: actions to search and run, over any screen. The app and the keys of the screen supply them."""

from __future__ import annotations

from collections.abc import Sequence

from fourtwenty.tui.dialogs.picker import Picker
from fourtwenty.tui.screen_keys import Offer
from fourtwenty.tui.widgets.row_list import Column


class Palette(Picker[Offer]):
    """Ends with the action to run; with None when the dialog is cancelled."""

    def __init__(self, commands: Sequence[Offer]) -> None:
        titles = Column(max(len(command.title) for command in commands))
        keys = Column(max(len(command.key) for command in commands), quiet=True, right=True)
        super().__init__("What would you like to do?", (titles, Column(quiet=True), keys))
        self.commands = commands

    def row(self, item: Offer) -> tuple[str, ...]:
        return item.title, item.about, item.key

    async def find(self, search: str) -> Sequence[Offer]:
        """Return the actions that contain all words of a search text; those whose title begins with it come first."""
        text = search.strip().casefold()
        found = [command for command in self.commands if all(word in _searched(command) for word in text.split())]
        return sorted(found, key=lambda command: not command.title.casefold().startswith(text))


def _searched(command: Offer) -> str:
    return f"{command.title} {command.about}".casefold()
