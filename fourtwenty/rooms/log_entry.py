"""One entry of a room's log, in plain text. encryption.py encrypts and signs it, room.py says what it changes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

LOG_VERSION = 3
"""Version of the kinds of entries and of what counts (room.py): machines of different versions share no table."""
MAX_ENTRY_BYTES = 4096
"""In bytes, encrypted. A broker of rooms keeps nothing larger."""


class LogEntry(Struct, frozen=True):
    """A signed entry: the machine that wrote it, and the JSON object that it wrote."""

    author: bytes
    """The machine's public key, 32 bytes."""
    body: dict[str, Any]
    digest: bytes
    """SHA-256 of what the machine signed; the same signed entry has the same digest, however often it is encrypted."""
