"""A broker that loses the end of its log, and machines that come back to it: in virtual time, with slow networks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from chance import seeded
from memory_client import KEYS

from fourtwenty.games.game import Roll
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.room import MIN_KEYS
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.client import Client, ClientMatch
from fourtwenty.rooms.wire.room_log import OnBroadcast, OnConnection, OnEntry, UnreachableError

NAMES = ("Ann", "Ben", "Cleo", "Dan")
RECONNECT_SECONDS = 0.2
SLOWEST = 0.3
"""Greatest time of one way, in seconds."""


class LosingBroker:
    """Keeps entries, and loses them."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.up = True
        self.lines: list[SlowLog] = []
        """The connections."""
        self.ever: set[bytes] = set()
        """All entries that were ever kept."""
        self.lost: set[bytes] = set()
        """Entries that it has lost, and that no machine which has come back since then has in its file."""
        self.excused = False
        """Whether a machine has met the others while those that have one of these were away."""

    def store(self, entry: bytes) -> int:
        if entry not in self.entries:
            self.entries.append(entry)
            self.ever.add(entry)
            for line in self.lines:
                line.bring(line.receive_entry, len(self.entries), entry)
        return self.entries.index(entry) + 1

    def crash(self) -> None:
        self.up = False
        for line in (*self.lines,):
            line.drop()

    def come_back(self, kept: list[bytes], known: set[bytes]) -> None:
        """Go on with these entries; ``known`` are all that any machine has in its file."""
        self.lost = known & self.ever - {*kept}
        self.entries, self.up = [*kept], True


class SlowLog:
    """The connection of a machine to a broker. Everything takes its time, and comes in its order."""

    def __init__(self, broker: LosingBroker, luck: Random, slowest: float) -> None:
        self.broker = broker
        self.luck = luck
        self.slowest = slowest
        self.connected = False
        self.refusal = ""
        self.cut = False
        """Whether the network is gone."""
        self.on_open: Callable[[], None] = lambda: None
        self._up = self._down = 0.0
        """When the last message on its way arrives at the broker, and here."""
        self._number = 0
        """The number of connections so far."""
        self._asked: set[asyncio.Future[None]] = set()
        """Those who wait for an answer."""
        self._closed = False

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        """Open the room, and try again until the broker answers."""
        self.receive_entry, self.receive_broadcast, self._on_connection = on_entry, on_broadcast, on_connection
        await self._connect()

    async def _connect(self) -> None:
        await asyncio.sleep(2 * self.luck.uniform(0, self.slowest))
        if self.cut or not self.broker.up or self._closed:
            raise UnreachableError("the broker does not answer")
        self._number += 1
        self.connected = True
        self.broker.lines.append(self)
        self.on_open()

    def drop(self) -> None:
        """Lose the connection, and try to have it back."""
        if self.connected:
            self.connected = False
            self.broker.lines.remove(self)
            for answered in self._asked:
                self._answer(answered)
            self._on_connection(False)
            self._again = asyncio.create_task(self._reconnect())

    async def _reconnect(self) -> None:
        while not self.connected and not self._closed:
            await asyncio.sleep(RECONNECT_SECONDS)
            with suppress(UnreachableError):
                await self._connect()
                self._on_connection(True)

    async def append(self, entry: bytes) -> int:
        number = await self._arrive()
        sequence = self.broker.store(entry)
        await self._return(number)
        return sequence

    async def read(self, after: int) -> list[tuple[int, bytes]]:
        number = await self._arrive()
        entries = [(place, entry) for place, entry in enumerate(self.broker.entries, 1) if place > after]
        await self._return(number)
        return entries

    async def broadcast(self, data: bytes) -> None:
        with suppress(UnreachableError):
            await self._arrive()
            for line in self.broker.lines:
                if line is not self:
                    line.bring(line.receive_broadcast, data)

    async def send_view(self, machine: bytes, data: bytes) -> None:
        """Nobody follows by a page here."""

    async def close(self) -> None:
        self._closed = True
        if self.connected:
            self.connected = False
            self.broker.lines.remove(self)

    def bring(self, hear: Callable[..., None], *heard: object) -> None:
        """Let this machine hear something, after all that is on its way."""
        loop, number = asyncio.get_running_loop(), self._number
        self._down = max(self._down, loop.time()) + self.luck.uniform(0, self.slowest)
        loop.call_at(self._down, lambda: hear(*heard) if self.connected and self._number == number else None)

    async def _arrive(self) -> int:
        """Wait until a message is at the broker; return the number of the connection."""
        if not self.connected:
            raise UnreachableError("there is no connection")
        number, now = self._number, asyncio.get_running_loop().time()
        self._up = max(self._up, now) + self.luck.uniform(0, self.slowest)
        await asyncio.sleep(self._up - now)
        self._check(number)
        return number

    async def _return(self, number: int) -> None:
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[None] = loop.create_future()
        self._asked.add(answered)
        self.bring(self._answer, answered)
        try:
            await answered
        finally:
            self._asked.discard(answered)
        self._check(number)

    def _answer(self, answered: asyncio.Future[None]) -> None:
        if not answered.done():
            answered.set_result(None)

    def _check(self, number: int) -> None:
        if not self.connected or self._number != number:
            raise UnreachableError("the connection is lost")


