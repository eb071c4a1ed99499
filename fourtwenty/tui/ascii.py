"""Output in ASCII for terminals and locales without more, character for character, so that nothing moves."""

from __future__ import annotations

import sys

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from fourtwenty.cells import cell_len

UPPER_DOTS, LOWER_DOTS = 0x1B, 0xE4
"""The bits of the dots in the upper and the lower half of a braille cell."""


def _braille(upper: bool, lower: bool) -> str:
    """Return all braille cells with dots in exactly these halves."""
    return "".join(
        chr(0x2800 + dots)
        for dots in range(256)
        if bool(dots & UPPER_DOTS) == upper and bool(dots & LOWER_DOTS) == lower
    )


GLYPHS = {
    "-": "─╌╍┄┈╴╶╼╾▔▁▂▃·–—‐−",
    "=": "━═╸╺▀▄▅",
    "|": "│┃║╎╏▌▐▊▎▋▍▉",
    "+": "┌┐└┘├┤┬┴┼╭╮╯╰╔╗╚╝╠╣╦╩╬╋▖▗▘▝▙▛▜▟✚",
    "#": "┏┓┗┛█▆▇■▮",
    "o": "●○□",
    "*": "★•▪‣⭑◦",
    "^": "▲↑",
    "v": "▼↓",
    "x": "◆×",
    "<": "←↺",
    ">": "→↻▶",
    "[": "▕",
    "]": "▏",
    ".": "…∙" + _braille(upper=False, lower=True),
    ":": _braille(upper=True, lower=True),
    "?": "\N{REPLACEMENT CHARACTER}",
    "'": "‘’" + _braille(upper=True, lower=False),
    '"': "“”",
    " ": "\N{NO-BREAK SPACE}" + _braille(upper=False, lower=False),
}
"""Screen characters, each one cell wide, by the ASCII character that replaces them."""
TABLE = str.maketrans({sign: plain for plain, signs in GLYPHS.items() for sign in signs})


class Ascii(LineFilter):
    """Replaces the characters that the program draws. Other characters of names stay if the output has them."""

    def __init__(self) -> None:
        super().__init__()
        self.encoding = sys.__stderr__.encoding if sys.__stderr__ else "ascii"
        """Encoding of the stream that Textual's driver for Linux and macOS writes to."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        return [
            segment if segment.text.isascii() else Segment(self._plain(segment.text), segment.style, segment.control)
            for segment in segments
        ]

    def _plain(self, text: str) -> str:
        text = text.translate(TABLE)
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return "".join(letter if letter.isascii() else "?" * cell_len(letter) for letter in text)
        return text
