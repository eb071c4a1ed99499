"""Stores a room's log on a NATS broker with JetStream (docs/inside/rooms.md), without consumers. Needs ``[rooms]``."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.transport import TcpTransport
from nats.errors import Error as NatsError, NoRespondersError, ProtocolError
from nats.protocol.parser import AWAITING_MSG_PAYLOAD, CRLF_SIZE, Parser

from fourtwenty.rooms.encryption import NKEY_OF_USER, MachineKey, RoomKeys, decrypt, decrypt_entry, nkey
from fourtwenty.rooms.room import LOG_VERSION
from fourtwenty.rooms.wire.connection_guard import RateLimit
from fourtwenty.rooms.wire.nats_accounts import (
    JETSTREAM,
    MAX_MESSAGE_BYTES,
    READERS_ACCOUNT,
    READING,
    STORAGE_ACCOUNT,
    Subjects,
    member_jwt,
)
from fourtwenty.rooms.wire.room_log import OnBroadcast, OnConnection, OnEntry, RefusedError, UnreachableError

WORD, GAP = rb"([^ \t\n]+)", rb"[ \t]+"
HEAD = GAP + WORD + GAP + rb"(\d+)" + GAP + rb"(?:" + WORD + GAP + rb")?"
MESSAGE = re.compile(rb"MSG" + HEAD + rb"()(\d+)\r\n")
MESSAGE_WITH_HEADERS = re.compile(rb"HMSG" + HEAD + rb"(\d+)" + GAP + rb"(\d+)\r\n")
"""The line before a message: subject, subscription, subject for answers, size of its headers and of all."""

DEFAULT_PORT = 4222
PORTS = range(DEFAULT_PORT, DEFAULT_PORT + 20)
"""Ports of all tables on one laptop. An address without a port may mean any of them."""
SEARCH_SECONDS = 1.0
"""Seconds for a laptop to answer on the ports of its other tables."""
OWN_BROKER = f"fourtwenty-table-{LOG_VERSION}-"
"""The prefix of the name of a host's broker. Older versions have another, and refuse this log-in."""
SCHEMES = ("nats", "tls")
CONNECT_SECONDS = 5.0
"""At 250 ms on every hop a laptop has answered all requests after two, an unprepared hub after three. Guest Wi-Fi with
isolated laptops never answers."""
FULL_SECONDS = 2.0
"""A full broker says so with its greeting, at 250 ms on every hop within one."""
ANSWER_SECONDS = 5.0
OWNER_SECONDS = 15.0
"""For answers to a broker's owner, which may need new files first."""
RECONNECT_SECONDS = 0.2
CLOSE_SECONDS = 1.0
PING_SECONDS, UNANSWERED_PINGS = 3, 2
"""A silently lost connection is noticed within (2 + 1) * 3 = 9 s."""
PAGE, PAGE_BYTES = 500, 200_000
"""Entries per request, and about their greatest size: at 600 kbit/s they arrive in time."""
MAX_ENTRIES = 50_000
"""Stored entries per machine; a match has 50 to 75. Others' entries do not count."""
MAX_READ = 500_000
"""Entries of a room, about 200 MB, after which a machine stops reading."""
FULL = (10023, 10047, 10054, 10077)
"""JetStream's lasting errors: too little storage, too much stored, too large, and a limit."""
TOO_MANY = "maximum connections exceeded"
"""The error of a full nats-server, before log-in."""
FULL_TABLE = "this table is full; try again in a minute"
FULL_LOG = "this table can't store more; open a new one with fourtwenty host"
NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of the text that nats-server asks a machine to sign; signed entries do not have it."""
BROADCASTS_BURST, BROADCASTS_PER_SECOND = 50, 10.0
"""The broadcasts accepted from a machine: one in 8 s, a reaction in 2 s, answers to returning machines."""
BROADCAST_HEADERS = {"Hint": "1"}
"""The headers of a broadcast. Answers of the broker that somebody redirects have others or none."""
MAX_HEARD = 10_000
"""Machines with a remembered limit of broadcasts."""
LAPTOP = re.compile(r"\d+(\.\d+){3}")
NUMBER = re.compile(r"[0-9]{1,20}")
"""A sequence or a count of 64 bits."""

T = TypeVar("T")

# nats-py 2.16 logs errors that its error callback does not get; without a handler, logging would print them over the
# screen.
logging.getLogger("nats").addHandler(logging.NullHandler())
logging.getLogger("nats").propagate = False
# asyncio warns at the end of a TLS connection, which nats-py 2.16 starts after its first line (nats-io/nats.py#574).
logging.getLogger("asyncio").addFilter(lambda record: "eof_received" not in str(record.msg))


# nats-py 2.16 (protocol/parser.py) reads the line before a message more loosely than nats-server (parser.go) writes it:
# with some headers and subjects it waits for other bytes, or ends the connection. One entry disconnected every machine
# for good.
class MessageParser(Parser):
    """nats-py's parser, with the line before a message read as nats-server writes it."""

    def reset(self) -> None:
        """Forget the bytes of an earlier connection."""
        super().reset()
        self._unread = bytearray()

    async def parse(self, data: bytes = b"") -> None:
        """Take the next bytes of a connection; pass them on one line or one message at a time."""
        self._unread.extend(data)
        while self._unread:
            waits = self.state == AWAITING_MSG_PAYLOAD
            size = self.needed + CRLF_SIZE if waits else self._unread.find(b"\n") + 1
            if not size or len(self._unread) < size:
                return
            part = bytes(self._unread[:size])
            del self._unread[:size]
            if waits or not part.startswith((b"MSG", b"HMSG")):
                await super().parse(part)
            elif line := MESSAGE.fullmatch(part) or MESSAGE_WITH_HEADERS.fullmatch(part):
                subject, subscription, reply, header_size, whole_size = line.groups(b"")
                self.msg_arg = {"subject": subject, "sid": int(subscription), "reply": reply}
                self.header_needed, self.needed = int(header_size or 0), int(whole_size)
                self.state = AWAITING_MSG_PAYLOAD
            else:
                raise ProtocolError("nats: malformed MSG")


