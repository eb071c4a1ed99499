"""Helpers of the pilot tests: the app with scripted dice, and waiting for conditions instead of time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from patience import PATIENCE, screen_of, until
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widgets import Static

from fourtwenty.games.game import Faces, State
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.rooms.tui.door import Door
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.widgets.answers import Answers
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.log import RollLog
from fourtwenty.tui.widgets.mouse_button import MouseButton


@asynccontextmanager
async def playing(
    lineup: Lineup | None = None,
    throws: Iterable[Faces] = (),
    size: tuple[int, int] = (80, 24),
    start: State | None = None,
    ascii_only: bool = False,
    tips: bool = False,
) -> AsyncIterator[Pilot[None]]:
    """Run the app, in the lobby without a line-up; bots answer at once. A line-up without throws has its own dice.

    Notes stay until they are cleared, however slow the machine is.
    """
    app = FourTwentyApp(lineup, ScriptedDice(throws) if throws or not lineup else None, start, ascii_only, door=Door())
    app.pace = 0
    app.tips = tips
    app.burst_seconds = 0
    app.NOTIFICATION_TIMEOUT = PATIENCE  # type: ignore[misc]
    if sys.version_info >= (3, 12):  # as Textual's App.run has it, and its run_test has not
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    async with app.run_test(size=size) as pilot:
        if lineup:
            await until(lambda: any(isinstance(screen, Table) for screen in app.screen_stack))
        yield pilot


async def turn(pilot: Pilot[None], seat: int | None = None) -> Table:
    """Wait until a person, or the person at that seat, is to act; return the table."""

    def asked() -> bool:
        table = pilot.app.screen
        if not isinstance(table, Table) or not table.waiting:
            return False
        return seat in (None, table.match.state.to_act)

    await until(asked)
    await pilot.pause()
    assert isinstance(pilot.app.screen, Table)
    return pilot.app.screen


async def results(pilot: Pilot[None]) -> Results:
    """Wait for a round's results, until they take keys; return their screen."""
    await until(lambda: isinstance(pilot.app.screen, Results) and pilot.app.screen.settled)
    await pilot.pause()
    assert isinstance(pilot.app.screen, Results)
    return pilot.app.screen


def burst(pilot: Pilot[None], *keys: str) -> None:
    """Press keys faster than the app can follow."""
    for key in keys:
        pilot.app.simulate_key(key)


def stack(pilot: Pilot[None]) -> list[str]:
    """Return the names of the screens that lie on each other, the lowest first."""
    return [type(screen).__name__ for screen in pilot.app.screen_stack]


def text(pilot: Pilot[None], selector: str) -> str:
    """Return what a text on the screen says."""
    return str(pilot.app.screen.query_one(selector, Static).visual)


def logged(pilot: Pilot[None]) -> str:
    """Return the log of the table on the screen."""
    return "\n".join(pilot.app.screen.query_one(RollLog).lines)


def seen(pilot: Pilot[None]) -> str:
    """Return the whole screen as text."""
    return screen_of(pilot.app)


async def click_on(pilot: Pilot[None], words: str) -> None:
    """Click where the words are on the screen."""
    await pilot.pause()
    lines = seen(pilot).split("\n")
    row = next(row for row, line in enumerate(lines) if words in line)
    await pilot.click(offset=(lines[row].index(words), row))


async def option(pilot: Pilot[None], words: str, *keys: str) -> None:
    """Point at the first line of a list of answers that has the words, then press keys."""
    answers = pilot.app.screen.query_one(Answers)
    lines = [str(each.prompt) for each in answers.options]
    answers.highlighted = next(line for line, shown in enumerate(lines) if words in shown)
    await pilot.press(*keys)
    await pilot.pause()


async def click_die(pilot: Pilot[None], die: int) -> None:
    """Click a die of the hand on the screen."""
    hand = pilot.app.screen.query_one(Hand)
    x, y, *_ = hand.die_region(die)
    await pilot.click(hand, offset=(x + 4, y + 2))


def parts(pilot: Pilot[None]) -> list[Region]:
    """Return where the dice and the buttons are on the screen."""
    screen = pilot.app.screen
    hand = screen.query_one(Hand)
    dice = [hand.die_region(die).translate(hand.region.offset) for die in range(1, len(hand.dice) + 1)]
    return dice + [button.region for button in screen.query(MouseButton) if button.display]
