"""Tests are chosen by the lines that they run, and what is long runs where its own files have changed."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import lines_reached
import long_tests
import pytest
from lines_reached import (
    EACH_LINE_ONCE,
    EachLineOnce,
    PassedTests,
    Reach,
    changed,
    each_line_once,
    each_terminal_once,
    pieces,
)
from long_tests import ROOT, has_changed

MAX_AGE = 0.05
"""The part of the kept choice that may be different now: so many lines, or tests, the lowest dependencies may miss."""

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
    monkeypatch.setattr(lines_reached, "PRODUCT", str(tmp_path))
    file = tmp_path / "hand.py"
    file.write_text(SOURCE)
    return file


def ran(source: Path, *lines: str, seconds: float = 1) -> PassedTests:
    """Return a test that has run lines of the file."""
    outside, each = pieces(str(source))
    found: Reach = {outside: 0}
    for line in lines:
        piece, first = each[(number := SOURCE.splitlines().index(line))]
        found[piece] = found.get(piece, 0) | 1 << (number - first)
    return PassedTests(seconds, found, in_terminal=False)


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
        "starts[slow]": PassedTests(2, {}, in_terminal=True),
        "starts[quick]": PassedTests(1, {}, in_terminal=True),
        "ends": PassedTests(3, {}, in_terminal=True),
        "counts": PassedTests(1, {}, in_terminal=False),
    }
    assert each_terminal_once(known) == {"starts[quick]", "ends"}


HAND = "tests/test_hand.py"
KNOWN = {
    f"{HAND}::test_total[1]": 2,
    f"{HAND}::test_total[2]": 1,
    f"{HAND}::test_best": 1,
    "tests/test_far.py::test_far": 9,
}
"""The seconds of tests that run the same lines."""


@pytest.fixture
def tree(tmp_path: Path, source: Path) -> Path:
    """A repository with a product of 20 lines, tests, and a choice among them."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "fourtwenty").mkdir()
    (tmp_path / "fourtwenty" / "hand.py").write_text("\n" * 15)
    (tmp_path / "fourtwenty" / "far.py").write_text("\n" * 5)
    (tmp_path / HAND).write_text("def test_total(number):\n    ...\n\nasync def test_best():\n    ...\n")
    (tmp_path / "tests" / "test_far.py").write_text("def test_far():\n    ...\n")
    passed = {name: ran(source, TOTAL, seconds=seconds) for name, seconds in KNOWN.items()}
    passed[f"{HAND}::test_total[2]"] = ran(source, INNER, TOTAL)
    EachLineOnce.among(passed, tmp_path).write(tmp_path)
    return tmp_path


def test_the_choice_that_is_kept_leaves_out_what_it_knows(tree: Path) -> None:
    choice = EachLineOnce.read(tree).choice(tree)
    assert [name for name in KNOWN if not choice.leaves_out(name)] == [f"{HAND}::test_total[2]"]
    assert choice.leaves_out(f"{HAND}::test_total[a case that is new]")
    assert not choice.leaves_out(f"{HAND}::test_renamed")
    assert choice.files == {"tests/test_far.py"}


def test_a_new_test_runs_though_nothing_else_in_its_file_does(tree: Path) -> None:
    with (tree / "tests" / "test_far.py").open("a") as file:
        file.write("\nasync def test_near():\n    ...\n")
    assert EachLineOnce.read(tree).choice(tree).files == set()


@pytest.mark.parametrize(
    ("file", "lines", "age"),
    [
        ("fourtwenty/far.py", 5, 0),
        ("fourtwenty/far.py", 7, 0.1),
        ("fourtwenty/far.py", 3, 0.1),
        ("fourtwenty/new.py", 10, 0.5),
        ("tests/test_far.py", 3, 0),
        (HAND, 0, 1),
    ],
)
def test_the_choice_ages_with_the_lines_of_the_product_and_its_own_tests(
    tree: Path, file: str, lines: int, age: float
) -> None:
    (tree / file).write_text("\n" * lines)
    assert EachLineOnce.read(tree).age(tree) == age


def test_the_choice_of_the_repository_is_not_too_old(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("choose"):
        pytest.skip("this run writes another")
    assert EachLineOnce.read(ROOT).age(ROOT) <= MAX_AGE, f"Write {EACH_LINE_ONCE} anew: NOXSESSION=tests .ci/run --long"


PLAYED = "tests/architecture/test_chance.py::test_chance_follows_from_a_text"

records = pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring needs Python 3.12")


def played(cache: Path, *options: str, repository: Path | None = None) -> str:
    command = (sys.executable, "-m", "pytest", *options, "-o", f"cache_dir={cache}", PLAYED)
    environment = {**os.environ, "FOURTWENTY_REPOSITORY": str(repository or ROOT)}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment).stdout.splitlines()[-1]


@records
@pytest.mark.long("tests/tools/lines_reached.py")
@pytest.mark.parametrize(("workers", "option"), [("-n0", "--record"), ("-n1", "--changed")])
def test_what_has_passed_is_left_out_until_it_changes(tmp_path: Path, workers: str, option: str) -> None:
    assert "1 passed" in played(tmp_path, workers)
    assert "1 passed" in played(tmp_path, workers, option)
    summary = played(tmp_path, workers, "--changed")
    assert "no tests ran" in summary or "deselected" in summary


@records
@pytest.mark.long("tests/tools/lines_reached.py")
def test_the_choice_is_written_into_the_repository_among_what_runs_now(tmp_path: Path) -> None:
    cache, repository = tmp_path / "cache", tmp_path / "repository"
    (repository / "tests").mkdir(parents=True)
    record = cache / "d" / "lines_reached" / "tests"
    record.parent.mkdir(parents=True)
    record.write_bytes(pickle.dumps({f"{HAND}::test_gone": PassedTests(1, {}, in_terminal=True)}))
    assert "1 passed" in played(cache, "-n1", "--choose", repository=repository)
    choice = EachLineOnce.read(repository)
    assert [*(choice.run | choice.left_out)] == ["tests/architecture/test_chance.py"]
    assert choice.lines == lines_reached.lines_of_product(ROOT)


@pytest.mark.parametrize(
    ("listed", "runs"),
    [("", False), ("docs/manual.md\ntests/benchmarks/odds.py", True), ("docs/inside/testing.md", False)],
)
def test_what_is_long_runs_where_its_files_have_changed(
    listed: str, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURTWENTY_CHANGED", listed)
    assert has_changed(("tests/architecture/test_benchmarks.py", "tests/benchmarks/")) is runs


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_says_what_has_changed_since_main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ("git", "-C", str(tmp_path), "-c", "user.name=Ann", "-c", "user.email=ann@example.org", *arguments),
            check=True,
        )

    def says(*files: str) -> bool:
        monkeypatch.setattr(long_tests, "differs", fresh := cache(long_tests.differs.__wrapped__))
        return {*fresh().splitlines()} == {*files}

    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.delenv("FOURTWENTY_CHANGED", raising=False)
    monkeypatch.setattr(long_tests, "REPOSITORY", tmp_path)
    assert says(), "outside a repository nothing has changed"
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
    assert says(), "without main nothing has changed"
    git("update-ref", "refs/remotes/origin/main", "trunk")
    assert says("committed.py", "edited.py", "untracked.py")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert says(), "without git nothing has changed"
