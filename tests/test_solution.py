"""The numbers of docs/solution.md are those that docs/solution.py prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(
    "section", ["classes", "horizons", "start", "note", "lamp", "match", "first", "fraction", "two"]
)
def test_a_section_is_what_its_command_prints(section: str) -> None:
    command = [sys.executable, str(DOCS / "solution.py"), section]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert printed.rstrip() in (DOCS / "solution.md").read_text(encoding="utf-8")
