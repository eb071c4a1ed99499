"""A match that was left, or broken off, is taken up again from the lobby: by key, by mouse, one of several."""

from __future__ import annotations

import asyncio
import os
import re
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace
from run_sql import run_sql
from table_pilot import TablePilot, driving, playing
from textual.geometry import Region
from waiting import until

from fourtwenty.file_storage import history_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal import match_journal
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import HistoryEntry
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.past_games.history_screen import HistoryScreen
from fourtwenty.tui.past_games.history_service import HistoryService
from fourtwenty.tui.screens.lobby import Lobby

SEALED = FairDice(bytes(range(32)))
TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
TWO_DRAWN = Lineup(seats=(Seat("Ann"), Seat("Ben")))


def left(history: History, *names: str, events: int = 1) -> Match:
    """Leave a match of these people behind after so many first rolls."""
    match = Match(Lineup(tuple(Seat(name) for name in names), starting_seat=0), SEALED, journal=history.journal())
    for _ in range(events):
        match.act(ROLL_ALL)
    return match


async def waiting(pilot: TablePilot, matches: int, after: str = "") -> Lobby:
    """Press a key, if any; wait until the lobby shows that so many matches wait, and return it."""
    await pilot.press(*filter(None, [after]))

    def shown() -> bool:
        lobby = pilot.app.screen
        if not isinstance(lobby, Lobby) or not matches:
            return isinstance(lobby, Lobby) and lobby.unfinished is None
        with closing(History(history_file(), pytest.fail, read_only=True)) as reading:
            return (reading.count(unfinished=True), reading.latest_unfinished()) == (matches, lobby.unfinished)

    await until(shown)
    await pilot.pause()
    assert isinstance(pilot.app.screen, Lobby)
    return pilot.app.screen


async def test_an_r_before_the_lobby_knows_what_can_be_resumed_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    read, known = HistoryService.unfinished, asyncio.Event()

    async def unfinished(service: HistoryService) -> HistoryEntry | None:
        await known.wait()
        return await read(service)

    async with playing(throws=[(6, 6, 5, 1)]) as pilot:
        assert isinstance(pilot.app, FourTwentyApp)
        await waiting(pilot, 0)
        pilot.app.play(TWO)
        await pilot.turn(seat=0)
        await pilot.press("r", turn=1)
        monkeypatch.setattr(HistoryService, "unfinished", unfinished)
        pilot.burst("q", "r")
        await pilot.reaches("Lobby")
        assert pilot.below()[1] == "Game saved. Press r to resume."
        known.set()
        await waiting(pilot, 1)
        assert pilot.below()[1] == "Game saved. Press r to resume."


async def test_the_match_that_was_left_goes_on_where_it_was(history: History) -> None:
    match = left(history, "Ann", "Ben", "Cleo", events=2)
    async with playing() as pilot:
        await waiting(pilot, 1)
        assert re.search(r"Resume 420: .*Cleo to roll", pilot.seen())
        await pilot.press("r")
        table = await pilot.turn(seat=2)
        assert (table.match.state, table.match.dice.seed) == (match.state, match.dice.seed)
        hand = " ".join(map(str, match.state.hand(1)))
        assert f"Ben rolled {hand}" in pilot.seen(), "what was rolled before is told"
        await pilot.press("r", turn=0)
        match.journal = None
        assert table.match.events[-1] == match.act(ROLL_ALL), "the same dice as without the break"
        await waiting(pilot, 1, after="q")
        assert pilot.below()[1] == "Game saved. Press r to resume."


async def listed(pilot: TablePilot) -> HistoryScreen:
    await pilot.reaches("HistoryScreen")
    assert isinstance(pilot.app.screen, HistoryScreen)
    return pilot.app.screen


def players(shown: HistoryScreen) -> list[str]:
    return [shown._match_cells(row)[3] for row in range(shown.matches.length)]


async def test_by_mouse(history: History) -> None:
    left(history, "Ann", "Ben")
    async with playing() as pilot:
        await waiting(pilot, 1)
        await pilot.click_on("Resume 420")
        await pilot.turn(seat=1)
        await waiting(pilot, 1, after="q")
        await pilot.click_on("h Past games")
        await listed(pilot)
        await pilot.click_on("enter Resume")
        await pilot.turn(seat=1)


