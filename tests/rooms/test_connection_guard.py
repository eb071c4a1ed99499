"""The guard of a host's broker: nobody takes more than a share of it, and its page has its files, nothing else."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from faulty_table import ELSEWHERE, FaultyTable, member, publish_raw
from long_tests import PRODUCT
from loopback import connected, free_port, opened_log, running_broker
from machines import Clock
from proxy import Proxy
from waiting import MAX_WAIT_SECONDS, settled, until
from web_socket import PING, TEXT, WebSocket, answer_to, by_web_socket, head_of

from fourtwenty.rooms.encryption import MachineKey, RoomKeys
from fourtwenty.rooms.wire import connection_guard
from fourtwenty.rooms.wire.broker import Broker
from fourtwenty.rooms.wire.connection_guard import ConnectionGuard, PhonePage, RateLimit
from fourtwenty.rooms.wire.nats_log import NatsLog

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")


def test_an_allowance_fills_with_time() -> None:
    clock = Clock()
    limit = RateLimit(100, 10, clock)
    assert (limit.available, limit.spend(100), limit.available) == (100, 0, 0)
    assert limit.spend(10) == 1
    assert limit.spend(10) == 2, "who sends by a second connection waits for both"
    clock.now = 1.5
    assert (limit.available, limit.spend(0)) == (-5, 0.5)
    clock.now = 2.5
    assert (limit.available, limit.spend(5), limit.available) == (5, 0, 0)
    clock.now = 1000.0
    assert limit.available == 100


def test_who_is_absent_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_guard, "REMEMBERED_HOSTS", 3)
    guard = ConnectionGuard("10.0.0.1", 0, PhonePage(Path(), "", 0))
    busy, here = guard._remote_host("10.0.0.2"), guard._remote_host("10.0.0.3")
    busy.limit.spend(connection_guard.BYTES_BURST)
    here.connections = 1
    for address in ("10.0.0.4", "10.0.0.5", "10.0.0.6"):
        guard._remote_host(address)
    assert guard._remote_hosts.keys() == {"10.0.0.2", "10.0.0.3", "10.0.0.6"}
    assert (guard._remote_host("10.0.0.2"), guard._remote_host("10.0.0.3")) == (busy, here)


class Inside:
    """A server behind a guard, that sends back whatever it reads."""

    def __init__(self) -> None:
        self.guard: ConnectionGuard
        self.read = 0
        """Bytes so far."""
        self.changed = asyncio.Event()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(2**16):
                self.read += len(data)
                self.changed.set()
                writer.write(data)
        finally:
            writer.close()


@asynccontextmanager
async def entered(folder: Path = Path("nowhere")) -> AsyncIterator[tuple[Inside, int, str]]:
    """Run a guard before a server; yield the server, the port of the guard, and the authority of the page."""
    inside = Inside()
    async with await asyncio.start_server(inside.answer, connection_guard.LOOPBACK, 0) as server:
        port, page_port = server.sockets[0].getsockname()[1], free_port()
        inside.guard = guard = ConnectionGuard(
            connection_guard.LOOPBACK, port, PhonePage(folder, f"{connection_guard.LOOPBACK}:{page_port}", port)
        )
        async with (
            await asyncio.start_server(
                guard.accept, connection_guard.LOOPBACK, 0, limit=connection_guard.PIECE
            ) as outside,
            await asyncio.start_server(
                guard.accept_page, connection_guard.LOOPBACK, page_port, limit=connection_guard.MAX_HEAD_BYTES
            ),
        ):
            try:
                yield inside, outside.sockets[0].getsockname()[1], guard._page.authority
            finally:
                connections = asyncio.all_tasks() - {asyncio.current_task()}
                for task in connections:
                    task.cancel()
                if connections:
                    await asyncio.wait(connections)
                await settled()


@linux
async def test_who_sends_more_than_a_share_waits_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_guard, "BYTES_BURST", 10_000)
    monkeypatch.setattr(connection_guard, "BYTES_PER_SECOND", 0.001)
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered() as (inside, port, _), AsyncExitStack() as stack:
        for _ in range(3):
            _, writer = await stack.enter_async_context(connected(port, ELSEWHERE))
            writer.write(bytes(100_000))
        while inside.read < 10_000 - connection_guard.PIECE:
            inside.changed.clear()
            await inside.changed.wait()
        for source in (connection_guard.LOOPBACK, "127.0.0.3"):
            async with connected(port, source) as (reader, writer):
                writer.write(bytes(9000))
                assert await reader.readexactly(9000) == bytes(9000)
        assert inside.read - 2 * 9000 <= 10_000


@linux
async def test_an_address_has_so_many_connections_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_guard, "CONNECTIONS_PER_HOST", 3)

    writers: list[asyncio.StreamWriter] = []

    async def connect(source: str) -> bytes:
        reader, writer = await stack.enter_async_context(connected(port, source))
        writers.append(writer)
        writer.write(b"PING\r\n")
        return await reader.readline()

    async with asyncio.timeout(MAX_WAIT_SECONDS), entered() as (_, port, _), AsyncExitStack() as stack:
        assert [await connect(ELSEWHERE) for _ in range(3)] == [b"PING\r\n"] * 3
        assert await connect(ELSEWHERE) == b'INFO {"headers":true}\r\n'
        assert [await connect(connection_guard.LOOPBACK) for _ in range(5)] == [b"PING\r\n"] * 5
        writers[0].close()
        while await connect(ELSEWHERE) != b"PING\r\n":
            pass


@linux
@pytest.mark.parametrize("by_page", [False, True])
@pytest.mark.long(*PRODUCT)
async def test_a_flood_of_entries_stops_no_roll_and_is_cut_to_its_share(tmp_path: Path, by_page: bool) -> None:
    async with FaultyTable(tmp_path, 0, "420", machines=2) as table:
        begun = asyncio.get_running_loop().time()
        page, port = by_web_socket(table.broker.authority, ELSEWHERE), Proxy(table.broker.port, source=ELSEWHERE)
        eve = MachineKey(bytes(32))
        async with (
            page as page_address,
            port,
            member(page_address if by_page else port.address, table.keys, eve) as (client, subjects),
        ):
            for number in range(5000):
                await publish_raw(client, subjects.own.encode(), b"", b"%04d" % number)
            await table.play_one()
            async with opened_log(NatsLog(table.broker.address, table.keys, eve)) as log:
                kept = len([data for _, data in await log.read(0) if len(data) == 4])
            seconds = asyncio.get_running_loop().time() - begun
            size = len(b"PUB %s 4\r\n0000\r\n" % subjects.own.encode())
            assert 0 < kept <= (16_384 + seconds * 8192) / size, "five rolls at once, and two a second"
        await table.check()


# -- the page ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a page, with a file that is not given out in it, and one beside it."""
    (tmp_path / "secret.js").write_text("secret")
    page = tmp_path / "page"
    (page / "more").mkdir(parents=True)
    for name in ("index.html", "room.js", "secret.txt", "more/secret.js"):
        (page / name).write_text(f"// {name}")
    return page


