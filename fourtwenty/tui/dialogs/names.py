"""The names in the history, over the statistics: one is searched for and chosen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fourtwenty.games.words import counted
from fourtwenty.tui.dialogs.picker import Picker
from fourtwenty.tui.widgets.row_list import Column

Name = tuple[str, int]
"""A name, and its number of finished matches."""


class Names(Picker[Name]):
    """Ends with a name; with None when the dialog is cancelled."""

    def __init__(self, find: Callable[[str], Awaitable[tuple[Name, ...]]]) -> None:
        """Take the function that finds the names which contain a text."""
        super().__init__("Choose a player", (Column(), Column(15, quiet=True, right=True)))
        self._find = find

    def row(self, item: Name) -> tuple[str, ...]:
        name, matches = item
        return name, counted(matches, "game", "games")

    async def find(self, search: str) -> tuple[Name, ...]:
        return await self._find(search)