async def test_one_of_several_that_wait(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count()
    monkeypatch.setattr(match_journal, "now", lambda: str(datetime.fromtimestamp(next(seconds), UTC)))
    for names in (("Ann", "Ben"), ("Cleo", "Dan"), ("Eve", "Finn")):
        left(history, *names)
    bots = Lineup((Seat("Zoë", "Random"), Seat("Yann", "Random")), starting_seat=0)
    Match(bots, SEALED, journal=history.journal()).play_out()
    async with playing() as pilot:
        await waiting(pilot, 3)
        await pilot.press("h")
        assert players(await listed(pilot)) == ["Eve, Finn", "Cleo, Dan", "Ann, Ben", "Zoë, Yann"]
        await pilot.press("down", "down", "enter")
        table = await pilot.turn(seat=1)
        assert table.match.names == ("Ann", "Ben")
        await pilot.press("r", turn=0)
        await waiting(pilot, 3, after="q")
        await pilot.press("h")
        assert players(await listed(pilot)) == ["Ann, Ben", "Eve, Finn", "Cleo, Dan", "Zoë, Yann"], "played last"


async def test_an_unfinished_match_is_deleted_after_a_question(history: History) -> None:
    left(history, "Ann", "Ben")
    left(history, "Cleo", "Dan")
    async with playing() as pilot:
        await waiting(pilot, 2)
        await pilot.press("h")
        shown = await listed(pilot)
        await pilot.press("down", "x", to="ConfirmDialog")
        await pilot.press("enter")
        assert await listed(pilot) is shown
        assert shown.matches.cursor == 1
        await pilot.press("x", "y")
        await until(lambda: players(shown) == ["Cleo, Dan"])
        await pilot.click_on("Delete", to="ConfirmDialog")
        await pilot.click_on("y  Delete")
        await until(lambda: not players(shown))
        await pilot.press("enter", "x")
        assert pilot.stack() == ["Lobby", "HistoryScreen"], "there is nothing to resume or to delete"
        await waiting(pilot, 0, after="escape")
    assert not history.count(unfinished=True)


async def test_without_an_unfinished_match_there_is_nothing_to_resume() -> None:
    async with playing() as pilot:
        await waiting(pilot, 0)
        assert "Resume" not in pilot.seen()
        pilot.burst("r", "r")
        await pilot.pause()
        assert pilot.stack() == ["Lobby"]


async def test_enter_begins_a_new_match_though_one_waits(history: History) -> None:
    left(history, "Ann", "Ben")
    async with playing(throws=[(6, 6, 5, 1)] * 2) as pilot:
        await waiting(pilot, 1)
        pilot.burst("enter", "enter", "r")
        table = await pilot.turn()
        assert table.match.names == ("You", "Merry")
    assert len(history.unfinished()) == 2


async def test_a_match_left_before_anything_was_seen_does_not_wait(history: History) -> None:
    app = FourTwentyApp(replace(TWO, starting_seat=0))
    async with driving(app) as pilot:
        await pilot.turn(seat=0)
        await pilot.press("q", to="Lobby")
        assert pilot.notes() == []
    assert history.unfinished() == ()


async def test_a_match_left_after_the_lot_was_shown_waits() -> None:
    app = FourTwentyApp(TWO_DRAWN)
    app.pace = 0
    async with driving(app) as pilot:
        first = (await pilot.turn()).match.starting_seat
        await waiting(pilot, 1, after="q")
        await pilot.press("r")
        assert (await pilot.turn()).match.starting_seat == first
        await waiting(pilot, 1, after="q")


async def test_a_match_left_between_two_rounds_shows_what_the_round_came_to() -> None:
    three = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)
    async with playing(three, [(6, 5, 5, 4)]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await waiting(pilot, 1, after="q")
        await pilot.results("r")
        await pilot.press("enter", turn=1)


async def test_hints_asked_before_the_break_are_known_after_it(history: History) -> None:
    match = left(history, "Ann", "Ben", events=2)
    match.hint()
    async with playing() as pilot:
        await waiting(pilot, 1)
        await pilot.press("r")
        assert (await pilot.turn(seat=0)).match.hints == {2}


async def test_a_match_that_another_window_takes_up_is_left_here(history: History) -> None:
    left(history, "Ann", "Ben")
    async with playing() as pilot:
        await waiting(pilot, 1)
        await pilot.press("r", turn=1)
        there = history.resume(1)
        await pilot.press("r")
        await waiting(pilot, 1)
        assert pilot.notes() == ["This game is now being played in another window."]
        there.act(ROLL_ALL)
        await pilot.press("r")
        assert (await pilot.turn(seat=0)).match.state == there.state


async def test_a_match_that_cannot_be_made_out_is_left_alone(history: History) -> None:
    left(history, "Ann", "Ben")
    run_sql(history, "UPDATE match SET lineup = '{}'")
    async with playing() as pilot:
        await waiting(pilot, 1)
        await pilot.press("r")
        await until(lambda: pilot.below()[1] == "This game can't be resumed: game 1 is damaged and cannot be read.")
        assert not pilot.notes()
        await pilot.press("enter")
        await pilot.turn()
    assert history.count() == 2


async def test_a_damaged_history_is_moved_aside_and_the_match_is_kept(home: Path) -> None:
    home.mkdir()
    history_file().write_text("no history")
    async with playing() as pilot:
        await until(lambda: bool(pilot.notes()))
        (aside,) = home.glob("*.damaged")
        assert pilot.notes() == [f"The history could not be read. Its file is now {aside}"]
        await pilot.press("enter")
        assert (await pilot.turn()).match.saved
    assert aside.read_text() == "no history"


async def test_a_match_that_is_not_kept_says_so_once(home: Path) -> None:
    home.write_text("a file where the folder should be")
    async with playing(TWO, [(1, 2, 3, 4)] * 2) as pilot:
        await pilot.reaches("SaveFailedDialog")
        assert os.strerror(17) in " ".join(pilot.seen().replace("│", " ").split()), "the path may be long"
        await pilot.press("p")
        await pilot.rolls(0)
        assert not (await pilot.turn(seat=1)).match.saved
        assert pilot.notes() == []


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_waits_stays_on_one_line(history: History, size: tuple[int, int]) -> None:
    left(history, "A name that is rather long for a seat", "Another 김 of sixty characters, which is too many")
    async with playing(size=size) as pilot:
        await waiting(pilot, 1)
        (line,) = [line for line in pilot.seen().split("\n") if "Resume" in line]
        assert line.rstrip().endswith(": r")
        assert Region(0, 0, *size).contains_region(pilot.app.screen.query_one("#play").region)
        await pilot.resize_terminal(100, 30)
        assert "Resume 420" in pilot.seen()
