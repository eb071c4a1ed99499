"""The order of a match where it is left, or overtaken, at a bad moment."""

from __future__ import annotations

import pytest
from table_pilot import playing
from waiting import until

from fourtwenty.games.game import Action, Event, Leave, Roll
from fourtwenty.journal.history import History
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.table import Table

THREE = Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)


class OneEvent:
    """A room of which only the first seat is here, and in which one event comes."""

    def __init__(self) -> None:
        self.version = 0
        self.came: Event | None = None
        self.decided: Action | None = None
        self.predicted: Event | None = None

    def event(self, number: int) -> Event | None:
        return None if number else self.came

    def is_local(self, seat: int) -> bool:
        return seat == 0

    def submit(self, action: Action) -> None:
        raise AssertionError(action)


async def test_an_answer_that_the_room_overtakes_is_forgotten() -> None:
    room = OneEvent()
    async with playing() as pilot:
        app = pilot.app
        assert isinstance(app, FourTwentyApp)
        table = Table(Match(THREE, ScriptedDice([])), 0, remote=room)
        table.saves = False
        app.play_matches(table)
        await until(lambda: table.waiting)
        table.flow.reply(lambda: table.turns.decide(Roll((1, 2, 3, 4))))
        room.came, room.version = Event(0, Leave(), ()), 1  # the others have carried on without this seat
        table.flow.follow_room()
        await until(lambda: table.match.events == [room.came])


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_a_game_that_is_left_before_any_roll_is_not_kept(key: str, history: History) -> None:
    async with playing(Lineup(THREE.seats, game="ten-rounds", starting_seat=0)) as pilot:
        await until(lambda: isinstance(pilot.app.screen, Table) and pilot.app.screen.waiting)
        await pilot.press(key)
        await until(lambda: not (pilot.app.is_running and isinstance(pilot.app.screen, Table)))
    assert not history.unfinished()
