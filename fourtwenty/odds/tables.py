"""Reads the shipped tables of the odds, files beside this module, and notices damage.

A table is a list of parts; a part is an array of numbers. In a file each has its type code (as ``array`` names it), the
length of the packed numbers, and the packed numbers. zlib packs the first bytes of all numbers, then all second bytes,
and so on, which takes the least space. The file ends with the CRC-32 of its other bytes. Every number is little-endian.
docs/paper/shipped_tables.py writes them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32, decompress

from msgspec import Struct

from fourtwenty.file_storage import is_absent

WORD_BYTES = 4
"""The bytes of a length and of the checksum."""


fetch: Callable[[str], bool] | None = None
"""Fetches a missing table and returns whether it exists now. Browsers begin without the largest."""


class DamagedTableError(Exception):
    """A shipped table is missing or damaged. The message names it and says what to do."""


class Part(Struct, frozen=True):
    """A packed part of a table."""

    code: str
    packed: bytes

    def numbers(self) -> array[Any]:
        """Return its numbers."""
        planes, numbers = decompress(self.packed), array(self.code)
        stored = bytearray(len(planes))
        count = len(planes) // numbers.itemsize
        for plane in range(numbers.itemsize):
            stored[plane :: numbers.itemsize] = planes[plane * count : (plane + 1) * count]
        numbers.frombytes(stored)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


def is_here(name: str) -> bool:
    """Return whether a table exists or can be fetched."""
    return not is_absent(table_file(name)) or bool(fetch and fetch(name))


def read_table(name: str) -> list[Part]:
    """Return the parts of a table. Raises DamagedTableError."""
    path = table_file(name)
    try:
        stored = path.read_bytes()
    except OSError as error:
        raise DamagedTableError(f"{path} cannot be read ({error.strerror}): install fourtwenty again") from error
    table = stored[:-WORD_BYTES]
    if stored != table + crc32(table).to_bytes(WORD_BYTES, "little"):
        raise DamagedTableError(f"{path} is damaged: install fourtwenty again")
    parts, begin = [], 0
    while begin < len(table):
        packed = begin + 1 + WORD_BYTES
        end = packed + int.from_bytes(table[begin + 1 : packed], "little")
        parts.append(Part(chr(table[begin]), table[packed:end]))
        begin = end
    return parts


def table_file(name: str) -> Path:
    """Return the path of a table."""
    return Path(__file__).with_name(name)
