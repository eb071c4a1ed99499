"""A program in lines of text, driven by pipes; not for Windows, which cannot wait for them."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Self

from waiting import MAX_WAIT_SECONDS

from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, write_record


class Program:
    """``fourtwenty`` at a machine of its own, driven by lines; it is ended with its context."""

    def __init__(self, home: Path, *arguments: str, typed: bool = True) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fourtwenty", *arguments, "--plain", "--data-dir", str(home)],
            stdin=subprocess.PIPE if typed else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.written = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()

    def type(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def read(self) -> bool:
        """Take what it writes next; return False at its end."""
        assert self.process.stdout
        assert select.select([self.process.stdout], [], [], MAX_WAIT_SECONDS)[0], f"nothing comes after {self.written}"
        more = os.read(self.process.stdout.fileno(), 65536)
        self.written += more.decode()
        return bool(more)

    def read_until(self, words: str) -> re.Match[str]:
        """Follow what it writes until there are these words, a regular expression; what came before is forgotten."""
        while not (found := re.search(words, self.written)):
            assert self.read(), f"it ended without {words}: {self.written}"
        self.written = self.written[found.end() :]
        return found

    def ends(self) -> str:
        """Follow it to its end, without an error; return the rest of what it wrote."""
        while self.read():
            pass
        assert self.process.wait(MAX_WAIT_SECONDS) == 0, self.written
        return self.written

    @property
    def record(self) -> str:
        with closing(History(self.home / "games.sqlite", print)) as history:
            (entry,) = history.page()
            return write_record(Record.from_match(history.match(entry.id)))
