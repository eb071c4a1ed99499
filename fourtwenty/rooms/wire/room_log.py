"""The log of a room as everybody uses it, whatever keeps it. That of a broker is in nats_log.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

OnEntry = Callable[[int, bytes], None]
"""Hears of an entry when it is kept: its sequence and the encrypted bytes."""
OnBroadcast = Callable[[bytes], None]
OnConnection = Callable[[bool], None]


class UnreachableError(Exception):
    """The broker does not answer. The message says why, in a few words."""


class RefusedError(Exception):
    """The broker lets nobody in with this code, is full, or keeps no more. The message says which, in a few words."""


class RoomLog(Protocol):
    """One room's ordered log of encrypted entries on a broker.

    Every entry has a sequence, from 1. The sequences of a room rise, but not always by 1: a broker may count the
    entries of several rooms together. An entry has ``MAX_ENTRY_BYTES`` bytes at most. Nothing of it is read here.
    """

    connected: bool
    """Whether the broker answers, as far as this machine knows; a silent broker is noticed within ten seconds."""
    refusal: str
    """Why the broker has not let this machine come back, in a few words; empty when it has, or does not answer."""

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        """Connect, and hear of every entry that is kept from now on. Raises UnreachableError or RefusedError.

        The log is connected when this returns. ``on_connection`` hears of every change after that: False when the
        connection is lost, True when it is back. Entries that were kept meanwhile are not heard of, so ``read`` them
        after each True, as after ``open``. An entry may be heard of twice, and also be read.
        """

    async def append(self, entry: bytes) -> int:
        """Have an entry kept, and return its sequence. Raises UnreachableError or RefusedError.

        After Unreachable nobody knows whether the entry is kept. Send the same bytes again: they are kept once.
        """

    async def read(self, after: int) -> list[tuple[int, bytes]]:
        """Return all entries with a greater sequence, in their order. Raises UnreachableError."""

    async def broadcast(self, data: bytes) -> None:
        """Send something to all others who are connected now; it is not kept, and it may be lost."""

    async def send_view(self, machine: bytes, data: bytes) -> None:
        """Send something to the page of a machine, by its public key; it is not kept, and it may be lost."""

    async def close(self) -> None:
        """Leave the broker; nothing is heard of any more. The log stays closed."""
