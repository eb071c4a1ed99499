"""Rooms over a real broker, by hand: ``PYTHONPATH=tests/tools python tests/benchmarks/rooms.py COMMAND``.

``latency`` and ``outage`` time rolls of two machines, ``spectator`` one who comes late; ``campaign`` plays with the
faults of faulty_table.py, ``fuzz`` feeds changed entries to the fold, ``crowd`` fills one broker with rooms, and
``cluster`` kills a node of three. Every command prints the load of the machine. Linux only.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import tracemalloc
from argparse import ArgumentParser, Namespace
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from faulty_table import FAULTS, member, play_with, publish_raw
from loopback import LOOPBACK, free_port
from machines import TestMachine, seated
from msgspec.structs import replace
from proxy import Proxy
from waiting import MAX_WAIT_SECONDS

from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms import local_machine
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, encrypt_entry, fresh_code
from fourtwenty.rooms.local_machine import Chain, SeatRequest, record_text
from fourtwenty.rooms.room import InvalidEntryError, LogEntry, RoomMatch
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire import client as client_module
from fourtwenty.rooms.wire.broker import Broker, find_server
from fourtwenty.rooms.wire.client import Client, ClientMatch
from fourtwenty.rooms.wire.nats_log import BROADCAST_HEADERS, MAX_ENTRIES, NatsLog, stream_configuration
from fourtwenty.rooms.wire.room_log import OnBroadcast, OnConnection, OnEntry

THINKING = 0.02
"""Seconds between two rolls of a person."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")


def load() -> str:
    one, five, _ = os.getloadavg()
    return f"load {one:.1f} in the last minute, {five:.1f} in five, on {os.cpu_count()} cores"


def centiles(times: Sequence[float], unit: str = "ms") -> str:
    """Return the median, the 99th of 100 parts and the greatest of some times."""
    ordered = sorted(times)
    if not ordered:  # the match was over before this machine rolled
        return "n 0"
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"n {len(ordered)}, p50 {median(ordered):.2f} {unit}, p99 {last:.2f} {unit}, most {ordered[-1]:.2f} {unit}"


class Person:
    """A machine with one person, who rolls as few dice as the rules allow after a moment of thinking."""

    def __init__(self, address: str, code: str, name: str, folder: Path, thinking: float = THINKING) -> None:
        keys = RoomKeys.from_code(code)
        self.name = name
        self.thinking = thinking
        file = RoomFile(keys.room, code, address, folder)
        self.client = Client(keys, NatsLog(address, keys, MachineKey(file.secret)), file, SeatRequest(name=name))
        self.client.notices.notify = lambda sentence: print(f"{name} is told: {sentence}", file=sys.stderr)
        self.client.listeners.append(self._look)
        self.presses: list[float] = []
        """Milliseconds from each press of a key here to its faces, as its screen shows them."""
        self.faces: list[float] = []
        """When faces fell here, by the clock of this machine."""
        self._changed = asyncio.Event()
        self._seen = 0
        self._pressed = 0.0

    def _look(self) -> None:
        match, now = self.client.room.match, time.monotonic()
        event = match.events[-1] if match and len(match.events) > self._seen else None
        if event and event.faces:
            self.faces.append(now)
        shown = event or (match and ClientMatch(self.client, match).predicted)
        if shown:
            if self._pressed and shown.faces:
                self.presses.append((now - self._pressed) * 1e3)
            self._pressed = 0.0
        self._seen = len(match.events) if match else 0
        self._changed.set()

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(5 * MAX_WAIT_SECONDS):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def play(self, machines: int, matches: int, game: str) -> RoomMatch:
        """Play so many matches with the other machines; the first that sits down starts each. Return the last."""
        room = self.client.room
        while len(room.matches) < matches:
            await self._sit_down(machines, game)
            match = room.matches[-1]
            while not match.over:
                await self._roll(match)
            await self.until(partial(_all_stated, match))
        return room.matches[-1]

    async def _sit_down(self, machines: int, game: str) -> None:
        room, number = self.client.room, len(self.client.room.matches)
        self.client.sit(SeatRequest((Seat(self.name),), game))
        await self.until(lambda: len(room.matches) > number or len(room.participants) == machines)
        if self.client.view.starter and self.client.view.starter.author == self.client.machine.public:
            self.client.start()
        await self.until(lambda: len(room.matches) > number)

    async def _roll(self, match: RoomMatch) -> None:
        """Wait for the turn of this person, and roll; or for the end of the match."""
        seats = ClientMatch(self.client, match)

        def mine() -> bool:
            here = match.to_act is not None and seats.is_local(match.to_act)
            return here and self.client.connected and not self.client.deciding

        await self.until(lambda: match.over or mine())
        if not match.over:
            await asyncio.sleep(self.thinking)
        if mine() and not match.over and match.state:
            self._pressed = time.monotonic()
            self.client.act(match.state.actions[0])


