"""The numbers of docs/solution.md are those that docs/solution.py prints."""

from __future__ import annotations

import pytest
from solution import PAGE, SECTIONS


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
