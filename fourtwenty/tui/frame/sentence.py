"""The line in which a screen speaks: what was done, and why something cannot be done."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import var
from textual.widgets import Static


class Sentence(Static):
    """Says one sentence until a key or a click asks for something else; then stands there what stood before."""

    DEFAULT_CSS = "Sentence { width: 100%; height: auto; min-height: 1; max-height: 3; }"

    resting: var[str] = var("", init=False)
    """The text of the line while nothing is said."""

    def __init__(self, id: str = "sentence") -> None:  # noqa: A002
        super().__init__("", id=id, classes="-silent", markup=False)
        self._said = ""

    def say(self, sentence: str, refused: bool = False) -> None:
        """Say a sentence; one that refuses something stands out."""
        self._said = sentence
        self._show(Content.styled(sentence, "$warning bold") if refused else Content(sentence))

    def rest(self) -> None:
        """Say nothing more."""
        if self._said:
            self._said = ""
            self._show(Content(self.resting))

    def watch_resting(self, resting: str) -> None:
        if not self._said:
            self._show(Content(resting))

    def _show(self, text: Content) -> None:
        self.set_class(not text, "-silent")
        self.update(text)
