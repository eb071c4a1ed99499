"""The import of Textual's app without Textual's own command palette, which no screen here uses."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import textual

from fourtwenty.paths import is_there

KNOWN = "8.2.8"
"""The version of Textual whose use of the palette has been read."""

PALETTE_NAMES = ("CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider")
"""The names that ``textual.app`` and ``textual.theme`` import from ``textual.command``."""


# Textual 8.2 (app.py, theme.py) imports its palette at once, and with it Input, OptionList, Select, Tree and more: 14
# modules, which no start needs. Ours is dialogs/picker.py. Every other version gets the real module, and so does
# everybody who imports it later.
# It can go when Textual imports its palette when it is opened (Textualize/textual#3754).
def import_textual() -> None:
    """Import ``textual.app``, of a known Textual without its palette."""
    package = Path(textual.__file__).parent
    if "textual.app" in sys.modules or not is_there(package.with_name(f"textual-{KNOWN}.dist-info")):
        return
    stand_in = ModuleType("textual.command")
    for name in PALETTE_NAMES:
        setattr(stand_in, name, type(name, (), {}))
    sys.modules[stand_in.__name__] = stand_in
    with suppress(ImportError):  # then the real one is imported next
        import_module("textual.app")
    del sys.modules[stand_in.__name__]
