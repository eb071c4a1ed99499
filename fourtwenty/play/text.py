"""Untrusted text, from people and files: characters that must not reach a terminal, and the comparison of names."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

DIRECTIONAL = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that change the direction of the text around them (Unicode Standard Annex 9)."""

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible characters that Unicode counts as letters or symbols."""


def is_harmful(character: str) -> bool:
    """Return whether a character can control a terminal, break its line or change its direction of text."""
    return character in DIRECTIONAL or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def harmless(text: str) -> str:
    """Return a text with every harmful character replaced by U+FFFD.

    >>> harmless("Ann\\x1b[2J")
    'Ann�[2J'
    """
    if text.isprintable():  # no control, separator or format character: most texts of a history of many matches
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if is_harmful(character) else character for character in text)


@lru_cache(maxsize=4096)  # a name that comes to a table of several machines is compared with a thousand others
def folded(text: str) -> str:
    """Return the form in which names that look alike are equal; empty for a text without visible characters.

    >>> folded(" Zoe\\u0308 ") == folded("ZO\\u00cb"), folded("\\u200b")
    (True, '')
    """
    seen = "".join(
        character for character in text if unicodedata.category(character) != "Cf" and character not in BLANK
    )
    return unicodedata.normalize("NFKC", seen).strip().casefold()
