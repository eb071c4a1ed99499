"""Text that comes in and goes out: bytes decoded, harmful characters replaced, and the standard streams.

Every text from a file, an argument or a network passes ``harmless`` before a terminal sees it: the readers of files
call it, and ``write_line``, ``end`` and ``tui.textual_base.painting`` do where text leaves the program.
"""

from __future__ import annotations

import io
import re
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NoReturn

ENCODINGS = {BOM_UTF8: "utf-8-sig", BOM_UTF16_LE: "utf-16", BOM_UTF16_BE: "utf-16"}
"""The encoding of a text by its byte order mark. Windows editors write the first, and PowerShell's ``>`` the second."""


def encoding_of(start: bytes, default: str = "utf-8") -> str:
    """Return the encoding that the byte order mark at the start of a text names; the default without a mark."""
    return next((name for mark, name in ENCODINGS.items() if start.startswith(mark)), default)


def decode(content: bytes) -> str:
    """Return the text of a file. Raises ValueError with a reason unless it is in UTF-8, or in UTF-16 with a mark."""
    try:
        return content.decode(encoding_of(content))
    except UnicodeDecodeError as error:
        raise ValueError("it is not text in UTF-8 or UTF-16") from error


def decode_lines(file: io.BufferedReader, default: str) -> Iterator[str]:
    """Yield the lines of a file as they arrive; bytes that the encoding does not have are escaped."""
    yield from io.TextIOWrapper(file, encoding_of(file.peek(), default), errors="backslashreplace")


CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that can control a terminal or break its line, halves of characters, and those that change the direction
of the text around them (Unicode Standard Annex 9)."""


def has_controls(text: str) -> bool:
    """Return whether a text has a character that must not reach a terminal."""
    return not text.isprintable() and CONTROLS.search(text) is not None


def strip_controls(text: str, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """Return a text with every harmful character replaced.

    >>> strip_controls("Ann\\x1b[2J")
    'Ann�[2J'
    """
    if text.isprintable():  # no control, separator or format character: most texts of a history of many matches
        return text
    return CONTROLS.sub(instead, text)


def strip_json(value: Any) -> Any:
    """Return a value of JSON with every text in it made harmless. Raises RecursionError when it is nested too deep."""
    match value:
        case str():
            return strip_controls(value)
        case list():
            return [*map(strip_json, value)]
        case dict():
            return {strip_controls(name): strip_json(each) for name, each in value.items()}
    return value


def write_error(line: str) -> None:
    """Print one line on standard error, if it can be written."""
    with suppress(OSError):
        if sys.stderr:
            print(strip_controls(line), file=sys.stderr, flush=True)


def exit_with_error(line: str, status: int = 2) -> NoReturn:
    """Print one line on standard error, and end the program with this status."""
    write_error(line)
    sys.exit(status)


def show_any_name() -> None:
    """Escape what the output's encoding lacks; end the program when output is closed."""
    if not sys.stdout:
        exit_with_error("fourtwenty: there is nowhere to write to, standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def check_encoding() -> None:
    """End the program when a standard stream has an encoding without ASCII, as PYTHONIOENCODING can set."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _has_ascii(stream.encoding):
            encoding = stream.encoding
            if isinstance(sys.stderr, io.TextIOWrapper):
                sys.stderr.reconfigure(encoding="utf-8")
            exit_with_error(
                f"fourtwenty: no terminal has the encoding {encoding}; unset PYTHONIOENCODING, or set it to utf-8"
            )


def _has_ascii(encoding: str) -> bool:
    try:
        return "420".encode(encoding) == b"420"
    except UnicodeError:  # the encoding "undefined"
        return False


def write_line(line: str) -> None:
    """Print a line on standard output at once; at a terminal, broken between words at its width."""
    line = strip_controls(line)
    if sys.stdout.isatty():
        import shutil
        import textwrap  # the screen imports this module too, and starts faster without

        width = shutil.get_terminal_size().columns
        line = textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
    print(line, flush=True)


def print_json(document: dict[str, object]) -> None:
    """Print one JSON document on one line."""
    import json  # the screen imports this module too, and starts faster without

    print(json.dumps(document, ensure_ascii=False))
