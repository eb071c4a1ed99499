"""The base of all dialogs: a box in the middle of the screen, and how a dialog ends."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType

from fourtwenty.tui.framework import HouseScreen


class Dialog(HouseScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A modal screen with its contents in a container of the class ``dialog``, below an optional ``#heading``."""

    CSS_PATH = "dialog.tcss"

    def end(self, result: ScreenResultType | None = None) -> None:
        """Dismiss the dialog with a result; do nothing if it is not on top.

        A second key or click may arrive after the one that has ended the dialog. Textual 8.2 (screen.py, ``dismiss``)
        would then remove the screen that is on top by now.
        """
        if self.is_active:
            self.dismiss(result)
