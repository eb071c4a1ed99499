"""One die, drawn in a box of any size. The hand and its animation are in ``hand``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

PIPS = {
    0: ("   ", "   ", "   "),
    1: ("   ", " * ", "   "),
    2: ("*  ", "   ", "  *"),
    3: ("*  ", " * ", "  *"),
    4: ("* *", "   ", "* *"),
    5: ("* *", " * ", "* *"),
    6: ("* *", "* *", "* *"),
}
"""Pips on a grid of three by three, by face; face 0 is a die that has not been rolled."""

FRAME = "╭─╮│╰╯"
SELECTED_FRAME = "┏━┓┃┗┛"
"""The frames of dice: top left corner, line, top right corner, side, bottom left corner, bottom right corner."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it is shown. A selected one is a row higher, has a heavier frame and the label "roll"."""

    face: int = 0
    """From 1 to 6; 0 before the first roll."""
    selected: bool = False
    """Whether it is in the selection."""
    fresh: bool = False
    """Whether it has just been rolled."""

    @property
    def label(self) -> str:
        """The word in the row that the other dice leave free above the selected ones."""
        return "roll" if self.selected else "rolled" if self.fresh else ""


@lru_cache(maxsize=512)
def draw(face: int, width: int, height: int, name: str, selected: bool, digits: bool = False) -> tuple[str, ...]:
    """Return the lines of a die's box, with a name in the lower edge.

    The size is in cells, at least 5 by 3. The face is shown by pips, or by a digit.
    """
    top_left, line, top_right, side, bottom_left, bottom_right = tuple(SELECTED_FRAME if selected else FRAME)
    inside = width - 2
    rows = [" " * inside] * (height - 2)
    pip = "●" if inside < 11 else "██"
    columns = [int((inside - len(pip)) * share + 0.5) for share in (1 / 6, 1 / 2, 5 / 6)]
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
    return (
        top_left + line * inside + top_right,
        *(side + row + side for row in rows),
        bottom_left + lower_edge + bottom_right,
    )
