"""The line in which a screen speaks: what was done, and why something cannot be done."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Sentence(Static):
    """Says one sentence until a key or a click asks for something else; then shows the resting one of its screen."""

    DEFAULT_CSS = "Sentence { width: 100%; height: auto; min-height: 1; max-height: 3; }"

    def __init__(self, id: str = "sentence") -> None:  # noqa: A002
        super().__init__("", id=id, classes="-silent", markup=False)
        self.said = ""
        """The sentence in place of the resting one; empty for none."""
        self._shown = ("", False)

    def say(self, sentence: str, refused: bool = False) -> None:
        self.said = sentence
        self._show(sentence, refused)

    def rest(self, resting: str) -> None:
        """Say nothing more, and show the resting sentence."""
        self.said = ""
        self._show(resting)

    def follow(self, resting: str) -> None:
        """Show the resting sentence, unless something is said."""
        if not self.said:
            self._show(resting)

    def _show(self, sentence: str, refused: bool = False) -> None:
        if self._shown != (sentence, refused):
            self._shown = sentence, refused
            self.set_class(not sentence, "-silent")
            self.update(Content.styled(sentence, "$warning bold") if refused else Content(sentence))
