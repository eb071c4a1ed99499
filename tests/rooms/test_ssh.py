"""The lines of docs/inside/operator.md for a table by ssh, with a real sshd: two guests, their seats, nothing else."""

from __future__ import annotations

import getpass
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import pytest
from in_lines import Program
from loopback import free_port
from patience import PATIENCE
from terminal import Terminal

from fourtwenty.rooms.room_file import known_rooms

PAGE = Path(__file__).parents[2] / "docs" / "inside" / "operator.md"
SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")
RUN = Path("/run/sshd")
"""The empty folder that an sshd of root wants; the system's service makes it."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.terminal,
    pytest.mark.skipif(not (SSHD and shutil.which("ssh")), reason="there is no sshd here"),
]


def lines_of_the_page(table: str, folder: Path) -> tuple[str, str]:
    """Return the configuration of sshd and the line of a guest as the page has them, with the paths of the test."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## By ssh\n")[2].partition("\n## ")[0]
    configuration, guest = re.findall(r"```\n(.*?)```\n", section, re.DOTALL)
    for there, here in {
        "User play": f"User {getpass.getuser()}",
        "/etc/ssh/guests": str(folder / "guests"),
        "/usr/local/bin/fourtwenty": f"{shlex.quote(sys.executable)} -m fourtwenty",
        "192.168.1.23/K7QF-3XMP": table,
        "$HOME": str(folder / "play"),
        "ClientAliveInterval 10": "ClientAliveInterval 1",
    }.items():
        assert configuration.count(there) == 1, there
        configuration = configuration.replace(there, here)
    return configuration, guest


