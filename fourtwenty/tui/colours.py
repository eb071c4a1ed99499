"""Removes all colours from the output (no-color.org), or reduces them to sixteen or eight."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import Color as RichColor, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.app import App

BLACK, WHITE = 0, 15
DARK = {0, 1, 4, 5}
"""The numbers of the dark colours that white can be read on: black, red, blue and magenta."""


class Monochrome(LineFilter):
    """Removes every colour; keeps bold, dim, underlined and clicks' metadata. Textual's own leaves greys.

    Text with a background colour is reversed instead.
    """

    def __init__(self, app: App[None]) -> None:
        super().__init__()
        self.app = app

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        dark = self.app.current_theme.dark
        return [Segment(text, style and without_colours(style, dark), control) for text, style, control in segments]


@lru_cache(1024)
def without_colours(style: Style, dark: bool) -> Style:
    """Return a style without colours, reversed if it is light in a dark theme, or dark in a light one."""
    ground = style.color if style.reverse else style.bgcolor
    if ground and not ground.is_default:
        brightness = Color.from_rich_color(ground).brightness
        style += Style(reverse=brightness > 0.4 if dark else brightness < 0.6)
    return style.without_color + Style.from_meta(style.meta)


class FewColours(LineFilter):
    """Shows sixteen colours, or eight: black is never bold, which most terminals show as grey."""

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
