"""Measures texts in terminal cells, for lines of text and screens."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from unicodedata import category

from rich.cells import cached_cell_len, cell_len, get_character_cell_size, set_cell_size

__all__ = ["cell_len", "ljust", "set_cell_size"]

TAGS = 0xE0000
"""The first of 4,096 tags and selectors, most of the characters without width; to look them up delays the start."""


# Rich 14.2 to 15.0 (_cell_widths.py, later _unicode_data) gives a spacing vowel sign, Unicode category Mc, no cell, as
# wcwidth did before its pull request 200. Terminals give it one: tmux 3.3a all 445 of them, xterm.js 6.0 all but three.
# Without, everything right of a name in Hindi, Bengali or Tamil moves. Textual measures with these functions too, so
# their table is changed and not their callers. It can go when Rich has newer widths.
def _count_vowel_signs() -> None:
    with suppress(ImportError, AttributeError, TypeError):  # a later Rich may keep its widths elsewhere
        try:
            table = import_module("rich._unicode_data").load().widths
        except ImportError:
            table = import_module("rich._cell_widths").CELL_WIDTHS
        table[:] = [part for entry in table for part in _without_vowel_signs(*entry)]
        get_character_cell_size.cache_clear()
        cached_cell_len.cache_clear()


def _without_vowel_signs(first: int, last: int, width: int) -> list[tuple[int, int, int]]:
    """Return a range of Rich's table without vowel signs: other characters take one cell."""
    signs = [] if width or first == TAGS else [code for code in range(first, last + 1) if category(chr(code)) == "Mc"]
    if not signs:
        return [(first, last, width)]
    edges = zip([first, *(code + 1 for code in signs)], [*(code - 1 for code in signs), last], strict=True)
    return [(start, end, width) for start, end in edges if start <= end]


_count_vowel_signs()


def ljust(text: str, width: int) -> str:
    """Return a text with blanks added up to a width in cells.

    >>> ljust("Ann", 5), ljust("राजा", 5)
    ('Ann  ', 'राजा ')
    """
    return text + " " * (width - cell_len(text))
