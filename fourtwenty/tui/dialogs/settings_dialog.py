"""The settings in a list. The dialog posts every change at once; the app applies and stores it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList

from fourtwenty.journal.settings import PACES, Settings
from fourtwenty.play.options import OFF_ON, NamedOption
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.answers import Answers
from fourtwenty.tui.widgets.command_row import Command

OWN_OPTIONS = (
    NamedOption("digits", "Faces of the dice", {False: "pips", True: "digits"}),
    NamedOption("bell", "Bell when it is your turn", OFF_ON),
    NamedOption("pace", "Pace of bots and rolls", {pace: pace for pace in PACES}),
    NamedOption("guide", "Guide beside the hand", OFF_ON),
)
"""The options of ``Settings``, without the theme, whose values the app knows."""


class SettingsDialog(Dialog[None]):
    """One line for each setting; enter, space or a click changes it to its next value."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,right,space", "turn(1)", "Change", id="settings.next"),
        Binding("left", "turn(-1)", "Previous", id="settings.previous"),
        Binding("escape,q", "back", "Back", id="settings.back"),
    ]
    heading = "Settings"

    class Changed(Message):
        """Posted when a value has changed."""

        def __init__(self, settings: Settings) -> None:
            super().__init__()
            self.settings = settings

    def __init__(self, settings: Settings, themes: Sequence[str]) -> None:
        """Show the settings; the themes are offered in this order."""
        super().__init__()
        self.settings = settings
        self.options = (NamedOption("theme", "Theme", {name: name for name in themes}), *OWN_OPTIONS)
        """The options line by line."""

    def contents(self) -> Iterator[Widget]:
        yield Answers(*map(self._line, self.options), id="settings")

    @property
    def shown_commands(self) -> Sequence[Command]:
        """A key for the next value is enough."""
        return Command("settings.next"), Command("settings.back")

    def _line(self, option: NamedOption) -> Content:
        return Content.assemble(f"{option.label:28}", (option.shown(self.settings), "bold"))

    @on(OptionList.OptionSelected)
    def turn_selected(self, event: OptionList.OptionSelected) -> None:
        self.turn(event.option_index, 1)

    def action_turn(self, step: int) -> None:
        self.turn(self.query_one(OptionList).highlighted or 0, step)

    def turn(self, line: int, step: int) -> None:
        """Change the setting of a line by a number of values, post ``Changed``, and show it."""
        option = self.options[line]
        self.settings = option.turned(self.settings, step)
        self.post_message(self.Changed(self.settings))
        self.query_one(OptionList).replace_option_prompt_at_index(line, self._line(option))
