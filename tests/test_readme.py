"""The examples in the README and in docstrings run as shown, and the pictures exist."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_readme_runs() -> None:
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted >= 6
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


def test_the_pictures_are_there() -> None:
    pictures = re.findall(r"\]\((docs/[\w-]+\.(?:svg|png))\)", README.read_text(encoding="utf-8"))
    assert len(pictures) == 14
    assert all((README.parent / picture).exists() for picture in pictures)
