"""The numbers of docs/solution.md are those that docs/solution.py prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(
    "section", ["classes", "horizons", "ladder", "start", "note", "lamp", "match", "first", "fraction"]
)
def test_a_section_is_what_its_command_prints(section: str) -> None:
    assert printed(section) in (DOCS / "solution.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("section", ["two", "three", "three-drinks"])
def test_a_section_of_the_full_programme_is_what_its_command_prints(section: str) -> None:
    pytest.importorskip("numpy")
    assert printed(section) in (DOCS / "solution.md").read_text(encoding="utf-8")


def printed(section: str) -> str:
    command = [sys.executable, str(DOCS / "solution.py"), section]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.rstrip()
