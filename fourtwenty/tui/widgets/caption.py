"""The caption: the top line of a screen, with its subject."""

from __future__ import annotations

from textual.widgets import Static


class Caption(Static):
    """A top line across the screen, however the rest is aligned."""

    DEFAULT_CSS = "Caption { dock: top; height: 1; padding: 0 1; }"

    def __init__(self, text: str = "") -> None:
        super().__init__(text, id="caption", markup=False)
