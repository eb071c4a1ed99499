"""A table whose history cannot be written: nothing freezes, nothing is shown before it is kept, nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from busy_history import held
from table_pilot import TablePilot, playing
from waiting import until

from fourtwenty.games.game import Faces
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.table import Table

TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
THROWS: list[Faces] = [(6, 5, 5, 1), (4, 3, 3, 2), (1,), (2, 2, 2, 2), (3,)]


async def unsaved(pilot: TablePilot) -> Table:
    """Wait until the players are told that they wait; return the table."""
    await pilot.reaches("SaveFailedDialog")
    table = pilot.app.screen_stack[-2]
    assert isinstance(table, Table)
    return table


async def test_a_roll_waits_for_the_lock_to_go_and_is_shown_then(history: History) -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.turn(seat=0)
        with held():
            await pilot.press("r")
            table = await unsaved(pilot)
            assert "another program is using" in pilot.seen().lower()
            assert "6 5 5 1" not in pilot.seen()
            assert table.match.events == []
            await pilot.resize_terminal(100, 30)
            assert pilot.stack() == ["Table", "SaveFailedDialog"], "the screen lives on"
        await pilot.turn(seat=1)
        assert pilot.stack() == ["Table"]
        assert [event.faces for event in history.match(1).events] == [(6, 5, 5, 1)]
        assert pilot.notes() == []


async def test_a_short_lock_is_not_worth_a_word(history: History) -> None:
    async with playing(TWO, THROWS) as pilot:
        table = await pilot.turn(seat=0)
        match, tries = table.match, []
        assert match.journal
        record = match.journal.record

        def slow(*arguments: object) -> None:
            tries.append(arguments)
            if len(tries) < 3:
                with held():
                    record(*arguments)  # type: ignore[arg-type]
            record(*arguments)  # type: ignore[arg-type]

        match.journal.record = slow  # type: ignore[method-assign, assignment]
        await pilot.press("r", turn=1)
        assert len(tries) == 3
        assert len(history.match(1).events) == 1


async def test_they_play_on_unsaved_and_all_of_it_is_kept_again(history: History) -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.turn(seat=0)
        with held():
            await pilot.press("r")
            await unsaved(pilot)
            await pilot.press("p", turn=1)
            assert "6 5 5 1" in pilot.seen()
            await pilot.press("r")
            table = await pilot.turn(seat=0)
            assert not table.match.saved
            assert history.match(1).events == []
        await pilot.press("4", "r", turn=1)
        assert table.match.saved
        assert pilot.notes() == ["This game is saved again."]
        assert history.match(1).events == table.match.events


async def test_they_leave_and_nothing_was_shown(history: History) -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.rolls(0)
        await pilot.turn(seat=1)
        with held():
            await pilot.press("r")
            await unsaved(pilot)
            await pilot.press("q", to="Lobby")
        assert len(history.match(1).events) == 1
        await pilot.shows("Game saved. Press r to resume.")


async def test_a_match_that_is_taken_up_elsewhere_while_it_waits_is_left() -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.turn(seat=0)
        with held() as other:
            await pilot.press("r")
            await unsaved(pilot)
            other.execute("UPDATE match SET claim = 'another'")
            other.execute("COMMIT")
        await pilot.reaches("Lobby")
        assert pilot.notes() == ["This game is now being played in another window."]


async def test_resuming_waits_for_a_lock_to_go() -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.rolls(0)
        await pilot.turn(seat=1)
        await pilot.press("q")
        await until(lambda: isinstance(pilot.app.screen, Lobby) and bool(pilot.app.screen.unfinished))
        with held():
            await pilot.press("r")
            assert pilot.stack()[-1] == "Lobby"
        await pilot.turn(seat=1)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_question_fits(home: Path, size: tuple[int, int]) -> None:
    home.write_text("a file where the folder should be")
    async with playing(TWO, THROWS, size=size) as pilot:
        await unsaved(pilot)
        for words in ("can't be saved right now", "by itself as soon as", "p  Play on unsaved", "q  Leave"):
            assert words in pilot.seen()
