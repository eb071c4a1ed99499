"""Text input and output: decoding, control characters and the standard streams.

Every text from a file, an argument or a network passes ``strip_controls`` before a terminal shows it: in the readers
of files, ``write_line``, ``exit_with_error`` and ``tui.text_only``.
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
"""Encodings by byte order mark. Windows editors write the first, PowerShell's ``>`` the second."""


def encoding_of(start: bytes, default: str = "utf-8") -> str:
    """Return the encoding of the byte order mark at the start of a text; the default without one."""
    return next((name for mark, name in ENCODINGS.items() if start.startswith(mark)), default)


def decode(content: bytes) -> str:
    """Return the text of a file. Raises ValueError with a reason unless it is UTF-8, or UTF-16 with a mark."""
    try:
        return content.decode(encoding_of(content))
    except UnicodeDecodeError as error:
        raise ValueError("it is not text in UTF-8 or UTF-16") from error


def decode_lines(file: io.BufferedReader, default: str) -> Iterator[str]:
    """Yield the lines of a file as they arrive; undecodable bytes are escaped."""
    yield from io.TextIOWrapper(file, encoding_of(file.peek(), default), errors="backslashreplace")


CONTROLS = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Control characters, surrogates, line separators and marks that change the direction of text (Unicode Annex 9).

``re`` compiles it for the first text that may have one: that takes 1 ms, which most starts do without.
"""


def has_controls(text: str) -> bool:
    """Return whether a text has a character unsafe for a terminal."""
    return not text.isprintable() and re.search(CONTROLS, text) is not None


def strip_controls(text: str, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """Return a text with unsafe characters replaced.

    >>> strip_controls("Ann\\x1b[2J")
    'Ann�[2J'
    """
    if text.isprintable():  # no control, separator or format character, as in most texts
        return text
    return re.sub(CONTROLS, instead, text)


def strip_json(value: Any) -> Any:
    """Return a JSON value with its texts made safe. Raises RecursionError when nested too deep."""
    match value:
        case str():
            return strip_controls(value)
        case list():
            return [*map(strip_json, value)]
        case dict():
            return {strip_controls(name): strip_json(each) for name, each in value.items()}
    return value


def write_error(line: str) -> None:
    """Print one line on standard error, if possible."""
    with suppress(OSError):
        if sys.stderr:
            print(strip_controls(line), file=sys.stderr, flush=True)


def exit_with_error(line: str, status: int = 2) -> NoReturn:
    """Print one line on standard error, and exit with this status."""
    write_error(line)
    sys.exit(status)


def escape_unencodable_output() -> None:
    """Escape characters that the output's encoding lacks; exit when output is closed."""
    if not sys.stdout:
        exit_with_error("fourtwenty: there is nowhere to write to, standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def check_encoding() -> None:
    """Exit when a standard stream's encoding, such as PYTHONIOENCODING's, lacks ASCII."""
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
    """Print a line at once, wrapped at a terminal's width."""
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
