"""The house of design.md: what imports what, seen in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import fourtwenty

ENGINE = ["textual", "rich", "asyncio", "sqlite3"]
ABOVE = {
    "fourtwenty": [*ENGINE, "fourtwenty.games", "argparse"],
    "fourtwenty.games": [*ENGINE, "random", "secrets", "time", "datetime"],
    "fourtwenty.dice": [*ENGINE, "fourtwenty.bots"],
    "fourtwenty.odds.four_twenty": [*ENGINE, "random", "secrets", "fourtwenty.dice", "fourtwenty.bots"],
    "fourtwenty.odds.joint": [*ENGINE, "random", "secrets", "fourtwenty.dice", "fourtwenty.bots"],
    "fourtwenty.bots": [*ENGINE, "fourtwenty.dice", "fourtwenty.odds"],
    "fourtwenty.lineup": [*ENGINE, "fourtwenty.dice", "fourtwenty.match"],
    "fourtwenty.record": [*ENGINE, "fourtwenty.paths", "fourtwenty.match", "fourtwenty.history"],
    "fourtwenty.paths": [*ENGINE, "platformdirs"],
    "fourtwenty.match": [*ENGINE, "fourtwenty.paths", "fourtwenty.history", "fourtwenty.odds.four_twenty"],
    "fourtwenty.history": ["textual", "rich", "asyncio", "platformdirs", "fourtwenty.app"],
    "fourtwenty.plain": [*ENGINE, "fourtwenty.paths", "fourtwenty.history"],
    "fourtwenty.fairness": [*ENGINE, "fourtwenty.games"],
    "fourtwenty.figures": ["textual", "rich", "asyncio", "fourtwenty.app"],
    "fourtwenty.simulation": [*ENGINE, "fourtwenty.paths"],
    "fourtwenty.commands": [*ENGINE, "fourtwenty.match", "fourtwenty.app"],
    "fourtwenty.app": ["sqlite3", "fourtwenty.history", "fourtwenty.match"],
    "fourtwenty.serve": ["sqlite3", "fourtwenty.app", "fourtwenty.match"],
    "fourtwenty.tab": ["sqlite3", "aiohttp", "fourtwenty.app", "fourtwenty.serve"],
    "fourtwenty.usage": ["typing", "argparse", "fourtwenty.games"],
    "fourtwenty.arguments": [*ENGINE, "fourtwenty.app", "fourtwenty.dice", "fourtwenty.match", "fourtwenty.odds"],
    "fourtwenty.__main__": ["typing", "argparse", "re", "fourtwenty.games", "fourtwenty.arguments"],
}


@pytest.mark.parametrize("module", ABOVE)
def test_a_module_imports_only_from_above_itself(module: str) -> None:
    code = f"import sys; before = set(sys.modules); import {module}; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert module in loaded
    assert not set(loaded) & set(ABOVE[module])


def test_the_widgets_know_no_screen() -> None:
    package = Path(fourtwenty.__file__).parent
    for source in (package / "widgets").glob("*.py"):
        assert "fourtwenty.screens" not in source.read_text(encoding="utf-8"), source.name
        assert "fourtwenty.match" not in source.read_text(encoding="utf-8"), source.name


def test_no_screen_asks_which_game_it_is() -> None:
    package = Path(fourtwenty.__file__).parent
    for source in (package / "screens").glob("*.py"):
        assert "four_twenty" not in source.read_text(encoding="utf-8"), source.name
