"""One die, drawn in a box of any size. hand.py has the hand and its animation."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

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

PIP = ("●",), ("██",), ("▟██▙", "▜██▛"), ("▟████▙", "██████", "▜████▛")
"""A pip, line by line, the smallest first."""

SMALL, MEDIUM, LARGE, HUGE, GIANT = (5, 3), (9, 5), (14, 7), (22, 10), (30, 15)
"""The sizes of dice, in cells."""

FRAME = "╭─╮│╰╯"
SELECTED_FRAME = "┏━┓┃┗┛"
MADE_FRAME = "╔═╗║╚╝"
"""The frames of dice: top left corner, line, top right corner, side, bottom left corner, bottom right corner."""


class Die(Struct, frozen=True):
    """A die as shown. A selected one is a row higher, has a heavier frame and the label "roll"."""

    face: int = 0
    """From 1 to 6; 0 before the first roll."""
    selected: bool = False
    fresh: bool = False
    faded: bool = False
    """Whether it must be rolled again, and its face no longer counts."""
    made: bool = False
    """Whether it has just completed the hand that everybody rolls for, or that decided a round."""
    was: int = 0
    """The face before the roll, where that is told; 0 elsewhere."""

    @property
    def label(self) -> str:
        """The label of the die; empty for none."""
        return "roll" if self.selected else f"was {self.was}" if self.was else "rolled" if self.fresh else ""


@lru_cache(maxsize=512)
def draw(
    face: int, width: int, height: int, name: str, selected: bool, framed: bool = True, made: bool = False
) -> tuple[str, ...]:
    """Return the lines of a die's box, with a name in the lower edge.

    The size is in cells, at least 5 by 3. The face has pips, or a digit. A coloured ground has a frame only if the die
    is selected or has made the hand.
    """
    framed = framed or selected or made
    frame = SELECTED_FRAME if selected else MADE_FRAME if made else FRAME
    top_left, line, top_right, side, bottom_left, bottom_right = tuple(frame if framed else " " * 6)
    inside = width - 2
    edge = 1 if framed or height > 3 else 0
    rows = [" " * inside] * (height - 2 * edge)
    digits = len(rows) < 3
    pip = PIP[sum(inside >= least for least in (11, 16, 26))]
    columns = [int((inside - len(pip[0])) * share + 0.5) for share in (1 / 8, 1 / 2, 7 / 8)]
    levels = [round((len(rows) - len(pip)) * share) for share in (0, 1 / 2, 1)]
    if digits and face:
        rows[levels[1]] = str(face).center(inside)
    for level, pattern in zip(levels, PIPS[0 if digits else face], strict=True):
        for row, part in enumerate(pip, level):
            cells = list(rows[row])
            for column, mark in zip(columns, pattern, strict=True):
                if mark == "*":
                    cells[column : column + len(part)] = part
            rows[row] = "".join(cells)
    if not edge:
        return tuple(f" {row} " for row in rows)
    plate = f" {name} " if framed else f"─ {name} ─"
    lower_edge = (plate if name else "").center(inside, line)
    return (
        top_left + line * inside + top_right,
        *(side + row + side for row in rows),
        bottom_left + lower_edge + bottom_right,
    )


def chip(face: int, framed: bool = True) -> str:
    """Return a die in three cells of one line."""
    return f"[{face}]" if framed else f" {face} "
