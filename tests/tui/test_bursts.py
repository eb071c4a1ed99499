"""Names, words and positions that are typed and entered in one burst, as a terminal sends them: taken whole."""

from __future__ import annotations

import asyncio
import re
import signal
from functools import partial
from typing import ClassVar

import pytest
from table_pilot import TablePilot, playing
from textual.binding import Binding, BindingType
from textual.widgets import Input
from waiting import until

from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import FIRST_SEATS, Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.input import queue
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.textual_base.base_screen import BaseScreen


async def opened(pilot: TablePilot, key: str, *screens: str) -> None:
    """Press the key of a dialog and wait until it is laid out."""
    await pilot.press(key)
    await until(lambda: pilot.stack() == [*screens])
    await pilot.pause()


def seats(pilot: TablePilot) -> list[Seat]:
    lobby = pilot.app.screen_stack[0]
    assert isinstance(lobby, Lobby)
    return [*lobby.lineup.seats]


async def test_a_name() -> None:
    async with playing() as pilot:
        await opened(pilot, "a", "Lobby", "SeatDialog")
        pilot.burst(*"Cleo", "enter", "enter")
        await until(lambda: seats(pilot) == [*FIRST_SEATS, Seat("Cleo")])
        await opened(pilot, "a", "Lobby", "SeatDialog")
        pilot.burst(*"Dan", "down", "down", "enter")
        await until(lambda: seats(pilot) == [*FIRST_SEATS, Seat("Cleo"), Seat("Dan", "Merry")])


async def test_several_names_at_once() -> None:
    async with playing() as pilot:
        await opened(pilot, "a", "Lobby", "SeatDialog")
        pilot.burst(*"Ann, Ben,Cleo", "enter")
        await until(lambda: seats(pilot) == [Seat("Ann"), Seat("Ben"), Seat("Cleo")])
        await opened(pilot, "a", "Lobby", "SeatDialog")
        pilot.burst(*"Eve, ann", "enter")
        await until(lambda: pilot.text("#sentence") == "ann is already at the table.")


async def test_a_position() -> None:
    async with playing() as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        lobby.lineup = Lineup((Seat("Ann"), Seat("Ben")))
        await pilot.press("o")
        await pilot.option("Start from a position")
        await opened(pilot, "enter", "Lobby", "PositionDialog")
        pilot.burst(*"*6551 >4332 roll 2", "enter")
        await pilot.reaches("Table")
        table = await pilot.turn()
        assert table.match.state.to_text() == "*6551 >4332 roll 2"


async def test_a_player_of_the_statistics() -> None:
    async with playing() as pilot:
        await pilot.app.run_action("statistics")
        await pilot.reaches("Statistics")
        await pilot.press("n")
        await pilot.pause()
        pilot.burst(*"Be", "escape")
        await pilot.reaches("Lobby", "Statistics")


async def test_regulars_are_offered_and_taken(history: History) -> None:
    for names in (("Ben", "You"), ("Ben", "Cleo"), ("Bea", "Ben")):
        match = Match(Lineup(tuple(map(Seat, names)), starting_seat=0), journal=history.journal())
        match.act(ROLL_ALL)
    assert history.people()[0] == "Ben"
    async with playing() as pilot:
        await opened(pilot, "a", "Lobby", "SeatDialog")
        await pilot.shows("tab Ben · Bea · Cleo")
        for typed in (["tab"], [*", C", "tab"], [*", b", "tab", "enter"]):
            pilot.burst(*typed)
            await pilot.pause()
        await until(lambda: seats(pilot) == [Seat("Ben"), Seat("Cleo"), Seat("Bea")])
        await opened(pilot, "a", "Lobby", "SeatDialog")
        await pilot.pause()
        assert "tab You  " in pilot.seen(), "everybody else is seated"


async def test_regulars_are_taken_by_mouse(history: History) -> None:
    names = ("Ben", 'O\'Neill "x"', "b\\)(")
    match = Match(Lineup(tuple(map(Seat, names)), starting_seat=0), journal=history.journal())
    match.act(ROLL_ALL)
    async with playing() as pilot:
        await opened(pilot, "a", "Lobby", "SeatDialog")
        await pilot.pause()
        for name in names:
            await pilot.click_on(name)
            await until(partial(shows, pilot, name))
            await pilot.press(*["backspace"] * len(name))
        (first,) = re.findall("tab (.*?) ·", pilot.seen())
        await pilot.click_on("tab ")
        await until(partial(shows, pilot, first))


def shows(pilot: TablePilot, name: str) -> bool:
    return pilot.app.screen.query_one(Input).value == name


class StuckScreen(BaseScreen[None]):
    """A screen that does not come to the end of a key before the program is ending."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "wait", "Wait")]

    async def action_wait(self) -> None:
        while isinstance(self.app, FourTwentyApp) and not self.app.ended_by:
            await asyncio.sleep(0)


class NeverReady(BaseScreen[None]):
    """A screen that keeps keys waiting for ever; nothing may act on it."""

    opening = True
    has_acted = False

    def key_x(self) -> None:
        NeverReady.has_acted = True


@pytest.mark.parametrize("screen", [StuckScreen, NeverReady])
async def test_ctrl_c_ends_even_behind_keys_that_a_screen_never_handles(
    screen: type[BaseScreen[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "HANDLING_SECONDS", 0.05)
    async with playing() as pilot:
        await pilot.app.push_screen(screen())
        pilot.burst(*"x1x2x3", "ctrl+c")
        await until(lambda: isinstance(pilot.app, FourTwentyApp) and pilot.app.ended_by == signal.SIGINT)
    assert not NeverReady.has_acted