class WholeTransport(TcpTransport):
    """A transport of nats-py that writes data in one piece.

    nats-py 2.16 (aio/client.py, ``_flusher``) calls ``writelines``. On a connection just lost, asyncio in Python
    3.12 and 3.13.0 to 3.13.7 (selector_events.py) then registers the closed socket's descriptor for writing, and every
    later connection that gets this descriptor fails: a machine would not come back (python/cpython#136234). It can go
    when nats-py writes in one piece, or Python 3.14 is the oldest supported.
    """

    def __bool__(self) -> bool:
        """Always true, or nats-py 2.16 (aio/client.py, ``_connect_to_server``) would put its own in this place."""
        return True

    def writelines(self, payload: Iterable[bytes]) -> None:
        """Write the pieces in one call, in order."""
        self.write(b"".join(payload))  # type: ignore[no-untyped-call]


class Connection(Client):
    """A client of nats-py that reads on, whatever headers and subjects a message has, and ends with its connection.

    In nats-py 2.16 reading stops silently at some headers and subjects (``_process_headers`` and ``_build_message``
    raise inside ``_read_loop``; nats-io/nats.py#914). It
    reports the end only after a goodbye, for which asyncio waits up to 30 s with TLS (nats-io/nats.py#718); if that
    fails or is cut off, its subscriptions' tasks wait for ever.
    """

    def __init__(self) -> None:
        super().__init__()
        self._ps = MessageParser(self)
        self._transport = WholeTransport()  # type: ignore[no-untyped-call]
        self._closing = asyncio.Lock()

    async def flush(self, timeout: int = int(ANSWER_SECONDS)) -> None:
        """Return once the broker has received all that was sent. nats-py sends its ping before waiting data."""
        await self._flush_pending(force_flush=True)
        await super().flush(timeout)

    async def _process_headers(self, headers: bytes | None) -> dict[str, str] | None:
        return read_headers(headers) if headers else None

    def _build_message(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: dict[str, str] | None
    ) -> Any:
        readable = [part.decode(errors="replace").encode() for part in (subject, reply)]
        return super()._build_message(sid, readable[0], readable[1], data, headers)

    async def _close(self, status: int, do_cbs: bool = True) -> None:
        if do_cbs and self._closed_cb:
            await self._closed_cb()
        async with self._closing:
            try:
                with suppress(Exception):
                    async with asyncio.timeout(CLOSE_SECONDS):
                        await super()._close(status, False)
            finally:
                for each in self._subs.values():
                    each._stop_processing()
                if self._transport:
                    with suppress(AttributeError):  # it has none if the handshake of TLS has failed
                        self._transport.close()  # type: ignore[no-untyped-call]


