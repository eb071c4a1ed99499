"""Output without colours (no-color.org): text with a background colour is reversed instead."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.app import App


class Monochrome(LineFilter):
    """Removes every colour; keeps bold, dim, underlined and clicks' metadata. Textual's own leaves greys."""

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
