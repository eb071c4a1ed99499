"""A terminal of one's own with a program in its foreground: what it writes, what it leaves behind, and its end.

Where there is no such terminal, as on Windows, tests that import this are skipped.
"""

from __future__ import annotations

import pytest

pytest.importorskip("termios", reason="needs a Unix terminal")

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from waiting import MAX_WAIT_SECONDS, last_screen

PROGRAM = (sys.executable, "-m", "fourtwenty")

LOG_IN = "import os, sys; os.login_tty(0); os.execvp(sys.argv[1], sys.argv[1:])"
"""Makes the terminal on standard input its own, so that it is hung up on and told of sizes, then starts a program."""

OF_THE_TESTS = ("NO_COLOR", "ACCESSIBLE", "TEXTUAL_ANIMATIONS", "COLUMNS", "LINES")
"""Environment variables of the tests that the program must not inherit."""

SHOWN_ELSE = {7: "line wrap", 25: "the cursor"}
"""The modes that are on in a terminal that nothing has been done to."""


class Terminal:
    """Opened and closed as a context; the program is ended with it."""

    def __init__(
        self,
        *command: str,
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] = {},
        owned: bool = True,
    ) -> None:
        self._outside, self._inside = pty.openpty()
        os.set_blocking(self._outside, False)
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self._inside)
        """The terminal's attributes before the program."""
        known = {name: value for name, value in os.environ.items() if name not in OF_THE_TESTS}
        self.program = subprocess.Popen(
            [*([sys.executable, "-c", LOG_IN] if owned else []), *command],
            stdin=self._inside, stdout=self._inside, stderr=self._inside,
            env={**known, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
        )  # fmt: skip
        self.written = ""
        """Everything it has written so far."""
        self._frozen = False
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, where: TracebackType | None) -> None:
        self.program.kill()
        self.program.wait()
        self.hang_up()
        os.close(self._inside)

    def hang_up(self) -> None:
        if self._outside >= 0:
            os.close(self._outside)
        self._outside = -1

    def resize(self, columns: int, rows: int) -> None:
        termios.tcsetwinsize(self._outside, (rows, columns))

    def press(self, keys: str, after: str = "") -> None:
        """Send what keys, a mouse or a clipboard send, once the program has written something."""
        if after:
            self.read_until(after)
        left = keys.encode(errors="surrogateescape")
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while left:
            assert time.monotonic() < deadline, f"it takes no more:\n{self.shown}"
            if not self._frozen:
                self.read(0)
            with suppress(BlockingIOError):
                left = left[os.write(self._outside, left) :]

    def freeze(self) -> None:
        """Fill the terminal with blanks until it takes no more, and let keys be pressed without reading it."""
        self._frozen = True
        filling = os.open(os.ttyname(self._inside), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        while select.select([], [filling], [], 0.5)[1]:  # the system makes room for a while
            with suppress(BlockingIOError):
                os.write(filling, b" " * 4096)
        os.close(filling)

    def read(self, seconds: float) -> bool:
        """Take what it writes within so many seconds; whether there was anything."""
        if not select.select([self._outside], [], [], seconds)[0]:
            return False
        self.written += self._decoder.decode(os.read(self._outside, 65536))
        return True

    def read_until(self, *words: str) -> None:
        """Follow what it writes until all of this has come once more, whatever the colours between its letters."""
        start = len(self.written)
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while not all(re.search(word, re.sub(r"\x1b\[[0-9;]*m", "", self.written[start:])) for word in words):
            ended = self.program.poll() is not None
            late = time.monotonic() > deadline
            more = self.read(1)
            assert more or not (ended or late), f"waiting for {words}:\n{self.shown}"

    def wait(self) -> int:
        """Follow what it writes until it ends; return its status, negative when a signal ended it."""
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while self.program.poll() is None:
            assert time.monotonic() < deadline, f"it goes on:\n{self.shown}"
            assert self.read(0.01) or self.program.poll() is not None or not self.stopped, f"it sleeps:\n{self.shown}"
        while self.read(0):
            pass
        return self.program.returncode

    @property
    def shown(self) -> str:
        """What it has written last, as it is read: for the sentence of a test that gives up."""
        return last_screen(self.written)

    @property
    def stopped(self) -> bool:
        """Whether the program has fallen asleep, as after ctrl+z; each sleep is told of once."""
        if self.program.returncode is None:
            # Not waitid, which macOS has since Python 3.13; so the end of the program is taken here, too.
            child, status = os.waitpid(self.program.pid, os.WUNTRACED | os.WNOHANG)
            if child and os.WIFSTOPPED(status):
                return True
            if child:
                self.program.returncode = os.waitstatus_to_exitcode(status)
        return False

    def wait_for_sleep(self) -> None:
        """Follow what it writes until it has fallen asleep."""
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while not self.stopped:
            self.read(0.01)
            assert time.monotonic() < deadline, f"it is awake:\n{self.shown}"
            assert self.program.poll() is None, f"it ended:\n{self.shown}"
        while self.read(0):
            pass

    def wake(self) -> None:
        self.program.send_signal(signal.SIGCONT)

    @property
    def left_behind(self) -> list[str]:
        """The differences between the terminal now and before the program started; empty when it is restored."""
        modes = {
            int(mode): to == "h"
            for group, to in re.findall(r"\x1b\[\?([\d;]+)([hl])", self.written)
            for mode in group.split(";")
        }
        left = [f"mode {mode}" for mode, on in modes.items() if on != (mode in SHOWN_ELSE)]
        if len(re.findall(r"\x1b\[>\d+u", self.written)) > len(re.findall(r"\x1b\[<u", self.written)):
            left.append("the keyboard")
        if termios.tcgetattr(self._inside) != self.before:
            left.append("the attributes")
        return left
