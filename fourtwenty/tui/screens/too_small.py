"""The screen over all others while the terminal is too small. The app pushes and removes it."""

from __future__ import annotations

from textual.screen import ModalScreen

from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.touch import MIN_ROWS, min_columns, too_small


class TooSmall(BaseScreen[None], ModalScreen[None]):
    CSS_PATH = "too_small.tcss"

    def on_screen_resume(self) -> None:
        """Dismiss the screen if the terminal has grown: the app removes it only from the top."""
        if not too_small(self.app, self.app.size):
            self.dismiss()

    def render(self) -> str:
        web = self.app.is_web
        has, needs = f"{self.app.size.width}×{self.app.size.height}", f"{min_columns(self.app)}×{MIN_ROWS}"
        this, way_out = ("window", "") if web else ("terminal", " Ctrl+C quits.")
        return f"This {this} is {has}.\nThe game needs {needs}.{way_out}"
