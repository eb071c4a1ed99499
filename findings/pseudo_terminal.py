"""A program in a pseudo-terminal, for findings about terminals: what it writes, and what it is sent."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

PROBE = """
import os, sys, tty
tty.setraw(0)
os.write(1, {start!r} + b"READY")
with open({log!r}, "ab", 0) as log:
    while read := os.read(0, 1000):
        log.write(repr(read).encode() + b"\\n")
"""
"""A program that writes something, and then a line into a file for each read."""


class PseudoTerminal:
    """Starts a command at a size; ``written`` is all that it has written."""

    def __init__(self, *command: str, columns: int = 100, rows: int = 30, **environment: str) -> None:
        self.written = b""
        self.pid, self.descriptor = pty.fork()
        if not self.pid:
            os.execvpe(command[0], command, os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | environment)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read_until(self, text: bytes, seconds: float = 20) -> bool:
        """Read until a text has been written; return whether it has."""
        end = time.monotonic() + seconds
        while text not in self.written and (left := end - time.monotonic()) > 0:
            if select.select([self.descriptor], [], [], left)[0]:
                try:
                    self.written += os.read(self.descriptor, 65536)
                except OSError:  # the program has ended
                    break
        return text in self.written

    def write(self, keys: bytes) -> None:
        """Send the bytes of keys."""
        os.write(self.descriptor, keys)

    def close(self) -> None:
        """Close the terminal and kill the program."""
        os.close(self.descriptor)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def probe(start: bytes, log: str) -> list[str]:
    """Return the command of a program that writes something, and then a line into a file for each read."""
    return [sys.executable, "-c", PROBE.format(start=start, log=log)]


def reads_after(terminal: PseudoTerminal, log: str, seconds: float) -> list[str]:
    """Keep the terminal read for some time; return what the probe has read by then."""
    terminal.read_until(b"\0never", seconds)
    return Path(log).read_text().splitlines() if Path(log).exists() else []
