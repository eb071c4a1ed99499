"""The settings in a list. The dialog posts every change at once; the app applies and stores it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from fourtwenty.journal.settings import PACES, Settings
from fourtwenty.play.lineup import COACHING, Lineup
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command

ON_OFF = {False: "off", True: "on"}


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

        def __init__(self, settings: Settings, lineup: Lineup | None) -> None:
            super().__init__()
            self.settings = settings
            self.lineup = lineup

    def __init__(self, settings: Settings, lineup: Lineup | None, themes: Sequence[str]) -> None:
        """Show the settings, and those of the line-up if one is being set up in the lobby."""
        super().__init__()
        self.settings = settings
        self.lineup = lineup
        self.themes = tuple(themes)

    def contents(self) -> Iterator[Widget]:
        """Yield the list."""
        yield OptionList(*self._options, id="settings")

    @property
    def shown_commands(self) -> Sequence[Command]:
        """A key for the next value is enough."""
        return Command("settings.next"), Command("settings.back")

    @property
    def _values(self) -> dict[str, tuple[str, tuple[object, ...], object]]:
        """Settings by name: the label, all possible values, and the current value."""
        both = (False, True)
        values: dict[str, tuple[str, tuple[object, ...], object]] = {
            "theme": ("Theme", self.themes, self.settings.theme),
            "digits": ("Faces of the dice", both, self.settings.digits),
            "bell": ("Bell when it is your turn", both, self.settings.bell),
            "pace": ("Pace of bots and rolls", tuple(PACES), self.settings.pace),
        }
        if self.lineup:
            values["animation"] = ("Dice tumble", both, self.lineup.animation)
            values["coach"] = ("Coach", COACHING, self.lineup.coach)
        return values

    @property
    def _options(self) -> list[Option]:
        options = []
        for name, (label, _, value) in self._values.items():
            words = {False: "pips", True: "digits"} if name == "digits" else ON_OFF
            shown = words[value] if isinstance(value, bool) else str(value)
            options.append(Option(Content.assemble(f"{label:28}", (shown, "bold")), id=name))
        return options

    @on(OptionList.OptionSelected)
    def turn_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the setting that was chosen."""
        self.turn(event.option_index, 1)

    def action_turn(self, step: int) -> None:
        """Change the setting at the pointer by a number of values."""
        self.turn(self.query_one(OptionList).highlighted or 0, step)

    def turn(self, line: int, step: int) -> None:
        """Change the setting of a line by a number of values, post ``Changed``, and show it."""
        name, (_, values, value) = list(self._values.items())[line]
        at = values.index(value) if value in values else -1
        change = {name: values[(at + step) % len(values)]}
        if self.lineup and name in ("animation", "coach"):
            self.lineup = replace(self.lineup, **change)
        else:
            self.settings = replace(self.settings, **change)
        self.post_message(self.Changed(self.settings, self.lineup))
        options = self.query_one(OptionList)
        options.replace_option_prompt_at_index(line, self._options[line].prompt)
