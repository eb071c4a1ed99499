"""The options of a line-up in a list, each with its key, its value and a sentence. Changes are passed on at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final, Literal

from rich.cells import cell_len
from textual import getters, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from fourtwenty.play.lineup import Lineup
from fourtwenty.play.options import OPTIONS, NamedOption, starting_seat_option
from fourtwenty.tui.actions import bindings_of
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.framework import HouseApp
from fourtwenty.tui.touch import key_shown
from fourtwenty.tui.widgets.answers import Answers
from fourtwenty.tui.widgets.seats import fit

SET_UP: Final = "position"
"""The result of the dialog for those who want to start from a position."""

VALUE_WIDTH = 14
"""Width of the values in cells."""


class LineupOptions(Dialog[Literal["position"]]):
    """Ends with ``SET_UP`` for a position to start from, else with None."""

    HELP = """\
## Options

The arrows choose an option, **enter** turns it to its next value; so does the key beside it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,right,space", "turn(1)", "Change", id="options.next", tooltip="The next value"),
        Binding("left", "turn(-1)", "Previous", id="options.previous", show=False, tooltip="The value before"),
        Binding("w", "turn_named('warning')", "Warn", id="lobby.warning", show=False, tooltip="Warn before a mistake"),
        Binding(
            "f", "turn_named('starting_seat')", "First", id="lobby.first", show=False, tooltip="Choose who goes first"
        ),
        Binding(
            "d",
            "turn_named('typed')",
            "Real dice",
            id="lobby.typed",
            show=False,
            tooltip="Roll real dice and type their faces",
        ),
        Binding(
            "n",
            "turn_named('first_to')",
            "Limit",
            id="lobby.first-to",
            show=False,
            tooltip="End the evening's count at a number",
        ),
        Binding(
            "t",
            "turn_named('animation')",
            "Dice tumble",
            id="lobby.animation",
            show=False,
            tooltip="Show how the dice roll",
        ),
        Binding(
            "m",
            "turn_named('monocolor')",
            "White dice",
            id="lobby.monocolor",
            show=False,
            tooltip="White dice for everyone",
        ),
        Binding(
            "s",
            "set_up",
            "Start from a position…",
            id="lobby.position",
            show=False,
            tooltip="Play on from a line of text",
        ),
        Binding("escape,o,q", "back", "Back", id="options.back", tooltip="Back to the lobby"),
    ]
    heading = "Options"
    house = getters.app(HouseApp)

    def __init__(self, lineup: Lineup, changed: Callable[[Lineup], None]) -> None:
        """Show the options of a line-up. ``changed`` is called with it after every change."""
        super().__init__()
        self.lineup = lineup
        self.changed = changed
        self.options = tuple(_offered(lineup))
        """The options line by line; after them comes the position."""

    def contents(self) -> Iterator[Widget]:
        yield Answers(*map(self._line, range(len(self.options) + 1)), id="options", markup=False)
        yield Static(self._sentence(0), id="sentence", markup=False)

    def _line(self, line: int) -> Content:
        bindings = {each.id: each for each in bindings_of(type(self))}
        name = SET_UP if line == len(self.options) else self.options[line].name
        key = key_shown(self.house, bindings[BINDING_IDS.get(name, f"lobby.{name}")])
        if name == SET_UP:
            return Content.assemble((key, "bold"), "  Start from a position…")
        option = self.options[line]
        value = option.shown(self.lineup)
        title = fit(option.title(self.lineup.game), LABEL_WIDTH)
        return Content.assemble((key, "bold"), f"  {title}  ", (fit(value, min(VALUE_WIDTH, cell_len(value))), "bold"))

    def _sentence(self, line: int) -> str:
        if line == len(self.options):
            return "Type it as a line of text, or paste what y has copied at a table."
        return self.options[line].sentence(self.lineup)

    @on(OptionList.OptionHighlighted)
    def show_sentence(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#sentence", Static).update(self._sentence(event.option_index))

    @on(OptionList.OptionSelected)
    def turn_selected(self, event: OptionList.OptionSelected) -> None:
        self.turn(event.option_index)

    def action_turn(self, step: int) -> None:
        self.turn(self.query_one(OptionList).highlighted or 0, step)

    def action_turn_named(self, name: str) -> None:
        line = next((line for line, option in enumerate(self.options) if option.name == name), None)
        if line is not None:
            self.query_one(OptionList).highlighted = line
            self.turn(line)

    def action_set_up(self) -> None:
        self.end(SET_UP)

    def turn(self, line: int, step: int = 1) -> None:
        """Change the option of a line by a number of values, and show what it means."""
        if line == len(self.options):
            self.action_set_up()
            return
        self.lineup = self.options[line].turned(self.lineup, step)
        self.changed(self.lineup)
        self.query_one(OptionList).replace_option_prompt_at_index(line, self._line(line))
        self.query_one("#sentence", Static).update(self._sentence(line))


BINDING_IDS = {"starting_seat": "lobby.first", "first_to": "lobby.first-to"}
"""Ids of the bindings that are not called as their option."""

LABEL_WIDTH = max(len(option.label) for option in OPTIONS.values())


def _offered(lineup: Lineup) -> Iterator[NamedOption]:
    """Yield the options for a line-up: that of an evening from three people on, or while it is on."""
    yield OPTIONS["warning"]
    yield starting_seat_option(lineup)
    yield OPTIONS["typed"]
    if lineup.is_counted:
        yield OPTIONS["first_to"]
    yield OPTIONS["monocolor"]
    yield OPTIONS["animation"]
