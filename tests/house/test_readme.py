"""The examples in docs/library.md and in docstrings run as shown; what the pages link to is there."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]


LIBRARY = ROOT / "docs" / "library.md"
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "fourtwenty").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
"""The modules with examples."""


def test_the_page_about_the_library_runs() -> None:
    result = doctest.testfile(str(LIBRARY), module_relative=False, encoding="utf-8")
    assert result.attempted >= 20
    assert result.failed == 0


def test_what_the_library_promises_is_there() -> None:
    rows = re.findall(r"^\| `(fourtwenty[.\w]*)` \| (.*) \|$", LIBRARY.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 10
    for module, names in rows:
        for name in re.findall(r"`(\w+)`", names):
            assert hasattr(importlib.import_module(module), name), f"{module}.{name}"


@pytest.mark.parametrize("module", MODULES)
def test_the_docstrings_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0


def test_the_readme_is_a_page_of_its_length() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 100


def links(page: Path) -> set[Path]:
    """Return the files that a page links to."""
    found = re.findall(r"\]\((?!\w+:)([^)#]+)", page.read_text(encoding="utf-8"))
    return {(page.parent / link).resolve() for link in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert {link for link in links(page) if not link.exists()} == set()


def test_every_page_and_every_picture_is_linked() -> None:
    shown = {path for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".png", ".svg")}
    assert shown - set().union(*map(links, PAGES)) == set()


def test_the_moving_picture_is_small_and_stands_still_for_those_who_ask() -> None:
    picture = (ROOT / "docs" / "match.svg").read_text(encoding="utf-8")
    assert len(picture.encode()) <= 300_000
    assert "@media (prefers-reduced-motion:reduce){.strip{animation:none}}" in picture
