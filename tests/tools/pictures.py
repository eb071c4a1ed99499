"""Takes the pictures of README and manual from the app.

``python tests/tools/pictures.py [FOLDER [COLUMNSxROWS [THEME]]]``; the folder is docs unless one is given.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from unittest.mock import patch

from memory_log import MemoryBroker, MemoryLog
from moving_picture import moving_picture
from msgspec.structs import replace
from textual.pilot import Pilot

from fourtwenty.file_storage import history_file, lineup_file
from fourtwenty.games import GAMES
from fourtwenty.journal.history import History
from fourtwenty.play.bots import BOTS
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.review.figures import measured
from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.tui.gathering import Gathering
from fourtwenty.rooms.tui.room_launcher import RoomLauncher
from fourtwenty.rooms.tui.room_table import RoomTable
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.room_session import RoomSession
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.themes import BLACKBOARD, SNUG, TERRACE, THEMES_BY_NAME
from fourtwenty.tui.widgets.hand import PICTURE_SECONDS, Hand

LINEUP = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Steady", bot="Steady")), starting_seat=0)
SCRIPT: list[tuple[str, tuple[int, ...]]] = [
    ("", (6, 5, 5, 1)),  # Ann's first roll
    ("", (4, 3, 3, 2)),  # Ben's
    ("bot", (6, 6, 5, 5)),  # Steady goes over
    ("4", (2,)),  # Ann rolls her last die
    ("a", (5, 5, 2, 6)),  # Ben rolls all four
    ("bot", (6, 5, 4, 1)),  # Steady resets
    ("4", (4,)),  # Ann makes 20
    ("", (6, 1, 2, 2)),  # the second round: Ben
    ("bot", (6, 5, 5, 4)),  # Steady makes 20 at once
]
"""The keys that select the dice, and the faces they show."""


async def until(pilot: Pilot[None], ready: Callable[[], bool]) -> None:
    """Let the app work until something is true."""
    while not ready():
        await pilot.pause()


COACHED: list[tuple[str, tuple[int, ...]]] = [
    ("", (6, 5, 5, 1)),
    ("", (4, 3, 3, 2)),
    ("bot", (6, 5, 4, 1)),
    ("14", (3, 6)),  # Ann rolls the 6 and the 1, which loses something
    ("a", (6, 6, 3, 2)),
    ("bot", (2,)),
    ("1", (1,)),
    ("34", (1, 5)),
    ("bot", (6,)),
    ("1", (5,)),  # Ann goes over
    ("34", (6, 1)),
    ("bot", (6, 5, 4, 3)),
    ("", (6, 5, 5, 4)),  # Ann makes 20
]


class Photographer:
    """Plays scripted matches in the app and saves what is seen on the way."""

    def __init__(self, folder: Path, pilot: Pilot[None]) -> None:
        self.folder = folder
        self.pilot = pilot
        self.app = pilot.app

    async def picture(self, name: str) -> None:
        await self.pilot.pause()
        self.app.save_screenshot(f"{name}.svg", path=str(self.folder))

    async def play(self, script: list[tuple[str, tuple[int, ...]]], picture: str, at: int) -> None:
        """Play a round to its results, and save a picture before one of its rolls."""
        for number, (keys, _) in enumerate(script):
            if keys == "bot":
                continue
            await until(self.pilot, lambda: isinstance(self.app.screen, Table) and self.app.screen.waiting)
            if keys:
                await self.pilot.press(*keys)
            if number == at:
                await self.picture(picture)
            await self.pilot.press("r")
        await until(self.pilot, lambda: isinstance(self.app.screen, Results))


class Film(Photographer):
    """Takes a picture wherever the app lets people look, and of every picture of the dice that tumble."""

    def __init__(self, folder: Path, pilot: Pilot[None]) -> None:
        super().__init__(folder, pilot)
        self.frames: list[tuple[str, float]] = []
        """Screenshots, with the seconds for which each is shown."""
        self.still = 0
        """The number of the last frame in which dice are selected."""
        self._asked = 0.0
        self._taken = asyncio.Event()

    async def expose(self, seconds: float) -> None:
        """Wait until a frame of what is seen now has been taken: in the place of a pause of the app."""
        self._asked = seconds
        self._taken.clear()
        await self._taken.wait()

    async def tumble(self, hand: Hand, seconds: float) -> None:
        """Let dice tumble as ``Hand.tumble`` does, a frame a picture."""
        pictures = max(1, round(seconds / PICTURE_SECONDS / 2))
        for _ in range(pictures):
            hand.next_picture(hand.flying)
            await self.expose(seconds / pictures)

    async def look(self, seconds: float) -> None:
        """Take a frame of what is seen now."""
        await self.pilot.pause()
        self.frames.append((self.app.export_screenshot(), seconds))

    async def until(self, ready: Callable[[], bool]) -> None:
        """Let the app work until something is true, and take the frames that it asks for."""
        while not ready():
            await self.pilot.pause()
            if self._asked:
                await self.look(self._asked)
                self._asked = 0.0
                self._taken.set()

    async def film(self, script: list[tuple[str, tuple[int, ...]]]) -> None:
        """Play a round to its results."""
        for keys, _ in script:
            if keys == "bot":
                continue
            await self.until(lambda: isinstance(self.app.screen, Table) and self.app.screen.waiting)
            await self.look(0.8)
            if keys:
                await self.pilot.press(*keys)
                self.still = len(self.frames)
                await self.look(0.8)
            await self.pilot.press("r")
        await self.until(lambda: isinstance(self.app.screen, Results))
        await self.look(2.5)


def opened(lineup: Lineup | None, script: list[tuple[str, tuple[int, ...]]], theme: str | None) -> FourTwentyApp:
    """Make an app whose dice fall as written and whose bots answer at once."""
    app = FourTwentyApp(lineup, ScriptedDice([faces for _, faces in script]))
    app.pace = 0
    if theme:
        app.theme = theme
    return app


def keep_a_year(matches: int = 90) -> None:
    """Keep matches of a year in which Ann learns to play, and nothing else."""
    os.environ["FOURTWENTY_HOME"] += "/year"
    chance = Random(421)
    day = datetime(2025, 11, 20, 20, tzinfo=UTC)
    with closing(History(history_file(), print)) as kept, patch("fourtwenty.journal.match_journal.now") as now:
        for number in range(matches):
            day += timedelta(hours=chance.randrange(24, 150))
            now.return_value = day.isoformat()
            seats = [Seat("Ann"), *map(Seat, chance.sample(("Ben", "Zoë", "Cleo"), chance.choice((1, 1, 2))))]
            chance.shuffle(seats)
            dice = FairDice(chance.randbytes(32))
            match = Match(Lineup(tuple(seats), game=chance.choice(("420", *GAMES))), dice, journal=kept.journal())
            learnt = "Perfect" if chance.random() < number / matches else "Tipsy"
            while not match.state.outcome:
                if match.state.to_act is None:
                    match.next_round()
                else:
                    character = learnt if match.names[match.state.to_act] == "Ann" else "Merry"
                    match.act(BOTS[character].policy(chance.random)(match.state))
        for _ in measured(kept):
            pass


async def take(folder: Path, size: tuple[int, int], theme: str | None) -> None:
    """Take all pictures."""
    async with opened(None, SCRIPT, theme).run_test(size=size) as pilot:
        camera = Photographer(folder, pilot)
        await camera.picture("lobby")
        await pilot.press("enter")
        await camera.play(SCRIPT[:7], "table", at=3)
        await pilot.press("enter")
        await camera.play(SCRIPT[7:], "", at=-1)
        await camera.picture("drinks")
    async with opened(replace(LINEUP, coach="full"), COACHED, theme).run_test(size=size) as pilot:
        camera = Photographer(folder, pilot)
        await camera.play(COACHED, "coach", at=3)
        await pilot.press("v")
        await camera.picture("review")
    cousin = replace(LINEUP, seats=(*LINEUP.seats[:2], Seat("Cleo")), coach="full", game="421")
    start = GAMES["421"].parse("*652:5 331:9 >-:7 round 9 roll 1")
    app = FourTwentyApp(cousin, ScriptedDice([(5, 6, 3)]), start)
    async with app.run_test(size=size) as pilot:
        camera = Photographer(folder, pilot)
        await until(pilot, lambda: isinstance(app.screen, Table) and app.screen.waiting)
        table = app.screen
        assert isinstance(table, Table)
        await pilot.press("r")
        await until(pilot, lambda: bool(table.match.events) and table.waiting)
        await pilot.press("3")
        await camera.picture("cousin")
    keep_a_year()
    async with opened(None, [], theme).run_test(size=size) as pilot:
        camera = Photographer(folder, pilot)
        await pilot.press("h", "down")
        await camera.picture("history")
        await pilot.press("slash", *"ann", "escape", "s")
        await until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))
        await camera.picture("statistics")


async def take_film(folder: Path, theme: str | None) -> None:
    """Take the moving picture of a whole match, in a home of its own."""
    async with AsyncExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(patch.dict(os.environ, {"FOURTWENTY_HOME": home}))
        LINEUP.save(lineup_file())
        pilot = await stack.enter_async_context(opened(None, SCRIPT, theme).run_test(size=(80, 24)))
        pilot.app.animation_level = "none"  # what else moves would be at another place each time
        camera = Film(folder, pilot)

        async def tumble(hand: Hand, seconds: float) -> None:
            await camera.tumble(hand, seconds)

        async def pause(_: MatchFlow, _seconds: float) -> None:
            await camera.expose(0.7)

        stack.enter_context(patch.object(Hand, "moves", True))
        stack.enter_context(patch.object(Hand, "tumble", tumble))
        stack.enter_context(patch.object(MatchFlow, "_pause", pause))
        await camera.look(1.5)
        await pilot.press("enter")
        await camera.film(SCRIPT[:7])
        await pilot.press("enter")
        await camera.film(SCRIPT[7:])
        (folder / "match.svg").write_text(moving_picture(camera.frames, camera.still), encoding="utf-8")


def shows(app: FourTwentyApp, screen: type) -> bool:
    return isinstance(app.screen, screen)


def awaits(app: FourTwentyApp, name: str) -> bool:
    """Return whether the table of an app has shown everything and waits for the choice of a player far away."""
    return isinstance(app.screen, RoomTable) and str(app.screen.headline.visual).startswith(f"■ {name} is choosing")


async def take_room(folder: Path, size: tuple[int, int], theme: str | None) -> None:
    """Take pictures of a table of three machines: before the game, with a remote seat playing, and somebody away."""
    keys, broker, now = RoomKeys.from_code("K7QF-3XMP"), MemoryBroker(), 0.0
    clients: list[Client] = []

    def opening(name: str, *seats: Seat) -> Callable[[], Awaitable[RoomSession]]:
        async def opening() -> RoomSession:
            home = Path(os.environ["FOURTWENTY_HOME"]) / name
            # Keys that follow from the name make the same dice every time.
            with patch("secrets.token_bytes", lambda _=32: sha256(f"{name} two".encode()).digest()):
                file = RoomFile(keys.room, keys.code, "192.168.1.23", home)
            client = Client(keys, MemoryLog(broker, keys.room), file, SeatRequest(seats, name=name), lambda: now)
            clients.append(client)
            await client.open()
            if seats:
                client.sit(client.seat_request)
            return RoomSession(client, f"192.168.1.23/{keys.code}", AsyncExitStack())

        return opening

    machines = [opening("Ann", Seat("Ann")), opening("Ben", Seat("Ben"), Seat("Steady", "Steady")), opening("Cleo")]
    apps = [FourTwentyApp(rooms=RoomLauncher(machine)) for machine in machines]
    async with AsyncExitStack() as stack:
        pilots: list[Pilot[None]] = []
        for app in apps:
            app.pace = 0
            app.theme = theme or app.theme
            app.history_service.history = History(Path(os.environ["FOURTWENTY_HOME"]) / f"{len(pilots)}.sqlite", print)
            pilots.append(await stack.enter_async_context(app.run_test(size=size)))
            await until(pilots[-1], partial(shows, app, Gathering))
        cameras = [Photographer(folder, pilot) for pilot in pilots]
        await until(pilots[0], lambda: len(clients[0].room.participants) == 2 and bool(clients[0].view.spectators))
        await cameras[0].picture("gathering")
        await pilots[0].press("enter")

        for app, pilot in zip(apps, pilots, strict=True):
            await until(pilot, partial(shows, app, RoomTable))
        while (match := clients[0].room.match) and (len(match.events) < 3 or match.to_act != 1):
            for app, pilot in zip(apps, pilots, strict=True):
                table = app.screen
                far_is_to_act = len(match.events) >= 3 and match.to_act == 1
                if isinstance(table, RoomTable) and table.waiting and not far_is_to_act:
                    table.flow.reply(partial(table.turns.decide, table.match.state.actions[0]))
                await pilot.pause()
        for app, pilot in ((apps[0], pilots[0]), (apps[2], pilots[2])):
            await until(pilot, partial(awaits, app, "Ben"))
        await cameras[0].picture("remote-seat")
        await cameras[2].picture("spectator")
        await clients[1].close()
        now = 200.0
        for client in (clients[0], clients[2]):
            await client.send_heartbeat()
        await pilots[0].pause()
        await cameras[0].picture("away")


async def take_colours(folder: Path) -> None:
    """Take small pictures of the table in the other themes, and without colours."""
    for name in (TERRACE.name, BLACKBOARD.name, "monochrome"):
        without = name not in THEMES_BY_NAME
        with patch.dict(os.environ, {"NO_COLOR": "1"} if without else {}):
            async with opened(LINEUP, SCRIPT, SNUG.name if without else name).run_test(size=(80, 24)) as pilot:
                await Photographer(folder, pilot).play(SCRIPT[:7], name, at=3)


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv[1:]))
    columns, rows = map(int, arguments.get(1, "100x30").split("x"))
    with tempfile.TemporaryDirectory() as home:
        os.environ["FOURTWENTY_HOME"] = home
        os.environ["COLORTERM"] = "truecolor"
        LINEUP.save(lineup_file())
        folder = Path(arguments.get(0, str(Path(__file__).parents[2] / "docs")))
        # The identifier of a match enters the fingerprint of its record, which the results show.
        with patch("fourtwenty.play.match.fresh_identifier", lambda: "420" * 10 + "42"):
            asyncio.run(take_film(folder, arguments.get(2)))
            asyncio.run(take(folder, (columns, rows), arguments.get(2)))
            asyncio.run(take_colours(folder))
            asyncio.run(take_room(folder, (columns, rows), arguments.get(2)))
