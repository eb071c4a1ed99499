"""The options in a list: the settings, in the lobby below a game's options. Changes apply at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList

from fourtwenty.cells import cell_len
from fourtwenty.journal.settings import PACES, THEMES, Settings
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.options import OFF_ON, OPTIONS, NamedOption, starting_seat_option
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.textual_base.actions import back
from fourtwenty.tui.widgets.choice_list import ChoiceList
from fourtwenty.tui.widgets.seats import fit

SETTINGS = (
    NamedOption("theme", "Theme", {theme: theme for theme in THEMES}),
    NamedOption("bell", "Bell when it is your turn", OFF_ON),
    NamedOption("pace", "Pace of bots and rolls", {pace: pace for pace in PACES}),
    NamedOption("guide", "Guide beside the hand", OFF_ON),
)

LABEL_WIDTH = max(len(option.label) for option in (*OPTIONS.values(), *SETTINGS))

VALUE_WIDTH = 14


class OptionsDialog(Dialog[bool]):
    """Ends with True when a position is asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,right,space", "turn(1)", "Change", id="options.next", tooltip="The next value"),
        Binding("left", "turn(-1)", "Previous", id="options.previous", show=False, tooltip="The value before"),
        back("o"),
    ]
    heading = "Options"

    def __init__(
        self,
        settings: Settings,
        changed: Callable[[Lineup | Settings], None],
        lineup: Lineup | None = None,
    ) -> None:
        """``changed`` is called with the line-up or the settings after every change."""
        super().__init__()
        self.settings = settings
        self.lineup = lineup
        self.changed = changed
        self.of_game: tuple[NamedOption | None, ...] = (*_offered(lineup), None) if lineup else ()
        """The options of the line-up, and None for the position."""
        self.options = (*self.of_game, *SETTINGS)

    def contents(self) -> Iterator[Widget]:
        yield ChoiceList(*map(self._line, range(len(self.options))), id="options", markup=False)

    def _line(self, line: int) -> Content:
        option = self.options[line]
        if option is None:
            return Content("Start from a position…")
        of_game = self.lineup if line < len(self.of_game) else None
        value = option.shown(of_game or self.settings)
        title = option.title(of_game.game) if of_game else option.label
        return Content.assemble(fit(title, LABEL_WIDTH), "  ", (fit(value, min(VALUE_WIDTH, cell_len(value))), "bold"))

    @property
    def resting_sentence(self) -> str:
        line = self.query_one(OptionList).highlighted or 0
        option = self.options[line]
        if option is None:
            return "Type it as a line of text, or paste what y has copied at a table."
        return option.sentence(self.lineup) if self.lineup and line < len(self.of_game) else ""

    @on(OptionList.OptionHighlighted)
    def explain_option(self) -> None:
        self.show_actions()

    @on(OptionList.OptionSelected)
    def turn_selected(self, event: OptionList.OptionSelected) -> None:
        self.turn(event.option_index, 1)

    def action_turn(self, step: int) -> None:
        self.turn(self.query_one(OptionList).highlighted or 0, step)

    def turn(self, line: int, step: int) -> None:
        """Move an option on by a number of values, and explain the new value."""
        option = self.options[line]
        if option is None:
            self.end(True)
            return
        if self.lineup and line < len(self.of_game):
            self.lineup = option.cycled(self.lineup, step)
            self.changed(self.lineup)
        else:
            self.settings = option.cycled(self.settings, step)
            self.changed(self.settings)
        self.query_one(OptionList).replace_option_prompt_at_index(line, self._line(line))
        self.show_actions()


def _offered(lineup: Lineup) -> Iterator[NamedOption]:
    """Yield the options of a line-up; "evening" from three people on, or while it is on."""
    yield starting_seat_option(lineup)
    yield OPTIONS["coach"]
    yield OPTIONS["typed"]
    if lineup.is_counted:
        yield OPTIONS["first_to"]
    yield OPTIONS["monocolor"]
