"""The base of all dialogs: a box in the middle of the screen, its dismissal, and an input field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Paste
from textual.reactive import reactive
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Input, Label

from fourtwenty.tui.input.layout import NAME_SEPARATORS
from fourtwenty.tui.textual_base.actions import ScreenAction, bindings_of
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class Dialog(BaseScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A modal screen: a heading, contents and commands. Back ends it with None."""

    CSS_PATH = Path(__file__).with_name("dialog.tcss")  # for dialogs in other folders, too

    heading: str = ""
    """Empty for none."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            if self.heading:
                yield Label(self.heading, id="heading", markup=False)
            yield from self.contents()
            yield Sentence()
            yield CommandRow(*self.shown_commands)

    def contents(self) -> Iterator[Widget]:
        """Yield the widgets between the heading and the commands."""
        raise NotImplementedError

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The commands of the row: by default every visible and available binding in order."""
        shown = (each for each in bindings_of(type(self)) if each.id and each.show)
        available = (each for each in shown if not isinstance(each, ScreenAction) or each.is_available(self))
        return tuple(Command(each.id or "") for each in available)


class Field(Input):
    """An input line that begins with all of its value selected. Enter accepts the dialog."""

    cursor_blink = reactive(False, init=False)

    # Textual 8.2 (widgets/_input.py, _on_paste), whose turn is next, takes the first line, even an empty one.
    def on_paste(self, event: Paste) -> None:
        """Begin with the first line that has text."""
        event.text = event.text.lstrip()

    # Textual 8.2 (widgets/_input.py, action_submit) posts a message, which keys typed behind Enter overtake. A priority
    # binding would overtake the characters before it. It can go when Submitted is handled before the next key
    # (Textualize/textual#6605).
    async def action_submit(self) -> None:
        """Accept the dialog at once, after all keys before Enter and before all keys after it."""
        await self.screen.run_action("accept")


class NamesField(Field):
    """An input line for names with commas between them; whatever else separates them becomes a comma."""

    def validate_value(self, value: str) -> str:
        return re.sub(NAME_SEPARATORS, ",", value)

    def on_paste(self, event: Paste) -> None:
        """Take the names of all lines and cells."""
        names = ", ".join(filter(None, map(str.strip, re.split(NAME_SEPARATORS, event.text))))
        follows = re.match(NAME_SEPARATORS, event.text) and self.cursor_position and self.selection.is_empty
        event.text = f", {names}" if follows else names


class FieldDialog(Dialog[ScreenResultType]):
    """A dialog with an input line. It ends with the line's value, or shows why that is refused."""

    line = getters.query_one(Field)
    """The first input line."""

    def read(self) -> object:
        """Return the value of the typed text. Raises ValueError with a sentence when it is refused."""
        raise NotImplementedError

    def accept(self, value: Any) -> None:
        """Handle the value: by default, end with it."""
        self.end(value)

    @on(Input.Changed)
    def say_no_more(self) -> None:
        """Clear the refusal of an earlier text: typed keys do not reach ``receive_key``."""
        self.be_quiet()

    def action_accept(self) -> None:
        try:
            value = self.read()
        except ValueError as refusal:
            self.say(str(refusal), refused=True)
        else:
            self.accept(value)
