"""Draws the figures of docs/paper/solution.md: ``python docs/paper/figures.py [FOLDER]``.

The folder is docs/paper unless one is given. Each is an SVG in black, white and grey. Nothing is computed here: the
sections have the numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log10
from pathlib import Path
from xml.sax.saxutils import escape

from solution_420 import TWO_LINES, bounds_of, dice, ladder_figures

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds import bar_421_match
from fourtwenty.odds.four_twenty_solver import solve

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 24, 64
"""The room around the plot, in pixels, as are all sizes."""

Point = tuple[float, float]


@dataclass
class Plot:
    """A plot with two linear axes."""

    across: tuple[float, float]
    """The least and the greatest value on the axis from left to right."""
    up: tuple[float, float]
    """The least and the greatest value on the axis from bottom to top."""
    height: int = HEIGHT
    parts: list[str] = field(default_factory=list)

    def place(self, point: Point) -> Point:
        """Return the position of a point in the picture."""
        (x, y), (left, right), (low, high) = point, self.across, self.up
        width, height = WIDTH - LEFT - RIGHT, self.height - TOP - BOTTOM
        return LEFT + width * (x - left) / (right - left), self.height - BOTTOM - height * (y - low) / (high - low)

    def text(self, at: Point, words: str, anchor: str = "middle", turned: bool = False, fill: str = "black") -> None:
        """Write words at a place of the picture."""
        x, y = at
        turn = f' transform="rotate(-90 {x:.0f} {y:.0f})"' if turned else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{turn}>{escape(words)}</text>'
        )

    def line(self, points: Sequence[Point], dashes: str = "", wide: float = 1.5) -> None:
        """Draw a line through points of the plot."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.place, points))
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="black" stroke-width="{wide}"{dashed}/>')

    def dot(self, point: Point, filled: bool = True) -> None:
        """Draw a dot at a point of the plot."""
        x, y = self.place(point)
        fill = "black" if filled else "white"
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="black" stroke-width="1.5"/>')

    def square(self, point: Point, fill: str) -> None:
        """Fill the square of one unit whose corner with the least values is the point."""
        (left, bottom), (right, top) = self.place(point), self.place((point[0] + 1, point[1] + 1))
        self.parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" fill="{fill}"'
            ' stroke="black" stroke-width="0.5"/>'
        )

    def axes(self, across: str, up: str, marks_across: dict[float, str], marks_up: dict[float, str]) -> None:
        """Draw the axes with their names and marks."""
        (left, right), (low, high) = self.across, self.up
        self.line([(left, high), (left, low), (right, low)], wide=1)
        for value, words in marks_across.items():
            x, y = self.place((value, low))
            self.text((x, y + 18), words)
        for value, words in marks_up.items():
            x, y = self.place((left, value))
            self.text((x - 8, y + 4), words, "end")
        self.text((LEFT + (WIDTH - LEFT - RIGHT) / 2, self.height - 16), across)
        self.text((20, TOP + (self.height - TOP - BOTTOM) / 2), up, turned=True)

    def svg(self) -> str:
        """Return the picture."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}"'
                f' font-family="sans-serif" font-size="13">',
                f'<rect width="{WIDTH}" height="{self.height}" fill="white"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


def rules() -> str:
    """Draw the price of each rule of the ladder of 420 against its number of words."""
    least = -2.5  # where a price of nothing is drawn, on an axis of powers of ten
    plot = Plot((0, 22), (least, 2))
    plot.axes(
        "words in the rule",
        "price beside best play of two, in points",
        {words: f"{words}" for words in range(0, 21, 5)},
        {least: "0", **{float(power): f"{10.0**power:g}" for power in range(-1, 3)}},
    )
    named = {}
    for name, (_, first, second, *_) in ladder_figures().items():
        words = name.strip()
        if name == TWO_LINES:
            words = f"{next(iter(ladder_figures()))} {words}"
        price = 50 * (first + second)
        named[words] = len(words.split()), log10(price) if price > 1e-6 else least
    for words, point in named.items():
        plot.dot(point, filled=not any(x <= point[0] and y < point[1] for x, y in named.values()))
        x, y = plot.place(point)
        shown = "the two lines" if TWO_LINES.strip() in words else words.replace(", as many as you may", "")
        plot.text((x + 9, y + (-8 if point[1] == least else 4)), shown, "start")
    return plot.svg()


def others() -> str:
    """Draw where keeping 6-6-5 is best at four players, by the hands of the others."""
    import full_programme as programme

    (mine,) = {solve().classes[hand] for hand in ((1, 5, 6, 6), (2, 5, 6, 6))}
    (left,) = [each[mine] for each in bounds_of(4).left]
    hurries = left[programme.ALLOWED[mine].index(programme.HURRIED[mine])].reshape((programme.GROUPS,) * 3)
    weakest = sorted(range(programme.GROUPS), key=lambda group: -solve().rolls[programme.MEMBER[group]])
    hand_of = {number: dice(hand) for hand, number in solve().classes.items()}
    keeps = [dice(solve().best[programme.MEMBER[group]]) for group in weakest]
    names = [
        kept if keeps.count(kept) == 1 else hand_of[programme.MEMBER[group]]
        for kept, group in zip(keeps, weakest, strict=True)
    ]
    plot = Plot((0, programme.GROUPS), (0, programme.GROUPS), height=700)
    marks = {place + 0.5: name for place, name in enumerate(names)}
    plot.axes("what the next seat keeps, or its hand", "the seat after it", marks, marks)
    for across, one in enumerate(weakest):
        for up, other in enumerate(weakest):
            count = int(hurries[one, other].sum())
            grey = 255 - 17 * count
            plot.square((across, up), f"rgb({grey},{grey},{grey})")
            x, y = plot.place((across + 0.5, up + 0.5))
            plot.text((x, y + 4), f"{count}" if count else "", fill="white" if count > 6 else "black")
    return plot.svg()


def cliff() -> str:
    """Draw the chance of the starting seat of two not to pay in 421, by its tokens."""
    safe = bar_421_match.safe_of_two(TOKENS)
    plot = Plot((0, TOKENS), (0, 1))
    plot.axes(
        "tokens of the one who starts, of 21",
        "chance not to pay, in %",
        {tokens: f"{tokens}" for tokens in (1, 5, 10, 15, 20)},
        {percent / 100: f"{percent}" for percent in range(0, 101, 20)},
    )
    plot.line([(0, 1), (TOKENS, 0)], "2 4", 1)
    plot.line([(10.5, 0), (10.5, 1)], "6 4", 1)
    x, y = plot.place((10.5, 0.95))
    plot.text((x + 8, y), "with ten or fewer, one 4-2-1 may end it", "start")
    x, y = plot.place((3, 1 - 3 / TOKENS))
    plot.text((x + 12, y), "by the share of tokens", "start")
    points = [(float(tokens), safe[tokens]) for tokens in range(1, TOKENS)]
    plot.line(points)
    for point in points:
        plot.dot(point)
    return plot.svg()


FIGURES: dict[str, Callable[[], str]] = {"rules": rules, "others": others, "cliff": cliff}
"""``[file name without .svg]``: the function that draws it."""

FOLDER = Path(__file__).parent

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    for name, draw in FIGURES.items():
        (folder / f"{name}.svg").write_text(draw(), "utf-8")
