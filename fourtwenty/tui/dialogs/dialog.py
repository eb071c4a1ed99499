"""What all dialogs have in common: a box in the middle of the screen they are asked on. What is in it, they say."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType


class Dialog(ModalScreen[ScreenResultType]):
    """Lays its contents out in a container of the class "dialog", under a "#heading" if it has one."""

    CSS_PATH = "dialog.tcss"
