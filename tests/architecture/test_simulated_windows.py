"""A platform without Unix modules, as Windows: commands, lines of text, the app in a pilot, the tests themselves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from long_tests import PRODUCT
from waiting import MAX_WAIT_SECONDS

import fourtwenty
from fourtwenty.cli.help_page import HELP_PAGE

TESTS = Path(__file__).parents[1]
LEAVING = (
    "tui/test_lobby.py::test_enter_at_once_starts_you_against_one_bot",
    "tui/test_table.py::test_one_key_leaves_and_the_match_is_kept",
    "tui/test_resume.py::test_the_match_that_was_left_goes_on_where_it_was",
)
"""Tests of the app that go from the lobby to the table, roll and leave."""


def printed(*command: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, TESTS / "tools" / "simulated_windows.py", *command],
        input=typed, capture_output=True, encoding="cp1252", timeout=MAX_WAIT_SECONDS, cwd=TESTS.parent,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def test_what_only_unix_has_is_missing_elsewhere() -> None:
    code = (
        "import os, signal, simulated_windows; simulated_windows.pretend()\n"
        "print([*map(hasattr, (signal, os), ('SIGHUP', 'fork'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport pty"], capture_output=True, text=True, cwd=TESTS / "tools"
    )
    assert done.stdout == "[False, False]\n"
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'pty'\n")


def test_commands() -> None:
    assert printed("fourtwenty", "--version") == f"fourtwenty {fourtwenty.__version__}\n"
    assert printed("fourtwenty", "--help") == HELP_PAGE
    assert "655    1          16.67%" in printed("fourtwenty", "odds", "6551", "4332")


def test_a_match_in_lines() -> None:
    play = ("fourtwenty", "play", "--plain", "--players", "Zoë,김", "--dice", "typed")
    lines = printed(*play, typed="roll all\n6551\nroll all\n4332\nquit\n").splitlines()
    assert {"Zoë rolled 6 5 5 1: 17.", r"\uae40 rolled 6 5 5 1: 17."} & {*lines}
    assert lines[-1] == "Game saved. Resume it with: fourtwenty play --plain --resume"
    assert "Round 1 of 1" in printed("fourtwenty", "history")


@pytest.mark.long(*PRODUCT, "tests/tools/simulated_windows.py")
def test_the_app_at_its_table() -> None:
    tests = [str(TESTS / test) for test in LEAVING]
    assert "3 passed" in printed("pytest", "-n0", "-p", "no:cacheprovider", *tests)


@pytest.mark.terminal
@pytest.mark.long("tests/tools/simulated_windows.py")
def test_tests_that_cannot_run_are_skipped_with_a_reason() -> None:
    collected = printed("pytest", "-n0", "-p", "no:cacheprovider", "--collect-only", "-q", "-rs", str(TESTS))
    skipped = re.findall("SKIPPED .*", collected)
    assert skipped
    assert all(line.endswith("needs a Unix terminal") for line in skipped)
