"""A broker in the memory of one process, whose faults are switched on and off: for tests, and for two apps in one."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from hashlib import sha256
from math import inf

from fourtwenty.rooms.encryption import MachineKey
from fourtwenty.rooms.wire.room_log import OnBroadcast, OnConnection, OnEntry, RefusedError, UnreachableError


def key_of(name: str) -> MachineKey:
    """Return the key of a machine by its name."""
    return MachineKey(sha256(name.encode()).digest())


class MemoryBroker:
    """Keeps the entries of any number of rooms, which it counts together as a hub does."""

    def __init__(self) -> None:
        self.entries: dict[str, dict[bytes, int]] = defaultdict(dict)
        """The sequence of each entry, in their order, by room."""
        self.logs: list[MemoryLog] = []
        """The logs that are open."""
        self.pages: dict[bytes, Callable[[bytes], None]] = {}
        """What hears of the views of a page, by the public key of its machine."""
        self.full = False
        """Whether nothing more is kept."""
        self._sequence = 0

    def store(self, room: str, entry: bytes) -> int:
        """Keep an entry once, and let the logs of its room hear of it."""
        kept = self.entries[room]
        if entry not in kept:
            if self.full:
                raise RefusedError("the broker can't store more")
            self._sequence += 1
            kept[entry] = self._sequence
            for log in self.logs:
                if log.room == room:
                    log.receive_entry(kept[entry], entry)
        return kept[entry]

    def lose(self, room: str, count: int) -> None:
        """Lose the last entries of a room, as a broker that is killed: it gives their sequences again."""
        kept = self.entries[room]
        for entry in [*kept][len(kept) - count :]:
            self._sequence = min(self._sequence, kept.pop(entry) - 1)


class MemoryLog:
    """A room's log on a ``MemoryBroker``. What it hears comes in the next rounds of the event loop, in order."""

    def __init__(self, broker: MemoryBroker, room: str) -> None:
        """Take the broker and the name of the room. Nothing happens before ``open``."""
        self.broker = broker
        self.room = room
        self.connected = False
        self.refusal = ""
        self.reachable = True
        """False: ``open`` raises UnreachableError."""
        self.deaf = False
        """Whether entries and broadcasts for this log are lost on their way."""
        self.doubled = False
        """Whether this log hears of everything twice."""
        self.unanswered = False
        """Whether ``append`` keeps the entry and raises UnreachableError."""
        self.sends = inf
        """The number of entries that ``append`` still keeps before it raises UnreachableError."""
        self._held: list[Callable[[], None]] | None = None
        self._gap = False
        """Whether an entry was lost on its way, which is noticed by the next one."""

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        if not self.reachable:
            raise UnreachableError("the broker does not answer")
        self._on_entry, self._on_broadcast, self._on_connection = on_entry, on_broadcast, on_connection
        self.broker.logs.append(self)
        self.connected = True

    async def append(self, entry: bytes) -> int:
        self._check_connection()
        if not self.sends:
            raise UnreachableError("the broker does not answer")
        self.sends -= 1
        sequence = self.broker.store(self.room, entry)
        if self.unanswered:
            raise UnreachableError("the broker does not answer")
        return sequence

    async def read(self, after: int) -> list[tuple[int, bytes]]:
        self._check_connection()
        self._gap = False
        return [(sequence, entry) for entry, sequence in self.broker.entries[self.room].items() if sequence > after]

    async def broadcast(self, data: bytes) -> None:
        if self.connected:
            for log in self.broker.logs:
                if log.room == self.room and log is not self:
                    log.receive_broadcast(data)

    async def send_view(self, machine: bytes, data: bytes) -> None:
        if self.connected and machine in self.broker.pages:
            asyncio.get_running_loop().call_soon(self.broker.pages[machine], data)

    async def close(self) -> None:
        self.connected = False
        if self in self.broker.logs:
            self.broker.logs.remove(self)

    def disconnect(self) -> None:
        """Lose the connection, until ``reconnect``."""
        if self.connected:
            self.connected = False
            self._on_connection(False)

    def reconnect(self) -> None:
        """Have the connection back."""
        if not self.connected:
            self.connected = True
            self._on_connection(True)

    def hold(self) -> None:
        """Delay what this log hears, until ``release``."""
        self._held = self._held or []

    def release(self) -> None:
        """Let this log hear what was delayed, in order."""
        held, self._held = self._held or [], None
        for hear in held:
            self._soon(hear)

    def receive_entry(self, sequence: int, entry: bytes) -> None:
        """Hear of an entry soon, unless a fault is in the way; connect anew where one is missing before it."""
        if self._gap and not self.deaf:
            self.disconnect()
            self.reconnect()
        self._gap = self.deaf
        self._soon(lambda: self._on_entry(sequence, entry))

    def receive_broadcast(self, data: bytes) -> None:
        self._soon(lambda: self._on_broadcast(data))

    def _soon(self, hear: Callable[[], None]) -> None:
        if not self.connected or self.deaf:
            return
        if self._held is not None:
            self._held.append(hear)
            return
        for _ in range(1 + self.doubled):
            asyncio.get_running_loop().call_soon(lambda: hear() if self.connected else None)

    def _check_connection(self) -> None:
        if not self.connected:
            raise UnreachableError("there is no connection")
