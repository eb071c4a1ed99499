"""Dialogs that ask one question or show a text. They change nothing themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ScreenResultType
from textual.widget import Widget
from textual.widgets import Label, OptionList

from fourtwenty.games.english import sentence_case
from fourtwenty.install_hint import BUILD_NOTE, has_wheels, rooms_install_command
from fourtwenty.play.card import in_ascii
from fourtwenty.play.match import Match
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.textual_base.actions import FAIRNESS, ScreenAction, back
from fourtwenty.tui.widgets.choice_list import ChoiceList
from fourtwenty.tui.widgets.command_row import Command

TRY_SECONDS = 0.25
"""Seconds between two attempts to save a match."""


class QuestionDialog(Dialog[ScreenResultType]):
    """A question over its answers: bindings of ``answer`` with the dialog's result."""

    def __init__(self, heading: str = "", *lines: str) -> None:
        super().__init__()
        self.heading = heading
        self.lines = lines

    def contents(self) -> Iterator[Widget]:
        yield from (Label(line, classes="lines", markup=False) for line in self.lines)

    def action_answer(self, answer: ScreenResultType) -> None:
        self.end(answer)


class ConfirmDialog(QuestionDialog[bool]):
    """A yes-or-no question before something is lost. Ends with True for yes, and with None for no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", id="confirm.yes"),
        Binding("enter,n,escape,q", "back", "No", id="confirm.no"),
    ]

    def __init__(self, question: str, no: str, yes: str) -> None:
        super().__init__("", question)
        self.labels = no, yes

    @property
    def shown_commands(self) -> Sequence[Command]:
        no, yes = self.labels
        return Command("confirm.no", no), Command("confirm.yes", yes)


class ChoiceDialog(QuestionDialog[int]):
    """A question over a list of its answers. Ends with the index of the chosen one."""

    def __init__(self, heading: str, options: Sequence[Content | str]) -> None:
        super().__init__(heading)
        self.options = options

    def contents(self) -> Iterator[Widget]:
        yield ChoiceList(*self.options, markup=False)

    @on(OptionList.OptionSelected)
    def end_with_selected(self, event: OptionList.OptionSelected) -> None:
        self.end(event.option_index)

    def action_choose(self) -> None:
        self.query_one(OptionList).action_select()


class BetDialog(ChoiceDialog):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Bet", id="bet.take", tooltip="Bet on the player at the cursor"),
        back(label="No bet"),
    ]


class InstallDialog(QuestionDialog[None]):
    """Shows the command that installs the packages for tables of several machines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", id="install.copy", tooltip="Copy the command"),
        back("enter"),
    ]

    def __init__(self) -> None:
        self.command = rooms_install_command()
        notes = () if has_wheels() else (BUILD_NOTE,)
        heading = "Playing on several machines needs extra packages"
        super().__init__(heading, "Leave the game, and install them with:", self.command, *notes)

    def text_to_copy(self) -> str:
        return self.command


class ShareDialog(QuestionDialog[None]):
    """Shows text, and copies it or the part that is selected to the clipboard."""

    ALLOW_SELECT = True
    HELP = "Mark what you want to send, or send it all. With Shift held down a terminal marks and copies by itself."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "copy", "Copy", id="share.copy", tooltip="Send it to the clipboard"),
        ScreenAction(
            "d",
            "dare",
            "Dare a friend",
            id="share.dare",
            tooltip="The race to 20: a friend throws the same dice",
            available=lambda screen: bool(screen.race),
        ),
        back(),
    ]

    def __init__(self, card: str) -> None:
        super().__init__("", in_ascii(card) if self.app.ascii_only else card)

    def text_to_copy(self) -> str:
        return self.get_selected_text() or "\n".join(self.lines)

    @property
    def race(self) -> str:
        """The address of the race to 20 on the first page; empty if this build knows no page."""
        from fourtwenty.journal import links  # not imported at a start

        home = links.homepage()
        return f"{home}#dare" if home else ""

    def action_dare(self) -> None:
        if self.app.is_web:
            self.app.open_url(self.race, new_tab=False)
        else:
            self.app.copy_to_clipboard(self.race)
            self.say(f"Race to 20 in a browser, then send the dare: {self.race}")


class MarkDialog(QuestionDialog[None]):
    """Shows a text that could not be copied, with nothing beside it, so that the terminal can mark and copy it."""

    BINDINGS: ClassVar[list[BindingType]] = [back("enter")]

    def __init__(self, text: str) -> None:
        super().__init__("Nothing was copied. Mark the text with Shift and the mouse, then copy it.", text)

    def contents(self) -> Iterator[Widget]:
        with VerticalScroll():
            yield from super().contents()


class ShareMatchDialog(ShareDialog):
    BINDINGS: ClassVar[list[BindingType]] = [replace(FAIRNESS, show=True)]

    def __init__(self, text: str, match: Match) -> None:
        super().__init__(text)
        self.match = match

    @property
    def shown_commands(self) -> Sequence[Command]:
        *others, back, fairness = super().shown_commands
        return *others, fairness, back


class SaveFailedDialog(QuestionDialog[Literal["saved", "play", "leave"]]):
    """Ends with "saved" once a try has succeeded, else with the players' choice."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "answer('play')", "Play on unsaved", id="unsaved.play"),
        Binding("q,escape", "answer('leave')", "Leave", id="unsaved.leave"),
    ]

    def __init__(self, reason: str, save: Callable[[], str]) -> None:
        """Show a reason. ``save`` tries to save the match; it returns the reason of a failure, or an empty text."""
        super().__init__(
            "This game can't be saved right now",
            f"{sentence_case(reason)}.",
            "It goes on by itself as soon as it can be saved. Until then nothing is shown.",
        )
        self.save = save

    def on_mount(self) -> None:
        self.set_interval(TRY_SECONDS, self.try_again)

    def try_again(self) -> None:
        if self.is_active:
            reason = self.save()
            if reason:
                self.query(".lines").first(Label).update(f"{sentence_case(reason)}.")
            else:
                self.end("saved")
