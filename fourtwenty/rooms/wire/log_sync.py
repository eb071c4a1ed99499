"""Synchronizes the copy of a log with the broker: after each connection, a sync barrier before new entries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from fourtwenty.play.match import SaveError
from fourtwenty.rooms.wire.log_copy import LogCopy
from fourtwenty.rooms.wire.notices import Notices
from fourtwenty.rooms.wire.outbox import Outbox
from fourtwenty.rooms.wire.room_log import OnBroadcast, RefusedError, UnreachableError
from fourtwenty.rooms.wire.sync_barrier import BARRIER_SECONDS, SHORT_SECONDS, SyncBarrier


class LogSync:
    """Keeps the copy of the log in step with the broker, and the outbox shut until the barrier is passed."""

    def __init__(
        self,
        copy: LogCopy,
        barrier: SyncBarrier,
        outbox: Outbox,
        send_heartbeat: Callable[[bool], Awaitable[None]],
        changed: Callable[[], object],
        notices: Notices,
    ) -> None:
        """``send_heartbeat`` may ask the others for theirs; ``changed`` is called when the log goes on or is lost."""
        self._copy = copy
        self._barrier = barrier
        self._outbox = outbox
        self._send_heartbeat = send_heartbeat
        self._changed = changed
        self._notices = notices
        self.tasks: set[asyncio.Task[None]] = set()
        """All running tasks started here."""
        self._syncing: asyncio.Task[None] | None = None
        self._behind = False
        """Whether another machine had more than this one since the last try."""
        self._closed = False

    async def open(self, on_broadcast: OnBroadcast) -> asyncio.Task[None]:
        """Connect, and return the task that reads the log to its end, and uploads what the broker has lost.

        Raises UnreachableError or RefusedError with the reason, SaveError.
        """
        self._copy.load()
        await self._copy.log.open(self._on_entry, on_broadcast, self._on_connection)
        self._barrier.begin()
        self._syncing = self.start(self._sync())
        return self._syncing

    async def close(self) -> None:
        """End all tasks started here, and disconnect; later entries are ignored."""
        self._closed = True
        self._connection_lost()
        tasks = [task for task in self.tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        try:
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await self._copy.log.close()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the connection."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def read_soon(self, whole: bool = False) -> None:
        """Read the log after the last entry, or the whole log, unless it is being read."""
        if not self._closed and (self._syncing is None or self._syncing.done()):
            self._syncing = self.start(self._sync(whole))

    def catch_up(self) -> None:
        """Read on, because another machine has more; at once only for the first such message between two tries."""
        if not self._behind:
            self._behind = True
            self.read_soon()

    def try_again(self) -> None:
        """Repeat failed reading and sending, although the connection lasts."""
        if self._copy.log.connected and (len(self._outbox) or self._behind or not self._copy.synced):
            self._behind = False
            self.read_soon(whole=self._copy.synced)

    def pass_barrier(self) -> None:
        """Open the outbox if the barrier is passed now."""
        if self._copy.synced and self._barrier.update(self._copy.room.seated, self._copy.room.head[0]):
            self._outbox.open = not self._copy.diverged
            self._outbox.flush()

    def _on_entry(self, sequence: int, data: bytes) -> None:
        if self._copy.receive(sequence, data):
            self._changed()

    def _on_connection(self, connected: bool) -> None:
        self._connection_lost()
        if connected:
            self._barrier.begin()
            self.read_soon()
        self._changed()

    def _connection_lost(self) -> None:
        self._copy.connection_lost()
        self._barrier.connection_lost()
        self._outbox.open = False

    async def _sync(self, whole: bool = False) -> None:
        try:
            await self._copy.read(self._upload_again, whole)
            self._outbox.open &= not self._copy.diverged
            self._outbox.flush()
        except UnreachableError:
            pass  # the next connection or heartbeat tries again
        except RefusedError as reason:
            self._notices.broker_refused(str(reason))
        except SaveError as reason:
            self._notices.not_saved(str(reason))
        self._changed()
        if self._copy.synced:
            await self._send_heartbeat(not self._barrier.over)
            if not self._barrier.over:
                self.start(self._end_barrier())

    async def _upload_again(self) -> None:
        """Start a sync barrier and notify the others: the broker has lost the entries uploaded now.

        Without it, test_after_a_loss_that_no_connection_shows_all_meet_again_too fails.
        """
        self._outbox.open = False
        self._barrier.begin()
        await self._send_heartbeat(False)

    async def _end_barrier(self) -> None:
        for seconds in (SHORT_SECONDS, BARRIER_SECONDS - SHORT_SECONDS):
            await asyncio.sleep(seconds)
            self._changed()
