"""The keys that the user has changed, checked against all bindings. ``list_keys.py`` prints the bindings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import permutations
from pkgutil import iter_modules

from textual.app import App
from textual.binding import Binding
from textual.screen import Screen

from fourtwenty.tui import dialogs, screens

Bindings = Sequence[Binding]
"""The bindings of one screen that have an id."""


def all_bindings(app: type[App[None]]) -> list[Bindings]:
    """Return the bindings that can be changed, of the app and of each screen."""
    return [[each for each in owner.BINDINGS if isinstance(each, Binding) and each.id] for owner in (app, *_screens())]


def _screens() -> Iterator[type[Screen[object]]]:
    for package in (screens, dialogs):
        for found in iter_modules(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for value in vars(module).values():
                own = isinstance(value, type) and value.__module__ == found.name
                if own and issubclass(value, Screen) and "BINDINGS" in vars(value):
                    yield value


def checked(changed: Mapping[str, str], bindings: Sequence[Bindings]) -> tuple[dict[str, str], list[str]]:
    """Return the keys by binding id for ``App.set_keymap``, and a sentence for each that another binding has already.

    An unknown id is ignored.
    """
    known = {binding.id for each in bindings for binding in each}
    keys = {name: key for name, key in changed.items() if name in known}
    refusals = []
    while clash := next(_clashes(keys, bindings), None):
        one, other = clash
        refusals.append(f"The key {keys.pop(one.id or '')} of {one.id} is not taken: it is that of {other.id}.")
    # Textual 8.2 (binding.py, apply_keymap) takes the old key of a changed binding from all bindings that share it, as
    # Start and Roll share Enter. They get it back by an entry of their own.
    for each in bindings:
        freed = {key for binding in each if binding.id in keys for key in _keys(binding)}
        keys |= {
            binding.id: binding.key
            for binding in each
            if binding.id and binding.id not in keys and freed & _keys(binding)
        }
    return keys, refusals


def _clashes(keys: Mapping[str, str], bindings: Sequence[Bindings]) -> Iterator[tuple[Binding, Binding]]:
    """Yield each changed binding with one of the same screen that it now shares a key with, but did not before."""
    for each in bindings:
        for one, other in permutations(each, 2):
            if one.id in keys and not _keys(one) & _keys(other):
                now, others = (
                    _keys(binding.with_key(keys.get(binding.id or "", binding.key))) for binding in (one, other)
                )
                if now & others:
                    yield one, other


def _keys(binding: Binding) -> set[str]:
    return {each.key for each in Binding.make_bindings([binding])}
