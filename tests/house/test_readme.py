"""The examples in the README and in docstrings run as shown; what the pages link to is there."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]


def test_the_readme_runs() -> None:
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted >= 5
    assert result.failed == 0


@pytest.mark.parametrize(
    "module",
    [
        "games.game",
        "games.four_twenty",
        "games.bar_421",
        "games.ten_rounds",
        "games.words",
        "play.dice",
        "play.lineup",
        "play.match",
        "review.analysis",
        "review.dice_test",
        "review.figures",
    ],
)
def test_the_docstrings_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"fourtwenty.{module}"))
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
