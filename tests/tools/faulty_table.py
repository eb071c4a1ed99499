"""A table of machines over a real broker, with people who play at luck, faults, and checks of what must hold.

The faults are those of a network, of processes, of disks, and of an insider: somebody who has the code of the room.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import tempfile
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial, wraps
from pathlib import Path
from random import Random
from typing import Any, Self

from loopback import LOOPBACK, free_port, opened_log
from msgspec.structs import replace
from nacl.secret import SecretBox
from nats.errors import Error as NatsError
from proxy import Proxy
from waiting import MAX_WAIT_SECONDS

from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Event, Leave, Roll
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, _canonical, _signed, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import SeatRequest, record_text
from fourtwenty.rooms.room import InvalidEntryError, Room, RoomMatch
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.broker import Broker
from fourtwenty.rooms.wire.client import Client, ClientMatch
from fourtwenty.rooms.wire.nats_accounts import SPEAKERS_ACCOUNT, Subjects, member_jwt
from fourtwenty.rooms.wire.nats_log import Connection, NatsLog, log_in, split_key
from fourtwenty.rooms.wire.notices import SPLIT_LOG
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError

ELSEWHERE = "127.0.0.2"
"""An address of this machine, on Linux, that the guard of a broker takes for another machine's."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


class BrokenTableError(AssertionError):
    """Something does not hold that must always hold at a table."""


class WatchedLog(NatsLog):
    """A log that notes what the broker has acknowledged."""

    def __init__(self, address: str, keys: RoomKeys, who: MachineKey, acknowledged: set[bytes]) -> None:
        super().__init__(address, keys, who)
        self._acknowledged = acknowledged

    async def append(self, entry: bytes) -> int:
        sequence = await super().append(entry)
        self._acknowledged.add(entry)
        return sequence


class FaultyMachine:
    """A machine behind a proxy, whose people choose any legal action at once."""

    def __init__(self, table: FaultyTable, name: str, players: tuple[Seat, ...], folder: Path, seed: int) -> None:
        self.table = table
        self.name = name
        self.players = players
        self.folder = folder
        self.luck = Random(seed)
        self.proxy = Proxy(table.broker.port)
        self.told: list[str] = []
        self.running = False
        self._opening = asyncio.Lock()
        self._shown: dict[str, list[Event]] = {}
        self._thinking = False

    async def open(self) -> None:
        """Open the room, and try again until the broker answers; nothing is done if another fault has opened it."""
        async with self._opening:
            await self._open()

    async def _open(self) -> None:
        while not self.running:
            self.proxy.port = self.table.broker.port  # it may have moved meanwhile
            file = RoomFile(self.table.keys.room, self.table.keys.code, self.proxy.address, self.folder)
            log = WatchedLog(self.proxy.address, self.table.keys, MachineKey(file.secret), self.table.acknowledged)
            self.client = Client(self.table.keys, log, file, SeatRequest(name=self.name))
            self.client.notices.notify = self.told.append
            self.client.listeners.append(self._look)
            try:
                await self.client.open()
            except (UnreachableError, RefusedError):
                self.client.listeners.clear()
                file.close()
                await asyncio.sleep(0.05)
            else:
                self.running = True
                self._look()

    async def __aenter__(self) -> Self:
        await self.proxy.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        if self.running:
            await self.kill()
        await self.proxy.__aexit__()

    async def kill(self) -> None:
        """End like a process that is killed: nothing more is said, and nothing is closed."""
        self.running = False
        self.client.listeners.clear()
        self.proxy.cut()
        for task in (*self.client.sync.tasks,):
            task.cancel()
        await self.client.log.close()
        self.client.file.close()

    @property
    def play(self) -> RoomMatch | None:
        return self.client.room.match

    def _look(self) -> None:
        """Compare what has happened with what everybody has seen, and let the people here go on soon."""
        for match in self.client.room.matches:
            self.table.compare(self.name, match, self._shown.setdefault(match.identifier, []))
        if not self._thinking:
            self._thinking = True
            asyncio.get_running_loop().call_soon(self._go_on)
        self.table.changed.set()

    def _go_on(self) -> None:
        self._thinking = False
        room = self.client.room
        if not self.running or not self.client.copy.synced:
            return
        if not room.playing:
            self._prepare(room)
            return
        assert room.match
        seats = ClientMatch(self.client, room.match)
        seat = room.match.to_act
        if seat is not None and seats.is_local(seat) and not self.client.deciding:
            self.client.act(self._choose(room.match))
        gone = frozenset(index for index, each in enumerate(room.match.participants) if each.author in self.table.gone)
        left, mine = gone & {*room.match.remaining}, self.client.local.index
        if not left.isdisjoint(room.match.awaited_machines) and mine in room.match.voters(left) - room.match.votes.get(
            left, set()
        ):
            self.client.carry_on_without(left)

    def _prepare(self, room: Room) -> None:
        """Sit down for the next match, and start it once all are there."""
        if len(room.matches) >= self.table.wanted:
            return
        mine, authors = self.client.machine.public, self.table.authors
        waiting = [body["at"] for body in self.client.outbox]
        if mine not in room.participants:
            if "sit" not in waiting:
                self.client.sit(SeatRequest(self.players, self.table.game))
        elif (
            self.client.view.starter
            and self.client.view.starter.author == mine
            and room.participants.keys() >= authors
            and "start" not in waiting
        ):
            self.client.start()

    def _choose(self, match: RoomMatch) -> Action:
        assert match.state
        actions = match.state.actions
        if self.luck.random() < 0.3:
            return self.luck.choice(actions)
        return min(actions, key=lambda action: len(action.dice) if isinstance(action, Roll) else 0)


