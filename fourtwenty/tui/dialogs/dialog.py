"""The base of all dialogs: a box in the middle of the screen, how a dialog ends, and a field to type in."""

from __future__ import annotations

from pathlib import Path

from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Input

from fourtwenty.tui.framework import HouseScreen


class Dialog(HouseScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A modal screen with its contents in a container of the class ``dialog``, below an optional ``#heading``."""

    CSS_PATH = Path(__file__).with_name("dialog.tcss")  # a dialog in another folder has it, too

    def end(self, result: ScreenResultType | None = None) -> None:
        """Dismiss the dialog with a result; do nothing if it is not on top.

        A second key or click may arrive after the one that has ended the dialog. Textual 8.2 (screen.py, ``dismiss``)
        would then remove the screen that is on top by now.
        """
        if self.is_active:
            self.dismiss(result)


class Field(Input):
    """A line to type in. Enter accepts the dialog."""

    def __init__(self, value: str = "", *, id: str, placeholder: str = "", max_length: int = 0) -> None:  # noqa: A002
        """Begin with a value, all of it selected, and take no more characters than ``max_length``, 0 for any number."""
        super().__init__(value, placeholder=placeholder, id=id, max_length=max_length, select_on_focus=True)
        self.cursor_blink = False

    # Textual 8.2 (widgets/_input.py, action_submit) posts a message, which keys typed behind Enter overtake. A priority
    # binding would overtake the characters before it. It can go when Submitted is handled before the next key.
    async def action_submit(self) -> None:
        """Accept the dialog at once, after every key typed before Enter and before every key typed after it."""
        await self.screen.run_action("accept")
