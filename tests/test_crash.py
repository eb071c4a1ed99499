"""Processes that die while they play: what they showed is kept, and the match goes on as it would have."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fourtwenty.history import History
from fourtwenty.match import news

ROLL = r"all four, [1-6] [1-6] [1-6] [1-6]\. Total \d+(?:\.|, over\.)"
"""What the table tells of a roll."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked and killed")


def test_dozens_of_processes_killed_at_any_instant() -> None:
    script = Path(__file__).with_name("crash.py")
    kills = os.environ.get("FOURTWENTY_KILLS", "60")
    done = subprocess.run([sys.executable, str(script), kills], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "nothing lost, no other dice" in done.stdout


class Terminal:
    """The real app in a terminal of its own, 80 by 24."""

    def __init__(self, *arguments: str) -> None:
        import pty
        import termios

        self._screen, inside = pty.openpty()
        termios.tcsetwinsize(inside, (24, 80))
        self.app = subprocess.Popen(
            [sys.executable, "-m", "fourtwenty", *arguments],
            stdin=inside, stdout=inside, stderr=inside, start_new_session=True, env={**os.environ, "TERM": "xterm"},
        )  # fmt: skip
        os.close(inside)
        self.written = ""
        """Everything it has written so far."""

    def read_until(self, what: str, times: int = 1) -> None:
        """Follow what it writes until this has come so many times more."""
        start = len(self.written)
        while len(re.findall(what, self.written[start:])) < times:
            assert select.select([self._screen], [], [], 30)[0], f"waiting for {what!r}"
            self.written += os.read(self._screen, 65536).decode(errors="replace")

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._screen, keys.encode())

    def kill(self, by: signal.Signals) -> None:
        """End it, and take down what it had written."""
        self.app.send_signal(by)
        assert self.app.wait(30) == -by
        while select.select([self._screen], [], [], 0)[0]:
            try:
                self.written += os.read(self._screen, 65536).decode(errors="replace")
            except OSError:  # nothing is left
                break
        os.close(self._screen)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Opens terminals, and leaves nothing running in them."""
    opened: list[Terminal] = []

    def open_terminal(*arguments: str) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.app.kill()
        each.app.wait()


def test_the_app_killed_in_a_terminal_goes_on_exactly_there(home: Path, terminal: Callable[..., Terminal]) -> None:
    app = terminal("play", "--players", "Ann,Ben", "--seed", "0")
    with closing(History(home / "history.sqlite", pytest.fail)) as history:
        for end in (signal.SIGKILL, signal.SIGTERM):
            app.read_until("your turn")
            app.press("ar")
            app.read_until(ROLL)
            app.press("ar")
            app.kill(end)
            kept = history.match(1)
            told = {before.tell(event.action, event.faces) for before, event in kept.story()}
            shown = re.findall(ROLL, app.written)
            assert shown
            assert set(shown) <= told
            app = terminal()
            app.read_until(f"Resume: {news(kept.state, kept.names)}")
            app.press("r")
        app.read_until("your turn")
        app.kill(signal.SIGKILL)
        assert history.match(1).events == kept.events
