"""Takes the README's pictures from the running app: ``python docs/pictures.py [FOLDER [COLUMNSxROWS [THEME]]]``."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from fourtwenty.app import FourTwentyApp
from fourtwenty.dice import ScriptedDice
from fourtwenty.lineup import Lineup, Seat
from fourtwenty.paths import lineup_file
from fourtwenty.screens.results import Results
from fourtwenty.screens.table import Table

LINEUP = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Steady", bot="Steady")), first=0)
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


async def take(folder: Path, size: tuple[int, int], theme: str | None) -> None:
    """Play a scripted match and save what is seen on the way."""
    app = FourTwentyApp(dice=ScriptedDice([faces for _, faces in SCRIPT]))
    app.pace = 0
    if theme:
        app.theme = theme

    async with app.run_test(size=size) as pilot:

        async def picture(name: str) -> None:
            await pilot.pause()
            app.save_screenshot(f"{name}.svg", path=str(folder))

        def table_waits() -> bool:
            return isinstance(app.screen, Table) and app.screen.waiting

        await picture("lobby")
        await pilot.press("enter")
        for number, (keys, _) in enumerate(SCRIPT):
            if keys == "bot":
                continue
            await until(pilot, table_waits)
            if keys:
                await pilot.press(*keys)
            if number == 3:
                await picture("table")
            await pilot.press("r")
            if number == 6:
                await until(pilot, lambda: isinstance(app.screen, Results))
                await picture("round")
                await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Results))
        await picture("drinks")


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv[1:]))
    columns, rows = map(int, arguments.get(1, "100x30").split("x"))
    with tempfile.TemporaryDirectory() as home:
        os.environ["FOURTWENTY_HOME"] = home
        LINEUP.save(lineup_file())
        asyncio.run(take(Path(arguments.get(0, str(Path(__file__).parent))), (columns, rows), arguments.get(2)))
