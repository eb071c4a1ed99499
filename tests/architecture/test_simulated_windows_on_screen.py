"""The program itself in a terminal of a platform without Unix modules, by Textual's own driver for Windows."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from terminal import Terminal

pytestmark = pytest.mark.terminal

PROGRAM = (sys.executable, str(Path(__file__).parents[1] / "tools" / "simulated_windows.py"), "fourtwenty")
QUIT = "\x11"


@pytest.mark.parametrize(("command", "shown"), [([], "Quit"), (["play"], "Leave"), (["practice"], "Answer")])
def test_the_program_starts_and_ends(command: list[str], shown: str) -> None:
    with Terminal(*PROGRAM, *command) as terminal:
        terminal.press(QUIT, after=shown)
        assert terminal.wait() == 0


def test_a_signal_ends_it() -> None:
    with Terminal(*PROGRAM) as terminal:
        terminal.read_until("Quit")
        terminal.program.terminate()
        assert terminal.wait() == -signal.SIGTERM


def test_a_round_that_is_left_goes_on_where_it_was() -> None:
    with Terminal(*PROGRAM, "play", "--players", "Ann,Ben", "--dice", "typed") as terminal:
        terminal.press("6551\r", after="type four faces")
        terminal.press("q", after="17")
        terminal.press(QUIT, after="Quit")
        assert terminal.wait() == 0
    with Terminal(*PROGRAM) as terminal:
        terminal.press("r", after="Resume 420: Ann, Ben, .* to roll")
        terminal.press("5555\r", after="type four faces")
        terminal.press(QUIT, after="Rematch")
        assert terminal.wait() == 0


def test_enter_in_the_lobby_starts_a_game() -> None:
    with Terminal(*PROGRAM) as terminal:
        terminal.press("\r", after="Quit")
        terminal.press("q", after="Leave")
        terminal.read_until("Quit")
