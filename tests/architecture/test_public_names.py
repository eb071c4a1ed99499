"""The public names of the library: complete by their own signatures, listed, described, and imported when used."""

from __future__ import annotations

import builtins
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import GenericAlias, ModuleType
from typing import Any, get_args, get_type_hints

import pytest

import fourtwenty as ft
from fourtwenty.games.game import LazyProperty

LIBRARY = Path(__file__).parents[2] / "docs" / "library.md"
PUBLIC = {name: getattr(ft, name) for name in dir(ft)}
DESCRIBED = [name for name, value in PUBLIC.items() if inspect.isclass(value) or inspect.isroutine(value)]
"""The classes and functions; values and aliases have their description in their source."""


def own_classes(hint: object) -> Iterator[type]:
    """Yield the classes of this package in an annotation: in containers, unions and callables too."""
    if isinstance(hint, list | tuple):
        for each in hint:
            yield from own_classes(each)
    elif isinstance(hint, type) and not isinstance(hint, GenericAlias):
        if hint.__module__.startswith("fourtwenty."):
            yield hint
    else:
        yield from own_classes(get_args(hint))


def function_of(member: Any) -> Any:
    """Return the function of a member of a class; None for another member, and for one of another package."""
    if isinstance(member, LazyProperty):
        member = member._derive
    for name in ("__func__", "fget", "__wrapped__"):
        member = getattr(member, name, member)
    return member if inspect.isfunction(member) and member.__module__.startswith("fourtwenty.") else None


def members_of(owner: type) -> dict[str, Any]:
    """Return the public methods and properties of a class, and how it is made and called, by name."""
    named = {name: inspect.getattr_static(owner, name) for name in dir(owner)}
    return {
        name: member
        for name, member in named.items()
        if function_of(member) and (not name.startswith("_") or name in ("__init__", "__call__"))
    }


def annotations_of(value: Any) -> Iterator[object]:
    """Yield the annotations of a public name and of its members; of an alias or a value, what it holds."""
    function = value if inspect.isclass(value) else function_of(value)
    if function is None:
        yield from map(type, value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ())
        yield value
        return
    # A class that a module imports for its types only is found among the public names, or nowhere.
    known = None if inspect.isclass(value) else {**PUBLIC, **vars(sys.modules[function.__module__])}
    hints = get_type_hints(function, known, include_extras=True)
    yield from (hint for name, hint in hints.items() if not name.startswith("_"))
    if inspect.isclass(value):
        for member in members_of(value).values():
            yield from annotations_of(member)


@pytest.mark.parametrize("name", PUBLIC)
def test_what_a_public_name_takes_and_returns_is_public(name: str) -> None:
    used = {each for hint in annotations_of(PUBLIC[name]) for each in own_classes(hint)}
    assert {each.__name__ for each in used if PUBLIC.get(each.__name__) is not each} == set()


def test_the_walk_finds_classes_wherever_an_annotation_can_have_them() -> None:
    found = {each.__name__ for hint in annotations_of(ft.Match) for each in own_classes(hint)}
    assert {"Lineup", "Journal", "Event", "Roll", "Leave", "Outcome"} <= found
    assert {*own_classes(tuple[dict[str, list[ft.Seat | None]], ...])} == {ft.Seat}
    assert {*own_classes(ft.Policy)} >= {ft.State, ft.Roll, ft.Stand}
    assert {each for hint in annotations_of(ft.GAMES) for each in own_classes(hint)} == {ft.Game}


def raised(text: str | None) -> set[str]:
    """Return the names of errors in the sentences of a docstring that begin with "Raise" or "Raises"."""
    sentences = re.findall(r"\bRaises? ([^.]*)", text or "")
    return {name for sentence in sentences for name in re.findall(r"\b[A-Z][a-z]+[A-Z]\w+", sentence)}


@pytest.mark.parametrize("name", DESCRIBED)
def test_what_a_public_name_raises_is_public(name: str) -> None:
    value = PUBLIC[name]
    members = members_of(value).values() if inspect.isclass(value) else ()
    errors = set().union(*(raised(inspect.getdoc(each)) for each in (value, *members)))
    assert {error for error in errors if not hasattr(builtins, error)} <= {*PUBLIC}


@pytest.mark.parametrize("name", DESCRIBED)
def test_help_describes_a_public_name_and_its_members(name: str) -> None:
    value = PUBLIC[name]
    assert value.__doc__
    members = members_of(value) if inspect.isclass(value) else {}
    silent = {each for each, member in members.items() if not each.startswith("_") and not inspect.getdoc(member)}
    assert silent == set()


def test_the_names_that_python_shows_are_those_of_the_page() -> None:
    lines = re.findall(r"^(?:- .*?:|  )(.*)$", LIBRARY.read_text("utf-8").split("## What stays")[1], re.MULTILINE)
    assert dir(ft) == sorted(ft.__all__) == sorted(re.findall(r"`(\w+)`", " ".join(lines)))  # type: ignore[attr-defined]
    assert not any(isinstance(value, ModuleType) for value in PUBLIC.values())
    imported: dict[str, Any] = {}
    exec("from fourtwenty import *", imported)
    assert imported.keys() - {"__builtins__"} == PUBLIC.keys()


def test_another_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="module 'fourtwenty' has no attribute 'verify'"):
        ft.verify  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("code", "kept_out"),
    [
        ("import fourtwenty", {"typing", "importlib.machinery", "msgspec", "fourtwenty.api"}),
        ("from fourtwenty import file_storage", {"msgspec", "fourtwenty.api"}),
        ("import fourtwenty as ft; ft.play_matches", {"textual", "rich", "asyncio", "sqlite3", "multiprocessing"}),
    ],
)
def test_an_import_brings_only_what_it_needs(code: str, kept_out: set[str]) -> None:
    run = [sys.executable, "-c", f"import sys; before = {{*sys.modules}}; {code}; print(*{{*sys.modules}} - before)"]
    assert not kept_out & set(subprocess.check_output(run, text=True).split())
