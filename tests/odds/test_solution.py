"""The numbers of docs/solution.md are those that docs/solution/solution.py prints."""

from __future__ import annotations

import figures
import pytest
import solution
from solution import AGREES, PAGE, SECOND, SECTIONS, check

QUICK = [name for name, (duration, _) in SECTIONS.items() if duration in ("at once", "seconds")]
"""All sections but the slow ones: the oldest Python and the newest print the same."""
SLOW = ("four", "four-drinks", "five", "five-drinks", "six", "match-three")
"""Sections whose second computation is for the long form of the tests."""


@pytest.mark.parametrize("section", QUICK)
def test_a_section_is_what_its_command_prints(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, print_section = SECTIONS[section]
    print_section()
    assert f"```text\n{capsys.readouterr().out.rstrip()}\n```" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("figure", figures.FIGURES)
def test_a_figure_is_what_its_command_draws(figure: str) -> None:
    assert (figures.FOLDER / f"{figure}.svg").read_text("utf-8") == figures.FIGURES[figure]()
    assert f"(solution/{figure}.svg)" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("section", [section for section in SECOND if section not in SLOW])
def test_a_second_computation_finds_the_same_figures(section: str) -> None:
    assert SECOND[section]() <= AGREES


@pytest.mark.long
@pytest.mark.parametrize("section", SLOW)
def test_a_slow_section_is_what_its_command_prints_and_a_second_computation_finds_the_same(section: str) -> None:
    assert section in SECOND
    assert check(section)


def test_the_check_fails_where_a_second_computation_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("ladder-420")
    monkeypatch.setitem(solution.SECOND, "ladder-420", lambda: 0.353)
    assert not check("ladder-420")
    assert "does NOT agree" in capsys.readouterr().out
