"""The numbers of docs/solution.md are those that docs/solution/solution.py prints."""

from __future__ import annotations

import pytest
import solution
from solution import AGREES, PAGE, SECOND, SECTIONS, check


@pytest.mark.parametrize(
    "section",
    [
        *("classes", "horizons", "ladder-420", "start", "note", "lamp", "fraction", "two", "three", "three-drinks"),
        *("tokens-three", "ladder-421", "match", "first", "ladder-ten-rounds"),
    ],
)
def test_a_section_is_what_its_command_prints(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, print_section = SECTIONS[section]
    print_section()
    assert f"```text\n{capsys.readouterr().out.rstrip()}\n```" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("section", SECOND)
def test_a_second_computation_finds_the_same_figures(section: str) -> None:
    assert SECOND[section]() <= AGREES


def test_the_check_fails_where_a_second_computation_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("ladder-420")
    monkeypatch.setitem(solution.SECOND, "ladder-420", lambda: 0.353)
    assert not check("ladder-420")
    assert "does NOT agree" in capsys.readouterr().out