def request(authority: str, first: str = "GET / HTTP/1.1", *more: str) -> bytes:
    return "\r\n".join((first, f"Host: {authority}", *more, "", "")).encode("latin-1")


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/", b"text/html; charset=utf-8", b"// index.html"),
        ("/index.html", b"text/html; charset=utf-8", b"// index.html"),
        ("/room.js", b"text/javascript; charset=utf-8", b"// room.js"),
        ("/?x=1", b"text/html; charset=utf-8", b"// index.html"),
        ("/room.js?/secret.js", b"text/javascript; charset=utf-8", b"// room.js"),
    ],
)
async def test_a_file_of_the_page_is_given_out(folder: Path, path: str, kind: bytes, body: bytes) -> None:
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered(folder) as (_, _, authority):
        asked = request(authority, f"GET {path} HTTP/1.1", "Cookie: a=\xe9", "Accept: */*", "X-Empty:")
        head, _, found = (await answer_to(authority, asked)).partition(b"\r\n\r\n")
    first, *headers = head.split(b"\r\n")
    assert first == b"HTTP/1.1 200 OK"
    fields = dict(header.split(b": ", 1) for header in headers)
    assert fields[b"Content-Type"] == kind
    assert (int(fields[b"Content-Length"]), found) == (len(body), body)
    policy = fields[b"Content-Security-Policy"].decode()
    assert policy == (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"connect-src 'self' ws://{authority}; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    assert fields[b"Cache-Control"] == b"no-store"
    assert fields[b"Referrer-Policy"] == b"no-referrer"
    assert fields[b"X-Content-Type-Options"] == b"nosniff"


@pytest.mark.parametrize(
    "path",
    [
        *("/secret.txt", "/secret.js", "/../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "//secret.js"),
        *(
            "/more/secret.js",
            "/more",
            "/./room.js",
            "/room.js/",
            "/secret.js?/room.js",
            "/ROOM.JS",
            "/..",
            "/.",
            "//",
            "/*",
        ),
        *("/room.js%00", "/leafnode", "/mqtt", "/favicon.ico", "/\\..\\secret.js"),
    ],
)
async def test_what_is_no_file_of_the_page_is_missing(folder: Path, path: str) -> None:
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered(folder) as (inside, _, authority):
        answer = await answer_to(authority, request(authority, f"GET {path} HTTP/1.1"))
    assert answer.startswith(b"HTTP/1.1 404 Not Found\r\n"), answer
    assert answer.endswith(b"\r\n\r\n404 Not Found\n")
    assert not inside.read


@pytest.mark.parametrize(
    "asked",
    [
        *(b"GET /%s HTTP/1.1\r\nHost: AUTHORITY\r\n\r\n" % path for path in (b"room.js x", b"r\x00", b"\xff", b"\t")),
        *(
            b"%s / HTTP/1.1\r\nHost: AUTHORITY\r\n\r\n" % method
            for method in (b"HEAD", b"POST", b"PUT", b"get", b"PRI *")
        ),
        *(b"GET %s HTTP/1.1\r\nHost: AUTHORITY\r\n\r\n" % url for url in (b"http://AUTHORITY/", b"*", b"room.js", b"")),
        b"GET / HTTP/1.0\r\nHost: AUTHORITY\r\n\r\n",
        b"GET / HTTP/1.1\nHost: AUTHORITY\r\n\r\n",
        b"GET /\r\nHost: AUTHORITY\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        *(
            b"GET / HTTP/1.1\r\nHost: %s\r\n\r\n" % host
            for host in (b"evil.example", b"127.0.0.1", b"localhost:80", b"")
        ),
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\nhost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\nHost: AUTHORITY\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : AUTHORITY\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\nUpgrade: h2c\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\nUpgrade: websocket\r\nUpgrade: websocket\r\n\r\n",
        b"GET /leafnode HTTP/1.1\r\nHost: AUTHORITY\r\nUpgrade: websocket\r\n\r\n",
        b"GET /room.js HTTP/1.1\r\nHost: AUTHORITY\r\nUpgrade: WebSocket\r\n\r\n",
        b"x" * 8202,
        b"GET / HTTP/1.1\r\nHost: AUTHORITY\r\nX: " + b"x" * 8192 + b"\r\n\r\n",
        b"\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
    ],
)
async def test_what_is_no_request_of_a_browser_for_this_page_is_bad(folder: Path, asked: bytes) -> None:
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered(folder) as (inside, _, authority):
        answer = await answer_to(authority, asked.replace(b"AUTHORITY", authority.encode()))
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n"), answer
    assert not inside.read


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: ", b"GET"])
async def test_a_head_that_does_not_come_ends_the_connection(
    folder: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(connection_guard, "HEAD_SECONDS", 0.01)
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered(folder) as (_, _, authority):
        assert await answer_to(authority, sent) == b""


@linux
async def test_both_ports_have_one_share(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_guard, "BYTES_BURST", 2 * connection_guard.MIN_REQUEST_BYTES + 100)
    monkeypatch.setattr(connection_guard, "BYTES_PER_SECOND", 0.001)
    monkeypatch.setattr(connection_guard, "CONNECTIONS_PER_HOST", 2)
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered(folder) as (inside, port, authority):
        for _ in range(2):
            assert b" 200 OK" in await answer_to(authority, request(authority), ELSEWHERE)
            await until(lambda: not inside.guard._remote_host(ELSEWHERE).connections)
        async with connected(port, ELSEWHERE) as (reader, writer):
            writer.write(bytes(100))
            assert await reader.readexactly(100) == bytes(100)
            waiting = asyncio.create_task(answer_to(authority, request(authority), ELSEWHERE))
            await until(lambda: inside.guard._remote_host(ELSEWHERE).connections == 2)
            full = await answer_to(authority, request(authority), ELSEWHERE)
            assert full.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            assert not waiting.done(), "two requests and 100 bytes are all that the address may send"
            assert b" 200 OK" in await answer_to(authority, request(authority))


@linux
async def test_who_does_not_read_an_answer_keeps_a_place_for_a_while_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_guard, "CONNECTIONS_PER_HOST", 1)
    monkeypatch.setattr(connection_guard, "LAST_SECONDS", 0.1)
    (folder / "large.js").write_bytes(bytes(2**24))
    async with asyncio.timeout(MAX_WAIT_SECONDS), entered(folder) as (_, _, authority):
        port = int(authority.rpartition(":")[2])
        async with connected(port, ELSEWHERE, limit=1) as (_, writer):
            writer.write(request(authority, "GET /large.js HTTP/1.1"))
            while b" 503 " not in await answer_to(authority, b"", ELSEWHERE):
                pass
            while b" 200 OK" not in await answer_to(authority, request(authority), ELSEWHERE):
                pass


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Broker]:
    async with running_broker(tmp_path / "table", RoomKeys.from_root("", bytes(16))) as broker:
        yield broker


