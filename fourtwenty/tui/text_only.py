"""Output without control characters: text from outside cannot control the terminal."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from fourtwenty.console import strip_controls


# Textual 8.2 (content.py, _strip_control_codes) removes five control characters, but keeps escape sequences, C1 and
# bidirectional controls. This stays: it covers every widget.
class TextOnly(LineFilter):
    """Removes harmful characters, which take no cell, from all text."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        if "".join([segment.text for segment in segments]).isprintable():
            return segments
        return [Segment(strip_controls(text, ""), style, control) for text, style, control in segments]
