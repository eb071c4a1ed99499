"""The mutants of tests/tools/mutants.py: one place is changed at a time, and the tests that run it are asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import mutants
import pytest
from lines_reached import PassedTests, pieces

SOURCE = '''
"""A game of 1 hand."""
GOAL: int = 20
mutated_by_mutmut = 1


def mutated_too(hand):
    return sum(hand) + 1


class Hand:
    LEAST = {1: 15}

    @property
    def winner(self) -> int | None:
        """Nobody below 3."""
        if self.total >= GOAL and not self.over:
            raise ValueError(f"{1 + 1} is too much")
        return min(self.seats) - 1
'''


def made(file: str = "hand.py", names: Sequence[str] = (), every: bool = False) -> list[mutants.Mutant]:
    return [change.mutant() for change in mutants.changes_of(file, SOURCE, names, every)]


def test_each_changes_one_place_of_what_mutmut_leaves_out() -> None:
    assert [mutant.change for mutant in made()] == [
        "3 GOAL: 20  ->  21",
        "12 LEAST: 1  ->  2",
        "12 LEAST: 15  ->  16",
        "17 winner: if self.total >= GOAL and (not self.over):  ->  if not (self.total >= GOAL and (not self.over)):",
        "17 winner: self.total >= GOAL and (not self.over)  ->  self.total >= GOAL or not self.over",
        "17 winner: self.total >= GOAL  ->  self.total > GOAL",
        "17 winner: not self.over  ->  self.over",
        "19 winner: return min(self.seats) - 1  ->  return None",
        "19 winner: min(self.seats) - 1  ->  min(self.seats) + 1",
        "19 winner: min  ->  max",
        "19 winner: 1  ->  2",
    ]
    (goal,) = made(names=["GOAL"])
    assert "GOAL: int = 21" in goal.source
    assert all(mutant.source.count("min(self.seats) - 1") for mutant in made(names=["LEAST"]))


def test_a_sample_is_of_every_function_too() -> None:
    changes = [mutant.change for mutant in made(every=True)]
    assert "8 mutated_too: sum(hand) + 1  ->  sum(hand) - 1" in changes
    assert {*(mutant.change for mutant in made())} < {*changes}


def test_a_mutant_meets_the_tests_that_run_its_line_and_then_those_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (file := tmp_path / "fourtwenty" / "games" / "hand.py").parent.mkdir(parents=True)
    file.write_text(SOURCE)
    outside, each = pieces(str(file))

    def ran(line: int, seconds: float, in_terminal: bool = False) -> PassedTests:
        piece, first = each[line - 1]
        return PassedTests(seconds, {outside: 0, piece: 1 << (line - 1 - first)}, in_terminal)

    known = {
        "tests/games/test_hand.py::test_slow": ran(19, 2),
        "tests/tui/test_hand.py::test_quick": ran(19, 1),
        "tests/games/test_hand.py::test_sum": ran(8, 0.5),
        "tests/tui/test_hand.py::test_sum": ran(8, 0.25),
        "tests/tui/test_hand.py::test_started": ran(19, 0.125, in_terminal=True),
        "tests/games/test_other.py::test_other": PassedTests(0.1, {}, in_terminal=False),
    }
    slow, quick, total = list(known)[:3]
    goal, least, *_, last = made("fourtwenty/games/hand.py")
    assert [*mutants.tests_of(last, known)] == [quick, slow, total]
    assert [*mutants.tests_of(goal, known)] == [quick, slow, total], "a function that names GOAL"
    assert [*mutants.tests_of(least, known)] == [total, slow], "nothing names LEAST"
    assert mutants.tests_of(last, known)[slow] == 2


def killers(folder: Path, changed: dict[str, str], tests: list[str]) -> dict[str, str]:
    """Return what kills each of the mutants of the file ``hand.py``."""
    found = [mutants.Mutant("hand.py", name, text, frozenset()) for name, text in changed.items()]
    met = mutants.killers(folder, found, lambda _: dict.fromkeys(tests, 1), jobs=2)
    return {mutant.change: name for mutant, name in met}


@pytest.mark.long("tests/tools/mutants.py")
def test_the_first_test_that_fails_kills_and_without_one_a_mutant_survives(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    (tmp_path / "hand.py").write_text("GOAL, MOST = 20, 24\n")
    (tmp_path / "test_hand.py").write_text(
        "import hand, pytest\n"
        "@pytest.mark.parametrize('least', [20, 15])\n"
        "def test_goal(least: int) -> None:\n    assert least <= hand.GOAL < 21\n"
    )
    tests = [f"test_hand.py::test_goal[{least}]" for least in (15, 20)]
    changed = {"goal": "GOAL, MOST = 19, 24\n", "most": "GOAL, MOST = 20, 25\n"}
    assert killers(tmp_path, changed, tests) == {"goal": tests[1], "most": ""}
    assert (tmp_path / "hand.py").read_text() == "GOAL, MOST = 20, 24\n"


@pytest.mark.long("tests/tools/mutants.py")
def test_a_test_that_fails_without_a_mutant_kills_none(tmp_path: Path) -> None:
    (tmp_path / "hand.py").write_text("GOAL = 20\n")
    (tmp_path / "test_hand.py").write_text("def test_nothing() -> None:\n    raise ValueError\n")
    with pytest.raises(SystemExit, match=r"Without a mutant, too, fails test_hand.py::test_nothing"):
        killers(tmp_path, {"goal": "GOAL = 21\n"}, ["test_hand.py::test_nothing"])
