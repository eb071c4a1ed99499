"""Standard input and output of the commands: any text can be printed, and errors are one line."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from typing import NoReturn

from fourtwenty.cli.help_page import printable


def end(line: str, status: int = 2) -> NoReturn:
    """End with one line that says what was wrong and what would be right; control characters are escaped."""
    with suppress(OSError):  # where it cannot be written, the status says enough
        if sys.stderr:
            print(printable(line), file=sys.stderr)
    sys.exit(status)


def show_any_name() -> None:
    """Let names be printed that this output has no characters for; end when there is no output."""
    if not sys.stdout:
        end("fourtwenty: there is nowhere to write to, standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
