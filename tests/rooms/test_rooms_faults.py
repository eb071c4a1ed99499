"""Every fault of a soak test once, and what soak tests have found; ``benchmarks/rooms.py campaign`` is the long run."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from faulty_table import (
    FAULTS,
    FaultyMachine,
    FaultyTable,
    broker_killed,
    cut,
    grown,
    half_open,
    machine_killed,
    member,
    moved,
    play_with,
    store_gone,
    store_older,
    store_torn,
)
from long_tests import PRODUCT, mostly_long
from loopback import connected, opened_log, running_broker
from proxy import Proxy
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, encrypt_entry
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.wire import nats_log
from fourtwenty.rooms.wire.broker import Broker
from fourtwenty.rooms.wire.nats_log import NatsLog
from fourtwenty.rooms.wire.room_log import UnreachableError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")


@mostly_long("part", range(3), [0], "fourtwenty/rooms/")
async def test_a_table_outlives_every_fault(tmp_path: Path, part: int) -> None:
    await play_with(tmp_path, part, [*FAULTS[part::3]], "420", machines=3, hurried=True)


LOSSES = (store_gone, store_older, store_torn, moved, broker_killed, machine_killed, cut, half_open)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 500, 20))
async def test_five_hundred_tables_whose_broker_loses_what_it_has_kept(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 20):
        luck = Random(seed)
        faults = [luck.choice(LOSSES) for _ in range(luck.randint(2, 5))]
        await play_with(tmp_path / str(seed), seed, faults, hurried=True)


POISON = b"NATS/1.0\r\nStatus: 500\r\n\r\n"
"""Headers of an empty message that anybody with the code can send: so a broker says that it cannot read."""


@pytest.mark.long(*PRODUCT)
async def test_a_machine_that_was_away_reads_past_any_headers(tmp_path: Path) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=3) as table:
        table.play_another()
        await grown(table, 20)
        ben = table.machines[1]
        await ben.kill()
        await table.poison(POISON)
        await ben.open()
        assert await table.until(table.settled, MAX_WAIT_SECONDS)
        await table.check()


@pytest.mark.long(*PRODUCT)
async def test_a_table_that_reads_all_again_reads_past_any_headers(tmp_path: Path) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=3) as table:
        await table.play_one()
        await table.poison(POISON)
        await store_older(table)
        await table.play_one()
        await table.check()


@pytest.mark.long(*PRODUCT)
async def test_a_table_that_is_opened_again_reads_past_any_headers(tmp_path: Path) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=3) as table:
        await table.play_one()
        await table.poison(POISON)
        await table.machines[0].kill()
        await table.broker.stop()
        await table.start_broker()
        await table.machines[0].open()
        await table.play_one()
        await table.check()


async def test_what_never_counted_is_not_laid_again(tmp_path: Path) -> None:
    """Else somebody with the code would use up the share of those who upload the log of a broker that has lost it."""
    async with FaultyTable(tmp_path, 0, "420", machines=2) as table:
        await table.play_one()
        eve = MachineKey(bytes(32))
        junk = encrypt_entry(table.keys, eve, {"at": "nothing"})
        async with member(table.broker.address, table.keys, eve) as (client, subjects):
            await client.request(subjects.own, junk, timeout=MAX_WAIT_SECONDS)
        await until(lambda: all(machine.client.copy.void for machine in table.machines))
        await store_gone(table)
        await table.play_one()
        await table.check()
        async with opened_log(NatsLog(table.broker.address, table.keys, eve)) as log:
            assert junk not in {data for _, data in await log.read(0)}


@asynccontextmanager
async def flooded(broker: Broker) -> AsyncIterator[None]:
    """Hold 300 connections to a broker that say nothing, and open each again when it is closed, as any stranger can."""
    import resource

    most, ever = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (max(most, min(ever, 1024)), ever)
    )  # macOS lets a program open 256 files

    async def hold() -> None:
        while True:
            with suppress(OSError):
                async with connected(broker.port) as (reader, _):
                    while await reader.read(4096):
                        pass
            await asyncio.sleep(0)

    strangers = [asyncio.create_task(hold()) for _ in range(300)]
    try:
        yield
    finally:
        for stranger in strangers:
            stranger.cancel()
        await asyncio.gather(*strangers, return_exceptions=True)


@pytest.mark.parametrize("seconds", [1, pytest.param(60, marks=pytest.mark.long)])
async def test_silent_strangers_keep_nobody_out(tmp_path: Path, seconds: float) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=2) as table, flooded(table.broker):
        ann, now = table.machines[0].client, asyncio.get_running_loop().time
        end, connections = now() + seconds, [machine.proxy.connections for machine in table.machines]
        while now() < end:
            await table.play_one()
            dan = FaultyMachine(table, "Dan", (Seat("Dan"),), tmp_path / "Dan", 0)
            async with dan:
                async with asyncio.timeout(5):
                    await dan.open()
                    dan.client.sit(SeatRequest(dan.players, "420"))
                    assert await table.until(lambda: len(ann.room.participants) == 1, MAX_WAIT_SECONDS)
                assert dan.proxy.connections == 2, "one to hear, one to read"
                dan.client.get_up()
                assert await table.until(lambda: not ann.room.participants, MAX_WAIT_SECONDS)
        assert [machine.proxy.connections for machine in table.machines] == connections
        await table.check()


@pytest.mark.long
@pytest.mark.terminal
@pytest.mark.parametrize("kind", ["beats", "entries"])
def test_a_flood_leaves_rolls_quick(tmp_path: Path, kind: str) -> None:
    """Of 1,000 a second by somebody with the code, or from each of four addresses; each machine is its own process."""
    rooms = Path(__file__).parents[1] / "benchmarks" / "rooms.py"
    tried = subprocess.run(
        [sys.executable, rooms, "latency", "--matches", "10", f"--{kind}", "1000", "--addresses", "4"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(rooms.parents[1] / "tools")},
        capture_output=True, text=True, timeout=5 * MAX_WAIT_SECONDS,
    )  # fmt: skip
    found = re.search(r"of an insider: n \d+, p50 ([\d.]+) ms, p99 [\d.]+ ms, most ([\d.]+) ms", tried.stdout)
    assert found, tried.stdout + tried.stderr
    assert float(found[1]) < 100
    assert float(found[2]) < 1000


async def test_the_checks_see_another_log_and_a_lost_entry(tmp_path: Path) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=2) as table:
        assert await table.until(table.settled, MAX_WAIT_SECONDS)
        await table.check()
        table.machines[1].client.room.heads.append("00" * 16)
        table.acknowledged.add(b"lost")
        with pytest.raises(AssertionError, match=r"Ben has .* Ann lacks 1 entries that were acknowledged"):
            await table.check()


async def test_who_is_not_answered_connects_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else an entry would wait for a new connection that does not come, because the broker still answers pings."""
    monkeypatch.setattr(nats_log, "ANSWER_SECONDS", 0.1)
    keys = RoomKeys.from_code("K7QF-3XMP")
    connections: asyncio.Queue[bool] = asyncio.Queue()
    async with (
        running_broker(tmp_path, keys) as broker,
        Proxy(broker.port) as proxy,
        opened_log(NatsLog(proxy.address, keys, MachineKey(bytes(32))), connections.put_nowait) as log,
    ):
        proxy.stall()
        with pytest.raises(UnreachableError):
            await log.append(b"an entry")
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            assert await connections.get() is False
            proxy.flow()
            assert await connections.get() is True
        await log.append(b"an entry")
        assert [data for _, data in await log.read(0)] == [b"an entry"]
