"""The screen over all others while the terminal is too small. The app pushes and removes it."""

from __future__ import annotations

from textual.screen import ModalScreen

from fourtwenty.tui.textual_base.base_app import MIN_SIZE, is_too_small
from fourtwenty.tui.textual_base.base_screen import BaseScreen


class TooSmall(BaseScreen[None], ModalScreen[None]):
    CSS_PATH = "too_small.tcss"

    def on_screen_resume(self) -> None:
        """Dismiss the screen if the terminal has grown: the app removes it only from the top."""
        if not is_too_small(self.app.size):
            self.dismiss()

    def render(self) -> str:
        has, needs = (f"{size.width}×{size.height}" for size in (self.app.size, MIN_SIZE))
        this, way_out = ("window", "") if self.app.is_web else ("terminal", " Ctrl+C quits.")
        return f"This {this} is {has}.\nThe game needs {needs}.{way_out}"
