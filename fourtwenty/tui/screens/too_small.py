"""The screen over all others while the terminal is too small. The app pushes and removes it."""

from __future__ import annotations

from textual.screen import ModalScreen

from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.touch import TOUCHED_COLUMNS, touched

MIN_COLUMNS, MIN_ROWS = 60, 20


class TooSmall(BaseScreen[None], ModalScreen[None]):
    def on_screen_resume(self) -> None:
        """Dismiss the screen if the terminal has grown: the app removes it only from the top."""
        if not too_small(*self.app.size, touched(self.app)):
            self.dismiss()

    def render(self) -> str:
        web = self.app.is_web
        columns = TOUCHED_COLUMNS if touched(self.app) else MIN_COLUMNS
        has, needs = f"{self.app.size.width}×{self.app.size.height}", f"{columns}×{MIN_ROWS}"
        this, way_out = ("window", "") if web else ("terminal", " Ctrl+C quits.")
        return f"This {this} is {has}.\nThe game needs {needs}.{way_out}"


def too_small(columns: int, rows: int, by_touch: bool) -> bool:
    return columns < (TOUCHED_COLUMNS if by_touch else MIN_COLUMNS) or rows < MIN_ROWS
