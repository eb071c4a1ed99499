"""The caption: the line on top of a screen that says what is shown there."""

from __future__ import annotations

from textual.widgets import Static


class Caption(Static):
    """A line of text at the top of a screen, wherever the rest of the screen is aligned to."""

    DEFAULT_CSS = "Caption { dock: top; height: 1; padding: 0 1; }"

    def __init__(self, text: str = "") -> None:
        super().__init__(text, id="caption", markup=False)