class ScriptedPlayer:
    """A machine of one person, who acts at once."""

    def __init__(self, table: LosingTable, name: str) -> None:
        self.table = table
        self.name = name
        self.told: list[str] = []
        self._thinking = self._met = False
        self.running = False
        self.has: set[bytes] = set()
        """The entries in its file when it was killed."""

    async def open(self) -> None:
        table = self.table
        while True:
            log = SlowLog(table.broker, table.luck, table.slowest)
            with seeded(f"{table.folder.name} {self.name}"):
                file = RoomFile(KEYS.room, KEYS.code, "memory", table.folder / self.name)
            clock = asyncio.get_running_loop().time
            self.client = Client(KEYS, log, file, SeatRequest(name=self.name), clock)
            self.client.local._chain_length = MIN_KEYS  # a whole chain takes 26 ms
            self.log = log
            log.on_open = self._come_back
            self.client.notices.notify = self.told.append
            self.client.listeners.append(self._look)
            try:
                await self.client.open()
            except UnreachableError:
                await self.kill()
                await asyncio.sleep(RECONNECT_SECONDS)
            else:
                self.running = True
                return

    def _come_back(self) -> None:
        self.table.broker.lost -= {*self.client.file.entries()}

    async def kill(self) -> None:
        self.running = False
        self.has = {*self.client.file.entries()}
        self.client.listeners.clear()
        for task in (*self.client.sync.tasks,):
            task.cancel()
        await self.log.close()
        self.client.file.close()

    @property
    def known(self) -> set[bytes]:
        """The entries in its file."""
        return {*self.client.file.entries()} if self.running else self.has

    def _look(self) -> None:
        if self.client.barrier.over and not self._met:
            self.table.broker.excused |= bool(self.table.broker.lost)
        self._met = self.client.barrier.over
        self.think()

    def think(self) -> None:
        """Let the person here act after a while, which is never the same."""
        if not self._thinking:
            self._thinking = True
            asyncio.get_running_loop().call_later(self.table.luck.uniform(0, self.table.thinking), self._act)

    def _act(self) -> None:
        self._thinking = False
        client, view = self.client, self.client.view
        if not self.running or not client.connected:
            return
        if not view.playing:
            wants = len(client.room.matches) < self.table.wanted
            if wants and not {"sit", "start"} & {body["at"] for body in client.outbox}:
                if not view.mine or self.table.luck.random() < 0.1:  # to sit again says something new
                    client.sit(SeatRequest((Seat(self.name),), "420", patience=60))
                elif view.may_start and len(view.here) == len(self.table.players):
                    client.start()
            return
        match = client.room.match
        assert match
        seats = ClientMatch(client, match)
        if match.to_act is not None and match.state and seats.is_local(match.to_act) and not client.deciding:
            actions = match.state.actions
            client.act(min(actions, key=lambda action: len(action.dice) if isinstance(action, Roll) else 0))
        if view.may_be_left and client.local.index not in match.votes.get(frozenset(view.may_be_left), set()):
            client.carry_on_without(view.may_be_left)