def read_headers(data: bytes) -> dict[str, str]:
    """Return a message's headers by name, from any bytes; ``Status`` also comes from the first line.

    A broker adds its headers after the sender's: the last of a name counts, and an empty line ends nothing.
    """
    first, *lines = data.decode(errors="replace").split("\r\n")
    parts = (line.partition(":") for line in lines)
    headers = {name.strip(): value.strip() for name, colon, value in parts if colon}
    status = first.removeprefix("NATS/1.0").split()
    return headers | {"Status": status[0]} if status else headers


def stream_configuration(partition: str) -> dict[str, Any]:
    """Return the JetStream configuration of the stream of a partition, two hexadecimal digits."""
    return {
        "name": f"T{partition}",
        "subjects": [f"t.{partition}.*.*"],
        "storage": "file",
        "retention": "limits",
        "discard": "new",
        "max_msgs_per_subject": MAX_ENTRIES,
        "discard_new_per_subject": True,
        "max_msg_size": MAX_MESSAGE_BYTES,
        "duplicate_window": 120 * 10**9,
        "deny_delete": True,
        "allow_direct": True,
        "republish": {"src": "t.>", "dest": "r.>"},
    }


def broker_url(address: str) -> str:
    """Return the URL of a broker's address as typed. Raises ValueError for another text."""
    url = address.strip() if "://" in address else f"nats://{address.strip()}"
    if url.startswith(("ws://", "wss://")):
        raise ValueError(f"{address[:60]!r} is a WebSocket, which is for pages; programs use tls:// there")
    with suppress(ValueError):
        parts = urlsplit(url)
        port = f":{DEFAULT_PORT}" if parts.port is None else ""
        if parts.scheme in SCHEMES and parts.hostname and not parts.path.strip("/") and not re.search(r"\s", url):
            return f"{parts.scheme}://{parts.netloc.rstrip(':')}{port}"
    raise ValueError(
        f"{address[:60]!r} isn't an address; type one like 192.168.1.23, host:4222 or tls://play.example.org"
    )


