"""A start does no more work than it did; a deliberate change comes with new figures (``tests/tools/start_cost.py``)."""

from __future__ import annotations

import pytest

pytest.importorskip("termios", reason="needs a Unix terminal")

from start_cost import ROOM, STARTS, kept, missing, multiples

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.long(
        "fourtwenty/__main__.py",
        "fourtwenty/cli/",
        "fourtwenty/tui/",
        "screens.tcss",
        "pyproject.toml",
        "tests/tools/start_cost.py",
        "tests/tools/start_cost.json",
    ),
]


@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.skipif(not kept(), reason="no figures are kept for these versions")
@pytest.mark.parametrize(
    "starts",
    [
        pytest.param([*STARTS][1:], id="what does the most"),
        pytest.param([*STARTS], marks=pytest.mark.long("tests/tools/start_cost.py"), id="all"),
    ],
)
def test_no_start_has_grown(starts: list[str]) -> None:
    now, before = multiples(starts), kept()
    assert {name for name in now if now[name] > before[name] * ROOM} == set(), (now, before)
