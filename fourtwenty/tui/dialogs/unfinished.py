"""The list of unfinished matches, of which one can be chosen to be resumed or deleted. The app does either."""

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
    from fourtwenty.journal.entries import Entry

Decision = tuple[Literal["resume", "delete"], "Entry"]
"""The decision to resume or delete a match."""


class UnfinishedMatches(Dialog[Decision | None]):
    """Dismissed with a decision, or None if it is cancelled."""

    # Users have the ids in their settings, so that they keep the old word for "unfinished".
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "resume", "Resume", id="waiting.resume"),
        Binding("x,delete", "delete", "Delete", id="waiting.delete"),
        Binding("escape,q,o", "back", "Back", id="waiting.back"),
    ]

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        """List unfinished matches in this order."""
        super().__init__()
        self.entries = entries

    def compose(self) -> ComposeResult:
        """Lay out the matches above the commands."""
        with Vertical(classes="dialog"):
            yield Label("Matches that wait", id="heading")
            yield OptionList(*map(_lines, self.entries), markup=False)
            yield CommandRow(Command("waiting.resume"), Command("waiting.delete"), Command("waiting.back"))

    @property
    def pointed(self) -> Entry:
        """The match at the pointer."""
        return self.entries[self.query_one(OptionList).highlighted or 0]

    @on(OptionList.OptionSelected)
    def action_resume(self) -> None:
        """End with the decision to resume the match at the pointer."""
        self.end(("resume", self.pointed))

    def action_delete(self) -> None:
        """End with the decision to delete the match at the pointer, after a question."""
        entry = self.pointed

        def answered(sure: bool | None) -> None:
            if sure:
                self.end(("delete", entry))

        if self.is_active:
            question = f"{entry.news}\n\nDelete this match for good?"
            self.app.push_screen(Confirm(question, no="Keep it", yes="Delete"), answered)

    def action_back(self) -> None:
        """End with None."""
        self.end()


def _lines(entry: Entry) -> Content:
    """Return two lines: the news of a match; its game, time and names."""
    from fourtwenty.journal.entries import local

    names = ", ".join(seat.name for seat in entry.seats)
    when = f"{local(entry.played):%Y-%m-%d %H:%M}"
    return Content.assemble((entry.news, "bold"), f"\n{GAMES[entry.game].name}, {when}: {names}")
