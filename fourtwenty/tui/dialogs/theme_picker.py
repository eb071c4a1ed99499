"""The themes to choose from, each shown on the whole screen while the pointer is on it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.theme import Theme

from fourtwenty.tui.dialogs.picker import Picker
from fourtwenty.tui.widgets.row_list import Column, RowList


class ThemePicker(Picker[str]):
    """Ends with the name of a theme, or with None; the app then has the theme of before again."""

    def __init__(self, themes: Sequence[Theme], current: str) -> None:
        super().__init__("Theme", (Column(max(len(theme.name) for theme in themes)), Column(5, quiet=True), Column(7)))
        self.themes = themes
        self.current = current

    def row(self, item: str) -> tuple[str, ...]:
        dark = next(theme.dark for theme in self.themes if theme.name == item)
        return item, "dark" if dark else "light", "current" if item == self.current else ""

    async def find(self, search: str) -> list[str]:
        words = search.casefold().split()
        return [theme.name for theme in self.themes if all(word in " ".join(self._words(theme)) for word in words)]

    def show_found(self, found: Sequence[str], pointed: int = 0) -> None:
        """Show these themes, and point at the current one if it is among them."""
        super().show_found(found, found.index(self.current) if self.current in found else pointed)
        self.preview()

    def _words(self, theme: Theme) -> tuple[str, ...]:
        return tuple(map(str.casefold, self.row(theme.name)))

    @on(RowList.Pointed)
    def preview(self) -> None:
        """Show the theme at the pointer on the whole screen; the current one where nothing is found."""
        self.app.theme = self.found[self.query_one(RowList).pointed] if self.found else self.current

    def action_back(self) -> None:
        self.app.theme = self.current
        super().action_back()
