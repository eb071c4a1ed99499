"""A driver of the app for tests: it plays with scripted dice, and waits for conditions instead of time."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from math import inf
from typing import Any

from textual.geometry import Region
from textual.pilot import Pilot
from waiting import MAX_WAIT_SECONDS, screen_of, until

from fourtwenty.games.game import Faces, State
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.rooms.tui.room_launcher import RoomLauncher
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.widgets.choice_list import ChoiceList
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.meter import MeterAndSentence
from fourtwenty.tui.widgets.roll_log import RollLog


class TablePilot(Pilot[None]):
    """The pilot of a running app, by the words of the game. What acts waits until it can be done."""

    async def press(self, *keys: str, to: str = "", turn: int | None = None, shows: str = "") -> None:
        """Press keys; wait for the screen of a name, the turn of a seat or words on the screen, if they lead there."""
        await super().press(*keys)
        if to:
            await self.reaches(to)
        if turn is not None:
            await self.turn(turn)
        if shows:
            await self.shows(shows)

    async def rolls(self, *seats: int) -> None:
        """Wait for the turn of each of these seats, one after the other, and roll there what is selected."""
        for seat in seats:
            await self.turn(seat)
            await self.press("r")

    async def shows(self, words: str) -> None:
        """Wait until the words are on the screen."""
        await until(lambda: words in self.seen())

    async def reaches(self, *screens: str) -> None:
        """Wait until the topmost screens are those of these names, the lowest first."""
        await until(lambda: self.stack()[-len(screens) :] == [*screens])
        await self.pause()

    async def turn(self, seat: int | None = None) -> Table:
        """Wait until a person, or the person at that seat, is to act; return the table."""

        def asked() -> bool:
            table = self.app.screen
            if not isinstance(table, Table) or not table.waiting:
                return False
            return seat in (None, table.match.state.to_act)

        await until(asked)
        await self.pause()
        assert isinstance(self.app.screen, Table)
        return self.app.screen

    async def results(self, *keys: str) -> Results:
        """Press keys, if any; wait for a round's results, until they take keys, and return their screen."""
        await self.press(*keys)
        await until(lambda: isinstance(self.app.screen, Results) and self.app.screen.shown_at < inf)
        await self.pause()
        assert isinstance(self.app.screen, Results)
        return self.app.screen

    async def click(self, widget: Any = None, *where: Any, **how: Any) -> bool:
        """Click what a player can see; fail where it is hidden or covered.

        Textual 8.2 (pilot.py, click) then clicks what is seen in its place, for a hidden widget the top left corner of
        the screen, and returns False.
        """
        seen = self.seen()
        assert await super().click(widget, *where, **how), f"The click does not hit {widget}:\n{seen}"
        return True

    async def click_on(self, words: str, to: str = "") -> None:
        """Click where the words are on the screen; wait for the screen of a name, if that leads there."""
        await self.shows(words)
        await self.pause()
        lines = self.seen().split("\n")
        row = next(row for row, line in enumerate(lines) if words in line)
        await self.click(offset=(lines[row].index(words), row))
        if to:
            await self.reaches(to)

    async def click_die(self, die: int) -> None:
        hand = self.app.screen.query_one(Hand)
        x, y, *_ = hand.die_region(die)
        await self.click(hand, offset=(x + 4, y + 2))

    async def option(self, words: str, *keys: str) -> None:
        """Point at the first line of a list of answers that has the words, then press keys."""
        await until(lambda: self.app.screen.query(ChoiceList))
        answers = self.app.screen.query_one(ChoiceList)
        lines = [str(each.prompt) for each in answers.options]
        answers.highlighted = next(line for line, shown in enumerate(lines) if words in shown)
        await self.press(*keys)
        await self.pause()

    def burst(self, *keys: str) -> None:
        """Press keys faster than the app can follow; what comes next waits."""
        for key in keys:
            self.app.simulate_key(key)

    async def resize_terminal(self, width: int, height: int) -> None:
        await super().resize_terminal(width, height)
        await self.pause()

    def notes(self) -> list[str]:
        """Return the notes that lie over the screen, the oldest first."""
        return [note.message for note in self.app._notifications]

    def seen(self) -> str:
        return screen_of(self.app)

    def stack(self) -> list[str]:
        """Return the names of the screens that lie on each other, the lowest first."""
        return [type(screen).__name__ for screen in self.app.screen_stack]

    def text(self, selector: str) -> str:
        """Return what a text on the screen says."""
        shown = self.app.screen.query_one(selector)
        return shown.sentence if isinstance(shown, MeterAndSentence) else str(shown._render())

    def below(self) -> list[str]:
        """Return the two lines below the lobby's buttons: the puzzle of the day, and the sentence."""
        return self.text("#below").split("\n")

    def logged(self) -> str:
        """Return the log of the table on the screen."""
        return "\n".join(self.app.screen.query_one(RollLog).lines)

    def parts(self) -> list[Region]:
        """Return where the dice and the buttons are on the screen."""
        screen = self.app.screen
        hand = screen.query_one(Hand)
        dice = [hand.die_region(die).translate(hand.region.offset) for die in range(1, len(hand.dice) + 1)]
        return dice + [button.region for button in screen.query(MouseButton) if button.display]


@asynccontextmanager
async def driving(app: FourTwentyApp, size: tuple[int, int] = (80, 24)) -> AsyncIterator[TablePilot]:
    async with app.run_test(size=size):
        yield TablePilot(app)
        app._exit = True  # as when a person quits: what still plays meets widgets that are gone


@asynccontextmanager
async def playing(
    lineup: Lineup | None = None,
    throws: Iterable[Faces] = (),
    size: tuple[int, int] = (80, 24),
    start: State | None = None,
    ascii_only: bool = False,
    tips: bool = False,
) -> AsyncIterator[TablePilot]:
    """Run the app, in the lobby without a line-up; bots answer at once. A line-up without throws has its own dice.

    Notes stay until they are cleared, however slow the machine is.
    """
    app = FourTwentyApp(
        lineup, ScriptedDice(throws) if throws or not lineup else None, start, ascii_only, rooms=RoomLauncher()
    )
    app.pace = 0
    app.tips = tips
    app.NOTIFICATION_TIMEOUT = MAX_WAIT_SECONDS  # type: ignore[misc]
    if sys.version_info >= (3, 12):  # as Textual's App.run has it, and its run_test has not
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    async with driving(app, size) as driver:
        if lineup:
            await until(lambda: any(isinstance(screen, Table) for screen in app.screen_stack))
        yield driver
