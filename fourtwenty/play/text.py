"""Text that people or files bring along: which characters of it may reach a terminal."""

from __future__ import annotations

import unicodedata

TURNED = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that turn the direction of the text around them (Unicode Standard Annex 9)."""

BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that look like a space, though Unicode counts them as letters or symbols."""


def is_harmful(character: str) -> bool:
    """Return whether a terminal may act on a character, or show what comes after it elsewhere."""
    return character in TURNED or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def harmless(text: str) -> str:
    """Return a text with U+FFFD in place of every harmful character.

    >>> harmless("Ann\\x1b[2J")
    'Ann�[2J'
    """
    return "".join("\N{REPLACEMENT CHARACTER}" if is_harmful(character) else character for character in text)


def folded(text: str) -> str:
    """Return the form in which two names that read alike are equal; empty when there is nothing to read."""
    seen = "".join(
        character for character in text if unicodedata.category(character) != "Cf" and character not in BLANK
    )
    return unicodedata.normalize("NFKC", seen).strip().casefold()
