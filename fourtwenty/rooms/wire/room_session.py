"""Opens and joins tables of several machines: code, keys, file, broker, client, and their end. No screen."""

from __future__ import annotations

import asyncio
import re
import secrets
from base64 import b64encode
from contextlib import AsyncExitStack, suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.file_storage import is_there, rooms_folder
from fourtwenty.journal.links import homepage
from fourtwenty.play.match import SaveError
from fourtwenty.rooms.encryption import HUB, LINK, NEAR, MachineKey, RoomKeys, base64url, fresh_code, read_code
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.names import check_seat
from fourtwenty.rooms.room_file import KnownRoom, RoomFile, RoomInUseError, known_rooms
from fourtwenty.rooms.wire.broker import Broker, BrokerError, lan_address
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.log_copy import LogCopy
from fourtwenty.rooms.wire.nats_log import NatsLog, broker_url, first_lines
from fourtwenty.rooms.wire.pages import Pages
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError
from fourtwenty.web.room_page import write_room_page

SCHEME = "fourtwenty://"
TABLE_VARIABLE = "FOURTWENTY_TABLE"
"""The environment variable for a table that a command omits: only its own user can read it."""
CODE_WORD = re.compile(r"\w+(-\w+)+(@\S+)?:?")
"""A code as it precedes the address in an invitation."""
CLEANUP_ENTRIES = 300
"""Least number of entries that do not count for a host's broker to delete them."""
CLEANUP_SECONDS = 5.0
"""Seconds between two counts of them."""
PAGE_MOVED = "The page for phones is at another address now: they lose their seats, and sit down anew by the new link."
WEBSOCKET_PORT, WEBSOCKET_SECONDS = 443, 3.0
"""The port of a hub's WebSocket, which every network lets out, and the time for its answer."""
LAST_WORD_SECONDS = 3.0
"""The longest wait, in seconds, of a machine that leaves after a match, until the others have its end, too."""
FAILURES = (UnreachableError, RefusedError, BrokerError, SaveError, ValueError, OSError)
"""The errors of ``host`` and ``join``. The message says in a sentence, without a full stop, what was wrong."""


class RoomSession(Struct):
    """A table of this machine, until it is closed."""

    client: Client
    address: str
    """The table as ``join`` takes it: "192.168.1.23/K7QF-3XMP"."""
    stack: AsyncExitStack
    page: str = ""
    """The link to the page for phones; empty if the table is not on this machine."""
    second: bool = False
    """Whether another window here has the seat and saves the matches: this one only watches."""

    @property
    def code(self) -> str:
        """The code of the table, as "K7QF-3XMP", with the name of its hub if the table has moved."""
        return self.address.rpartition("/")[2]

    @property
    def command(self) -> str:
        """The command for others; it asks for the code, and for an address with a hub's key."""
        return "fourtwenty join" if self._has_key else f"fourtwenty join {self.address.rpartition('/')[0]}"

    @property
    def invitation(self) -> str:
        """The line for others, which no terminal takes for a command with a code or a key."""
        return f"Table {self.address if self._has_key else self.code}: {self.command}"

    @property
    def _has_key(self) -> bool:
        """Whether the address contains a hub's key."""
        return "@" in self.address.rpartition("/")[0]

    async def close(self) -> None:
        """Leave the table, after a match with a short wait until the others have all of it, too."""
        changed = asyncio.Event()
        self.client.listeners.append(changed.set)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_WORD_SECONDS):
                    while self._end_is_missing:
                        changed.clear()
                        await changed.wait()
        finally:  # also when the program ends while it waits
            await self.stack.aclose()

    @property
    def _end_is_missing(self) -> bool:
        """Whether a present machine has not stated yet that it has the whole match."""
        client = self.client
        match = client.room.match
        if match is None or not match.over or match.abandoned or not client.connected:
            return False
        return any(
            machine not in match.ends and not client.presence.away(participant.author)
            for machine, participant in enumerate(match.participants)
        )


