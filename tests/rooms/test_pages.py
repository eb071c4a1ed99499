"""Pages at a table over a broker in memory: they play whole matches by views alone, and refuse what is not fair."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from memory_log import MemoryBroker, MemoryLog
from page import Page
from virtual_time import in_virtual_time

from fourtwenty.games import GAMES
from fourtwenty.journal.record import read, verify
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.room import Play, throwers
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.station import Seating, record_text
from fourtwenty.rooms.wire.client import Client, FarSeats
from fourtwenty.rooms.wire.pages import Pages

KEYS = RoomKeys.of("K7QF-3XMP")


class Bar:
    """A host, programs and pages at one table, in virtual time."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder, self.game = folder, game
        self.broker = MemoryBroker()
        self.clients: dict[str, Client] = {}
        self.pages: list[Page] = []
        self.told: list[str] = []

    async def join(self, name: str) -> Client:
        """Open the room on a machine with one person, who rolls as few dice as is allowed."""
        loop = asyncio.get_running_loop()
        log = MemoryLog(self.broker, KEYS.room)
        file = RoomFile(KEYS.room, KEYS.code, "memory", self.folder / name)
        client = Client(KEYS, log, file, Seating(name=name), loop.time)
        client.notices.tell = lambda sentence: self.told.append(f"{name}: {sentence}")
        if name == "Ann":
            Pages(client)
        await client.open()
        client.sit(Seating((Seat(name),), self.game))
        client.listeners.append(lambda: loop.call_soon(act, client))
        self.clients[name] = client
        return client

    async def open(self, name: str) -> Page:
        """Open a page, which sits down when it may."""
        page = Page(KEYS, self.broker, self.clients["Ann"].machine.public, name)
        page.watching = False
        await page.open()
        self.pages.append(page)
        page.beats = asyncio.get_running_loop().create_task(beat_on(page))
        return page

    async def reach(self, condition: Callable[[], object], seconds: float = 900) -> None:
        """Let time pass until something is true."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    @property
    def play(self) -> Play:
        play = self.clients["Ann"].room.play
        assert play
        return play

    async def start(self, seats: int) -> None:
        """Let Ann start the next match once so many machines sit."""
        ann, matches = self.clients["Ann"], len(self.clients["Ann"].room.plays)
        for client in self.clients.values():
            if not client.view.mine:
                client.sit(client.next_seating)
        await self.reach(lambda: len(ann.view.here) == seats)
        ann.start()
        await self.reach(lambda: len(ann.room.plays) > matches)


async def beat_on(page: Page) -> None:
    while True:
        await asyncio.sleep(8)
        if page.log.connected:
            await page.beat()


def act(client: Client) -> None:
    play = client.room.play
    if play is None or play.over or play.to_act is None or client.deciding or not client.connected:
        return
    seats = FarSeats(client, play)
    if seats.is_here(play.to_act):
        assert play.state
        seats.say(min(play.state.actions, key=lambda action: len(getattr(action, "dice", ()))))


def over(bar: Bar) -> Callable[[], bool]:
    return lambda: bar.play.over and len(bar.play.ends) == len(bar.play.sittings)


def at_the_bar(folder: Path, game: str, evening: Callable[[Bar], Coroutine[Any, Any, None]]) -> Bar:
    bar = Bar(folder, game)

    async def run() -> None:
        await bar.join("Ann")
        try:
            await evening(bar)
        finally:
            for page in bar.pages:
                page.beats.cancel()
            for client in bar.clients.values():
                await client.close()

    in_virtual_time(run())
    assert [page.unfair for page in bar.pages] == [""] * len(bar.pages)
    return bar


@pytest.mark.parametrize("game", GAMES)
def test_two_pages_and_two_programs_play_a_match_and_a_rematch(tmp_path: Path, game: str) -> None:
    async def evening(bar: Bar) -> None:
        await bar.join("Ben")
        await bar.open("Cleo")
        await bar.open("Dora")
        for match in range(2):
            await bar.start(4)
            await bar.reach(over(bar))
            verify(read(record_text(bar.play)))
            assert len(set(bar.play.ends.values())) == 1
            assert len(bar.clients["Ann"].room.plays) == match + 1
        assert throwers(bar.play.sittings) == "dice by all four; two pages came from Ann's laptop"

    bar = at_the_bar(tmp_path, game, evening)
    assert bar.told == []
