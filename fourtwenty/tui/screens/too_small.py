"""What is shown while the terminal is too small to play in: its size, and the size it needs."""

from __future__ import annotations

from textual.screen import ModalScreen

LEAST_COLUMNS, LEAST_ROWS = 60, 20


class TooSmall(ModalScreen[None]):
    """Covers every screen and swallows its keys; the app takes it away when there is room again."""

    def on_screen_resume(self) -> None:
        """Go away when there has come to be room while something else was on top."""
        if not too_small(*self.app.size):
            self.dismiss()

    def render(self) -> str:
        """Say both sizes."""
        has, needs = f"{self.app.size.width}×{self.app.size.height}", f"{LEAST_COLUMNS}×{LEAST_ROWS}"
        return f"This {'window' if self.app.is_web else 'terminal'} is {has}.\nThe game needs {needs}."


def too_small(columns: int, rows: int) -> bool:
    """Whether the table does not fit into a terminal of this size in cells."""
    return columns < LEAST_COLUMNS or rows < LEAST_ROWS
