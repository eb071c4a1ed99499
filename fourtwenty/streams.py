"""Text from bytes, by their byte order mark, and the standard streams: errors as one line, names in any encoding."""

from __future__ import annotations

import io
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

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


def printable(text: str) -> str:
    """Return a text as one line, with control characters and other invisible characters escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


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


def check_encoding() -> None:
    """End the program with one line when a standard stream has an encoding without ASCII, as PYTHONIOENCODING can set.

    No terminal writes UTF-16: input could not be read, nor output be seen.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _has_ascii(stream.encoding):
            encoding = stream.encoding
            if isinstance(sys.stderr, io.TextIOWrapper):
                sys.stderr.reconfigure(encoding="utf-8")
            end(f"fourtwenty: no terminal has the encoding {encoding}; unset PYTHONIOENCODING, or set it to utf-8")


def _has_ascii(encoding: str) -> bool:
    try:
        return "420".encode(encoding) == b"420"
    except UnicodeError:  # the encoding "undefined"
        return False


def write_line(line: str) -> None:
    """Print a line on standard output at once; at a terminal, broken between words at its width."""
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