async def host(
    seat_request: SeatRequest, at: str | None = None, resume: str | None = None, link: bool = False
) -> RoomSession:
    """Open a table and sit down there: by a broker on this machine, or at one that runs elsewhere.

    ``resume``: the code of an earlier table; its log is uploaded if the broker has lost it. ``link``: a new table's
    code is sent, not typed. Raises the errors of FAILURES.
    """
    if at and resume and len(resume.replace("-", "")) == NEAR:
        raise ValueError(f"{resume} is a laptop's table, and its code is too short for a hub. Open a new one there")
    code = resume or fresh_code(LINK if link else HUB if at else NEAR, _hub(at) if at else "")
    keys = await asyncio.to_thread(RoomKeys.from_code, code)
    async with AsyncExitStack() as stack:
        broker: Broker | None = None
        if at is None:
            broker = Broker(rooms_folder() / keys.room, keys, lan_address())
            stack.push_async_callback(broker.stop)
            await broker.start()
            address = broker.address
        else:
            address = at.strip().removeprefix(SCHEME).rstrip("/")
        session = await _connect(stack, keys, address, seat_request, inside=broker.local_address if broker else "")
        client = session.client
        client.has_broker = broker is not None
        if broker:
            Pages(client)
            client.sync.start(_clean_up(broker, client.copy))
            write_room_page(broker.page, client.machine.public.hex(), _host_name(client))
            session.page = broker.link
            if broker.moved:
                client.notices.notify(PAGE_MOVED)
        else:
            await _open_hub_page(session, address)
        session.stack = stack.pop_all()
        return session


async def _open_hub_page(session: RoomSession, address: str) -> None:
    """Give out the published page for phones, if the hub lets it in; this machine shows its views."""
    client = session.client
    session.page = await page_link(homepage(), address, client.keys, client.machine.public, _host_name(client))
    if session.page:
        Pages(client)