async def test_a_page_has_its_web_socket(broker: Broker) -> None:
    async with asyncio.timeout(MAX_WAIT_SECONDS), WebSocket.open(broker.authority) as socket:
        greeting = await socket.read()
        assert json.loads(greeting.removeprefix(b"INFO "))["server_name"].startswith("fourtwenty-table-")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/leafnode", {}),
        ("/mqtt", {}),
        ("/x/leafnode", {}),
        ("/", {"Origin": "http://evil.example"}),
        ("/", {"Origin": "null"}),
        ("/", {"Origin": f"http://{connection_guard.LOOPBACK}"}),
        ("/", {"Host": "evil.example", "Origin": "http://evil.example"}),
        ("/", {"Upgrade": "h2c"}),
        ("/", {"Connection": ""}),
        ("/", {"Sec_WebSocket_Key": ""}),
        ("/", {"Sec_WebSocket_Version": "12"}),
    ],
)
async def test_nobody_else_has_it(broker: Broker, path: str, headers: dict[str, str]) -> None:
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        with pytest.raises(ConnectionError, match=r"HTTP/1\.1 400 Bad Request"):
            async with WebSocket.open(broker.authority, path, **headers):
                pass


async def test_no_other_path_is_reached_by_a_second_request(broker: Broker) -> None:
    """nats-server goes on to read requests after one that it has refused."""
    refused, _ = head_of(broker.authority, Sec_WebSocket_Version="12")
    for path in ("/", "/leafnode"):
        second, _ = head_of(broker.authority, path)
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            answer = await answer_to(broker.authority, refused + second)
        assert answer.count(b"HTTP/1.1") == 1
        assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")


@pytest.mark.parametrize(
    "send",
    [
        lambda _: None,
        lambda socket: socket.send(b"PING\r\n"),
        lambda socket: socket.send(b"CONNECT {}\r\nPING\r\n", TEXT),
        lambda socket: socket.send(b"SUB > 1\r\n"),
        lambda socket: socket.send(b"", PING),
        lambda socket: socket.send(b"PING\r\n", masked=False),
        lambda socket: socket.send(b"PING\r\n", 5),
        lambda socket: socket.send(b"x", 0),
        lambda socket: socket.send(bytes(2**20)),
        lambda socket: socket.writer.write(bytes(100)),
        lambda socket: socket.writer.write(b"\x82\xff" + b"\xff" * 8),
    ],
    ids=range(11),
)
async def test_who_does_not_log_in_is_thrown_out(broker: Broker, send: Callable[[WebSocket], None]) -> None:
    async with asyncio.timeout(MAX_WAIT_SECONDS), WebSocket.open(broker.authority) as socket:
        begun = asyncio.get_running_loop().time()
        send(socket)
        said = b""
        while read := await socket.read():
            said += read
        assert not re.search(rb"(?m)^MSG ", said), said
        assert asyncio.get_running_loop().time() - begun < 10
        assert broker.running
