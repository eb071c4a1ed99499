"""Defines an entry of a room's log, in plain text. encryption.py encrypts and signs it, room.py applies it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

LOG_VERSION = 5
"""Version of the kinds of entries and the rules that count (room.py): different versions share no table."""
MAX_ENTRY_BYTES = 4096
"""In bytes, encrypted. A room's broker stores nothing larger."""


class LogEntry(Struct, frozen=True):
    """A signed entry: its author, and the JSON object."""

    author: bytes
    """The machine's public key, 32 bytes."""
    body: dict[str, Any]
    digest: bytes
    """SHA-256 of the signed bytes; independent of the encryption."""
