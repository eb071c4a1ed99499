"""A screen's status line: the last action, or why one is refused."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Sentence(Static):
    """Shows one sentence until a key or a click needs another; then the screen's resting one."""

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
        self.said = ""
        self._show(resting)

    def follow(self, resting: str) -> None:
        """Show the resting sentence, unless another one is shown."""
        if not self.said:
            self._show(resting)

    def _show(self, sentence: str, refused: bool = False) -> None:
        if self._shown != (sentence, refused):
            self._shown = sentence, refused
            self.set_class(not sentence, "-silent")
            self.update(Content.styled(sentence, "$warning bold") if refused else Content(sentence))
