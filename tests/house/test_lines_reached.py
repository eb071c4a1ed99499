"""Tests are chosen by the lines that they run, and what is long runs where its own files have changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import campaign
import lines_reached
import pytest
from campaign import has_changed
from lines_reached import Passed, Reach, changed, each_line_once, each_terminal_once, pieces

SOURCE = """
LEAST = 1


class Hand:
    @property
    def total(self):
        return 1

    def best(self):
        def inner():
            return 2
        return inner()
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of the product."""
    monkeypatch.setattr(lines_reached, "PRODUCT", str(tmp_path))
    file = tmp_path / "hand.py"
    file.write_text(SOURCE)
    return file


def ran(source: Path, *lines: str, seconds: float = 1) -> Passed:
    """Return a test that has run lines of the file."""
    outside, each = pieces(str(source))
    found: Reach = {outside: 0}
    for line in lines:
        piece, first = each[(number := SOURCE.splitlines().index(line))]
        found[piece] = found.get(piece, 0) | 1 << (number - first)
    return Passed(seconds, found, in_terminal=False)


TOTAL, INNER, BEST = "        return 1", "            return 2", "        return inner()"


def test_a_line_belongs_to_its_innermost_function(source: Path) -> None:
    names = [piece[1] for piece, _ in pieces(str(source))[1]]
    assert names == [
        "",
        "",
        "",
        "",
        "",
        *[".Hand.total"] * 3,
        "",
        ".Hand.best",
        *[".Hand.best.inner"] * 2,
        ".Hand.best",
    ]


@pytest.mark.parametrize(
    ("before", "after", "tests"),
    [
        (TOTAL, "        return 3", {"total"}),
        (INNER, "            return 4", {"best"}),
        ("    @property", "    @cached_property", {"total"}),
        ("LEAST = 1", "LEAST = 2", {"total", "best"}),
        ("LEAST = 1", "LEAST = 1", set()),
    ],
)
def test_a_changed_function_chooses_the_tests_that_run_it(
    source: Path, before: str, after: str, tests: set[str]
) -> None:
    known = {"total": ran(source, TOTAL), "best": ran(source, INNER, BEST)}
    pieces.cache_clear()
    source.write_text(SOURCE.replace(before, after))
    assert changed(known) == tests
    source.unlink()
    assert changed(known) == {"total", "best"}


def test_each_line_is_run_by_one_of_the_tests_that_run_it(source: Path) -> None:
    known = {
        "all of best": ran(source, INNER, BEST),
        "inner again": ran(source, INNER),
        "total": ran(source, TOTAL),
        "total again": ran(source, TOTAL),
    }
    assert each_line_once(known) == {"all of best", "total"}


def test_two_quick_tests_are_chosen_before_a_slow_one_of_the_same_lines(source: Path) -> None:
    known = {
        "all": ran(source, TOTAL, INNER, BEST, seconds=9),
        "best": ran(source, INNER, BEST),
        "total": ran(source, TOTAL),
    }
    assert each_line_once(known) == {"best", "total"}


def test_of_a_test_in_a_terminal_the_quickest_case_is_chosen() -> None:
    known = {
        "starts[slow]": Passed(2, {}, in_terminal=True),
        "starts[quick]": Passed(1, {}, in_terminal=True),
        "ends": Passed(3, {}, in_terminal=True),
        "counts": Passed(1, {}, in_terminal=False),
    }
    assert each_terminal_once(known) == {"starts[quick]", "ends"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is of Python 3.12")
@pytest.mark.long("tests/tools/lines_reached.py")
@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_has_passed_is_left_out_until_it_changes(tmp_path: Path, workers: str) -> None:
    def summary() -> str:
        command = (sys.executable, "-m", "pytest", "--changed", "-n", workers, "-o", f"cache_dir={tmp_path}", PLAYED)
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()[-1]

    assert "1 passed" in summary()
    assert "no tests ran" in summary() or "deselected" in summary()


ROOT = Path(__file__).parents[2]
PLAYED = "tests/house/test_chance.py::test_chance_follows_from_a_text"


@pytest.mark.parametrize(
    ("listed", "runs"),
    [("", False), ("docs/manual.md\ntests/benchmarks/odds.py", True), ("docs/inside/upstream.md", False)],
)
def test_what_is_long_runs_where_its_files_have_changed(
    listed: str, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURTWENTY_CHANGED", listed)
    assert has_changed(("tests/house/test_benchmarks.py", "tests/benchmarks/")) is runs


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_git_says_what_has_changed_since_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ("git", "-C", str(tmp_path), "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *arguments),
            check=True,
        )

    def says(*files: str) -> bool:
        monkeypatch.setattr(campaign, "differs", fresh := cache(campaign.differs.__wrapped__))
        return {*fresh().splitlines()} == {*files}

    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.delenv("FOURTWENTY_CHANGED", raising=False)
    monkeypatch.setattr(campaign, "REPOSITORY", tmp_path)
    assert says(), "there is no repository"
    git("init", "-q", "-b", "main")
    for name in "same.py", "committed.py", "edited.py":
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("ignored.py")
    git("add", ".")
    git("commit", "-q", "-m", "Begin")
    assert says()
    assert not has_changed(("edited.py",))
    git("switch", "-q", "-c", "branch")
    (tmp_path / "committed.py").write_text("1")
    git("commit", "-q", "-a", "-m", "Change")
    for name in "edited.py", "untracked.py", "ignored.py":
        (tmp_path / name).write_text("1")
    assert says("committed.py", "edited.py", "untracked.py")
    assert has_changed(("edited.py",))
    git("branch", "-q", "-m", "main", "trunk")
    assert says(), "there is no main"
    git("update-ref", "refs/remotes/origin/main", "trunk")
    assert says("committed.py", "edited.py", "untracked.py")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert says(), "there is no git"
