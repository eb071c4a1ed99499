"""A search field over a list: everything that can be done on a screen, and the names in the history.

It replaces Textual's CommandPalette (8.2), which searches in the background and ends the app with an error on keys and
clicks while it opens or closes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import ClassVar, TypeVar

from textual import getters, on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input, Static

from fourtwenty.cells import cell_len
from fourtwenty.games.english import pluralize
from fourtwenty.tui.dialogs.dialog import Dialog, Field
from fourtwenty.tui.screen_keys import Offer
from fourtwenty.tui.textual_base.actions import CANCEL, CURSOR_BINDINGS
from fourtwenty.tui.widgets.command_row import Command
from fourtwenty.tui.widgets.row_list import Column, RowList

ROWS_AROUND, MIN_ROWS = 13, 5
"""Rows of the dialog of everything besides its list, and the least number in the list."""

Item = TypeVar("Item")

Name = tuple[str, int]
"""A name, and its number of finished matches."""


class PickerDialog(Dialog[Item]):
    """Ends with the chosen item, or None when it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Choose", id="picker.choose"),
        *CURSOR_BINDINGS,
        CANCEL,
    ]
    cursor_list = getters.query_one(RowList)

    def __init__(self, heading: str, columns: tuple[Column, ...]) -> None:
        super().__init__()
        self.heading = heading
        self.columns = columns
        self.found: Sequence[Item] = ()
        self.searched: str | None = None
        """The search text of the items shown; None before the first."""

    @abstractmethod
    def row(self, item: Item) -> tuple[str, ...]:
        """Return the item's text for each column."""

    @abstractmethod
    async def find(self, search: str) -> Sequence[Item]:
        """Return the items for a search text."""

    def contents(self) -> Iterator[Widget]:
        yield Field(placeholder="Type to search", id="search")
        yield RowList(self.columns, lambda row: self.row(self.found[row]), id="found")
        yield Static("", id="nothing", markup=False)

    async def on_mount(self) -> None:
        """Begin with all items; search for keys that follow at once, too."""
        self.set_focus(self.query_one(Input))
        await self.update_found()

    @on(Input.Changed)
    async def update_found(self) -> None:
        """Show the items for the field's current text, or that there are none."""
        while not self.is_gone and self.searched != (search := self.query_one(Input).value):
            found = await self.find(search)
            if not self.is_gone and search == self.query_one(Input).value:
                self.searched, self.found = search, found
                self.set_class(not found, "-empty")
                self.query_one("#nothing", Static).update(f"Nothing matches “{search}”.")
                self.cursor_list.show(len(found))

    # Textual 8.2 (widgets/_input.py) posts Changed behind keys that were typed meanwhile: in a burst, Enter comes
    # before the search for any letter.
    @on(RowList.DoubleClicked)
    async def action_accept(self) -> None:
        """End with the item at the cursor, after a search for the field's current text."""
        await self.update_found()
        if self.found and not self.is_gone:
            self.end(self.found[self.cursor_list.cursor])

    @property
    def shown_commands(self) -> Sequence[Command]:
        return tuple(map(Command, ("picker.choose", "screen.up", "screen.down", "screen.cancel")))


class PaletteDialog(PickerDialog[Offer]):
    def __init__(self, commands: Sequence[Offer]) -> None:
        titles = Column(max(cell_len(command.title) for command in commands))
        keys = Column(max(cell_len(" ".join(command.keys)) for command in commands), align_right=True)
        super().__init__("What would you like to do?", (titles, Column(quiet=True), keys))
        self.commands = commands

    def row(self, item: Offer) -> tuple[str, ...]:
        return item.title, item.about, " ".join(item.keys)

    def on_resize(self) -> None:
        """Show as many rows as there is room for."""
        room = self.app.size.height - ROWS_AROUND
        self.cursor_list.styles.height = min(len(self.commands), max(MIN_ROWS, room))

    async def find(self, search: str) -> Sequence[Offer]:
        """Return the actions that contain all words searched for; first those with such a beginning."""
        text = search.strip().casefold()
        found = [command for command in self.commands if all(word in _searched(command) for word in text.split())]
        return sorted(found, key=lambda command: not command.title.casefold().startswith(text))


def _searched(command: Offer) -> str:
    return f"{command.title} {command.about}".casefold()


class NamesDialog(PickerDialog[Name]):
    def __init__(self, find: Callable[[str], Awaitable[tuple[Name, ...]]]) -> None:
        super().__init__("Choose a player", (Column(), Column(15, quiet=True, align_right=True)))
        self._find = find

    def row(self, item: Name) -> tuple[str, ...]:
        name, matches = item
        return name, pluralize(matches, "game", "games")

    async def find(self, search: str) -> tuple[Name, ...]:
        return await self._find(search)
