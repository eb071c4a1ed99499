"""Measures the broker of rooms once, in wall time: ``python tests/benchmarks/rooms_broker.py [ROOMS]``.

Prints the delay of one entry on the host's own broker, the time to read a long log, a cluster of three that loses a
node, and the delays in many rooms on one broker (1,000 unless told): one machine a room, an entry every ten seconds.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError

from fourtwenty.rooms.encryption import MachineKey, RoomKeys, encrypt_entry
from fourtwenty.rooms.wire import nats_log
from fourtwenty.rooms.wire.broker import Broker, find_server, free_port, listens
from fourtwenty.rooms.wire.nats_accounts import JETSTREAM
from fourtwenty.rooms.wire.nats_log import NatsLog, stream_configuration
from fourtwenty.rooms.wire.room_log import UnreachableError

LOOPBACK = "127.0.0.1"
ENTRIES = 1000
PAUSE = 0.004
"""Seconds between two entries."""
LONG = 5000
ROOMS = 1000
BEAT = 10.0
"""Seconds between two entries of a room."""
SECONDS = 60
"""Time for which the rooms play."""
MACHINE = MachineKey(bytes(32))


class Ear:
    """A machine at a log: when it has heard of an entry, by its sequence."""

    def __init__(self, log: NatsLog) -> None:
        self.log = log
        self.heard: dict[int, float] = {}

    async def open(self) -> None:
        await self.log.open(self.receive, lambda _: None, lambda _: None)

    def receive(self, sequence: int, _: bytes) -> None:
        self.heard[sequence] = time.perf_counter()


def entry(number: int, keys: RoomKeys) -> bytes:
    """Return an entry as large as that of a roll."""
    return encrypt_entry(
        keys, MACHINE, {"at": "act", "number": number, "head": "0" * 16, "match": "0" * 32, "roll": [1, 4]}
    )


def random_keys() -> RoomKeys:
    """Return keys as those of a code, without the scrypt."""
    return RoomKeys.from_root("", secrets.token_bytes(16))


def delays(name: str, seconds: Iterable[float]) -> None:
    """Print the percentiles of some delays."""
    ordered = sorted(seconds)
    at = [1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99, 1)]
    print(f"  {name:<44} p50 {at[0]:7.2f} ms   p99 {at[1]:7.2f} ms   max {at[2]:8.2f} ms   of {len(ordered):,}")


def memory(pid: int) -> str:
    """Return the resident memory of a process, where the system tells it in /proc."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return "unknown"
    return f"{pages * os.sysconf('SC_PAGE_SIZE') / 2**20:.0f} MiB"


async def own_broker(folder: Path) -> None:
    """Measure the broker that a host runs, with two machines."""
    keys = RoomKeys.from_code("K7QF-3XMP")
    broker = Broker(folder, keys, LOOPBACK, port=0, page_port=0)
    began = time.perf_counter()
    await broker.start()
    print(f"the host's own broker: open after {1000 * (time.perf_counter() - began):.0f} ms")
    ann, ben = (Ear(NatsLog(broker.address, keys, MachineKey(bytes([who]) * 32))) for who in (1, 2))
    await ann.open()
    await ben.open()
    sent, kept = dict[int, float](), dict[int, float]()
    for number in range(ENTRIES):
        began = time.perf_counter()
        sequence = await ann.log.append(entry(number, keys))
        sent[sequence], kept[sequence] = began, time.perf_counter()
        await asyncio.sleep(PAUSE)
    delays("from append to its answer", (kept[each] - sent[each] for each in sent))
    delays("from append to the other machine", (ben.heard[each] - sent[each] for each in sent))
    for first in range(ENTRIES, LONG, 50):
        await asyncio.gather(*(ann.log.append(entry(number, keys)) for number in range(first, first + 50)))
    began = time.perf_counter()
    entries = await ben.log.read(0)
    assert len(entries) == LONG
    print(f"  {LONG:,} entries are read in {1000 * (time.perf_counter() - began):.0f} ms, without opening them")
    began = time.perf_counter()
    assert len(await ben.log.read(LONG - 100)) == 100
    print(f"  the last 100 of them in {1000 * (time.perf_counter() - began):.1f} ms")
    print(f"  nats-server has {memory(int((folder / 'nats-server.pid').read_text()))}")
    await ann.log.close()
    await ben.log.close()
    await broker.stop()


@asynccontextmanager
async def nats_server(folder: Path, name: str, configuration: dict[str, Any]) -> AsyncIterator[subprocess.Popen[bytes]]:
    folder.mkdir(exist_ok=True)
    (folder / "conf").write_text(json.dumps({"server_name": name, "host": LOOPBACK, **configuration}))
    with (folder / "output").open("wb") as output:
        server = subprocess.Popen([find_server(), "-c", folder / "conf"], stderr=output)
    try:
        while not await listens(LOOPBACK, configuration["port"], name):
            await asyncio.sleep(0.02)
        yield server
    finally:
        server.kill()
        server.wait()


async def create_streams(address: str, replicas: int, rooms: Iterable[str]) -> None:
    """Create the streams of rooms, as soon as there is somebody to do it."""
    client = Client()
    await client.connect(f"nats://{address}")
    waiting = [stream_configuration(partition) for partition in {room[:2] for room in rooms}]
    while waiting:
        with suppress(NatsError):  # a cluster does not answer before it has a leader
            stream = json.dumps(waiting[-1] | {"num_replicas": replicas}).encode()
            answer = await client.request(f"{JETSTREAM}.STREAM.CREATE.{waiting[-1]['name']}", stream, timeout=1)
            if "error" not in json.loads(answer.data):
                waiting.pop()
                continue
        await asyncio.sleep(0.1)
    await client.close()


