"""Defines a room's log for all its users, whatever stores it. nats_log.py stores it on a broker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

OnEntry = Callable[[int, bytes], None]
"""Receives a stored entry: its sequence and the encrypted bytes."""
OnBroadcast = Callable[[bytes], None]
OnConnection = Callable[[bool], None]


class UnreachableError(Exception):
    """The broker does not answer. The message says why, in a few words."""


class RefusedError(Exception):
    """The broker admits nobody with this code, is full, or stores no more. The message says which, in a few words."""


class RoomLog(Protocol):
    """One room's ordered log of encrypted entries on a broker; nothing is decrypted here.

    Every entry has a sequence, from 1. A room's sequences rise, but not always by 1: a broker may count the entries of
    several rooms together. An entry has at most ``MAX_ENTRY_BYTES`` bytes.
    """

    connected: bool
    """Whether the broker answers, as far as known; a silent broker is noticed within ten seconds."""
    refusal: str
    """Why the broker has not let this machine come back, in a few words; empty if it has, or does not answer."""

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        """Connect, and receive every entry stored from now on. Raises UnreachableError or RefusedError.

        The log is connected when this returns. ``on_connection`` receives every later change: False when the connection
        is lost, True when it is back. Entries stored meanwhile are not received, so ``read`` them after each True, as
        after ``open``. An entry may be received twice, and also be read.
        """

    async def append(self, entry: bytes) -> int:
        """Store an entry; return its sequence. Raises UnreachableError or RefusedError.

        After UnreachableError it is unknown whether the entry is stored. Send the same bytes again: they are stored
        once.
        """

    async def read(self, after: int) -> list[tuple[int, bytes]]:
        """Return all entries with a greater sequence, in their order. Raises UnreachableError."""

    async def broadcast(self, data: bytes) -> None:
        """Send something to all other connected machines; it is not stored, and may be lost."""

    async def send_view(self, machine: bytes, data: bytes) -> None:
        """Send something to a machine's page, by its public key; it is not stored, and may be lost."""

    async def close(self) -> None:
        """Leave the broker; nothing more is received. The log stays closed."""