async def page_link(homepage: str | None, address: str, keys: RoomKeys, host: bytes, name: str) -> str:
    """Return the link to the published page for phones at a hub that lets that page in (docs/inside/operator.md).

    Empty if the hub does not. The page comes from the web server of the game: a link in a chat seats somebody anywhere.
    ``host`` is the public key of the machine that sends the page its views. The link contains the keys of the table and
    of the hub behind the ``#``.
    """
    hub = urlsplit(broker_url(address))
    if not homepage or hub.scheme != "tls" or not hub.username or not hub.hostname:
        return ""
    page = urlsplit(homepage)
    # RFC 6455, 4
    request = (
        f"GET / HTTP/1.1\r\nHost: {hub.hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Origin: {page.scheme}://{page.netloc}\r\n"
        f"Sec-WebSocket-Key: {b64encode(secrets.token_bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    answer = await first_lines(hub.hostname, WEBSOCKET_PORT, 1, WEBSOCKET_SECONDS, request.encode(), ssl=True)
    if not (answer or b"").startswith(b"HTTP/1.1 101 "):
        return ""
    authority = hub.hostname if WEBSOCKET_PORT == 443 else f"{hub.hostname}:{WEBSOCKET_PORT}"
    secret = keys.root + host + sha256(hub.username.encode()).digest() + f"{authority} {name}".encode()
    return f"{homepage.partition('#')[0].rstrip('/')}/room/#{base64url(secret)}"


def _host_name(client: Client) -> str:
    seated = client.room.name(client.machine.public) or client.seat_request.name  # after --resume nobody is named
    return next((seat.name for seat in client.seat_request.players if not seat.bot), seated)


async def _clean_up(broker: Broker, copy: LogCopy) -> None:
    """Repeatedly delete entries that do not count, so that nobody fills the table or makes newcomers read them."""
    while True:
        await asyncio.sleep(CLEANUP_SECONDS)
        if len(copy.void) >= CLEANUP_ENTRIES and copy.synced and not copy.diverged:
            void = sorted(copy.void)
            copy.void.clear()
            with suppress(BrokerError):
                await broker.throw_away(void)


async def join(table: str, seat_request: SeatRequest) -> RoomSession:
    """Join a table; sit down unless somebody plays, or take an earlier seat. Raises the errors of FAILURES."""
    address, code = read_table_address(table)
    code = next((room.code for room in known_rooms() if _signs(room.code) == _signs(code)), code)
    keys = await asyncio.to_thread(RoomKeys.from_code, code)
    async with AsyncExitStack() as stack:
        session = await _connect(stack, keys, address, seat_request, joins=True)
        if session.client.room.host == session.client.machine.public:  # back at its table at a hub
            await _open_hub_page(session, address)
        session.stack = stack.pop_all()
        return session


async def rejoin(table: bytes, seat_request: SeatRequest) -> RoomSession:
    """Come back to the table of a match, ``SharedDice.table``; a host opens it again. Raises the errors of FAILURES."""

    def find() -> KnownRoom | None:
        return next((room for room in known_rooms() if RoomKeys.from_code(room.code).table == table), None)

    room = await asyncio.to_thread(find)
    if room is None:
        raise ValueError("this game's table is open in another window, or no longer known here")
    try:
        return await join(f"{room.address}/{room.code}", seat_request)
    except (UnreachableError, RefusedError) as error:
        if is_there(room.path.with_suffix("")):  # the broker ran here
            return await host(seat_request, resume=room.code)
        raise type(error)(f"{error}. To open it here for all: fourtwenty host --resume") from error


def has_code(table: str) -> bool:
    """Whether a table has its code, and not only an address."""
    return "/" in table.rpartition("://")[2].rstrip("/")


def last_code(address: str) -> str:
    """Return the code of this machine's last table at an address; empty for none."""
    wanted = address.strip().removeprefix(SCHEME).rstrip("/")
    return next((_signs(room.code) for room in known_rooms() if room.address == wanted), "")


def is_known(table: str) -> bool:
    """Whether this machine has been at a table, as ``join`` takes it; False without its code."""
    with suppress(ValueError):
        signs = _signs(read_table_address(table)[1])
        return any(_signs(room.code) == signs for room in known_rooms())
    return False


def read_table_address(text: str) -> tuple[str, str]:
    """Return address and code of "192.168.1.23/K7QF-3XMP", a link or pasted text. Raises ValueError with a sentence."""
    *words, last = text.split() or [""]
    codes = (word.rstrip(":") for word in words if CODE_WORD.fullmatch(word))
    apart = next((f"{last}/{code}" for code in codes), text.strip())
    table = next(filter(has_code, (*words, last)), apart)
    address, _, code = table.removeprefix(SCHEME).rstrip("/:").rpartition("/")
    if not address:
        raise ValueError(f"type the address and the code, like 192.168.1.23/K7QF-3XMP, not {table[:40]!r}")
    return address, read_code(code, _hub(address))


def _hub(address: str) -> str:
    """Return a hub's name by its address: independent of the port and of TLS."""
    return urlsplit(broker_url(address)).hostname or ""


def _signs(code: str) -> str:
    return code.partition("@")[0]


def table_address(address: str, code: str) -> str:
    """Return a table as ``join`` takes it; with its hub's name if the table of a hub has moved."""
    return f"{address}/{_signs(code) if code.endswith(f'@{_hub(address)}') else code}"


def resumable(code: str | None = None) -> str:
    """Return the code of this machine's last table, or of the one named. Raises ValueError."""
    wanted = None if code is None else _signs(read_code(code, "any"))
    found = next((room.code for room in known_rooms() if wanted in (None, _signs(room.code))), None)
    if found is None:
        raise ValueError(f"this machine has not been at {wanted or 'a table yet'}")
    return found


def sit_down(client: Client) -> None:
    """Take the requested seats in the next match, unless they are taken or a match is running.

    The terms, and the players if none are named, are the last ones.
    """
    room, participant, wanted = client.room, client.view.mine, client.seat_request.players
    if wanted and not room.playing and not (participant and wanted == participant.players):
        client.sit(client.next_seat_request)
        return
    match, machine = room.match, client.local.index
    players = match.participants[machine].players if match and machine is not None else ()
    if room.playing and match and not players:
        # A slower player would lose the seat after the match.
        if refusal := next(filter(None, (check_seat(seat, match.lineup.seats) for seat in wanted)), None):
            client.notices.notify(f"{refusal} You watch for now.")
        else:
            players = wanted
    client.seat_request = replace(client.next_seat_request, players=participant.players if participant else players)
    client.spectates = not (players if room.playing else participant)


async def _connect(
    stack: AsyncExitStack,
    keys: RoomKeys,
    address: str,
    seat_request: SeatRequest,
    joins: bool = False,
    inside: str = "",
) -> RoomSession:
    """Connect to a table and sit down; the stack closes it. ``inside`` is a shorter way to its address."""
    second = False
    try:
        file = RoomFile(keys.room, keys.code, address)
    except RoomInUseError:
        folder = stack.enter_context(TemporaryDirectory(prefix="fourtwenty-"))
        file = RoomFile(keys.room, keys.code, address, Path(folder))
        second, seat_request = True, replace(seat_request, players=())
    stack.callback(file.close)
    client = Client(keys, NatsLog(inside or address, keys, MachineKey(file.secret)), file, seat_request)
    stack.push_async_callback(client.close)
    try:
        await client.open()
    except UnreachableError as error:
        raise UnreachableError(f"{error}{_advice(address)}") from error
    if joins and client.connected and not client.room.head[0]:
        table = f"table {_signs(keys.code)} at {_hub(address)}"
        if client.copy.void:
            raise RefusedError(f"{table} was opened by another version of the program. Open a new one")
        raise RefusedError(f"no {table}. Check the code")
    sit_down(client)
    return RoomSession(client, table_address(address, keys.code), stack, second=second)


def _advice(address: str) -> str:
    """A second sentence about a silent laptop; empty for brokers on the internet."""
    with suppress(ValueError):
        host = ip_address(_hub(address))
        if host.is_private and not host.is_loopback:
            return ". Guest Wi-Fi often blocks this. Another network or a phone hotspot usually works"
    return ""
