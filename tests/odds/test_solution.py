"""The numbers of docs/paper/solution.md are those that docs/paper/solution.py prints."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import figures
import pytest
import solution
from long_tests import RULES_AND_ODDS, mostly_long
from solution import AGREES, PAGE, SECOND, SECTIONS, check

from fourtwenty.odds.four_twenty_solver import solve

QUICK = [name for name, (duration, _) in SECTIONS.items() if duration in ("at once", "seconds")]
"""All sections but the slow ones: the oldest Python and the newest print the same."""
DEAR = ("reroll-421", "tokens", "threat")
"""Quick sections that take longer than all others together, and run lines that these run."""
SLOW = ("four", "four-drinks", "five", "five-drinks", "six", "match-three")
"""Sections whose second computation is for the long form of the tests."""
BY_HAND = ("seven",)
"""Sections whose second computation is for no test: it takes twenty minutes and 8 GB."""


@mostly_long("section", QUICK, [section for section in QUICK if section not in DEAR], *RULES_AND_ODDS)
def test_a_section_is_what_its_command_prints(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, print_section = SECTIONS[section]
    print_section()
    assert f"```text\n{capsys.readouterr().out.rstrip()}\n```" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("figure", figures.FIGURES)
def test_a_figure_is_what_its_command_draws(figure: str) -> None:
    assert (figures.FOLDER / f"{figure}.svg").read_text("utf-8") == figures.FIGURES[figure]()
    assert f"({figure}.svg)" in PAGE.read_text("utf-8")


@mostly_long(
    "section",
    [section for section in SECOND if section not in SLOW + BY_HAND],
    ["two", "three", "three-drinks"],
    *RULES_AND_ODDS,
)
def test_a_second_computation_finds_the_same_figures(section: str) -> None:
    assert SECOND[section]() <= AGREES


@pytest.mark.long
@pytest.mark.parametrize("section", SLOW)
def test_a_slow_section_is_what_its_command_prints_and_a_second_computation_finds_the_same(section: str) -> None:
    assert section in SECOND
    assert check(section)


@pytest.mark.long("docs/paper/other_nenette.py", "docs/paper/solve_421.py")
def test_the_table_of_the_other_nenette_is_what_its_command_prints() -> None:
    """In a process of its own, because it changes the order of hands."""
    command = [sys.executable, str(PAGE.with_name("other_nenette.py"))]
    printed = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    assert f"```text\n{printed.rstrip()}\n```" in PAGE.read_text("utf-8")


@pytest.mark.long(*RULES_AND_ODDS)
def test_the_check_fails_where_a_second_computation_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("two")
    monkeypatch.setitem(solution.SECOND, "two", lambda: 0.353)
    assert not check("two")
    assert "does NOT agree" in capsys.readouterr().out


def test_only_the_doubtful_hands_have_a_choice_that_misses_less_than_the_two_lines_and_for_one_roll_only() -> None:
    """The comparisons of the proof by hand, in fractions, for forty rolls."""
    found = solve()
    missed = dict.fromkeys(found.throws, Fraction(1))
    for rolls in range(1, 41):
        after = {
            kept: [
                Fraction(round(1296 * chance), 1296) * missed[found.best[number]] for number, chance in throw.classes
            ]
            for kept, throw in found.throws.items()
        }
        missed = {kept: sum(parts, Fraction()) for kept, parts in after.items()}
        better = {
            kept
            for allowed, best in zip(found.allowed, found.best, strict=True)
            for kept in allowed
            if missed[kept] < missed[best]
        }
        assert better == ({(5, 6, 6), (6, 6, 6)} if rolls == 1 else set())