def _all_stated(match: RoomMatch) -> bool:
    return len(match.ends) == len(match.participants)


def in_processes(work: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Start a process for each arguments of an async function; return them, with the pipes of their results."""
    context = multiprocessing.get_context("spawn")
    started = []
    for each in arguments:
        ours, theirs = context.Pipe()
        process = context.Process(target=_run, args=(theirs, work, each), daemon=True)
        process.start()
        started.append((process, ours))
    return started


def _run(pipe: Any, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        pipe.send(asyncio.run(work(*arguments)))
    except BaseException:
        traceback.print_exc()
        pipe.send(None)


async def results(started: Sequence[Any]) -> list[Any]:
    """Wait for the results of processes. Raises RuntimeError when one has failed."""
    found = [await asyncio.to_thread(pipe.recv) for _, pipe in started]
    for process, _ in started:
        process.join()
    if None in found:
        raise RuntimeError("a process has failed")
    return found


async def person_at_play(
    address: str, code: str, name: str, machines: int, matches: int, game: str, folder: str
) -> dict[str, Any]:
    person = Person(address, code, name, Path(folder))
    await person.client.open()
    match = await person.play(machines, matches, game)
    head, stored = person.client.room.head, len([*person.client.file.entries()])
    await person.client.close()
    return {
        "name": name,
        "presses": person.presses,
        "faces": person.faces,
        "head": head,
        "counted": len(person.client.room.counted),
        "stored": stored,
        "refused": person.client.refusals,
        "record": record_text(match),
    }


# -- latency and spectators ----------------------------------------------------------------------------------------


async def latency(options: Namespace) -> None:
    """Time own key presses to faces, of two machines in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        code = fresh_code()
        broker = Broker(Path(folder, "broker"), RoomKeys.from_code(code), LOOPBACK, free_port(), 0)
        await broker.start()
        async with AsyncExitStack() as stack:
            # The first is the host's own program.
            addresses = [broker.local_address, *[broker.address] * (options.machines - 1)]
            for number in range(options.machines if options.hop else 0):
                proxy = Proxy(broker.port, delay=lambda: options.hop / 1e3)
                await stack.enter_async_context(proxy)
                addresses[number] = proxy.address
            names = NAMES[: options.machines]
            started = in_processes(
                person_at_play,
                [
                    (address, code, name, options.machines, options.matches, options.game, str(Path(folder, name)))
                    for address, name in zip(addresses, names, strict=True)
                ],
            )
            flood = in_processes(send_beats, [(broker.address, code, options.beats)] if options.beats else [])
            sources = [f"127.0.0.{2 + number}" for number in range(options.addresses if options.entries else 0)]
            flood += in_processes(send_entries, [(broker.port, code, options.entries, source) for source in sources])
            found = await results(started)
            for process, _ in flood:
                process.terminate()
        await broker.stop()
    for each in found:
        print(f"{each['name']}: {centiles(each['presses'])}")
    presses = [press for each in found for press in each["presses"]]
    flooded = f"{options.beats} beats and {options.addresses} x {options.entries} entries a second of an insider"
    print(f"all, {options.hop} ms a hop, {flooded}: {centiles(presses)}")
    print(f"same records: {len({each['record'] for each in found}) == 1}; {load()}")


async def send_beats(address: str, code: str, beats: int) -> None:
    """Be somebody with the code who sends so many heartbeats a second, each a new one, until the process is ended."""
    keys, machine = RoomKeys.from_code(code), MachineKey(bytes(32))
    async with member(address, keys, machine) as (client, subjects):
        for number in itertools.count():
            data = encrypt_entry(keys, machine, {"at": "here", "counted": 0, "name": "Eve", "once": number})
            await client.publish(subjects.broadcasts, data, headers=BROADCAST_HEADERS)
            if number % 20 == 0:
                await asyncio.sleep(20 / beats)


async def send_entries(port: int, code: str, entries: int, source: str) -> None:
    """Be somebody with the code, at another address, who has so many entries kept a second that count as nothing."""
    keys = RoomKeys.from_code(code)
    async with Proxy(port, source=source) as proxy, AsyncExitStack() as stack:
        for number in itertools.count():
            if number % MAX_ENTRIES == 0:  # a machine that they make up
                machine = MachineKey(sha256(f"{source} {number}".encode()).digest())
                client, subjects = await stack.enter_async_context(member(proxy.address, keys, machine))
            data = encrypt_entry(keys, machine, {"at": "nothing", "once": number})
            await publish_raw(client, subjects.own.encode(), b"", data)
            if number % 20 == 0:
                await asyncio.sleep(20 / entries)


async def spectator(options: Namespace) -> None:
    """Time a spectator who joins after matches of 421, of four machines and of twelve."""
    for machines in (4, 12):
        with tempfile.TemporaryDirectory() as folder:
            code = fresh_code()
            keys = RoomKeys.from_code(code)
            broker = Broker(Path(folder, "broker"), keys, LOOPBACK, free_port(), 0)
            await broker.start()
            crowd = [Person(broker.address, code, name, Path(folder, name), 0.0) for name in NAMES[:machines]]
            for person in crowd:
                await person.client.open()
            await asyncio.gather(*(person.play(machines, options.matches, "421") for person in crowd))
            times = []
            for number in range(options.times):
                file = RoomFile(keys.room, code, broker.address, Path(folder, f"late {number}"))
                late = Client(
                    keys, NatsLog(broker.address, keys, MachineKey(file.secret)), file, SeatRequest(name="late")
                )
                start = time.perf_counter()
                await late.open()
                times.append(time.perf_counter() - start)
                if late.room.head != crowd[0].client.room.head:
                    raise RuntimeError("the spectator has not seen everything")
                await late.close()
            entries = len(crowd[0].client.room.counted)
            events = sum(len(match.events) for match in crowd[0].client.room.matches)
            for person in crowd:
                await person.client.close()
            await broker.stop()
        print(f"{machines} machines, {events} events, {entries} entries: {centiles(times, 's')}; {load()}")


async def outage(options: Namespace) -> None:
    """Kill the broker for a second in the middle of matches; time the first faces after its return."""
    with tempfile.TemporaryDirectory() as folder:
        code = fresh_code()
        broker = Broker(Path(folder, "broker"), RoomKeys.from_code(code), LOOPBACK, free_port(), 0)
        await broker.start()
        started = in_processes(
            person_at_play,
            [
                (broker.address, code, name, 2, options.matches, "ten-rounds", str(Path(folder, name)))
                for name in NAMES[:2]
            ],
        )
        returns: list[tuple[float, float]] = []
        await asyncio.sleep(3)
        waiting = asyncio.create_task(results(started))
        while not waiting.done() and len(returns) < options.times:
            assert broker._process
            os.killpg(broker._process.pid, 9)
            await asyncio.to_thread(broker._process.wait)
            await asyncio.sleep(1)
            begun = time.monotonic()
            await broker.start()
            returns.append((begun, time.monotonic()))
            await asyncio.wait({waiting}, timeout=2)
        found = await waiting
        log = NatsLog(broker.address, RoomKeys.from_code(code), MachineKey(bytes(32)))
        await log.open(lambda *_: None, lambda _: None, lambda _: None)
        kept = await log.read(0)
        await log.close()
        await broker.stop()
    after_start, after_return = [], []
    for begun, returned in returns:
        with suppress(ValueError):  # the last match may be over
            first = min(faces for each in found for faces in each["faces"] if faces > begun)
            after_start.append(first - begun)
            after_return.append(first - returned)
    print(f"first faces after the start of the broker: {centiles(after_start, 's')}")
    print(f"first faces after it keeps entries again: {centiles(after_return, 's')}")
    print(
        f"{len({each['head'] for each in found}) == 1 and len({each['record'] for each in found}) == 1}: same log and "
        f"records; {len(kept)} kept, {len({data for _, data in kept})} different, stored "
        f"{[each['stored'] for each in found]}, counted {found[0]['counted']}; {load()}"
    )


# -- faults --------------------------------------------------------------------------------------------------------


async def campaign(options: Namespace) -> None:
    """Play with faults for so many seeds; print every failure."""
    failures = 0
    chosen = [fault for fault in FAULTS if fault.__name__ in options.only.split(",")] if options.only else None
    for seed in range(options.first, options.first + options.seeds):
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                story = await play_with(Path(folder), seed, chosen, options.game)
            except AssertionError as error:
                story, failures = f"FAILED: {error}", failures + 1
        print(f"{seed} {time.monotonic() - start:.1f} s {story}", flush=True)
    print(f"{options.seeds} seeds, {failures} failures; {load()}")
    sys.exit(failures > 0)


def fuzz(options: Namespace) -> None:
    """Feed changed entries to the fold: only InvalidEntryError is raised, none takes long, and memory is bounded."""
    luck = Random(options.seed)
    reasons: Counter[str] = Counter()
    times = array("d")
    tables, highest = 0, 0
    tracemalloc.start(1)
    while len(times) < options.entries:
        tables += 1
        machines = [TestMachine(name, [Seat(name)], luck.choice([*GAMES]), seed=tables) for name in NAMES[:3]]
        log = seated(machines)
        for _ in range(2000):
            machine = luck.choice(machines)
            said = next(machine.wishes(luck), None) if luck.random() < 0.1 else None
            fed = machine.signed(said) if said else changed(luck, machine, log)
            start = time.thread_time()
            try:
                machines[0].room.feed(fed)
            except InvalidEntryError as refusal:
                times.append(time.thread_time() - start)
                reasons[NAME.sub("…", str(refusal))] += 1
            else:
                reasons["(counted)"] += 1
                log.append(fed)
                for other in machines[1:]:
                    other.room.feed(fed)
                for each in machines:
                    each.come = len(log)
        highest = max(highest, tracemalloc.get_traced_memory()[0])
    print(
        f"{len(times)} entries that count as nothing, at {tables} tables: "
        f"{centiles([each * 1e6 for each in times], 'us')}"
    )
    print(f"memory in use at the end of a table, 2,000 entries at most: {highest / 2**20:.1f} MiB; {load()}")
    for reason, count in reasons.most_common():
        print(f"{count:9} {reason}")


NAME = re.compile("|".join(NAMES))
VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 3, 2**53, "", "0", "00" * 32, "zz" * 32, [], [0], [1, 2, 3, 4], [[[]]], [0] * 1000,
    [1.5], ["1"], {}, {"name": 1}, [{"name": "Ann", "bot": None}], [{"name": [], "bot": {}}], "x" * 3000, "act", "open",
    "sit", "rise", "start", "without", "end", "leave", "\ud800", "\x1b[2J",
)  # fmt: skip


