"""Without a terminal, or in one that cannot show the table: one line that says what to do, status 2, no waiting."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from long_tests import ENDS, mostly_long
from processes import piped
from terminal import PROGRAM, Terminal

pytestmark = pytest.mark.terminal

COMMAND = " ".join(PROGRAM)
PLAIN = "play in lines of text: fourtwenty play --plain"


def told(command: str, **environment: str) -> tuple[int, str]:
    """The status of a command line in a terminal, and what it has written there."""
    with Terminal("sh", "-c", command, environment=environment) as terminal:
        return terminal.wait(), terminal.written.replace("\r\n", "\n")


@pytest.mark.parametrize(
    "redirected",
    ["</dev/null", "<&-", ">/dev/null", ">&-", "<&- >&-", "</dev/null >/dev/null", "play </dev/null", "| cat"],
)
def test_no_table_without_a_terminal(redirected: str) -> None:
    status = 0 if "|" in redirected else 2  # that of the last in the pipe
    line = f"fourtwenty: the table needs a terminal; start it in one, or {PLAIN}\n"
    assert told(f"{COMMAND} {redirected}") == (status, line)


def test_no_practice_without_a_terminal() -> None:
    line = (
        "fourtwenty: the table needs a terminal; start it in one, or "
        "practise in lines of text: fourtwenty practice --plain\n"
    )
    assert told(f"{COMMAND} practice --mine </dev/null") == (2, line)


def test_no_room_without_a_terminal() -> None:
    line = "fourtwenty: the table needs a terminal; start it in one, or play in lines of text: add --plain\n"
    assert told(f"{COMMAND} join 127.0.0.1/K7QF-3XMP </dev/null") == (2, line)


@pytest.mark.parametrize("redirected", ["2>/dev/null", "2>&-", "<&- >&- 2>&-"])
def test_no_place_to_say_so(redirected: str) -> None:
    assert told(f"{COMMAND} {redirected}") == (2, "")


def test_a_pipe_as_input() -> None:
    status, line = told(f"echo q | {COMMAND}")
    assert status == 2
    assert line.endswith(f"{PLAIN}\n")


@pytest.mark.parametrize("command", ["", " play"])
def test_a_dumb_terminal(command: str) -> None:
    assert told(COMMAND + command, TERM="dumb") == (2, f"fourtwenty: this terminal cannot show the table; {PLAIN}\n")


def test_lines_of_text_with_nobody_to_type_them() -> None:
    status, lines = told(f"{COMMAND} play --plain --players Ann,Ben <&-")
    assert status == 0
    assert lines.endswith("Game saved. Resume it with: fourtwenty play --plain --resume\n")


@pytest.mark.parametrize("command", ["play --plain", "odds 6551", "history"])
def test_no_output_to_write_to(command: str) -> None:
    closed = "fourtwenty: there is nowhere to write to, standard output is closed\n"
    assert told(f"{COMMAND} {command} </dev/null >&-") == (2, closed)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("command", ["play --plain", "play --help", "odds 6551", "--version"])
@mostly_long("buffered", ["", "1"], [""], *ENDS)
def test_an_output_that_is_full(command: str, buffered: str) -> None:
    full = f"fourtwenty: the output cannot be written: {os.strerror(28)}\n"
    assert told(f"{COMMAND} {command} </dev/null >/dev/full", PYTHONUNBUFFERED=buffered) == (2, full)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_errors_that_nobody_can_read_keep_their_status() -> None:
    assert told(f"{COMMAND} dance 2>/dev/full") == (2, "")
    assert told(f"{COMMAND} odds 6554 2>/dev/full") == (2, "")


@mostly_long("buffered", ["", "1"], [""], *ENDS)
@pytest.mark.parametrize(("arguments", "status"), [(["play", "--help"], 0), (["values", "9"], 0), (["dance"], 2)])
def test_a_reader_that_has_gone(arguments: list[str], status: int, buffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
    with piped() as (reader, writer):
        reader.close()
        for errors in (subprocess.PIPE, writer):
            ended = subprocess.run([*PROGRAM, *arguments], env=environment, stdout=writer, stderr=errors, timeout=60)
            assert ended.returncode == status
            assert b"ignored" not in (ended.stderr or b"")


@pytest.mark.parametrize(
    ("variable", "line"),
    [
        ("TEXTUAL_DRIVER=", "TEXTUAL_DRIVER is '', which isn't a driver; unset it"),
        ("TEXTUAL_DRIVER=nonsense", "TEXTUAL_DRIVER is 'nonsense', which isn't a driver; unset it"),
        ("TEXTUAL_DRIVER=os:path", "TEXTUAL_DRIVER is 'os:path', which isn't a driver; unset it"),
        (
            "TEXTUAL_COLOR_SYSTEM=zzz",
            "TEXTUAL_COLOR_SYSTEM is 'zzz'; it can be auto, standard, 256, truecolor, windows",
        ),
        (
            "TEXTUAL_LOG=/nonexistent/x",
            f"TEXTUAL_LOG is '/nonexistent/x', which cannot be written ({os.strerror(2)}); unset it",
        ),
    ],
)
def test_an_environment_that_textual_cannot_start_in(variable: str, line: str) -> None:
    assert told(f"{variable} {COMMAND}") == (2, f"fourtwenty: {line}\n")


@mostly_long(
    ("command", "encoding"),
    [
        ("", "utf-16"),
        ("", "cp037"),
        ("play", "utf-16"),
        ("play --plain", "cp037"),
        ("practice --plain", "utf-16"),
        ("join --plain 127.0.0.1/K7QF-3XMP", "cp037"),
        ("--data-dir x", "utf-16"),
    ],
    [("", "cp037"), ("play --plain", "cp037"), ("practice --plain", "utf-16")],
    *ENDS,
)
def test_an_encoding_that_no_terminal_has(command: str, encoding: str) -> None:
    line = f"fourtwenty: no terminal has the encoding {encoding}; unset PYTHONIOENCODING, or set it to utf-8\n"
    assert told(f"{COMMAND} {command}", PYTHONIOENCODING=encoding) == (2, line)
