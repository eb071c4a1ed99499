"""One die, drawn with pips in a box of any size. Which dice make a hand, and when they tumble, is in ``hand``."""

from __future__ import annotations

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

PIPS = {
    0: ("   ", "   ", "   "),
    1: ("   ", " * ", "   "),
    2: ("*  ", "   ", "  *"),
    3: ("*  ", " * ", "  *"),
    4: ("* *", "   ", "* *"),
    5: ("* *", " * ", "* *"),
    6: ("* *", "* *", "* *"),
}
"""Where the pips of each face sit on a grid of three by three; 0 is a die not thrown yet."""

LYING = "╭─╮│╰╯"
PICKED = "┏━┓┃┗┛"
"""Frames: top left, line, top right, side, bottom left, bottom right."""


class Die(Widget):
    """A die of the hand; picked, it lifts, changes its frame and says "roll"."""

    DEFAULT_CSS = "Die { width: 9; height: 6; }"
    COMPONENT_CLASSES = {"die--body", "die--label"}  # noqa: RUF012

    face: reactive[int] = reactive(0)
    """The face shown, from 1 to 6; 0 before the first roll."""
    picked: reactive[bool] = reactive(False)
    """Whether the die is selected to be rolled."""
    fresh: reactive[bool] = reactive(False)
    """Whether the die has just been rolled."""

    class Clicked(Message):
        """A die was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place
            """Position of the die in the hand, from 1."""

    def __init__(self, place: int) -> None:
        super().__init__(id=f"die-{place}")
        self.place = place

    def render(self) -> Content:
        """Draw the box in the widget's size less the row it lifts by."""
        body = self.get_visual_style("die--body")
        label = self.get_visual_style("die--label", partial=True)
        width, height = self.size
        digits = self.app.has_class("-digits")
        box = [(line, body) for line in draw(self.face, width, height - 1, str(self.place), self.picked, digits)]
        free = ("roll" if self.picked else "rolled" if self.fresh else "").center(width)
        lines = [*box, (free, label)] if self.picked else [(free, label), *box]
        return Content("\n").join(Content.styled(line, style) for line, style in lines)

    def on_click(self, event: Click) -> None:
        """Tell whoever holds the hand."""
        event.stop()
        self.post_message(self.Clicked(self.place))


def draw(face: int, width: int, height: int, name: str, picked: bool, digits: bool = False) -> list[str]:
    """Return the lines of a die's box of that size in cells, at least 5 by 3, its name in the lower edge.

    It shows pips, or the face as a digit.
    """
    top_left, line, top_right, side, bottom_left, bottom_right = tuple(PICKED if picked else LYING)
    inside = width - 2
    rows = [" " * inside] * (height - 2)
    pip = "●" if inside < 11 else "██"
    columns = [round((inside - len(pip)) * share) for share in (1 / 6, 1 / 2, 5 / 6)]
    levels = [round((len(rows) - 1) * share) for share in (0, 1 / 2, 1)]
    if digits and face:
        rows[levels[1]] = str(face).center(inside)
    for level, pattern in zip(levels, PIPS[0 if digits else face], strict=True):
        cells = list(rows[level])
        for column, mark in zip(columns, pattern, strict=True):
            if mark == "*":
                cells[column : column + len(pip)] = pip
        rows[level] = "".join(cells)
    lower_edge = (f" {name} " if name else "").center(inside, line)
    return [
        top_left + line * inside + top_right,
        *(side + row + side for row in rows),
        bottom_left + lower_edge + bottom_right,
    ]
