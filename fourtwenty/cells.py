"""Measures texts in terminal cells, for lines of text and screens."""

from __future__ import annotations

from collections.abc import Iterator
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
        table[:] = _without_vowel_signs(table)
        get_character_cell_size.cache_clear()
        cached_cell_len.cache_clear()


def _without_vowel_signs(table: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield the ranges of Rich's table without vowel signs: other characters take one cell."""
    for first, last, width in table:
        start = first
        if not width and first != TAGS:
            for code in range(first, last + 1):
                if category(chr(code)) == "Mc":
                    if start < code:
                        yield start, code - 1, width
                    start = code + 1
        if start <= last:
            yield start, last, width


_count_vowel_signs()


def ljust(text: str, width: int) -> str:
    """Return a text with blanks added up to a width in cells.

    >>> ljust("Ann", 5), ljust("राजा", 5)
    ('Ann  ', 'राजा ')
    """
    return text + " " * (width - cell_len(text))
