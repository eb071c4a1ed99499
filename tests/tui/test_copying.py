"""Copying: the way for each terminal, by fake programs; the sentence about it; and the text to mark without one."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from table_pilot import TablePilot, playing
from textual.widgets import Input
from waiting import until

from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui import clipboard
from fourtwenty.tui.clipboard import COPIED, IN_TMUX, SENT, ways
from fourtwenty.tui.dialogs.question_dialogs import ShareDialog

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)

unix = pytest.mark.skipif(sys.platform == "win32", reason="the fake programs are scripts of a Unix shell")


@pytest.mark.parametrize(
    ("variables", "platform", "names"),
    [
        ("TERM=xterm", "linux", ""),
        ("TERM=xterm DISPLAY=:0", "linux", "xclip xsel"),
        ("TERM=xterm-kitty DISPLAY=:0", "linux", "xclip xsel OSC"),
        ("TERM=foot WAYLAND_DISPLAY=wayland-0", "linux", "wl-copy OSC"),
        ("TERM=xterm-256color WAYLAND_DISPLAY=wayland-0 DISPLAY=:0", "linux", "wl-copy xclip xsel"),
        ("TERM=xterm-256color", "darwin", "pbcopy"),
        ("", "win32", "clip"),
        ("TERM=alacritty", "linux", "OSC"),
        ("TERM=xterm-256color TERM_PROGRAM=WezTerm", "linux", "OSC"),
        ("TERM=xterm-256color ZUTTY_VERSION=0.14", "linux", "OSC"),
        ("TERM=alacritty DISPLAY=localhost:10.0 SSH_CONNECTION=1", "linux", "OSC"),
        ("TERM=xterm-256color SSH_TTY=/dev/ttys000", "darwin", ""),
        ("SSH_CONNECTION=1", "win32", ""),
        ("TERM=tmux-256color TMUX=/tmp/tmux DISPLAY=:0", "linux", "xclip xsel tmux tmux"),
        ("TERM=tmux-256color TMUX=/tmp/tmux SSH_TTY=/dev/pts/1", "linux", "tmux tmux"),
        ("TERM=tmux-256color TMUX=/tmp/tmux TERM_PROGRAM=WezTerm", "linux", "tmux tmux"),
        ("TERM=screen STY=1.tty TERM_PROGRAM=WezTerm", "linux", ""),
        ("TERM=alacritty STY=1.tty", "linux", ""),
        ("TERM=screen STY=1.tty DISPLAY=:0", "linux", "xclip xsel"),
        ("TERM=dvtm-256color DVTM=0.15 ZUTTY_VERSION=0.14", "linux", ""),
        ("TERM=xterm-256color NVIM=/run/nvim TERM_PROGRAM=WezTerm", "linux", ""),
    ],
)
def test_the_ways_of_a_terminal(variables: str, platform: str, names: str) -> None:
    found = ways(dict(each.split("=", 1) for each in variables.split()), platform, size=3000)
    assert " ".join(command[0] if command else "OSC" for command, _ in found) == names


def test_a_long_text_is_not_sent_to_zutty() -> None:
    assert [*ways({"ZUTTY_VERSION": "0.14", "TERM": "xterm-256color"}, "linux", size=3001)] == []


class Programs:
    """Fake programs, the only ones on PATH, which write what they read into files of their names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, name: str, script: str = "") -> None:
        program = self.folder / name
        program.write_text(f"#!/bin/sh\n/bin/cat > {self.folder}/{name}.read\n{script}\n")
        program.chmod(0o755)

    def read(self, name: str) -> str:
        return (self.folder / f"{name}.read").read_text(encoding="utf-8")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("DISPLAY", ":0")
    return Programs(folder)


async def copied(text: str) -> tuple[str, list[str]]:
    """Return the sentence about a text, and what was sent to the terminal."""
    sent: list[str] = []
    return await clipboard.copy(text, sent.append), sent


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The process ids of the programs started so far."""
    ids: list[int] = []
    start = asyncio.create_subprocess_exec

    async def noting(*command: Any, **how: Any) -> asyncio.subprocess.Process:
        program = await start(*command, **how)
        ids.append(program.pid)
        return program

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noting)
    return ids


def has_gone(process: int) -> bool:
    """Return whether a process has ended and was waited for."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@unix
