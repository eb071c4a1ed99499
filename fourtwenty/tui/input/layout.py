"""Translates keys of other layouts: French digits, Caps Lock, full-width, Arabic, Cyrillic and Greek characters."""

from __future__ import annotations

from collections.abc import Container
from unicodedata import normalize

from textual.events import Key
from textual.keys import _character_to_key

AZERTY = dict(zip("&é\"'(-è_çà", "1234567890", strict=True))
"""The digits of a French keyboard, which need shift there, by what their keys type without it."""
CYRILLIC = dict(zip("йцукенгшщзфывапролдячсмитьіў", "qwertyuiopasdfghjklzxcvbnmso", strict=True))
"""The keys of the Latin layout, by the letters of ЙЦУКЕН (Russian, Ukrainian, Belarusian) in their place."""
GREEK = dict(zip("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm", strict=True))
"""The same for the Greek layout. Latin keyboards have none of the letters of these two."""
BY_PLACE = AZERTY | CYRILLIC | GREEK

NAME_SEPARATORS = r"[,;，；、\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]"
"""The pattern of the commas and semicolons of all keyboards, and of the ends of cells and lines."""


def translate_key(key: Key, bound: Container[str]) -> Key:
    """Return the key of a Latin keyboard for a key of another layout, or the key itself.

    ``bound`` has the names of the keys with a binding: these are never translated. For screens without a field.
    """
    typed = key.character
    if not typed or not typed.isprintable() or key.key in bound:
        return key
    character = normalize("NFKC", typed).lower()  # full-width letters and digits, and Caps Lock
    if character.isdecimal() and len(character) == 1:
        character = str(int(character))  # Arabic-Indic digits, and others
    character = BY_PLACE.get(character, character)
    name = _character_to_key(character) if len(character) == 1 else ""
    return Key(name, character) if name in bound or (name.isascii() and character.isalpha()) else key
