"""An evening of three terminals and a phone: a match of 420 to the drinks, in which each of them is killed once."""

from __future__ import annotations

import asyncio
import re
import sys
from base64 import b64decode
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from waiting import until

pytest.importorskip("nats", reason="needs the extra rooms")

from browser import UPRIGHT, Browser, Tab, chromium, find_chromium
from terminal import PROGRAM, Terminal

from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.room import RoomMatch
from fourtwenty.rooms.wire.room_session import RoomSession, join

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.long,
    pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium here"),
]


NAMES = ("Ann", "Ben", "Cleo", "Dora")
SHOWS = """
while (!document.body.innerText.includes(%s)) await new Promise((done) => setTimeout(done, 10));
"""
"""JavaScript that waits until a page shows these words."""
ROLL_ALL = """
const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
document.querySelectorAll('#dice [aria-pressed=false]').forEach((die, at, dice) => press(String(at + 1)));
const go = document.querySelector('#go');
if (!go.hidden && !go.textContent.includes('Rematch')) press('Enter');
"""
"""JavaScript that rolls all dice on a page, which is always allowed, where it is its turn."""


class RoomEvening:
    """Ann's table, the terminals of her and her friends, Dora's phone, and somebody in this process who watches."""

    def __init__(self, stack: AsyncExitStack, browser: Browser, folder: Path) -> None:
        self._stack = stack
        self._browser = browser
        self._folder = folder
        self._terminals: dict[str, Terminal] = {}
        self._table = ""
        self._page = ""
        self.phone: Tab
        self.watcher: RoomSession

    async def begin(self) -> None:
        """Let all sit down, and Ann start."""
        self.host("--players", "Ann")
        address = await self._find("Ann", r"fourtwenty join ([\d.]+)")
        self._terminals["Ann"].press("y")
        copied = b64decode(await self._find("Ann", r"\x1b]52;c;([\w+/=]+)")).decode()
        self._table = f"{address}/{copied.removeprefix('Table ').partition(':')[0]}"
        self._page = await self._find("Ann", r"(http://\S+/#[\w-]{22})")
        self._profile = await self._browser.profile()
        self.watcher = await join(self._table, SeatRequest())
        self._stack.push_async_callback(self.watcher.close)
        for name in ("Ben", "Cleo"):
            self.join(name)
        await self.open_page()
        await self.phone.js(SHOWS % "'Your name'")
        await self.phone.js("document.querySelector('#name').focus()")
        for letter in "Dora\r":
            await self.phone.press(letter)
        await self.until(lambda: len(self.watcher.client.view.here) == len(NAMES))
        await self._find("Ann", "(Dora)")
        self._terminals["Ann"].press("\r")
        await self.until(lambda: self.watcher.client.view.begun)

    def host(self, *options: str) -> None:
        self._sit("Ann", "host", *options)

    def join(self, name: str) -> None:
        self._sit(name, "join", self._table, "--as", name)

    def _sit(self, name: str, *command: str) -> None:
        # In this terminal, reached by ssh, a text is copied by OSC 52 only.
        reached = {"TERM_PROGRAM": "WezTerm", "SSH_TTY": "/dev/pts/0"}
        home = {"FOURTWENTY_HOME": str(self._folder / name), **reached}
        columns, rows = (120, 40) if name == "Ann" else (80, 24)
        self._terminals[name] = self._stack.enter_context(
            Terminal(*PROGRAM, *command, columns=columns, rows=rows, environment=home)
        )

    async def open_page(self) -> None:
        self.phone = await self._browser.open(self._page, UPRIGHT, touched=True, profile=self._profile)

    def kill(self, name: str) -> None:
        program = self._terminals[name].program
        program.kill()
        program.wait()

    @property
    def play(self) -> RoomMatch:
        match = self.watcher.client.room.match
        assert match
        return match

    def away(self, name: str) -> bool:
        return name in [participant.name for participant in self.watcher.client.view.missed]

    async def until(self, ready: Callable[[], object]) -> None:
        """Wait for something while all terminals are read: a program whose writes wait, waits."""

        def read() -> object:
            for terminal in self._terminals.values():
                while terminal.read(0):
                    pass
            return ready()

        await until(read)

    def _shown(self, name: str, words: str) -> re.Match[str] | None:
        """Find words in what a program has written last, without its styles."""
        return re.search(words, re.sub(r"\x1b\[[0-9;:]*m", "", self._terminals[name].written[-20_000:]))

    async def _find(self, name: str, words: str) -> str:
        """Wait until a program has written these words, and return their group."""
        await self.until(lambda: self._shown(name, words))
        found = self._shown(name, words)
        assert found
        return found[1]

    async def play_on(self, rolls: int) -> None:
        """Roll until so much more has happened, or the match is over."""
        wanted = len(self.play.events) + rolls
        while not self.play.over and (happened := len(self.play.events)) < wanted:
            await self.until(lambda: self.play.over or self.play.to_act is not None)
            if self.play.to_act is not None:
                await self._roll(self.play.lineup.seats[self.play.to_act].name)
            await self._soon(lambda seen=happened: len(self.play.events) > seen)  # type: ignore[misc]

    async def finish(self) -> None:
        """Go on from the results until everybody has seen the end."""
        for name, terminal in self._terminals.items():
            while not self._shown(name, r"enter Rematch"):
                terminal.press("\r")
                await self._soon(lambda each=name: self._shown(each, r"enter Rematch"))  # type: ignore[misc]
        while not await self.phone.js("return document.body.innerText.includes('Rematch')"):
            await self._roll("Dora")

    async def _soon(self, ready: Callable[[], object]) -> None:
        """Wait for what keys should lead to, for a second: the screen may not have been ready for them."""
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self.until(ready)

    async def _roll(self, name: str) -> None:
        """Roll all dice, which is always allowed, or go on from a result."""
        if name == "Dora":
            await self.phone.js(ROLL_ALL)
        else:
            self._terminals[name].press("a\r")


async def test_three_terminals_and_a_phone_play_to_the_drinks_and_each_is_killed_once(tmp_path: Path) -> None:
    """A match of four takes three rolls at least, and a roll the keys of all machines: so each has come back."""
    async with chromium() as browser, AsyncExitStack() as stack:
        evening = RoomEvening(stack, browser, tmp_path)
        await evening.begin()
        for name in ("Ben", "Cleo"):
            evening.kill(name)
            evening.join(name)
        await evening.play_on(1)
        await evening.phone.close()
        await evening.until(lambda: evening.away("Dora"))
        await evening.open_page()
        await evening.until(lambda: not evening.away("Dora"))
        await evening.play_on(1)
        evening.kill("Ann")
        evening.host("--resume")
        await evening.until(lambda: evening.watcher.client.connected and not any(map(evening.away, NAMES)))
        await evening.play_on(sys.maxsize)
        assert evening.play.state
        assert not evening.play.state.departed
        await evening.finish()