@pytest.mark.parametrize("text", ["Zoë: ⚃ 420\n", "x" * 300_000], ids=["short", "long"])
async def test_a_program_reads_it(programs: Programs, started: list[int], text: str) -> None:
    programs.add("xclip")
    assert await copied(text) == (COPIED, [])
    assert programs.read("xclip") == text
    assert [*map(has_gone, started)] == [True]


@unix
async def test_the_next_program_is_asked_if_one_fails(programs: Programs) -> None:
    programs.add("xclip", "exit 1")
    assert await copied("420") == ("", [])
    programs.add("xsel")
    assert await copied("420") == (COPIED, [])
    assert programs.read("xsel") == "420"


@unix
async def test_a_program_that_stays_behind_is_not_waited_for(programs: Programs) -> None:
    programs.add(
        "xclip", f"(until test -e {programs.folder}/over; do /bin/sleep 0.01; done; echo > {programs.folder}/end) &"
    )
    assert await copied("420") == (COPIED, [])
    assert not (programs.folder / "end").exists()
    (programs.folder / "over").touch()
    await until((programs.folder / "end").exists)


@unix
async def test_a_program_that_hangs_is_ended(
    programs: Programs, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "COPY_SECONDS", 0.05)
    programs.add("xclip", "exec /bin/sleep 1000")
    monkeypatch.setenv("TERM", "alacritty")
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count_turns())
    began = time.monotonic()
    assert await copied("420") == (SENT, ["420"])
    counting.cancel()
    assert time.monotonic() - began < 500
    assert turns > 10, "the event loop goes on"
    assert [*map(has_gone, started)] == [True]


@unix
async def test_in_tmux_it_is_in_the_buffer(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMUX", "/tmp/tmux")
    monkeypatch.setenv("TERM", "tmux-256color")
    programs.add("tmux", f'echo "$@" >> {programs.folder}/options; test "$2" != -w')
    assert await copied("420") == (IN_TMUX, [])
    assert programs.read("tmux") == "420"
    assert (programs.folder / "options").read_text().splitlines() == ["load-buffer -w -", "load-buffer -"]


# -- on the screens ----------------------------------------------------------------------------------------------------


def written(pilot: TablePilot, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Follow what is written to the terminal."""
    lines: list[str] = []
    driver = pilot.app._driver
    assert driver
    monkeypatch.setattr(driver, "write", lines.append)
    return lines


@unix
async def test_a_position_is_copied_before_the_next_key(programs: Programs) -> None:
    programs.add("xclip")
    async with playing(TWO) as pilot:
        table = await pilot.turn()
        pilot.burst("y", "q")
        await pilot.reaches("Lobby")
        assert programs.read("xclip") == table.match.state.to_text()


@unix
@pytest.mark.parametrize("inside", ["STY", "TERM"])
async def test_what_cannot_be_copied_is_shown_to_be_marked(
    programs: Programs, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    monkeypatch.setenv(inside, "screen")
    async with playing(TWO) as pilot:
        table = await pilot.turn()
        lines = written(pilot, monkeypatch)
        await pilot.press("y", to="MarkDialog")
        heading, _, text, *_ = pilot.seen().splitlines()
        assert heading.startswith("Nothing was copied.")
        assert text.rstrip() == table.match.state.to_text(), "nothing is beside it"
        await pilot.press("enter", to="Table")
        assert not any("\x1b]52" in line for line in lines)
    assert not [*programs.folder.iterdir()]


@unix
async def test_a_field_is_copied_too(programs: Programs) -> None:
    programs.add("xsel")
    async with playing() as pilot:
        await pilot.press("a", to="SeatDialog")
        await pilot.press(*"Zoë", "shift+home", "ctrl+x", "ctrl+v", "ctrl+v")
        await until((programs.folder / "xsel.read").exists)
        await until(lambda: programs.read("xsel") == "Zoë")
        assert pilot.app.screen.query_one(Input).value == "ZoëZoë"


async def test_only_what_is_marked_with_the_mouse_is_copied() -> None:
    async with playing() as pilot:
        share = ShareDialog("420: Ann buys the drinks")
        await pilot.app.push_screen(share)
        await pilot.pause()
        assert share.text_to_copy() == "420: Ann buys the drinks"
        text = share.query(".lines").first()
        await pilot.mouse_down(text)
        await pilot.hover(text, offset=(2, 0))
        await pilot.mouse_up(text, offset=(2, 0))
        assert share.text_to_copy() == "420"
