"""The screen over all others while the terminal is too small. The app pushes and removes it."""

from __future__ import annotations

from textual.screen import ModalScreen

from fourtwenty.tui.framework import HouseScreen

LEAST_COLUMNS, LEAST_ROWS = 60, 20
"""The smallest size to play in, in cells."""


class TooSmall(HouseScreen[None], ModalScreen[None]):
    """Shows the size of the terminal and the size that the game needs."""

    def on_screen_resume(self) -> None:
        """Dismiss the screen if the terminal has grown meanwhile: the app removes it only from the top."""
        if not too_small(*self.app.size):
            self.dismiss()

    def render(self) -> str:
        has, needs = f"{self.app.size.width}×{self.app.size.height}", f"{LEAST_COLUMNS}×{LEAST_ROWS}"
        return f"This {'window' if self.app.is_web else 'terminal'} is {has}.\nThe game needs {needs}. Ctrl+C quits."


def too_small(columns: int, rows: int) -> bool:
    """Return whether the table does not fit into a terminal of this size in cells."""
    return columns < LEAST_COLUMNS or rows < LEAST_ROWS
