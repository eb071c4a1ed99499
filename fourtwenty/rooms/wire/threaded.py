"""A table whose client runs in an event loop in a thread of its own, for programs that wait for lines of input.

Nothing of the client is touched in another thread: functions are sent to it, and values come back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from fourtwenty.games.game import Action, Event
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import SharedDice
from fourtwenty.rooms.room import Play
from fourtwenty.rooms.station import match_of
from fourtwenty.rooms.wire.client import Client, FarSeats
from fourtwenty.rooms.wire.opening import Opened

T = TypeVar("T")


class RoomThread:
    """An open table, whose thread lasts until it is closed."""

    def __init__(self, opening: Callable[[], Awaitable[Opened]]) -> None:
        """Take the function that opens the table; it is called in the loop."""
        self._opening = opening
        self._started: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = Thread(target=self._run, daemon=True)
        self.opened: Opened
        """Its address, code and page may be read in any thread; its client may not."""

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._stay())

    async def _stay(self) -> None:
        self._end = asyncio.Event()
        self._started.set_result(asyncio.get_running_loop())
        await self._end.wait()

    def open(self) -> None:
        """Open the table. Raises the errors of its opening."""
        self._thread.start()
        self._loop = self._started.result()
        try:
            self.opened = self._wait(self._open())
        except BaseException:
            self._stop()
            raise

    async def _open(self) -> Opened:
        return await self._opening()

    def close(self) -> None:
        """Close the table, which has been opened."""
        try:
            self._wait(self.opened.close())
        finally:
            self._stop()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of work in the loop; it is cancelled when the waiting is interrupted, as by ctrl+c."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def call(self, ask: Callable[[Client], T]) -> T:
        """Return the result of a function, which is called in the loop with the client."""

        async def answer() -> T:
            return ask(self.opened.client)

        return self._wait(answer())


class FarTable:
    """One match of the table as ``play.turns`` asks for it, from outside the loop: ``Company``.

    Events and the chosen action are those of the moment at which ``version`` was read last: all of one moment.
    """

    def __init__(self, room: RoomThread, play: Play) -> None:
        """Take a match of the table; nothing of it is read outside the loop."""
        self._room = room
        self._play = play
        self._far, self._here = room.call(self._sit)
        self.sittings = room.call(lambda _: play.sittings)
        """The machines of the match, which never change."""
        self._events: list[Event] = []
        self._chosen: Action | None = None

    def _sit(self, client: Client) -> tuple[FarSeats, frozenset[int]]:
        far = FarSeats(client, self._play)
        return far, frozenset(seat for seat in range(len(self._play.machine_of)) if far.is_here(seat))

    @property
    def version(self) -> int:
        """A number that grows with every change in the room."""
        return self._room.call(self._look)

    def _look(self, _: Client) -> int:
        self._events += self._play.events[len(self._events) :]
        self._chosen = self._far.chosen
        return self._far.version

    def event(self, number: int) -> Event | None:
        """Return an event of the match by its number, from 0; None until it has happened."""
        return self._events[number] if number < len(self._events) else None

    def is_here(self, seat: int) -> bool:
        """Whether a person at this machine answers for a seat."""
        return seat in self._here

    @property
    def chosen(self) -> Action | None:
        """The action that the seat to act has chosen, whose faces have not come."""
        return self._chosen

    def say(self, action: Action) -> None:
        """Say the action of the seat to act, whose event comes from the room."""
        self._room.call(lambda _: self._far.say(action))

    def match(self) -> Match:
        """Return the match so far, without a journal. Raises ValueError before the lot."""
        match = self._room.call(lambda _: match_of(self._play))
        match.dice = self.dice()
        return match

    def dice(self) -> SharedDice:
        """Return the dice as they are now; they do not change with those of the table."""
        return SharedDice.from_source(self._room.call(lambda _: self._play.dice.source))