class NatsLog:
    """A room's log on a NATS broker: JetStream stores entries, and live ones come by its republishing.

    Direct gets read the history. It works without consumers: in NATS 2.15 they notice a restarted broker only after
    more than ten seconds, and a stream may have at most 1,000 of them.
    """

    def __init__(self, address: str, keys: RoomKeys, machine: MachineKey) -> None:
        """Raises ValueError for an invalid address."""
        self.connected = False
        self.refusal = ""
        url, hub_key = split_key(address)
        self._host = urlsplit(url).hostname or ""
        self._servers = [url]
        """The broker's URL, and the other nodes of its cluster, one of which may have no leader yet."""
        self._searches = bool(LAPTOP.fullmatch(address.strip()))
        """Whether the table may be at another port of the address."""
        self._subjects = Subjects(keys.room, machine.nkey)
        self._keys = keys
        self._machine = machine
        signer = hub_key or MachineKey(keys.login)
        self._jwts = member_jwt(signer, machine), member_jwt(signer, machine, READERS_ACCOUNT)
        self._newest: dict[str, int] = {}
        """Each machine's newest sequence, read or live, since the last connection."""
        self._read_to: int | None = None
        """All entries up to this sequence have been read since then; None while unknown."""
        self._broadcast_limits: dict[str, RateLimit] = {}
        """The accepted broadcasts of each machine."""
        self._reconnecting: asyncio.Task[None] | None = None
        self._entering: tuple[asyncio.Task[None], ...] = ()
        """The last log-in of both connections."""
        self._client, self._reader = Connection(), Connection()
        """For live messages, and for reading: requests for much data must not delay live messages."""
        self._lost = asyncio.Event()

    async def open(self, on_entry: OnEntry, on_broadcast: OnBroadcast, on_connection: OnConnection) -> None:
        self._on_entry, self._on_broadcast, self._on_connection = on_entry, on_broadcast, on_connection
        await self._connect()
        self._reconnecting = asyncio.create_task(self._stay_connected())

    async def append(self, entry: bytes) -> int:
        return await self._while_connected(self._store(entry))

    async def read(self, after: int) -> list[tuple[int, bytes]]:
        entries: list[tuple[int, bytes]] = []
        more, self._read_to = True, None
        while more:
            page, pending = await self._while_connected(self._read_page(entries[-1][0] if entries else after))
            entries += page
            more = pending and bool(page)
            if len(entries) > MAX_READ:
                raise RefusedError(f"{self._host} has more entries than a table can have")
        # No later entry where there should be one: it is another broker, or has lost something.
        self._read_to = entries[-1][0] if entries else None if after else 0
        return entries

    async def broadcast(self, data: bytes) -> None:
        if self.connected:
            with suppress(NatsError, OSError):
                await self._client.publish(self._subjects.broadcasts, data, headers=BROADCAST_HEADERS)

    async def send_view(self, machine: bytes, data: bytes) -> None:
        if self.connected:
            with suppress(NatsError, OSError):
                await self._client.publish(f"{self._subjects.views}.{nkey(NKEY_OF_USER, machine)}", data)

    async def close(self) -> None:
        self.connected = False
        try:
            await self._end(self._reconnecting, *self._entering)
        finally:
            await self._hang_up()

    async def _end(self, *tasks: asyncio.Task[None] | None) -> None:
        """Cancel tasks until they end.

        asyncio.wait_for (Python 3.11), which nats-py 2.16 uses to connect, swallows a cancellation that comes with an
        answer (python/cpython#86296).
        """
        while running := [task for task in tasks if task and not task.done()]:
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=CLOSE_SECONDS)

    async def _hang_up(self) -> None:
        await asyncio.gather(self._client.close(), self._reader.close())

    async def _stay_connected(self) -> None:
        while True:
            await self._lost.wait()
            self.connected = False
            self._soon(self._on_connection, False)
            while not self.connected:
                await asyncio.sleep(RECONNECT_SECONDS)
                try:
                    await self._connect()
                except UnreachableError:
                    self.refusal = ""
                except RefusedError as reason:
                    self.refusal = str(reason)
            self._soon(self._on_connection, True)

    async def _connect(self) -> None:
        """Connect anew; if this is another table on the same laptop, or none, to the one that knows this code."""
        try:
            await self._log_in(self._servers)
        except (UnreachableError, RefusedError):
            for url in await self._other_tables():
                with suppress(UnreachableError, RefusedError):
                    return await self._log_in([url])
            raise

    async def _other_tables(self) -> list[str]:
        """Return the URLs of a laptop's other listening ports; empty for an address with a port."""
        ports = [port for port in PORTS if port != urlsplit(self._servers[0]).port] if self._searches else []
        found = await asyncio.gather(*(first_lines(self._host, port, 0, SEARCH_SECONDS) for port in ports))
        return [f"nats://{self._host}:{port}" for port, lines in zip(ports, found, strict=True) if lines is not None]

    async def _log_in(self, servers: list[str]) -> None:
        """Connect anew, and subscribe to entries and broadcasts; then these servers are the table's.

        A client of nats-py 2.16 that reconnects by itself gives up after some errors of a broker, and repeats messages
        that nobody waits for. So each connection has its own client without reconnection.
        """
        await self._hang_up()
        self._client, self._reader, self._lost = Connection(), Connection(), asyncio.Event()
        self._newest, self._read_to = {}, None
        lost, reasons = self._lost, list[Exception]()

        async def lose() -> None:
            lost.set()

        async def remember(error: Exception) -> None:
            reasons.append(error)

        url = servers[0]
        options = {"closed_cb": lose, "error_cb": remember, "tls_hostname": self._host}

        async def enter(client: Connection, jwt: str) -> None:
            await log_in(client, servers, self._machine, jwt, self._subjects.inbox, **options)
            # nats-py 2.16 speaks TLS only if the broker asks for it, even if the address says tls
            # (nats-io/nats.py#912).
            if url.startswith("tls:") and not client._server_info.get("tls_required"):
                raise RefusedError(f"{self._host} does not speak TLS")

        async def hear() -> None:
            await enter(self._client, self._jwts[0])
            await self._client.subscribe(f"{self._subjects.live}.*", cb=self._receive_entry)
            await self._client.subscribe(f"{self._subjects.here}.*", cb=self._receive_broadcast)
            await self._client.flush()  # then the broker has received the above

        async def find() -> None:
            await enter(self._reader, self._jwts[1])
            await self._find_stream()

        self._entering = asyncio.create_task(hear()), asyncio.create_task(find())
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await asyncio.gather(*self._entering)
        except Exception as error:  # nats-py 2.16 also raises AttributeError and others, if a connection ends early
            await self._end(*self._entering)
            reason = self._reason([error, *reversed(reasons)])
            if reason is None and self._greeting and await self._is_full(url):  # also if one has the last place
                reason = RefusedError(FULL_TABLE)
            await self._hang_up()
            raise reason or UnreachableError(f"{self._host} does not answer") from None
        self._servers = [url, *(node.geturl() for node in self._client.servers if node.geturl() != url)]
        self.connected, self.refusal = True, ""

    @property
    def _greeting(self) -> dict[str, Any]:
        """The greeting of the broker; empty without one."""
        said: object = self._client._server_info or self._reader._server_info
        return said if isinstance(said, dict) else {}

    async def _is_full(self, url: str) -> bool:
        """Whether the broker hangs up because its connections are used up.

        It greets, says so, and hangs up. nats-py 2.16 answers the greeting before it reads on; that resets the
        connection and loses the message. So this listens silently.
        """
        lines = await first_lines(self._host, urlsplit(url).port or DEFAULT_PORT, 2, FULL_SECONDS)
        return TOO_MANY.encode() in (lines or b"")

    async def _find_stream(self) -> None:
        """Find the broker's stream for this room; create it if there is none."""
        try:
            await self._get(last_by_subj=self._subjects.own)
        except NoRespondersError:
            created, create = stream_configuration(self._keys.room[:2]), f"{JETSTREAM}.STREAM.CREATE"
            request = f"{create}.{self._subjects.stream}", json.dumps(created).encode()
            answer = await self._reader.request(*request, timeout=ANSWER_SECONDS)
            if json.loads(answer.data).get("error"):
                raise RefusedError(f"{self._host} doesn't store tables") from None

    async def _store(self, entry: bytes) -> int:
        kept = await self._send(entry, {"Nats-Msg-Id": sha256(entry).hexdigest()})
        if kept.get("duplicate") and (await self._get(seq=kept.get("seq"))).data != entry:
            kept = await self._send(entry)  # other bytes already have its identifier
        if error := kept.get("error"):
            if error.get("err_code") in FULL:
                raise RefusedError(FULL_LOG)
            raise UnreachableError(f"{self._host} can't store it: {error.get('description')}")
        return int(kept["seq"])

    async def _get(self, **wanted: object) -> Msg:
        subject = f"{READING}.{self._subjects.stream}"
        return await self._reader.request(subject, json.dumps(wanted).encode(), timeout=ANSWER_SECONDS)

    async def _send(self, entry: bytes, headers: dict[str, str] | None = None) -> dict[str, Any]:
        answer = await self._client.request(self._subjects.own, entry, timeout=ANSWER_SECONDS, headers=headers)
        found = json.loads(answer.data)
        return found if isinstance(found, dict) else {}

    async def _while_connected(self, asking: Coroutine[Any, Any, T]) -> T:
        """Return an answer of the broker. Raises UnreachableError when the connection is lost before it comes."""
        if not self.connected:
            asking.close()
            raise UnreachableError("not connected")
        answer, lost = asyncio.create_task(asking), asyncio.create_task(self._lost.wait())
        try:
            await asyncio.wait((answer, lost), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise UnreachableError("the connection is lost")
            return answer.result()
        except (UnreachableError, RefusedError):
            raise
        except Exception as error:  # nats-py 2.16 raises many, and a broker may answer anything
            if isinstance(error, TimeoutError):
                self._lost.set()  # unanswered requests are repeated after the next connection
            raise UnreachableError(f"{self._host} does not answer") from None
        finally:
            answer.cancel()
            lost.cancel()

    async def _read_page(self, after: int) -> tuple[list[tuple[int, bytes]], bool]:
        """Return up to ``PAGE`` entries after a sequence, and whether there are more (NATS ADR-31, since 2.11)."""
        entries: list[tuple[int, bytes]] = []
        last: asyncio.Future[Msg] = asyncio.get_running_loop().create_future()

        async def take(message: Msg) -> None:
            headers = message.headers or {}
            sequence = _header_number(headers, "Nats-Sequence")
            # An entry also has its sender's headers, possibly a status. The end of a batch has no sequence.
            room, _, machine = headers.get("Nats-Subject", "").rpartition(".")
            if sequence is not None and room == self._subjects.stored:
                if sequence > after and len(entries) < PAGE:
                    entries.append((sequence, message.data))
                self._newest[machine] = max(sequence, self._newest.get(machine, 0))
            elif sequence is None and not message.data and not last.done():
                last.set_result(message)

        inbox = self._reader.new_inbox()
        subscription = await self._reader.subscribe(inbox, cb=take)
        try:
            wanted = {"seq": after + 1, "next_by_subj": f"{self._subjects.stored}.*"}
            wanted |= {"batch": PAGE, "max_bytes": PAGE_BYTES}
            await self._reader.publish(f"{READING}.{self._subjects.stream}", json.dumps(wanted).encode(), reply=inbox)
            end = (await asyncio.wait_for(last, ANSWER_SECONDS)).headers or {}
        finally:
            with suppress(NatsError, OSError):
                await subscription.unsubscribe()
        # 204 ends a batch; 404 means an unknown entry.
        status = end.get("Status")
        if status not in ("204", "404"):
            raise UnreachableError(f"{self._host} cannot read: {status}")
        return entries, status == "204" and bool(_header_number(end, "Nats-Num-Pending"))

    async def _receive_entry(self, message: Msg) -> None:
        headers, machine = message.headers or {}, message.subject.rpartition(".")[2]
        sequence, before = _header_number(headers, "Nats-Sequence"), _header_number(headers, "Nats-Last-Sequence")
        if sequence is None or before is None or headers.get("Nats-Subject") != f"{self._subjects.stored}.{machine}":
            return
        newest = self._newest.get(machine, 0)
        if self._read_to is not None:
            newest = max(newest, self._read_to)
            # By a request's reply subject any member can have the broker send an old entry as if it were live.
            if sequence <= newest:
                return
            if newest < before:
                # The same machine's entry before it was lost on its way, as between the nodes of a cluster: all is read
                # again as after a lost connection.
                self._lost.set()
                return
        self._newest[machine] = max(sequence, newest)
        if self.connected and not self._lost.is_set():
            self._soon(self._on_entry, sequence, message.data)

    async def _receive_broadcast(self, message: Msg) -> None:
        machine = message.subject.rpartition(".")[2]
        limit = self._broadcast_limits.get(machine)
        # A machine can use only its own subject, but any member can redirect the broker's answers.
        if not self.connected or message.headers != BROADCAST_HEADERS or (limit and limit.available < 1):
            return
        if decrypt(self._keys, message.data) is None:
            return
        if len(self._broadcast_limits) >= MAX_HEARD:
            self._broadcast_limits.clear()
        self._broadcast_limits.setdefault(machine, RateLimit(BROADCASTS_BURST, BROADCASTS_PER_SECOND)).spend(1)
        hint = decrypt_entry(self._keys, message.data)
        if hint and nkey(NKEY_OF_USER, hint.author) == machine:
            self._soon(self._on_broadcast, message.data)

    def _soon(self, hear: Callable[..., None], *heard: object) -> None:
        # nats-py 2.16 swallows exceptions of a callback; the event loop does not.
        asyncio.get_running_loop().call_soon(hear, *heard)

    def _reason(self, errors: list[Exception]) -> UnreachableError | RefusedError | None:
        """Return the reason of a failure in a few words, from the first clear error; None without one."""
        for error in errors:
            match error:
                case UnreachableError() | RefusedError():
                    return error
                case ssl.SSLError():
                    return UnreachableError(f"the certificate of {self._host} is not valid")
                case socket.gaierror():
                    return UnreachableError(f"can't find {self._host}")
                case NoRespondersError():
                    return RefusedError(f"{self._host} doesn't store tables: it has no JetStream")
                case NatsError() if TOO_MANY in str(error):
                    return RefusedError(FULL_TABLE)
                case NatsError() if "permissions" in str(error).lower():
                    return RefusedError(f"{self._host} doesn't store tables for this code")
                case NatsError() if "authorization" in str(error).lower():
                    return RefusedError(self._no_entry())
        return None

    def _no_entry(self) -> str:
        """Return the reason, in a few words, why the broker does not admit this machine."""
        name = str(self._greeting.get("server_name", ""))
        if name.startswith("fourtwenty-") and not name.startswith(OWN_BROKER):
            return "the host of this table has another version of the program: all need the same"
        if self._keys.code.endswith(f"@{self._host}"):
            return f"{self._host} wants its key before the @ of its address. Check the address"
        return f"no table with this code at {self._host}. Check the code"


def _header_number(headers: dict[str, str], name: str) -> int | None:
    """Return the number in a header; None for no number."""
    text = headers.get(name, "")
    return int(text) if NUMBER.fullmatch(text) else None


async def first_lines(
    host: str, port: int, count: int, seconds: float, request: bytes = b"", **options: Any
) -> bytes | None:
    """Return the first lines of a server, after a request if there is one; None if they do not come in time."""
    with suppress(OSError, ValueError):
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(host, port, **options)
            try:
                writer.write(request)
                return b"".join([await reader.readline() for _ in range(count)])
            finally:
                writer.transport.abort()  # a goodbye of TLS would be waited for
    return None


def split_key(address: str) -> tuple[str, MachineKey | None]:
    """Return a broker's URL without a hub's key, which is never sent, and that key or None.

    The key precedes "@". A name and a password there are for another kind of NATS server.
    """
    url = urlsplit(broker_url(address))
    if not url.username or url.password is not None:
        return url.geturl(), None
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}", MachineKey(sha256(url.username.encode()).digest())


