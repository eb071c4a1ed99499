"""Keys typed before there is anything to see are not lost."""

from __future__ import annotations

import pytest
from terminal import PROGRAM, Terminal

pytestmark = pytest.mark.terminal


def test_a_roll_before_the_table_is_there() -> None:
    with Terminal(*PROGRAM, "play", "--players", "Ann,Ben") as terminal:
        terminal.press("\rr")
        terminal.read_until(r"rolled [1-6] [1-6] [1-6] [1-6]: ")


def test_the_lobby_left_before_it_is_there() -> None:
    with Terminal(*PROGRAM) as terminal:
        terminal.press("q")
        assert terminal.wait() == 0
        assert not terminal.left_behind
