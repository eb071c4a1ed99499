"""Standard streams of the commands: errors as one line, JSON as one line, and names in any encoding."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from typing import NoReturn

from fourtwenty.cli.help_page import printable


def end(line: str, status: int = 2) -> NoReturn:
    """Print one line on standard error, with control characters escaped, and end the program with this status."""
    with suppress(OSError):  # the status is set even if standard error cannot be written
        if sys.stderr:
            print(printable(line), file=sys.stderr)
    sys.exit(status)


def show_any_name() -> None:
    """Escape characters that the encoding of the output lacks; end the program when standard output is closed."""
    if not sys.stdout:
        end("fourtwenty: there is nowhere to write to, standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_json(document: dict[str, object]) -> None:
    """Print one JSON document on one line."""
    import json  # the screen imports this module too, and starts faster without

    print(json.dumps(document, ensure_ascii=False))
