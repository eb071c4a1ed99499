"""Plain ASCII for terminals and locales that cannot show the rest: a sign for every sign, so that nothing moves."""

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
"""What stands for the signs that the screens are drawn with, one cell for one cell."""
TABLE = str.maketrans({sign: plain for plain, signs in GLYPHS.items() for sign in signs})


class Ascii(LineFilter):
    """Replaces every sign the program draws. Names stay as they were typed, if this output can show them."""

    def __init__(self) -> None:
        super().__init__()
        self.encoding = sys.__stderr__.encoding if sys.__stderr__ else "ascii"
        """That of the stream which Textual's driver for Linux and macOS writes to."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """Return the segments in plain letters and signs, as wide as before."""
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
