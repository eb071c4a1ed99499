"""Keys typed before there is anything to see are not lost."""

from __future__ import annotations

import pytest

pytest.importorskip("termios", reason="needs a Unix terminal")

from terminal import PROGRAM, Terminal


def test_a_roll_before_the_table_is_there() -> None:
    with Terminal(*PROGRAM, "play", "--players", "Ann,Ben", "--seed", "2a") as terminal:
        terminal.press("r")
        terminal.read_until(r"all four, \d \d \d \d\. Total")


def test_the_lobby_left_before_it_is_there() -> None:
    with Terminal(*PROGRAM) as terminal:
        terminal.press("q")
        assert terminal.wait() == 0
        assert not terminal.left_behind
