"""The key that is meant on another keyboard: French digits, Caps Lock, the keypad, Cyrillic and Greek letters."""

from __future__ import annotations

import re
from collections.abc import Container
from unicodedata import normalize

from textual.events import Key
from textual.keys import _character_to_key

AZERTY = dict(zip("&é\"'(-è_çà", "1234567890", strict=True))
"""The digits of a French keyboard, which need shift there, by what their keys type without it."""
CYRILLIC = dict(zip("йцукенгшщзфывапролдячсмитьіў", "qwertyuiopasdfghjklzxcvbnmso", strict=True))
"""The keys of the Latin layout, by the letters of ЙЦУКЕН (Russian, Ukrainian, Belarusian) in their place."""
GREEK = dict(zip("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm", strict=True))
"""The same for the Greek layout. No letter here is on a Latin keyboard."""
BY_PLACE = AZERTY | CYRILLIC | GREEK

NAME_SEPARATORS = re.compile(r"[,;，；、\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Commas and semicolons of all keyboards, and what ends a cell or a line."""


def meant(key: Key, bound: Container[str]) -> Key:
    """Return the key that is meant where no field has the focus, given the names of the keys that have a binding."""
    typed = key.character
    if not typed or not typed.isprintable() or key.key in bound:
        return key
    character = normalize("NFKC", typed).lower()  # full-width letters and digits, and Caps Lock
    if character.isdecimal() and len(character) == 1:
        character = str(int(character))  # Arabic-Indic digits, and others
    character = BY_PLACE.get(character, character)
    name = _character_to_key(character) if len(character) == 1 else ""
    return Key(name, character) if name in bound or (name.isascii() and character.isalpha()) else key