def changed(luck: Random, machine: TestMachine, log: Sequence[LogEntry]) -> LogEntry:
    """Return an entry of a machine or of nobody, with fields as they might be and one or more of them changed."""
    room_match = machine.room.match
    assert room_match
    number, head = machine.room.head
    step, act = len(room_match.dice.steps), room_match.pending.digest.hex() if room_match.pending else "00" * 32
    matches = machine.local.index is not None
    match, away = {"match": room_match.identifier}, luck.randrange(len(room_match.participants))
    bodies: list[dict[str, Any]] = [
        machine.local.sit(SeatRequest(machine.players, machine.game)),
        machine.local.start(),
        machine.local.get_up(),
        match | {"at": "act", "event": len(room_match.events), "roll": [1, 2, 3, 4]},
        match | {"at": "act", "event": len(room_match.events), "stand": True},
        match | {"at": "open", "step": step, "act": act, "key": luck.randbytes(32).hex()},
        match | {"at": "without", "moment": room_match.cursor_of([away]), "machines": [away]},
        match | {"at": "here", "moment": room_match.cursor_of([])},
        match | {"at": "end", "record": "00" * 32},
        *(
            [machine.local.leave(room_match)]
            if matches and luck.random() < 0.02
            else ()
            if room_match.over
            else machine.local.owed()
        ),
    ]
    body = dict(luck.choice(bodies)) | {"number": number, "head": head}
    if luck.random() < 0.2:
        body |= luck.choice(log).body
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        field = luck.choice([*body]) if luck.random() < 0.8 else luck.choice(["at", "bot", "once"])
        body[field] = luck.choice(VALUES)
    author = machine.public if luck.random() < 0.8 else luck.randbytes(32)
    text = json.dumps(body, sort_keys=True)
    return LogEntry(author, json.loads(text), sha256(author + text.encode()).digest())