class Door:
    """An sshd on loopback at which guests knock with their keys."""

    def __init__(self, folder: Path, table: str) -> None:
        self.folder = folder
        self.port = free_port()
        configuration, guest = lines_of_the_page(table, folder)
        for name in ("host", "Ben", "Cleo", "stranger"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        (folder / "guests").write_text(
            "".join(
                re.sub(r"ssh-ed25519 .*", (folder / f"{name}.pub").read_text().strip(), guest.replace("Ben", name))
                for name in ("Ben", "Cleo")
            )
        )
        (folder / "play").mkdir()
        # What a Debian has besides, and what lets an sshd of one's own work in a temporary folder.
        (folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{self.port}\nHostKey {folder / 'host'}\nPidFile none\nStrictModes no\n"
            f"AcceptEnv LANG LC_*\nX11Forwarding yes\nSubsystem sftp internal-sftp\n{configuration}"
        )

    def __enter__(self) -> Self:
        assert SSHD
        with (self.folder / "log").open("w") as log:
            command = [SSHD, "-D", "-e", "-f", str(self.folder / "sshd_config")]
            self._daemon = subprocess.Popen(command, stderr=log, stdin=subprocess.DEVNULL)
        return self

    def __exit__(self, *error: object) -> None:
        self._daemon.terminate()
        self._daemon.wait()

    def command(self, name: str, *arguments: str, program: str = "ssh") -> list[str]:
        """Return the command of a guest."""
        options = {
            "IdentityFile": self.folder / name,
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": self.folder / "known",
            "StrictHostKeyChecking": "accept-new",
            "BatchMode": "yes",
            "Port": self.port,
            "ConnectionAttempts": PATIENCE,  # a second each, until the daemon listens
            "ExitOnForwardFailure": "yes",
        }
        written = [word for option, value in options.items() for word in ("-o", f"{option}={value}")]
        return [program, "-F", "none", *written, *arguments]

    @property
    def at(self) -> str:
        return f"{getpass.getuser()}@127.0.0.1"

    @contextmanager
    def terminal(self, name: str) -> Iterator[Terminal]:
        """Knock in a terminal."""
        with Terminal(*self.command(name, self.at), columns=100, rows=30) as terminal:
            yield terminal

    def tried(self, name: str, *arguments: str, program: str = "ssh") -> subprocess.CompletedProcess[str]:
        """Let a guest try something else, to its end."""
        return subprocess.run(
            self.command(name, *arguments, program=program),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip


@pytest.fixture
def door(tmp_path: Path) -> Iterator[tuple[Door, Program]]:
    """A door, and Ann's table behind it."""
    with ExitStack() as stack:
        if os.geteuid() == 0:
            RUN.mkdir(mode=0o755, exist_ok=True)  # it stays: another sshd may need it at the same time
        ann = stack.enter_context(Program(tmp_path / "ann", "host", "--players", "Ann", "--game", "ten-rounds"))
        opened = ann.read_until(r"Table (\S+) is open\. Others: fourtwenty join (\S+)\n")
        table = f"{opened[2]}/{opened[1]}"
        yield stack.enter_context(Door(tmp_path, table)), ann


class Evening:
    """Ann's lines, and the terminals of her guests, which are read all the time: a program whose writes wait, waits."""

    def __init__(self, ann: Program, **guests: Terminal) -> None:
        self.ann = ann
        self.guests = guests
        self._read, self._answered, self._pressed = 0, 0, 0.0

    def until(self, ready: Callable[[], object]) -> None:
        """Read what all of them write until something is true."""
        deadline = time.monotonic() + PATIENCE
        output = self.ann.process.stdout
        assert output
        while not ready():
            shown = [guest.written[-3000:] for guest in self.guests.values()]
            assert time.monotonic() < deadline, (self.ann.written, *shown)
            if select.select([output], [], [], 0.05)[0]:
                self.ann.read()
            for guest in self.guests.values():
                guest.read(0)

    def read_until(self, words: str) -> None:
        """Read until Ann's program has written these words once more."""
        pattern = re.compile(words)
        self.until(lambda: pattern.search(self.ann.written, self._read))
        found = pattern.search(self.ann.written, self._read)
        assert found
        self._read = found.end()

    def play_until(self, words: str) -> None:
        """Roll for whoever's turn it is until Ann's program has written these words once more."""
        pattern = re.compile(words)

        def done() -> bool:
            self._roll()
            return bool(pattern.search(self.ann.written, self._read))

        self.until(done)
        self.read_until(words)

    def _roll(self) -> None:
        turns = [*re.finditer(r"(Ann), your turn|Waiting for (Ben|Cleo)\.", self.ann.written)]
        host, guest = turns[-1].groups() if turns else ("", "")
        if guest and time.monotonic() > self._pressed + 0.5:  # again: its screen may not have been ready
            self._pressed = time.monotonic()
            self.guests[guest].press("a\r")
        elif host and len(turns) > self._answered:
            self._answered = len(turns)
            self.ann.type("all")


def test_two_guests_play_at_a_table_and_come_back_to_their_seats(door: tuple[Door, Program]) -> None:
    """Ten rounds of Four Twenty-One: every seat has a turn in each, and may roll all dice whenever it is asked."""
    sshd, ann = door

    def free(name: str) -> bool:
        """Whether no program has the seat of a guest open."""
        return bool(known_rooms(sshd.folder / "play" / name / "rooms"))

    with sshd.terminal("Ben") as first, sshd.terminal("Cleo") as silent:
        evening = Evening(ann, Ben=first, Cleo=silent)
        for _ in range(2):
            evening.read_until(r"(Ben|Cleo) sits down on a phone\.")
        ann.type("start 3")
        evening.read_until(r"Ann's laptop rolls the dice\.\n")
        first.press("\x1a")  # there is no shell to sleep in
        for name in ("Ann", "Ben", "Cleo"):
            evening.play_until(f"{name} rolled")
        del evening.guests["Ben"]
        first.program.kill()  # the connection is lost
        silent.program.send_signal(signal.SIGSTOP)  # nothing comes from there any more
        evening.until(lambda: free("Ben") and free("Cleo"))
        with sshd.terminal("Ben") as ben, sshd.terminal("Cleo") as cleo:
            evening.guests |= {"Ben": ben, "Cleo": cleo}
            for name in ("Ann", "Ben", "Cleo"):
                evening.play_until(f"{name} rolled")
    assert sorted(path.name for path in (sshd.folder / "play").iterdir()) == ["Ben", "Cleo"]


def test_nothing_but_the_game_can_be_run(door: tuple[Door, Program]) -> None:
    sshd, _ = door
    for command in ("id", "sh -i", f"touch {sshd.folder / 'touched'}"):
        asked = sshd.tried("Ben", sshd.at, command)
        assert (asked.returncode, asked.stdout) == (2, "")
        assert "fourtwenty: the table needs a terminal" in asked.stderr
    (sshd.folder / "file").touch()
    copied = sshd.tried("Ben", str(sshd.folder / "file"), f"{sshd.at}:{sshd.folder / 'touched'}", program="scp")
    assert copied.returncode
    asked = sshd.tried("Ben", "-s", sshd.at, "sftp")
    assert (asked.returncode, asked.stdout) == (2, "")
    for tunnel in (["-W", f"127.0.0.1:{sshd.port}"], ["-N", "-R", "0:127.0.0.1:1"]):
        refused = sshd.tried("Ben", *tunnel, sshd.at)
        assert refused.returncode == 255
        assert re.search("administratively prohibited|forwarding failed", refused.stderr)
    assert "Permission denied (publickey)" in sshd.tried("stranger", sshd.at).stderr
    assert not (sshd.folder / "touched").exists()


def test_the_name_is_that_of_the_key(door: tuple[Door, Program]) -> None:
    sshd, ann = door
    with Terminal(*sshd.command("Ben", "-t", "-o", "SetEnv=GUEST=Ann FOURTWENTY_HOME=/", sshd.at, "id")) as ben:
        ann.read_until(r"Ben sits down on a phone\.")
        ben.read_until("Waiting for Ann to start")
        ben.press("q")  # the lobby
        ben.read_until("Play", "Quit")
        ben.press("w")
        ben.read_until("Host a table")
        ben.press("h")
        ben.read_until(r"A guest can't host a table\.")
        ben.press("w")
        ben.read_until("Join a table")
        ben.press("j")
        ben.read_until("Waiting for Ann to start")
    guests = sshd.folder / "guests"
    guests.write_text(re.sub(r"environment=\S+ ", "", guests.read_text()))
    with Terminal(*sshd.command("Ben", "-t", sshd.at)) as nameless:
        nameless.read_until("Watching: you")
