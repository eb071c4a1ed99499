"""Processes that die while they play: what they showed is kept, and the match goes on as it would have."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from long_tests import soak
from terminal import PROGRAM, Terminal

from fourtwenty.games.replay import replay
from fourtwenty.journal.history import History

TABLE = ("play", "--players", "Ann,Ben", "--dice", "typed")
ROLL = r"rolled [1-6] [1-6] [1-6] [1-6]: \d+(?:\.|, over\.)"
"""The log line of a roll at the table."""

pytestmark = pytest.mark.terminal


@soak(short=60, whole=200)
def test_processes_killed_at_any_instant(trials: int) -> None:
    script = Path(__file__).parents[1] / "tools" / "crash.py"
    done = subprocess.run([sys.executable, str(script), str(trials)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "nothing lost, no other dice" in done.stdout


def test_the_app_killed_in_a_terminal_goes_on_exactly_there(home: Path) -> None:
    rolls = iter(("6551", "4332", "1112", "6661", "5531", "2224"))
    resumes = ""
    with closing(History(home / "games.sqlite", pytest.fail)) as history:
        for end in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
            with Terminal(*PROGRAM, *([] if resumes else TABLE)) as terminal:
                if resumes:
                    terminal.press("r", after=resumes)
                terminal.press(f"ar{next(rolls)}\r", after="your turn")
                terminal.press(f"ar{next(rolls)}\r", after=ROLL)
                terminal.program.send_signal(end)
                assert terminal.wait() == -end
                kept = history.match(1)
                told = {
                    before.describe_roll(event.action, event.faces)
                    for before, event, _ in replay(kept.start, kept.events)
                }
                shown = re.findall(ROLL, terminal.written)
                assert shown
                assert set(shown) <= told
                assert kept.state.to_act is not None
                resumes = f"Resume 420: Ann, Ben, .*{kept.names[kept.state.to_act]} to roll"
        with Terminal(*PROGRAM) as terminal:
            terminal.press("r", after=resumes)
            terminal.read_until("your turn")
        assert history.match(1).events == kept.events