class FaultyTable:
    """Machines at one room; checks raise BrokenTableError, or add to ``broken`` where nobody could catch it."""

    def __init__(
        self, folder: Path, seed: int, game: str | None = None, machines: int | None = None, hurried: bool = False
    ) -> None:
        self.luck = Random(seed)
        self.stalls = (0.1,) if hurried else (0.2, 1, 6, 11)
        """Seconds for which something stands still; nobody waits for an answer as long as the last two."""
        self.folder = folder
        self.game = game or self.luck.choice([*GAMES])
        # Scrypt takes a tenth of a second, and any keys will do.
        self.keys = RoomKeys.from_root("K7QF-3XMP", self.luck.randbytes(16))
        self.home = folder / "broker"
        """The folder of the broker."""
        self.broker = Broker(self.home, self.keys, LOOPBACK, free_port(), free_port())
        self.machines: list[FaultyMachine] = []
        for name in NAMES[: machines or self.luck.randint(2, 5)]:
            players = [Seat(name, self.luck.choice([None, None, "Steady"]))]
            if self.luck.random() < 0.2:
                players.append(Seat(f"{name}'s friend", self.luck.choice([None, "Bold"])))
            self.machines.append(FaultyMachine(self, name, tuple(players), folder / name, self.luck.randrange(2**32)))
        self.changed = asyncio.Event()
        self.lock = asyncio.Lock()
        """Held by the fault that has to do with the broker's process."""
        self.wanted = 0
        """The number of matches that the people want to play so far."""
        self.gone: set[bytes] = set()
        """The machines that are away for good, by public key."""
        self.acknowledged: set[bytes] = set()
        """The entries that the broker has acknowledged."""
        self.broken: list[str] = []
        self._events: dict[str, list[Event]] = {}

    async def __aenter__(self) -> FaultyTable:
        asyncio.get_running_loop().set_exception_handler(self._note_exception)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(lambda: self.broker.stop())  # it may be another one by then
            await self.broker.start()
            for machine in self.machines:
                await stack.enter_async_context(machine)
                await machine.open()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    def _note_exception(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        where = "".join(traceback.format_exception(error)[-3:]) if error else ""
        self.broken.append(f"{context['message']} {where}")
        self.changed.set()

    @property
    def authors(self) -> set[bytes]:
        """The machines that play, by public key."""
        return {machine.client.machine.public for machine in self.machines} - self.gone

    @property
    def counted(self) -> int:
        """The number of entries that count, as far as any machine knows."""
        return max(len(machine.client.room.counted) for machine in self.machines)

    def compare(self, name: str, match: RoomMatch, shown: list[Event]) -> None:
        """Note it as broken when a machine sees other events of a match than it or another one has seen."""
        story = self._events.setdefault(match.identifier, [])
        both = min(len(story), len(match.events))
        start = min(len(shown), both)
        if match.events[start:both] != story[start:both] or len(match.events) < len(shown):
            self.broken.append(f"{name} sees another match than the others at event {start}")
        story += match.events[len(story) :]
        shown += match.events[len(shown) :]

    async def until(self, condition: Callable[[], object], seconds: float) -> bool:
        """Wait for a condition of the machines; return whether it came in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not condition():
                    self.changed.clear()
                    await self.changed.wait()
                return True
        return bool(condition())

    def play_another(self) -> None:
        self.wanted += 1
        for machine in self.machines:
            if machine.running:
                machine._look()

    async def play_one(self) -> None:
        """Let the people play one more match to its end."""
        self.play_another()
        assert await self.until(self.settled, MAX_WAIT_SECONDS)

    async def poison(self, headers: bytes) -> None:
        """Let somebody who has the code, and no seat, send an empty message with these headers to the log."""
        eve = MachineKey(self.luck.randbytes(32))
        async with member(self.broker.address, self.keys, eve) as (client, subjects):
            await publish_raw(client, subjects.own.encode(), headers)
            await client.flush()

    # -- checks ------------------------------------------------------------------------------------------------

    def settled(self) -> bool:
        """Whether all machines have finished the wanted matches and know all that the others know."""
        rooms = [machine.client.room for machine in self.machines]
        return (
            all(machine.client.connected and not len(machine.client.outbox) for machine in self.machines)
            and all(len(room.matches) >= self.wanted and not room.playing for room in rooms)
            and len({(room.head, len(room.counted)) for room in rooms}) == 1
            and all(
                match.abandoned or len(match.ends) == len(match.participants)
                for room in rooms
                for match in room.matches
            )
        )

    async def read_log(self) -> tuple[Room, list[bytes], list[int]]:
        """Return the room for somebody who reads the log now, all that is kept, and where it does not count."""
        async with opened_log(NatsLog(self.broker.address, self.keys, MachineKey(self.luck.randbytes(32)))) as log:
            entries = await log.read(0)
        room, void = Room(self.keys.table), []
        for sequence, data in entries:
            try:
                if not (entry := decrypt_entry(self.keys, data)):
                    raise InvalidEntryError("It is no entry.")
                room.feed(entry)
            except InvalidEntryError:
                void.append(sequence)
        return room, [data for _, data in entries], void

    async def check(self) -> None:
        """Raise BrokenTableError unless all machines have one log and equal records, with nothing lost or doubled."""
        late, kept, _ = await self.read_log()
        rooms = {machine.name: machine.client.room for machine in self.machines} | {"late": late}
        for name, room in rooms.items():
            if room.heads != late.heads or room.counted != late.counted:
                self.broken.append(f"{name} has {room.head} where the broker has {late.head}")
        for number, match in enumerate(late.matches):
            if match.abandoned:
                continue
            texts = {record_text(room.matches[number]) for room in rooms.values() if len(room.matches) > number}
            if len(texts) != 1:
                self.broken.append(f"the records of match {number} differ")
            verify_record(read_record(texts.pop()))
            if len({*match.ends.values()}) != 1:
                self.broken.append(f"the machines state different ends of match {number}")
        for machine in self.machines:  # all have met again, and none has a different log
            if accused := [sentence for sentence in machine.told if SPLIT_LOG in sentence]:
                self.broken.append(f"{machine.name} was told: {accused[0]}")
        files = {machine.name: {*machine.client.file.entries()} for machine in self.machines} | {"broker": {*kept}}
        counted = {digest for room in rooms.values() for digest in room.counted}
        void = {data for data in self.acknowledged if (e := decrypt_entry(self.keys, data)) and e.digest not in counted}
        for name, entries in files.items():  # those that never counted need not be uploaded again
            if lost := len(self.acknowledged - void - entries):
                self.broken.append(f"{name} lacks {lost} entries that were acknowledged")
        if self.broken:
            raise BrokenTableError("; ".join(self.broken[:6]))

    def describe(self) -> str:
        """Return the state of all machines, for those who look for the reason of a failure."""
        lines = []
        for machine in self.machines:
            client, match = machine.client, machine.client.room.match
            lines.append(
                f"{machine.name}: running {machine.running}, log {client.log.connected}, "
                f"synced {client.copy.synced}, head {client.room.head}, "
                f"outbox {[body['at'] for body in client.outbox]}, "
                f"matches {len(client.room.matches)} of {self.wanted}, participants {len(client.room.participants)}, "
                f"events {len(match.events) if match else 0}, owing {match.awaited_machines if match else ()}, "
                f"ends {len(match.ends) if match else 0}, astray {client.copy.diverged}, "
                f"meeting {client.barrier.over}, told {machine.told[-3:]}"
            )
        return "\n".join(lines)

    # -- the broker --------------------------------------------------------------------------------------------

    def signal_broker(self, number: int) -> None:
        """Send a signal to the broker and the process that watches over it: they are a group of their own."""
        assert self.broker._process
        os.killpg(self.broker._process.pid, number)

    async def kill_broker(self) -> None:
        self.signal_broker(signal.SIGKILL)
        assert self.broker._process
        await asyncio.to_thread(self.broker._process.wait)

    async def start_broker(self) -> None:
        """Start the broker again, and wait a moment for the machines, so that nobody else is faster."""
        await self.broker.start()
        for machine in self.machines:
            machine.proxy.port = self.broker.port
        await self.until(lambda: all(each.client.connected for each in self.machines if each.running), 20)

    @property
    def store(self) -> Path:
        return self.home / "store"


Fault = Callable[[FaultyTable], Awaitable[None]]


def alone(fault: Fault) -> Fault:
    """Let a fault wait until another one is over that has to do with the broker's process, or with who leaves."""

    @wraps(fault)
    async def one_by_one(table: FaultyTable) -> None:
        async with table.lock:
            await fault(table)

    return one_by_one


# -- faults --------------------------------------------------------------------------------------------------------


@alone
async def broker_killed(table: FaultyTable) -> None:
    """The broker is killed, and is back a moment later."""
    await table.kill_broker()
    await asyncio.sleep(table.luck.uniform(0, 0.5))
    await table.start_broker()


@alone
async def broker_stopped(table: FaultyTable) -> None:
    """The broker stands still, sometimes for longer than anybody waits for an answer."""
    table.signal_broker(signal.SIGSTOP)
    await asyncio.sleep(table.luck.choice(table.stalls))
    table.signal_broker(signal.SIGCONT)


@alone
async def store_gone(table: FaultyTable) -> None:
    """The broker comes back without its disk."""
    await table.kill_broker()
    shutil.rmtree(table.store)
    await table.start_broker()


@alone
async def store_older(table: FaultyTable) -> None:
    """The broker comes back with an older copy of its disk."""
    await table.kill_broker()
    copy = table.folder / "copy"
    shutil.copytree(table.store, copy)
    await table.start_broker()
    await grown(table, table.luck.randint(1, 40))
    await table.kill_broker()
    shutil.rmtree(table.store)
    copy.rename(table.store)
    await table.start_broker()


@alone
async def store_torn(table: FaultyTable) -> None:
    """The broker comes back with a disk that lacks the end of its log."""
    await table.kill_broker()
    for block in table.store.rglob("*.blk"):
        os.truncate(block, max(0, block.stat().st_size - table.luck.randint(1, 3000)))
    await table.start_broker()


@alone
async def moved(table: FaultyTable) -> None:
    """Another machine opens the table again with an empty broker, and all join it there."""
    machines = []
    for machine in table.machines:
        if machine.running:  # another fault may open it just now
            await machine.kill()
            machines.append(machine)
    await table.broker.stop()
    table.home = table.folder / f"broker {table.broker.port}"
    table.broker = Broker(table.home, table.keys, LOOPBACK, free_port(), free_port())
    await table.broker.start()
    table.luck.shuffle(machines)
    await asyncio.gather(*(machine.open() for machine in machines))


async def machine_killed(table: FaultyTable) -> None:
    """A machine is killed, and its people are back."""
    machine = any_machine(table)
    if machine.running:
        await machine.kill()
        await asyncio.sleep(table.luck.uniform(0, 0.3))
        await machine.open()


async def cut(table: FaultyTable) -> None:
    """Connections are cut, again and again."""
    for _ in range(table.luck.randint(1, 6)):
        any_machine(table).proxy.cut()
        await asyncio.sleep(table.luck.uniform(0, 0.3))


async def half_open(table: FaultyTable) -> None:
    """A connection passes nothing on, and looks well; then it goes on, or it is cut."""
    machine = any_machine(table)
    machine.proxy.stall()
    await asyncio.sleep(table.luck.choice(table.stalls))
    if table.luck.random() < 0.5:
        machine.proxy.cut()
    machine.proxy.flow()


async def slow(table: FaultyTable) -> None:
    """The network takes its time, never the same."""
    for machine in table.machines:
        most = table.luck.uniform(0, 0.04)
        machine.proxy.delay = partial(table.luck.uniform, 0, most)
    await grown(table, 20)
    for machine in table.machines:
        machine.proxy.delay = lambda: 0.0


async def second_holder(table: FaultyTable) -> None:
    """Somebody plays with a copy of a machine's file, at the same time as that machine."""
    machine = any_machine(table)
    folder = Path(tempfile.mkdtemp(dir=table.folder))
    shutil.copytree(machine.folder, folder, dirs_exist_ok=True)
    twin = FaultyMachine(table, machine.name, machine.players, folder, table.luck.randrange(2**32))
    async with twin:
        await twin.open()
        if twin.client.machine.public != machine.client.machine.public:
            table.broken.append("the copy of a file has another key")
        await grown(table, 40)


@alone
async def gone(table: FaultyTable) -> None:
    """Machines are away together until the others have carried on without them, and come back to see the rest."""
    if len(table.machines) < 3:
        return
    await table.until(lambda: table.machines[0].client.room.playing, 5)
    other, *leaving = table.luck.sample(table.machines, table.luck.randint(2, len(table.machines)))
    leaving = [machine for machine in leaving if machine.running]
    table.gone = {machine.client.machine.public for machine in leaving}
    await asyncio.gather(*(machine.kill() for machine in leaving))
    for each in table.machines:
        if each.running:
            each._look()

    def left() -> bool:
        match = other.play
        away = (match.machine_index(public) for public in table.gone) if match else ()
        return match is None or match.over or not {*away} & {*match.remaining}

    await table.until(left, 30)
    table.gone.clear()
    for machine in leaving:
        await machine.open()


@alone
async def departed(table: FaultyTable) -> None:
    """The people of a machine leave the match."""
    machine = any_machine(table)
    match = machine.play
    if len(table.machines) > 2 and match and not match.over and machine.client.local.index in match.remaining:
        machine.client.leave()


@alone
async def insider(table: FaultyTable) -> None:
    """Somebody with the code sends everything but what is allowed."""
    await Insider(table).attack(table.luck.choice([20, 60, 400]))


@alone
async def cleared(table: FaultyTable) -> None:
    """The broker throws away what does not count, as that of a host does."""
    _, _, void = await table.read_log()
    await table.broker.throw_away(void)


FAULTS: tuple[Fault, ...] = (
    broker_killed,
    broker_stopped,
    store_gone,
    store_older,
    store_torn,
    moved,
    machine_killed,
    cut,
    half_open,
    slow,
    second_holder,
    gone,
    departed,
    insider,
    cleared,
)


def any_machine(table: FaultyTable) -> FaultyMachine:
    """Return a machine that runs, if there is one now."""
    return table.luck.choice([machine for machine in table.machines if machine.running] or table.machines)


async def grown(table: FaultyTable, entries: int, seconds: float = 3) -> None:
    """Wait until the log has grown by so many entries, or cannot grow now."""
    before = table.counted
    await table.until(lambda: table.counted >= before + entries, seconds)


class Insider:
    """Somebody who has the code, hears everything, and sends what must count as nothing."""

    def __init__(self, table: FaultyTable) -> None:
        self.table = table
        self.luck = table.luck
        self.key = MachineKey(self.luck.randbytes(32))
        self.heard: list[bytes] = []
        self.kinds = (self.again, self.sealed_again, self.changed, self.forged, self.foreign, self.giant, self.cheat)

    async def attack(self, count: int) -> None:
        """Send so many things as fast as the broker takes them."""
        # The broker may be gone, and it throws out who sends too much.
        with suppress(NatsError, OSError, TimeoutError):
            async with member(self.table.broker.address, self.table.keys, self.key) as (client, subjects):

                async def hear(message: Any) -> None:
                    self.heard.append(message.data)

                await client.subscribe(f"{subjects.live}.*", cb=hear)
                await client.subscribe(f"{subjects.here}.*", cb=hear)
                for _ in range(count):
                    data = self.luck.choice(self.kinds)()
                    subject, headers = (
                        (subjects.broadcasts, BROADCAST_BYTES) if self.luck.random() < 0.2 else (subjects.own, b"")
                    )
                    if self.luck.random() < 0.3:
                        headers, data = foreign_headers(self.luck), self.luck.choice([b"", data])
                    await publish_raw(client, subject.encode(), headers, data)
                    if self.luck.random() < 0.1:
                        await client.flush()
                await client.flush()

    def old(self) -> bytes:
        """An entry or a broadcast that this machine has heard, or that an honest machine has stored."""
        if self.heard and self.luck.random() < 0.7:
            return self.luck.choice(self.heard)
        machine = any_machine(self.table)
        return self.luck.choice([*machine.client.file.entries()] or [b""])

    def again(self) -> bytes:
        """A replay: an entry in the same bytes."""
        return self.old()

    def sealed_again(self) -> bytes:
        """A replay: a signed entry in other bytes."""
        box = SecretBox(self.table.keys.entry_key)
        try:
            return bytes(box.encrypt(box.decrypt(self.old()), self.luck.randbytes(SecretBox.NONCE_SIZE)))
        except Exception:  # it was no entry
            return b"nothing"

    def changed(self) -> bytes:
        """An entry that this machine has signed, with the fields of an honest one, some of them changed."""
        entry = decrypt_entry(self.table.keys, self.old())
        body = dict(entry.body) if entry else {}
        for _ in range(self.luck.randint(1, 3)):
            field = self.luck.choice([*body, "at", "number", "head", "event", "step", "key", "machines", "once"])
            body[field] = self.luck.choice([None, -1, 2**53, "", "0" * 64, [], [0], {}, True, "act", "open", "end"])
        return self.signed(self.key, body)

    def forged(self) -> bytes:
        """An entry in the name of a machine, which has not signed it."""
        victim = any_machine(self.table).client.machine.public
        body = self.headed({"at": "leave", "match": self.match()})
        written = _canonical(body)
        plain = victim + self.key.sign(_signed(self.table.keys, victim, written)) + written
        return bytes(SecretBox(self.table.keys.entry_key).encrypt(plain, self.luck.randbytes(SecretBox.NONCE_SIZE)))

    def foreign(self) -> bytes:
        """An entry of an honest machine for another room, encrypted for this room."""
        machine = any_machine(self.table).client
        other = replace(self.table.keys, room="0" * 16)
        return encrypt_entry(other, machine.machine, self.headed({"at": "leave", "match": self.match()}))

    def giant(self) -> bytes:
        """Bytes, more than an entry may have or just so many, but no more than the broker reads."""
        return self.luck.randbytes(self.luck.choice([0, 1, 4096, 4097]))

    def cheat(self) -> bytes:
        """An entry of a seated machine that the rules forbid."""
        client = any_machine(self.table).client
        match = client.room.match
        if match is None:
            return b""
        at = {"match": match.identifier}
        wrong: list[dict[str, Any]] = [
            at | {"at": "act", "event": len(match.events), "roll": [1, 1]},
            at | {"at": "act", "event": len(match.events), "roll": [9]},
            at | {"at": "act", "event": len(match.events) + 1, "stand": True},
            at | {"at": "act", "event": max(0, len(match.events) - 1), "roll": [1, 2, 3, 4]},
            at | {"at": "end", "record": "00" * 31},  # 32 would count where the match ends before it arrives
            at | {"at": "without", "moment": [0, 0], "machines": [0]},
            {"at": "leave", "match": "0" * 32},
            {"at": "start", "sits": []},
        ]
        if match.pending:
            step, act = len(match.dice.steps), match.pending.digest.hex()
            wrong.append(at | {"at": "open", "step": step, "act": act, "key": self.luck.randbytes(32).hex()})
            wrong.append(at | {"at": "open", "step": step + 1, "act": act, "key": "00" * 32})
        return self.signed(client.machine, self.headed(self.luck.choice(wrong)))

    def match(self) -> str:
        match = any_machine(self.table).play
        return match.identifier if match else "0" * 32

    def headed(self, body: dict[str, Any]) -> dict[str, Any]:
        number, head = any_machine(self.table).client.room.head
        return {"number": number, "head": head, "once": self.luck.randrange(2**32)} | body

    def signed(self, key: MachineKey, body: dict[str, Any]) -> bytes:
        try:
            return encrypt_entry(self.table.keys, key, json.loads(json.dumps(body)))
        except ValueError:
            return b"too deep, or too long"


async def ignore(_: Exception) -> None:
    """Take no notice of an error."""


@asynccontextmanager
async def member(
    address: str,
    keys: RoomKeys,
    machine: MachineKey,
    error_cb: Callable[[Exception], Awaitable[None]] = ignore,
    closed_cb: Callable[[], Awaitable[None]] | None = None,
    account: str = SPEAKERS_ACCOUNT,
) -> AsyncIterator[tuple[Connection, Subjects]]:
    """Log in as somebody who has the code does; yield the client of nats-py and the subjects of the machine."""
    client, subjects = Connection(), Subjects(keys.room, machine.nkey)
    url, hub_key = split_key(address)
    jwt = member_jwt(hub_key or MachineKey(keys.login), machine, account)
    heard = {"error_cb": error_cb, "closed_cb": closed_cb}
    try:
        await log_in(client, [url], machine, jwt, subjects.inbox, **heard)
        yield client, subjects
    finally:
        with suppress(NatsError, OSError):
            await client.close()


HEADER_NAMES = (
    b"Status",
    b"Description",
    b"Nats-Sequence",
    b"Nats-Last-Sequence",
    b"Nats-Num-Pending",
    b"Nats-Subject",
    b"Nats-Stream",
    b"Nats-Rollup",
    b"Nats-TTL",
)
HEADER_VALUES = (
    b"",
    b"0",
    b"1",
    b"204",
    b"404",
    b"500",
    b"503",
    b"-1",
    b"9" * 30,
    b"abc",
    b"all",
    "²".encode(),
)


BROADCAST_BYTES = b"NATS/1.0\r\nHint: 1\r\n\r\n"
"""``BROADCAST_HEADERS`` as it goes over the wire."""


def foreign_headers(luck: Random) -> bytes:
    """Return headers as another program or the broker itself might write them, which every client of NATS can read."""
    status = luck.choice((b"", b"", b" 100", b" 204 EOB", b" 404", b" 500"))
    lines = [b"NATS/1.0" + status]
    for _ in range(luck.randint(0, 4)):
        lines.append(luck.choice(HEADER_NAMES) + luck.choice((b": ", b":")) + luck.choice(HEADER_VALUES))
    return b"".join(line + b"\r\n" for line in lines) + b"\r\n"


async def publish_raw(
    client: Connection, subject: bytes, headers: bytes, data: bytes = b"", reply: bytes = b""
) -> None:
    """Publish bytes as headers, and a subject for an answer: a message that nats-py itself would not send."""
    subject += b" " + reply
    sizes = b"%d %d" % (len(headers), len(headers) + len(data)) if headers else b"%d" % len(data)
    await client._send_command(b"%s %s %s\r\n" % (b"HPUB" if headers else b"PUB", subject, sizes))
    await client._send_command(headers + data + b"\r\n")
    await client._flush_pending()


async def play_with(
    folder: Path,
    seed: int,
    faults: list[Fault] | None = None,
    game: str | None = None,
    machines: int | None = None,
    hurried: bool = False,
    seconds: float = MAX_WAIT_SECONDS,
) -> str:
    """Play matches at a table while faults come, and one after them; return what it was. Raises BrokenTableError."""
    async with FaultyTable(folder, seed, game, machines, hurried) as table:
        luck = Random(f"faults of {seed}")
        chosen = faults or [luck.choice(FAULTS) for _ in range(luck.randint(2, 6))]
        names = ", ".join(fault.__name__ for fault in chosen)
        story = f"{table.game}, {len(table.machines)} machines: {names}"

        async def nemesis() -> None:
            waiting = [*chosen]
            while waiting:
                await grown(table, luck.randint(1, 30))
                together = [waiting.pop() for _ in range(min(len(waiting), luck.choice((1, 1, 2, 3))))]
                await asyncio.gather(*(fault(table) for fault in together))

        faulty = asyncio.create_task(nemesis())

        async def finish(limit: float) -> None:
            if not await table.until(lambda: table.broken or table.settled(), limit):
                raise BrokenTableError("it does not end")
            if table.broken:
                raise BrokenTableError("; ".join(table.broken[:6]))

        try:
            table.play_another()
            async with asyncio.timeout(5 * seconds):
                while not faulty.done():
                    everybody = [machine.client.room for machine in table.machines]
                    if all(len(room.matches) >= table.wanted and not room.playing for room in everybody):
                        table.play_another()
                    await asyncio.wait({faulty}, timeout=0.05)
                await faulty
            await finish(seconds)
            if not hurried:
                table.play_another()
                await finish(seconds)
            await table.check()
        except (BrokenTableError, TimeoutError) as error:
            raise BrokenTableError(f"{story}: {str(error) or 'the faults do not end'}\n{table.describe()}") from None
        finally:
            faulty.cancel()
        left = sum(event.action == Leave() for match in table.machines[0].client.room.matches for event in match.events)
        return f"{story}; {table.wanted} matches, {table.counted} entries, {left} left"
