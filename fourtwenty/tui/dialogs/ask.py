"""A question and its answers: the base, and the questions of more than one screen. Nothing is deleted or left here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ScreenResultType
from textual.widget import Widget
from textual.widgets import Label, OptionList

from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.touch import in_reach
from fourtwenty.tui.widgets.answers import Answers
from fourtwenty.tui.widgets.command_row import Command


class Ask(Dialog[ScreenResultType]):
    """A question over its answers. An answer is a binding of ``answer`` with the result that the dialog ends with."""

    def __init__(self, heading: str = "", *lines: str) -> None:
        """Ask with a heading, empty for none, and lines below it."""
        super().__init__()
        self.heading = heading
        self.lines = lines

    def contents(self) -> Iterator[Widget]:
        yield from (Label(line, classes="lines", markup=False) for line in self.lines)

    def action_answer(self, answer: ScreenResultType) -> None:
        self.end(answer)


class Confirm(Ask[bool]):
    """A yes-or-no question before something is lost, answered with True for yes and False for no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="confirm.yes"),
        Binding("enter,n,escape,q", "answer(False)", "No", id="confirm.no"),
    ]

    def __init__(self, question: str, no: str, yes: str) -> None:
        super().__init__("", question)
        self.labels = no, yes

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The answers, the safe one first."""
        no, yes = self.labels
        return Command("confirm.no", no), Command("confirm.yes", yes)


class Choose(Ask[int]):
    """A question over a list of its answers. Ends with the index of the one that is chosen."""

    def __init__(self, heading: str, options: Sequence[Content | str]) -> None:
        super().__init__(heading)
        self.options = options

    def contents(self) -> Iterator[Widget]:
        yield Answers(*(in_reach(self.app, option) for option in self.options), markup=False)

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        self.end(event.option_index)

    def action_choose(self) -> None:
        self.query_one(OptionList).action_select()
