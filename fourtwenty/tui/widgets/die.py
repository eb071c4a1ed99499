"""One die, drawn with pips in a box of any size. Which dice make a hand, and when they tumble, is in ``hand``."""

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
"""Where the pips of each face sit on a grid of three by three; 0 is a die not thrown yet."""

LYING = "╭─╮│╰╯"
PICKED = "┏━┓┃┗┛"
"""Frames: top left, line, top right, side, bottom left, bottom right."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die of the hand as it is shown; picked, it lifts, changes its frame and says "roll"."""

    face: int = 0
    """From 1 to 6; 0 before the first roll."""
    picked: bool = False
    """Whether it is selected to be rolled."""
    fresh: bool = False
    """Whether it has just been rolled."""

    @property
    def label(self) -> str:
        """What is said in the row it lifts by."""
        return "roll" if self.picked else "rolled" if self.fresh else ""


@lru_cache(maxsize=512)
def draw(face: int, width: int, height: int, name: str, picked: bool, digits: bool = False) -> tuple[str, ...]:
    """Return the lines of a die's box of that size in cells, at least 5 by 3, its name in the lower edge.

    It shows pips, or the face as a digit.
    """
    top_left, line, top_right, side, bottom_left, bottom_right = tuple(PICKED if picked else LYING)
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
