"""The list of unfinished matches: one can be resumed; others can be deleted and brought back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList

from fourtwenty.journal.entries import Entry
from fourtwenty.journal.history import History
from fourtwenty.play.match import NotKept
from fourtwenty.tui.deletions import Deletions
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.answers import Answers
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class UnfinishedMatches(Dialog[Entry]):
    """Dismissed with the match to resume, or None if it is cancelled."""

    HELP = "Resume a game where you left it. A deleted game can be brought back as long as this list is open."
    # Users have the ids in their settings, so that they keep the old word for "unfinished".
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "resume", "Resume", id="waiting.resume", tooltip="Resume this game"),
        Binding("x,delete", "delete", "Delete", id="waiting.delete", tooltip="Delete this game; u brings it back"),
        Binding("u", "undo", "Undo", id="waiting.undo", tooltip="Bring back the game deleted last"),
        Binding("escape,q,o", "back", "Back", id="waiting.back", tooltip="Back to the lobby"),
    ]
    heading = "Unfinished games"

    def __init__(self, history: History) -> None:
        super().__init__()
        self.history = history
        self.entries: tuple[Entry, ...] = ()
        self.deletions = Deletions(self, history, lambda _: self.load(), self._warn)

    def contents(self) -> Iterator[Widget]:
        self._read()
        yield Answers(*map(_lines, self.entries), markup=False)

    @property
    def shown_commands(self) -> Sequence[Command]:
        """To undo is offered once something is deleted."""
        return tuple(each for each in super().shown_commands if each.binding != "waiting.undo" or self.deletions)

    @property
    def pointed(self) -> Entry | None:
        """The match at the pointer; None without one."""
        row = self.query_one(OptionList).highlighted
        return self.entries[row] if row is not None and row < len(self.entries) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action != "undo" or bool(self.deletions)

    @on(OptionList.OptionSelected)
    def action_resume(self) -> None:
        if self.pointed:
            self.end(self.pointed)

    def action_delete(self) -> None:
        if entry := self.pointed:
            self.deletions.delete(entry, entry.title(datetime.now(UTC)), self.entries.index(entry))

    def action_undo(self) -> None:
        self.deletions.undo()

    def _warn(self, deed: str, why: NotKept) -> None:
        self.notify(f"This game can't be {deed}: {why}.", severity="warning", markup=False)

    def load(self) -> None:
        if not self.is_running:
            return
        row = self.query_one(OptionList).highlighted or 0
        self._read()
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(map(_lines, self.entries))
        options.highlighted = min(row, len(self.entries) - 1) if self.entries else None
        self.query_one(CommandRow).commands = tuple(self.shown_commands)

    def _read(self) -> None:
        try:
            self.entries = self.history.unfinished()
        except NotKept as why:
            self.notify(f"Can't open the history: {why}.", severity="warning", markup=False)


def _lines(entry: Entry) -> Content:
    return Content.assemble((entry.title(datetime.now(UTC)), "bold"), f"\n{entry.progress}")
