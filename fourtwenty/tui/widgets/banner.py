"""A short sentence as large as the screen allows: in big letters, a name above the rest, or framed words."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.widgets.big_letters import letter_rows

LETTERS = ((48, True, 2), (28, True, 1), (0, False, 1))
"""The sizes of letters, largest first: the screen's least height, whether of five rows, and the scale."""
TALL = 36
"""The screen height, in cells, from which the name always has its own line."""
MARGIN = 6
"""Cells of a row beside the letters: the padding, and the scrollbar of a page of many seats."""

Rows = tuple[str, ...]


class Banner(Static):
    """Shows "Ben buys the drinks" as BEN above BUYS THE DRINKS; the class ``-plain`` marks it without big letters."""

    DEFAULT_CSS = "Banner { width: auto; max-width: 100%; height: auto; }"

    def __init__(self, name: str, rest: str, colour: str) -> None:
        super().__init__(markup=False)
        self.words = name, rest
        self.colours = colour, "$primary"

    def on_mount(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the largest letters that fit, or the plain sentence."""
        letters = self._letters()
        self.set_class(letters is None, "-plain")
        self.update(Content.styled(" ".join(self.words), "bold $primary") if letters is None else letters)

    def _letters(self) -> Content | None:
        assert isinstance(self.app, BaseApp)
        width, height = self.app.size
        for least_height, large, scale in LETTERS:
            if height < least_height or (self.app.ascii_only and not large):
                continue
            name, rest = (letter_rows(part, large, scale) for part in self.words)
            if name is None or rest is None:
                return None
            lines = self._beside(name, rest) if height < TALL else self._below(name, rest)
            if max(line.cell_length for line in lines) > width - MARGIN:
                lines = self._below(name, rest)
            if max(line.cell_length for line in lines) > width - MARGIN and height >= TALL:
                lines = self._below(name, *self._wrapped(width - MARGIN, large, scale))
            if max(line.cell_length for line in lines) <= width - MARGIN:
                return Content("\n").join(lines)
        return None

    def _wrapped(self, width: int, large: bool, scale: int) -> list[Rows]:
        """Return the rest of the sentence, with as many words a line as fit."""
        lines: list[Rows] = []
        words = ""
        for word in self.words[1].split():
            longer = letter_rows(f"{words} {word}".strip(), large, scale)
            if longer and lines and words and len(longer[0]) <= width:
                lines[-1] = longer
                words = f"{words} {word}"
            elif alone := letter_rows(word, large, scale):
                lines.append(alone)
                words = word
        return lines

    def _beside(self, name: Rows, rest: Rows) -> list[Content]:
        first, second = self.colours
        return [
            Content.assemble((of_name, first), "    ", (of_rest, second))
            for of_name, of_rest in zip(name, rest, strict=True)
        ]

    def _below(self, name: Rows, *rest: Rows) -> list[Content]:
        widest = max(len(part[0]) for part in (name, *rest))
        first, second = self.colours
        lines = [Content.styled(row.center(widest), first) for row in name]
        for part in rest:
            lines += [Content(""), *(Content.styled(row.center(widest), second) for row in part)]
        return lines