async def cluster(folder: Path) -> None:
    """Kill one node of three while two machines play, and look for what is lost or twice."""
    ports = [free_port(LOOPBACK, 0) for _ in range(6)]
    routes = [f"nats://{LOOPBACK}:{port}" for port in ports[3:]]
    keys = random_keys()
    async with AsyncExitStack() as stack:
        nodes = [
            await stack.enter_async_context(
                nats_server(
                    folder / str(node),
                    f"node-{node}",
                    {
                        "port": ports[node],
                        "jetstream": {"store_dir": str(folder / str(node))},
                        "cluster": {"name": "c", "host": LOOPBACK, "port": ports[3 + node], "routes": routes},
                    },
                )
            )
            for node in range(3)
        ]
        await create_streams(f"{LOOPBACK}:{ports[0]}", 3, [keys.room])
        machines = [Ear(NatsLog(f"{LOOPBACK}:{ports[node]}", keys, MachineKey(bytes([node]) * 32))) for node in (0, 1)]
        for machine in machines:
            await machine.open()
        kept, slowest, again = dict[bytes, int](), 0.0, 0
        took = list[float]()
        for number in range(ENTRIES):
            if number == ENTRIES // 2:
                nodes[0].send_signal(signal.SIGKILL)
            data, began = entry(number, keys), time.perf_counter()
            while data not in kept:
                try:
                    kept[data] = await machines[number % 2].log.append(data)
                except UnreachableError:
                    again += 1
                    await asyncio.sleep(0.05)
            took.append(time.perf_counter() - began)
            slowest = max(slowest, took[-1])
        print("a cluster of three, three replicas, node of one of two machines killed in the middle:")
        delays("from append to its answer, before", took[: ENTRIES // 2])
        delays("from append to its answer, after", took[ENTRIES // 2 :])
        for machine in machines:
            entries = await machine.log.read(0)
            assert [data for _, data in entries] == sorted(kept, key=lambda data: kept[data]), "lost or twice"
            await machine.log.close()
        print(f"  {len(kept):,} entries kept once, none lost; {again} sent again, the slowest after {slowest:.2f} s")


async def many_rooms(folder: Path, rooms: int) -> None:
    """Let many rooms play on one broker."""
    port = free_port(LOOPBACK, 0)
    configuration = {"port": port, "jetstream": {"store_dir": str(folder)}, "max_payload": 8192}
    chance = Random(420)
    # Else the collector of one program with ten thousand clients, and their pings, would be what is measured.
    gc.disable()
    nats_log.PING_SECONDS = 60
    asked, heard = list[float](), list[float]()
    async with nats_server(folder, "hub", configuration) as server:
        each = [random_keys() for _ in range(rooms)]
        await create_streams(f"{LOOPBACK}:{port}", 1, (keys.room for keys in each))
        tables = [(keys, Ear(NatsLog(f"{LOOPBACK}:{port}", keys, MACHINE))) for keys in each]
        print(f"{rooms:,} rooms on one broker, an entry every {BEAT:.0f} s in each, for {SECONDS} s:")
        began = time.perf_counter()
        for first in range(0, rooms, 50):
            await asyncio.gather(*(ear.open() for _, ear in tables[first : first + 50]))
        print(f"  all connected after {time.perf_counter() - began:.1f} s; nats-server has {memory(server.pid)}")
        end = time.perf_counter() + SECONDS

        async def play(keys: RoomKeys, ear: Ear) -> None:
            number = 0
            await asyncio.sleep(chance.random() * BEAT)
            while (began := time.perf_counter()) < end:
                sequence = await ear.log.append(entry(number, keys))
                asked.append(time.perf_counter() - began)
                number += 1
                await asyncio.sleep(BEAT)
                heard.append(ear.heard[sequence] - began)

        used = os.times()
        before = Path(f"/proc/{server.pid}/stat").read_text().split() if sys.platform == "linux" else []
        await asyncio.gather(*(play(keys, ear) for keys, ear in tables))
        delays("from append to its answer", asked)
        delays("from append to the live entry", heard)
        if before:
            after = Path(f"/proc/{server.pid}/stat").read_text().split()
            ticks = sum(int(after[place]) - int(before[place]) for place in (13, 14))
            seconds = ticks / os.sysconf("SC_CLK_TCK")
            print(f"  CPU of the broker an entry: {1e6 * seconds / len(asked):.0f} µs", end="; ")
            print(f"of this program: {1e6 * (sum(os.times()[:2]) - sum(used[:2])) / len(asked):.0f} µs")
        began = time.perf_counter()
        for keys, ear in tables[:100]:
            assert len(await ear.log.read(0)) == len(ear.heard), keys
        print(
            f"  one room is read in {10 * (time.perf_counter() - began):.1f} ms; nats-server has {memory(server.pid)}"
        )
        for first in range(0, rooms, 200):
            await asyncio.gather(*(ear.log.close() for _, ear in tables[first : first + 200]))


async def main() -> None:
    with TemporaryDirectory() as folder:
        await own_broker(Path(folder) / "own")
        await cluster(Path(folder))
        await many_rooms(Path(folder) / "hub", int(sys.argv[1]) if len(sys.argv) > 1 else ROOMS)


if __name__ == "__main__":
    asyncio.run(main())
