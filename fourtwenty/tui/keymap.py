"""The keys changed by the user, checked against all bindings. ``list_keys.py`` prints the bindings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import permutations
from pkgutil import iter_modules, walk_packages

from textual.app import App
from textual.binding import Binding
from textual.keys import REPLACED_KEYS, Keys, _character_to_key, key_to_character
from textual.screen import Screen

import fourtwenty
from fourtwenty.console import has_controls
from fourtwenty.tui.textual_base.actions import bindings_of

Bindings = Sequence[Binding]
"""The bindings of one screen that have an id."""

MODIFIERS = {"alt", "ctrl", "hyper", "meta", "shift", "super"}
"""The modifiers that Textual 8.2 (_xterm_parser.py) knows; it names them in alphabetical order."""

TERMINAL_KEYS = {key.value for key in Keys if key.value[0] != "<"} - {"return", "ctrl-at"}
"""Textual's names of keys, except most characters; no terminal sends the two left out."""

KEY_NAMES = "no key has this name. A key is one character, or a name such as f5, pageup, comma or ctrl+x."
SCREEN_FOLDERS = (["screens"], ["past_games"], ["dialogs"], ["tui"])
"""The folders of screens: three in ``tui``, and the ``tui`` of a plugin such as ``rooms``."""

LIST_COMMAND = "python -m fourtwenty.tui.list_keys"


def all_bindings(app: type[App[None]]) -> list[Bindings]:
    """Return the bindings that can be changed, of the app and of each screen."""
    return [[each for each in owner.BINDINGS if isinstance(each, Binding) and each.id] for owner in (app, *_screens())]


def _screens() -> Iterator[type[Screen[object]]]:
    """Yield the screens with bindings, also a plugin's, which the app does not know."""
    names = [found.name for found in walk_packages(fourtwenty.__path__, "fourtwenty.")]
    for folder in sorted((name for name in names if name.split(".")[2:] in SCREEN_FOLDERS), reverse=True):
        for found in iter_modules(import_module(folder).__path__, f"{folder}."):
            module = import_module(found.name)
            for value in vars(module).values():
                own = isinstance(value, type) and value.__module__ == found.name
                if own and issubclass(value, Screen) and "BINDINGS" in vars(value):
                    yield value


def bindings_everywhere(app: type[App[None]]) -> Bindings:
    """Return the app's bindings that take precedence over every screen's: end, sleep, help."""
    return [each for each in bindings_of(app) if each.priority]


def checked(
    changed: Mapping[str, object], bindings: Sequence[Bindings], everywhere: Bindings = ()
) -> tuple[dict[str, str], list[str]]:
    """Return the keys by binding id for ``App.set_keymap``, and a sentence for each refused entry.

    ``changed`` is from settings.json. No screen may use the keys of ``everywhere``.
    """
    keys: dict[str, str] = {}
    refusals: list[str] = []
    for name, written in changed.items():
        try:
            keys[name] = _keys_written(name, written, _beside(name, bindings), everywhere)
        except ValueError as refusal:
            refusals.append(str(refusal))
    while clash := next(_clashes(keys, bindings, everywhere), None):
        one, other = clash
        owner = other.id or f"{other.description} on every screen"
        refusals.append(f"The key {keys.pop(one.id or '')} of {one.id} is not used: it belongs to {owner}.")
    # Textual 8.2 (binding.py, apply_keymap) takes the old key of a changed binding from all bindings that share it, as
    # Start and Roll share Enter. They get it back by their own entry.
    for each in bindings:
        freed = {key for binding in each if binding.id in keys for key in _keys(binding)}
        keys |= {
            binding.id: binding.key
            for binding in each
            if binding.id and binding.id not in keys and freed & _keys(binding)
        }
    return keys, refusals


def _beside(name: str, bindings: Sequence[Bindings]) -> Sequence[Bindings]:
    """Return the bindings of each screen that has one of this name."""
    return [each for each in bindings if name in (binding.id for binding in each)]


def _keys_written(name: str, written: object, beside: Sequence[Bindings], everywhere: Bindings) -> str:
    """Return the keys written for a binding, comma-separated, in Textual's names. Raises ValueError with a sentence."""
    if not beside:
        raise ValueError(f"No command has the name {name}; {LIST_COMMAND} lists those with a key.")
    parts = [part.strip() for part in written.split(",")] if isinstance(written, str) else []
    if not all(parts) or not parts:
        raise ValueError(f'The keys of {name} are not used: write a text such as "f5" or "x,delete".')
    keys = []
    for part in parts:
        refused, key = f"The key {part} of {name} is not used:", _named(part)
        if not key:
            raise ValueError(f"{refused} {KEY_NAMES}")
        if _character(key) and name in [binding.id for binding in everywhere]:
            raise ValueError(f"{refused} then nobody could type it into a field.")
        if _character(key) and not all(map(_have_characters, beside)):
            raise ValueError(f"{refused} there it is typed into a field.")
        keys.append(key)
    return ",".join(keys)


def _have_characters(bindings: Bindings) -> bool:
    """Return whether a screen binds characters, so that it has no field."""
    return any(_character(key) for binding in bindings for key in _keys(binding))


def _named(written: str) -> str | None:
    """Return a key in Textual's name; None if it has none. Modifiers may be in any order."""
    if written in TERMINAL_KEYS:
        return written
    *modifiers, name = written.split("+") if len(written) > 1 else (written,)
    found = sorted(each.lower() for each in modifiers)
    if found or len(name) > 1:
        name = name.lower()
    character = _character(name)
    if not MODIFIERS.issuperset(found) or not (character or name in TERMINAL_KEYS):
        return None
    if found == ["shift"] and len(name) == 1:
        return name.upper()  # as terminals send it
    return "+".join([*found, _character_to_key(character) if character else name])


def _character(key: str) -> str | None:
    found = key if len(key) == 1 else key_to_character(REPLACED_KEYS.get(key, key))
    return found if found and not has_controls(found) else None


# Textual 8.2 (binding.py, apply_keymap) takes the key of a binding with an id away and calls no
# ``App.handle_bindings_clash``. This can go when it names each binding that loses a key.
def _clashes(
    keys: Mapping[str, str], bindings: Sequence[Bindings], everywhere: Bindings
) -> Iterator[tuple[Binding, Binding]]:
    """Yield each changed binding with one of the same screen that newly shares a key with it."""
    for each in bindings:
        for one, other in permutations([*each, *(binding for binding in everywhere if binding not in each)], 2):
            if one.id in keys and not _keys(one) & _keys(other):
                now, others = (
                    _keys(binding.with_key(keys.get(binding.id or "", binding.key))) for binding in (one, other)
                )
                if now & others:
                    yield one, other


def _keys(binding: Binding) -> set[str]:
    return {each.key for each in Binding.make_bindings([binding])}
