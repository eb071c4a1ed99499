"""Output in sixteen colours, or eight: black is never bold, which most terminals show as grey."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColor, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

BLACK, WHITE = 0, 15
DARK = {0, 1, 4, 5}
"""The numbers of the dark colours that white can be read on: black, red, blue and magenta."""


class FewColours(LineFilter):
    def __init__(self, eight: bool) -> None:
        """Show bright grounds as dark ones if a terminal has eight."""
        super().__init__()
        self.eight = eight

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        return [Segment(text, style and in_few(style, self.eight), control) for text, style, control in segments]


@lru_cache(1024)
def in_few(style: Style, eight: bool) -> Style:
    """Return a style that terminals of sixteen colours show alike, with eight grounds if asked to."""
    if not style.bgcolor:
        return style
    ink = (style.color or RichColor.default()).downgrade(ColorSystem.STANDARD)
    ground = style.bgcolor.downgrade(ColorSystem.STANDARD)
    if style.reverse:  # terminals differ in which of the two bold makes bright
        ink, ground = ground, ink
    if eight and ground.number is not None and ground.number > 7:
        ground = RichColor.from_ansi(ground.number - 8)
        ink = RichColor.from_ansi(WHITE if ground.number in DARK else BLACK)
    return style + Style(color=ink, bgcolor=ground, reverse=False, bold=bool(style.bold) and ink.number != BLACK)
