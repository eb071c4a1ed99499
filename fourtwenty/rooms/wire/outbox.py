"""Sends entries again until they are in the log. No network: the append function is injected."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

from msgspec import Struct

from fourtwenty.rooms.local_machine import Body
from fourtwenty.rooms.room import LogEntry
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError


class PendingEntry(Struct, frozen=True):
    """An entry that is not in the log yet."""

    entry: LogEntry
    data: bytes
    body: Body


class Outbox:
    """Sends all waiting entries while it is open, repeatedly until they are in the log."""

    def __init__(
        self,
        append: Callable[[bytes], Awaitable[object]],
        start: Callable[[Coroutine[Any, Any, None]], object],
        refused: Callable[[str], object],
    ) -> None:
        self._append = append
        self._start = start
        self._refused = refused
        self._waiting: dict[bytes, PendingEntry] = {}
        self._sending: set[bytes] = set()
        self.open = False

    def __iter__(self) -> Iterator[Body]:
        """The fields of all waiting entries."""
        return iter([each.body for each in self._waiting.values()])

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, waiting: PendingEntry) -> None:
        """Send an entry, now or when the outbox is open."""
        self._waiting[waiting.data] = waiting
        self._send_soon(waiting.data)

    def entry(self, data: bytes) -> LogEntry | None:
        """Return the entry for these bytes if it waits here, so that it need not be decrypted again."""
        waiting = self._waiting.get(data)
        return waiting.entry if waiting else None

    def arrived(self, entry: LogEntry) -> Body | None:
        """Remove an entry that is in the log, maybe encrypted by others; return its fields if it waited."""
        found = next((data for data, each in self._waiting.items() if each.entry.digest == entry.digest), None)
        return self._waiting.pop(found).body if found else None

    def flush(self) -> None:
        """Send all entries that are not on their way."""
        for data in (*self._waiting,):
            self._send_soon(data)

    def _send_soon(self, data: bytes) -> None:
        if self.open and data not in self._sending:
            self._sending.add(data)
            self._start(self._send(data))

    async def _send(self, data: bytes) -> None:
        try:
            if self.open and data in self._waiting:
                await self._append(data)
        except UnreachableError:
            pass  # sent again after the next connection or heartbeat
        except RefusedError as refusal:
            self._refused(str(refusal))
        finally:
            self._sending.discard(data)
