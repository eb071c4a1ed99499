"""The matches that wait to be taken up again, over the lobby: one is chosen to go on, or to be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Label, OptionList

from fourtwenty.games import GAMES
from fourtwenty.tui.dialogs.confirm import Confirm
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow

if TYPE_CHECKING:
    from fourtwenty.journal.history import Entry

Answer = tuple[Literal["resume", "delete"], "Entry"]
"""What is to become of which match."""


class WaitingMatches(Dialog[Answer | None]):
    """Ends with what is to become of one of the matches; with None when all of them go on waiting."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "resume", "Resume", id="waiting.resume"),
        Binding("x,delete", "delete", "Delete", id="waiting.delete"),
        Binding("escape,q,o", "back", "Back", id="waiting.back"),
    ]

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        """Show these matches in this order."""
        super().__init__()
        self.entries = entries

    def compose(self) -> ComposeResult:
        """Lay out the matches over what can be done with one."""
        with Vertical(classes="dialog"):
            yield Label("Matches that wait", id="heading")
            yield OptionList(*map(_told, self.entries), markup=False)
            yield CommandRow(Command("waiting.resume"), Command("waiting.delete"), Command("waiting.back"))

    @property
    def chosen(self) -> Entry:
        """The match that is pointed at."""
        return self.entries[self.query_one(OptionList).highlighted or 0]

    @on(OptionList.OptionSelected)
    def action_resume(self) -> None:
        """Let the match go on."""
        self.end(("resume", self.chosen))

    def action_delete(self) -> None:
        """Delete the match, once they are sure."""
        entry = self.chosen

        def answered(sure: bool | None) -> None:
            if sure:
                self.end(("delete", entry))

        if self.is_active:
            question = f"{entry.news}\n\nDelete this match for good?"
            self.app.push_screen(Confirm(question, no="Keep it", yes="Delete"), answered)

    def action_back(self) -> None:
        """Let all of them wait."""
        self.end()


def _told(entry: Entry) -> Content:
    """A match in two lines: where it stands; who played what, and when."""
    from fourtwenty.journal.history import local

    names = ", ".join(seat.name for seat in entry.seats)
    when = f"{local(entry.played):%Y-%m-%d %H:%M}"
    return Content.assemble((entry.news, "bold"), f"\n{GAMES[entry.game].name}, {when}: {names}")
