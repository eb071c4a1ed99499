"""Output in ASCII for terminals and locales that have nothing else, character for character, so that nothing moves."""

from __future__ import annotations

import sys

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

GLYPHS = {
    "-": "─╌╍┄┈╴╶╼╾▔▁▂▃·–—‐−",
    "=": "━═╸╺▀▄▅",
    "|": "│┃║╎╏▌▐▊▎▏▕▋▍▉",
    "+": "┌┐└┘├┤┬┴┼╭╮╯╰╔╗╚╝╠╣╦╩╬╋▖▗▘▝▙▛▜▟✚",
    "#": "┏┓┗┛█▆▇■",
    "o": "●○",
    "*": "◉★•▪‣⭑◦",
    "^": "▲↑",
    "v": "▼↓",
    "x": "◆×",
    "<": "←↺",
    ">": "→↻▶",
    ".": "…",
    "?": "\N{REPLACEMENT CHARACTER}",
    "'": "‘’",
    '"': "“”",
    " ": "\N{NO-BREAK SPACE}",
}
"""Characters of the screens, each one cell wide, by the ASCII character that replaces them."""
TABLE = str.maketrans({sign: plain for plain, signs in GLYPHS.items() for sign in signs})


class Ascii(LineFilter):
    """Replaces the characters that the program draws. Other characters of names are kept if the output has them."""

    def __init__(self) -> None:
        super().__init__()
        self.encoding = sys.__stderr__.encoding if sys.__stderr__ else "ascii"
        """Encoding of the stream that Textual's driver for Linux and macOS writes to."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """Return the segments with their text replaced, as wide as before."""
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
