"""The tables that the odds ship, files beside this module: reading them, and noticing damage. They hold no rules.

A table is followed by its CRC-32, four bytes, little-endian. That is against damage, not against malice: whoever can
change a table can change the program too, and the module costs a start nothing.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

CHECKSUM_BYTES = 4


class DamagedTable(Exception):  # noqa: N818 - the message is about a file
    """A shipped table is missing or is not what was shipped. The message names it and says what to do."""


def read_table(name: str) -> bytes:
    """Return the contents of a table. Raises DamagedTable."""
    path = _file(name)
    try:
        stored = path.read_bytes()
    except OSError as error:
        raise DamagedTable(f"{path} cannot be read ({error.strerror}): install fourtwenty again") from error
    table = stored[:-CHECKSUM_BYTES]
    if stored != table + _checksum(table):
        raise DamagedTable(f"{path} is damaged: install fourtwenty again")
    return table


def write_table(name: str, table: bytes) -> None:
    """Write a table with its checksum; for the programs in docs/ that compute the tables. Raises OSError."""
    _file(name).write_bytes(table + _checksum(table))


def _file(name: str) -> Path:
    return Path(__file__).with_name(name)


def _checksum(table: bytes) -> bytes:
    return crc32(table).to_bytes(CHECKSUM_BYTES, "little")
