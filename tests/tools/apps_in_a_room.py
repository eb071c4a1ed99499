"""Helpers of the tests of rooms on the screen: whole apps in one process, at one table over a broker in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from math import inf
from pathlib import Path

from chance import seeded
from machines import Clock
from memory_client import KEYS
from memory_log import MemoryBroker, MemoryLog
from table_pilot import TablePilot, driving
from waiting import settled, time_limit, until

from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import Lineup, parse_seats
from fourtwenty.play.turns import Decide
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.room import RoomMatch
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.tui.dialogs import OwnPlayersDialog
from fourtwenty.rooms.tui.gathering import Gathering
from fourtwenty.rooms.tui.room_launcher import RoomLauncher
from fourtwenty.rooms.tui.room_table import RoomTable
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.room_session import RoomSession, sit_down
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.results import Results


class Bar:
    """A broker in memory, with the machines that have come to its one table."""

    def __init__(self, folder: Path, seed: int = 24) -> None:
        self.folder = folder
        self.seed = seed
        self.broker = MemoryBroker()
        self.clock = Clock()
        self.clients: dict[str, Client] = {}
        """The latest client of each machine, by its name."""

    def opener(
        self, name: str, players: str = "", page: str = "", folder: Path | None = None
    ) -> Callable[[], Awaitable[RoomSession]]:
        """Return what opens the table at the machine of this name, with these players; by default they watch."""

        async def opening() -> RoomSession:
            async with AsyncExitStack() as stack:
                with seeded(f"{self.seed} {name}"):  # the secret of a machine, from which its dice and bots follow
                    file = RoomFile(KEYS.room, KEYS.code, "192.168.1.23", folder or self.folder / name)
                log = MemoryLog(self.broker, KEYS.room)
                seat_request = SeatRequest(parse_seats(players) if players else (), name=name)
                client = self.clients[name] = Client(KEYS, log, file, seat_request, self.clock)
                stack.push_async_callback(client.close)
                await client.open()
                client.has_broker = name == "Ann"
                sit_down(client)
                return RoomSession(client, f"192.168.1.23/{KEYS.code}", stack.pop_all(), page)

        return opening

    @asynccontextmanager
    async def app(
        self,
        name: str,
        players: str = "",
        size: tuple[int, int] = (80, 24),
        page: str = "",
    ) -> AsyncIterator[TablePilot]:
        """Run the app of a machine at the table, with bots that answer at once."""
        app = FourTwentyApp(rooms=RoomLauncher(self.opener(name, players, page)))
        app.lineup = Lineup()
        self.keep_apart(app, name)
        app.pace = 0
        async with driving(app, size) as driver:
            await until(lambda: isinstance(app.screen, Gathering | RoomTable | OwnPlayersDialog))
            await driver.pause()
            yield driver

    def keep_apart(self, app: FourTwentyApp, name: str) -> None:
        """Give the app of a machine a history of its own."""
        app.history_service.history = History(self.folder / name / "games.sqlite", app.warn, timeout=0)

    def play(self, name: str) -> RoomMatch:
        """Return the match as a machine has folded it."""
        match = self.clients[name].room.match
        assert match
        return match

    def log(self, name: str) -> MemoryLog:
        log = self.clients[name].log
        assert isinstance(log, MemoryLog)
        return log

    async def send_heartbeats(self, *names: str) -> None:
        """Let all of these machines be heard."""
        for name in names:
            await self.clients[name].send_heartbeat()
        await settled()


async def at_table(*pilots: TablePilot) -> None:
    """Wait until all these apps show the table of a match."""
    await until(lambda: all(isinstance(pilot.app.screen, RoomTable) for pilot in pilots))
    for pilot in pilots:
        await pilot.pause()


def ended(*pilots: TablePilot) -> Callable[[], bool]:
    return lambda: all(isinstance(pilot.app.screen, Results) and pilot.app.screen.ended for pilot in pilots)


def finale(pilot: TablePilot) -> Results:
    assert isinstance(pilot.app.screen, Results)
    assert pilot.app.screen.ended
    return pilot.app.screen


def last(pilot: TablePilot) -> tuple[int, ...]:
    """Return the seats in the last place at the end of the match on the screen."""
    outcome = finale(pilot).match.state.outcome
    assert outcome
    return outcome.places[-1]


def table(pilot: TablePilot) -> RoomTable:
    assert isinstance(pilot.app.screen, RoomTable)
    return pilot.app.screen


def act(pilot: TablePilot) -> None:
    """Roll as few dice as the rules allow, if somebody here is to act; go on after a round."""
    here = pilot.app.screen
    if isinstance(here, Results) and not here.ended:
        with pilot.app._context():  # Textual 8.2 (screen.py, is_active) asks the app of the context
            here.action_go("round")
    elif isinstance(here, RoomTable) and here.waiting and isinstance(here.flow.asked, Decide):
        here.flow.reply(partial(here.turns.decide, here.match.state.actions[0]))


async def reach(condition: Callable[[], bool], *pilots: TablePilot) -> None:
    """Let the people at these machines act until a condition holds."""
    async with time_limit():
        while not condition():
            for pilot in pilots:
                act(pilot)
            await asyncio.sleep(0)


async def press_turn(pilot: TablePilot) -> None:
    """Roll as few dice as the rules allow by keys, if somebody here is to act; go on after a round."""
    here = pilot.app.screen
    if isinstance(here, Results) and not here.ended and here.shown_at < inf:
        await pilot.press("enter")
    elif isinstance(here, RoomTable) and here.waiting:
        (roll, *_) = here.match.state.actions
        assert isinstance(roll, Roll)
        await pilot.press(*(() if here.turns.forced else ("escape", *map(str, roll.dice))), "enter")
