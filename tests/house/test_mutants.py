"""The mutants of tests/tools/mutants.py: what mutmut leaves out is changed in one place at a time."""

from __future__ import annotations

from pathlib import Path

import mutants
import pytest

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


def test_each_changes_one_place_of_what_mutmut_leaves_out() -> None:
    assert [mutant.change for mutant in mutants.mutants(SOURCE)] == [
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
    (goal,) = mutants.mutants(SOURCE, ["GOAL"])
    assert "GOAL: int = 21" in goal.source
    assert all(mutant.source.count("min(self.seats) - 1") for mutant in mutants.mutants(SOURCE, ["LEAST"]))


def test_the_one_that_no_test_kills_survives(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    (tmp_path / "hand.py").write_text("GOAL, MOST = 20, 24\n")
    (tmp_path / "test_hand.py").write_text("import hand\ndef test_goal() -> None:\n    assert hand.GOAL == 20\n")
    found = [mutants.Mutant("goal", "GOAL, MOST = 21, 24\n"), mutants.Mutant("most", "GOAL, MOST = 20, 25\n")]
    assert [mutant.change for mutant in mutants.survivors(tmp_path, "hand.py", found, ["test_hand.py"], 2)] == ["most"]
    assert "GOAL, MOST = 20, 24" in (tmp_path / "hand.py").read_text()


def test_tests_that_fail_without_a_mutant_find_nothing(tmp_path: Path) -> None:
    (tmp_path / "hand.py").write_text("GOAL = 20\n")
    (tmp_path / "test_hand.py").write_text("def test_nothing() -> None:\n    raise ValueError\n")
    with pytest.raises(SystemExit, match="fail without a mutant"):
        [*mutants.survivors(tmp_path, "hand.py", [], ["test_hand.py"], 1)]