# -- a hub ---------------------------------------------------------------------------------------------------------


class Node:
    """A nats-server that lets in everybody, as a hub behind a firewall."""

    def __init__(self, folder: Path, name: str, cluster: dict[str, Any] | None = None, port: int = 0) -> None:
        self.name = name
        self.port = port or free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._configuration = folder / "nats-server.conf"
        configuration = {
            "server_name": name,
            "host": LOOPBACK,
            "port": self.port,
            "max_payload": 8192,
            "jetstream": {"store_dir": str(folder / "store")},
            "log_file": str(folder / "log"),
        }
        self._configuration.write_text(json.dumps(configuration | ({"cluster": cluster} if cluster else {})))

    def start(self) -> None:
        self.process = subprocess.Popen([find_server(), "-c", str(self._configuration)], stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def address(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    @property
    def resident(self) -> float:
        """Its memory, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    @property
    def cpu(self) -> float:
        """The CPU time that it has used, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class HubKeeper(NatsLog):
    """One connection of a hub for many machines at many rooms, which a benchmark cannot give one each."""

    def __init__(self, address: str, keys: RoomKeys, partitions: Sequence[str]) -> None:
        super().__init__(address, keys, MachineKey(bytes(32)))
        self.partitions = partitions
        self.logs: dict[str, list[HubLog]] = {}

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        await super().open(on_entry, on_broadcast, on_connection)
        for partition in self.partitions:
            await self._client.subscribe(f"r.{partition}.>", cb=self._pass_on)

    async def _pass_on(self, message: Any) -> None:
        for log in self.logs.get(message.headers["Nats-Subject"].split(".")[2], ()):
            await log._receive_entry(message)


class HubLog(NatsLog):
    """The log of a room over the connection of a ``HubKeeper``. Broadcasts are sent, and received by nobody."""

    def __init__(self, keeper: HubKeeper, keys: RoomKeys, machine: MachineKey) -> None:
        super().__init__(keeper._servers[0], keys, machine)
        self.keeper = keeper

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        self._on_entry, self._on_broadcast, self._on_connection = on_entry, on_broadcast, on_connection
        self._client, self._reader, self._lost = self.keeper._client, self.keeper._reader, self.keeper._lost
        self.keeper.logs.setdefault(self._subjects.here.split(".")[1], []).append(self)
        self.connected = True

    async def close(self) -> None:
        self.connected = False


class FileInMemory(RoomFile):
    """The file of a room that is no file: ten thousand rooms would need more open files than a system has."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._entries: dict[bytes, int] = {}

    def entries(self) -> Any:
        yield from (*self._entries,)

    @property
    def last_entry(self) -> tuple[int, bytes] | None:
        last = next(reversed(self._entries), None)
        return None if last is None else (self._entries[last], last)

    def save_entries(self, entries: Sequence[tuple[int, bytes]]) -> None:
        for sequence, data in entries:
            self._entries.setdefault(data, sequence)

    def close(self) -> None:
        """Forget nothing."""


class HubRoom:
    """A room of two machines, whose people roll at a given rate."""

    def __init__(self, keeper: HubKeeper, luck: Random, partition: str, times: list[float]) -> None:
        keys = RoomKeys.from_root("K7QF-3XMP", luck.randbytes(16))
        keys = replace(keys, room=partition + keys.room[2:])
        self.luck = luck
        self.times = times
        files = [FileInMemory(luck.randbytes(32)) for _ in NAMES[:2]]
        self.clients = [
            Client(keys, HubLog(keeper, keys, MachineKey(file.secret)), file, SeatRequest()) for file in files
        ]
        self._pressed: dict[int, float] = {}
        for number, client in enumerate(self.clients):
            client.listeners.append(partial(self._look, number))

    async def open(self) -> None:
        for number, client in enumerate(self.clients):
            await client.open()
            client.sit(SeatRequest((Seat(NAMES[number]),), "ten-rounds"))

    def _look(self, number: int) -> None:
        client = self.clients[number]
        match = client.room.match
        if match is None:
            if number == 0 and len(client.room.participants) == 2 and not len(client.outbox):
                client.start()
        elif number in self._pressed and not client.deciding and not match.pending:
            self.times.append((time.monotonic() - self._pressed.pop(number)) * 1e3)

    def roll(self) -> None:
        """Let the person to act roll, if the dice of the last roll have fallen."""
        for number, client in enumerate(self.clients):
            match = client.room.match
            if not match or match.over or match.to_act is None or not match.state:
                continue
            if number not in self._pressed and match.machine_of[match.to_act] == number and not client.deciding:
                self._pressed[number] = time.monotonic()
                client.act(next(action for action in match.state.actions if isinstance(action, Roll)))
                return

    @property
    def ready(self) -> bool:
        """Whether both machines have seen who begins."""
        matches = [client.room.match for client in self.clients]
        return all(match and match.to_act is not None for match in matches)

    @property
    def same(self) -> bool:
        return self.clients[0].room.head == self.clients[1].room.head


async def hub_rooms(
    address: str, number: int, workers: int, rooms: int, pause: float, seconds: float, steps: int
) -> Any:
    """Open rooms on a hub, then let their people roll for some seconds; return times and counts."""
    import gc

    # A chain of 65,536 keys takes 27 ms, and the cache of the program is made for a few rooms.
    local_machine._chain = lru_cache(None)(lambda table, seed, _: Chain(table, seed, steps))
    client_module.HEARTBEAT_SECONDS = 60.0
    luck = Random(number)
    partitions = [f"{each:02x}" for each in range(256) if each % workers == number]
    keeper = HubKeeper(address, RoomKeys.from_root("K7QF-3XMP", luck.randbytes(16)), partitions)
    await keeper.open(lambda *_: None, lambda _: None, lambda _: None)
    times: list[float] = []
    opened = []
    for index in range(rooms):
        room = HubRoom(keeper, luck, partitions[index % len(partitions)], times)
        await room.open()
        opened.append(room)
        if index % 20 == 0:
            await asyncio.sleep(0.05)
    while not all(room.ready for room in opened):
        await asyncio.sleep(0.5)
    gc.collect()
    gc.freeze()
    print(f"worker {number}: {rooms} rooms are open", file=sys.stderr, flush=True)
    await asyncio.sleep(5)
    times.clear()
    cpu, start = time.process_time(), time.monotonic()
    loop = asyncio.get_running_loop()
    due = sorted((start + luck.uniform(0, pause), index) for index in range(rooms))
    late = 0.0
    while due and time.monotonic() < start + seconds:
        again = []
        for when, index in due:
            if (wait := when - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            late = max(late, loop.time() - when)
            opened[index].roll()
            again.append((when + pause, index))
            if time.monotonic() >= start + seconds:
                break
        due = again
    await asyncio.sleep(2)
    used = time.process_time() - cpu
    return {"times": times, "cpu": used, "same": sum(room.same for room in opened), "late": late}


async def crowd(options: Namespace) -> None:
    """Fill one broker with rooms of two machines, and time their rolls at the rate at which people play."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        node = Node(Path(folder), "hub")
        node.start()
        await until_serving([node], 1, [f"{each:02x}" for each in range(256)])
        each = options.rooms // options.workers
        stack.callback(node.kill)
        started = in_processes(
            hub_rooms,
            [
                (node.address, number, options.workers, each, options.pause, options.seconds, options.steps)
                for number in range(options.workers)
            ],
        )
        waiting = asyncio.create_task(results(started))
        highest, samples = 0.0, []
        while not waiting.done():
            highest = max(highest, node.resident)
            samples.append((time.monotonic(), node.cpu))
            await asyncio.wait({waiting}, timeout=1)
        found = await waiting
        rolls = [each for worker in found for each in worker["times"]]
        busy = samples[-int(options.seconds * 0.8)], samples[-1]
        share = (busy[1][1] - busy[0][1]) / (busy[1][0] - busy[0][0])
        clients = sum(worker["cpu"] for worker in found) / options.seconds
        late = max(worker["late"] for worker in found)
        same = sum(worker["same"] for worker in found)
        print(f"{options.rooms} rooms of 2 machines, a roll in {options.pause:.0f} s each: ", end="")
        print(f"{len(rolls) / options.seconds:.0f} rolls a second; same logs in {same} rooms")
        print(f"key press to faces: {centiles(rolls)}; keys were pressed {late:.2f} s late at most")
        print(f"broker {highest:.0f} MiB at most, {share:.2f} of a core; clients {clients:.2f} cores ", end="")
        print(f"in {options.workers} processes, with chains of {options.steps} keys and a heartbeat a minute")
        print(load())


async def until_serving(nodes: Sequence[Node], replicas: int, partitions: Sequence[str]) -> None:
    """Wait until the nodes keep entries of these partitions in streams of so many copies."""
    from nats.aio.client import Client as NatsClient

    waiting = [*partitions]
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        while True:
            client = NatsClient()
            try:
                await client.connect(
                    [f"nats://{node.address}" for node in nodes], allow_reconnect=False, error_cb=_ignore
                )
                while waiting:
                    stream = stream_configuration(waiting[-1]) | {"num_replicas": replicas}
                    create = f"$JS.API.STREAM.CREATE.{stream['name']}"
                    answer = await client.request(create, json.dumps(stream).encode(), timeout=5)
                    if "error" in json.loads(answer.data):
                        break
                    waiting.pop()
                else:
                    return
            except Exception:
                pass
            finally:
                with suppress(Exception):
                    await client.close()
            await asyncio.sleep(0.2)


async def _ignore(_: Exception) -> None:
    pass


async def leader(nodes: Sequence[Node], stream: str) -> str:
    from nats.aio.client import Client as NatsClient

    client = NatsClient()
    await client.connect([f"nats://{node.address}" for node in nodes], error_cb=_ignore)
    answer = json.loads((await client.request(f"$JS.API.STREAM.INFO.{stream}", b"", timeout=10)).data)
    await client.close()
    return str(answer["cluster"]["leader"])


async def cluster(options: Namespace) -> None:
    """Kill a node of three, again and again, in the middle of matches."""
    luck = Random(options.seed)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        routes = [free_port() for _ in range(3)]
        nodes = [
            Node(
                Path(folder, f"n{number}"),
                f"n{number}",
                {
                    "name": "hub",
                    "listen": f"{LOOPBACK}:{route}",
                    "routes": [f"nats://{LOOPBACK}:{port}" for port in routes],
                },
            )
            for number, route in enumerate(routes)
        ]
        for node in nodes:
            node.start()
            stack.callback(node.kill)
        codes = [fresh_code() for _ in range(options.rooms)]
        partitions = [RoomKeys.from_code(code).room[:2] for code in codes]
        await until_serving(nodes, 3, [*{*partitions}])
        started = []
        for room, code in enumerate(codes):
            for number, name in enumerate(NAMES[:3]):
                where = str(Path(folder, f"{room} {name}"))
                arguments = (nodes[number].address, code, name, 3, options.matches, "ten-rounds", where)
                started += in_processes(person_at_play, [arguments])
        waiting = asyncio.create_task(results(started))
        kills: list[str] = []
        await asyncio.sleep(6)
        while not waiting.done() and len(kills) < options.times:
            leads = await leader(nodes, f"T{partitions[0]}")
            victim = next(node for node in nodes if node.name == leads) if luck.random() < 0.6 else luck.choice(nodes)
            victim.kill()
            kills.append("leader" if victim.name == leads else "follower")
            await asyncio.wait({waiting}, timeout=luck.uniform(0.5, 4))
            victim.start()
            await asyncio.wait({waiting}, timeout=8)
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            found = await waiting
    same = sum(
        len({(each["head"], each["record"]) for each in found[3 * room : 3 * room + 3]}) == 1
        for room in range(options.rooms)
    )
    for each in found:
        verify_record(read_record(each["record"]))
    entries = sum(each["counted"] for each in found[::3])
    print(f"{options.rooms} rooms of 3 machines, {entries} entries, killed: {', '.join(kills)}")
    print(f"{same} rooms with the same log and record on all machines; refused {[each['refused'] for each in found]}")
    print(f"key press to faces: {centiles([press for each in found for press in each['presses']])}; {load()}")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(work: Callable[[Namespace], Any], **options: Any) -> None:
        added = commands.add_parser(work.__name__, help=work.__doc__)
        for name, default in options.items():
            added.add_argument(f"--{name}", type=str if default is None else type(default), default=default)
        added.set_defaults(work=work)

    command(latency, hop=0.0, machines=2, matches=10, game="420", beats=0, entries=0, addresses=1)
    command(spectator, matches=5, times=9)
    command(outage, times=10, matches=30)
    command(campaign, seeds=200, first=0, game=None, only=None)
    command(fuzz, entries=1_000_000, seed=1)
    command(crowd, rooms=10_000, workers=2, pause=30.0, seconds=180.0, steps=512)
    command(cluster, rooms=3, matches=20, times=5, seed=1)
    options = parser.parse_args()
    done = options.work(options)
    if done is not None:
        asyncio.run(done)


if __name__ == "__main__":
    main()
