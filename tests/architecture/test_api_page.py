"""The page about the library that pdoc makes for a release."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import fourtwenty as ft

ROOT = Path(__file__).parents[2]


def test_the_page_describes_each_public_name_and_nothing_of_this_machine(tmp_path: Path) -> None:
    pytest.importorskip("pdoc", reason="pdoc is not here: pip install .[docs]")
    subprocess.run([sys.executable, "-W", "error", ROOT / ".ci" / "api_page.py", tmp_path / "api"], check=True)
    (made,) = (tmp_path / "api").iterdir()
    page = made.read_text(encoding="utf-8")
    assert made.name == "index.html"
    assert {name for name in dir(ft) if f'id="{name}"' not in page} == set()
    assert not {str(folder) for folder in (ROOT, Path.home(), Path(sys.prefix)) if f"{folder}/" in page}
    assert re.findall(r"0x[0-9a-f]{6,}", page) == []
    assert "(unknown)" not in page