async def log_in(client: Client, servers: list[str], machine: MachineKey, jwt: str, inbox: str, **options: Any) -> None:
    """Connect to the first broker that answers, by a JWT if requested. Raises the errors of nats-py."""

    def sign(nonce: str) -> bytes:
        if not NONCE.fullmatch(nonce):
            raise ValueError("this is not what a broker asks a machine to sign")
        return b64encode(machine.sign(nonce.encode()))

    await client.connect(
        servers,
        name="fourtwenty",
        user_jwt_cb=lambda: bytearray(jwt.encode()),
        signature_cb=sign,
        inbox_prefix=inbox,
        allow_reconnect=False,
        max_reconnect_attempts=1,
        reconnect_time_wait=0,
        connect_timeout=int(CONNECT_SECONDS),
        ping_interval=PING_SECONDS,
        max_outstanding_pings=UNANSWERED_PINGS,
        no_echo=True,
        **options,
    )


async def ask_admin(address: str, owner: MachineKey, calls: Iterable[tuple[str, dict[str, Any]]]) -> list[str]:
    """Call as a broker's owner; return what was wrong with some calls. Raises the errors of nats-py."""
    client, (url, _), failed = Connection(), split_key(address), list[str]()
    try:
        await log_in(client, [url], owner, member_jwt(owner, owner, STORAGE_ACCOUNT), f"_INBOX.{owner.nkey}")
        for call, body in calls:
            answer = await client.request(f"{JETSTREAM}.{call}", json.dumps(body).encode(), timeout=OWNER_SECONDS)
            if error := json.loads(answer.data).get("error"):
                failed.append(f"{call}: {error.get('description')}")
        return failed
    finally:
        await client.close()
