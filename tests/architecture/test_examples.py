"""The examples in docs/examples that need nothing but the library, run as their head describes."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PRINTED = {
    "own_bot": """\
cautious wins 53.8% of 500 matches
Steady wins 46.2% of 500 matches
""",
    "solve_a_position": """\
*>6551 5433 roll 2: chance to win the round
 58.31%  keep 6 5 5
 57.11%  keep 6 5
 55.64%  keep 5 5
 55.04%  keep 6
 52.73%  keep 5
 50.82%  keep nothing
""",
    "verify_a_record": """\
verified: Merry buys the drinks, SHA-256 b36591fffd49f568
refused: action 1, Steady: The seed throws 3 3 4 1, the record 4 3 4 1.
""",
}


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_what_it_finds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out == PRINTED[name]


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_is_short_and_needs_public_names_only(name: str) -> None:
    source = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 40
    assert re.findall(r"^ *(?:from|import) .*", source, re.MULTILINE) == ["import fourtwenty as ft"]
    assert f"``python {name}.py``" in source.split('"""')[1]


def test_the_page_about_bots_prints_the_bot_of_the_example() -> None:
    (printed,) = re.findall(r"```python\n(.*?)```", (EXAMPLES.parent / "own-bot.md").read_text("utf-8"), re.DOTALL)
    source = (EXAMPLES / "own_bot.py").read_text(encoding="utf-8")
    assert printed in source