class LosingTable:
    """Players at one table, whose broker loses what it has kept."""

    def __init__(self, folder: Path, luck: Random) -> None:
        self.folder = folder
        self.luck = luck
        self.slowest = luck.choice((0.002, 0.05, SLOWEST))
        self.thinking = luck.choice((0.0, 1.0, 5.0))
        """Greatest time for which a person thinks, in seconds."""
        self.broker = LosingBroker()
        self.players = [ScriptedPlayer(self, name) for name in NAMES[: luck.randint(2, 4)]]
        self.wanted = 0
        self.copies: list[list[bytes]] = [[]]
        """Older copies of the broker's disk."""
        self._openings: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        for player in self.players:
            await player.open()

    async def close(self) -> None:
        await asyncio.gather(*self._openings)
        for player in self.players:
            if player.running:
                await player.kill()

    def play_another(self) -> None:
        self.wanted += 1
        for player in self.players:
            player.think()

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait for a condition; return whether it came."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not condition() and loop.time() < end:
            await asyncio.sleep(0.05)
        return condition()

    async def lose(self, everybody_back: bool) -> None:
        """Let the broker crash and come back with less; machines are killed, cut off, or come back to another one.

        All are back within a moment of the broker if ``everybody_back``; else some stay away for long.
        """
        luck, away = self.luck, list[ScriptedPlayer]()
        cut = luck.sample(self.players, luck.randint(0, len(self.players) - 1))
        for player in cut:  # they do not see the last entries
            if luck.random() < 0.5:
                await player.kill()
            else:
                player.log.cut = True
                player.log.drop()
            await asyncio.sleep(luck.choice((0, 1, 30)) * luck.random())
        if luck.random() < 0.3:
            for player in self.players:  # all at once, with entries on their way
                if luck.random() < 0.3:
                    player.log.cut = True
                    player.log.drop()
        await asyncio.sleep(luck.choice((0, 2, 100)) * luck.random())  # the others may carry on without them
        self.broker.crash()
        if luck.random() < 0.3:
            await self._move()
        await asyncio.sleep(luck.uniform(0, 1))
        kept = self.broker.entries
        match luck.randrange(5):
            case 0:
                kept = []
            case 1:
                kept = luck.choice(self.copies)
            case 2:
                kept = kept[: max(0, len(kept) - luck.randint(1, 6))]
        self.broker.come_back(kept, {entry for player in self.players for entry in player.known})
        luck.shuffle(self.players)
        for player in self.players:
            if not everybody_back and luck.random() < 0.4:
                away.append(player)
            else:
                await self._bring_back(player)
        await asyncio.sleep(luck.uniform(0, 100 if away else 5))
        for player in away:
            await self._bring_back(player)
        await asyncio.gather(*self._openings)
        self.copies.append([*self.broker.entries])

    async def _move(self) -> None:
        """Have another broker, which all machines join with their files."""
        for player in self.players:
            if player.running:
                await player.kill()
        old, self.broker = self.broker, LosingBroker()
        self.broker.ever, self.broker.excused, self.broker.up = old.ever, old.excused, False

    async def _bring_back(self, player: ScriptedPlayer) -> None:
        player.log.cut = False
        if not player.running:
            self._openings.append(asyncio.create_task(player.open()))

    def settled(self) -> bool:
        """Whether all have played the wanted matches, and have stated the end of the last one.

        Who comes back to the end of an earlier one may be too late for that, where the next one starts at once.
        """
        clients = [player.client for player in self.players]
        return all(
            client.connected
            and not len(client.outbox)
            and len(client.room.matches) >= self.wanted
            and all(match.abandoned or len(match.ends) == len(match.participants) for match in client.room.matches[-1:])
            for client in clients
        )
