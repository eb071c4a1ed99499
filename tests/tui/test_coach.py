"""The coach at the table: what it shows, what it keeps to itself, and when it warns."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from table_pilot import TablePilot, playing
from textual.content import Content

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Faces
from fourtwenty.odds.four_twenty_solver import choices
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.dialogs.hint import HintDialog
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.widgets.coach import Coach
from fourtwenty.tui.widgets.seats import Seats

THREE = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0, coach="full")
HANDS: list[Faces] = [(6, 5, 5, 1), (4, 3, 3, 2), (6, 6, 5, 5), (1,), (1, 1, 1, 1), (2, 2, 2, 2)]


async def rolled(pilot: TablePilot, rolls: int) -> Table:
    """Let everybody make the first rolls; return the table when the next person is asked."""
    for _ in range(rolls):
        await pilot.turn()
        await pilot.press("r")
    return await pilot.turn()


async def test_a_selection_shows_its_chances_and_what_it_loses() -> None:
    async with playing(THREE, HANDS) as pilot:
        table = await rolled(pilot, 3)
        assert pilot.text("#advice") == "\nPress h for every choice."
        await pilot.press("4")
        best, *others = choices(table.match.state)
        assert pilot.text("#advice") == f"20: 16.7%  over: 33.3%\nwin the round: {best.value:.1%}  best"
        await pilot.press("1")
        second = next(choice for choice in others if choice.kept == (5, 5))
        assert f"win the round: {second.value:.1%}" in pilot.text("#advice")
        assert f"costs {best.value - second.value:.1%}" in pilot.text("#advice")
        await pilot.press("4")
        assert pilot.text("#advice").startswith("\n"), "5 5 1 may not stay"
        await pilot.press("escape", "4", "r", turn=1)
        assert pilot.text("#advice").endswith("the only choice")


async def test_every_seat_shows_its_chances_and_they_move() -> None:
    async with playing(THREE, HANDS) as pilot:
        table = await pilot.turn(seat=0)
        before = table.query_one(Seats).rows
        assert before[0].bar_label == "36.8%  drinks 33%"
        assert "━" in pilot.seen()
        assert "Players: chance to win the round" in pilot.seen()
        await pilot.press("r", turn=1)
        after = table.query_one(Seats).rows
        assert after[0].share is not None
        assert before[0].share is not None
        assert after[0].share > before[0].share
        assert sum(row.share or 0 for row in after) == pytest.approx(1)


async def test_odds_only_show_chances_and_no_advice() -> None:
    async with playing(replace(THREE, coach="odds"), HANDS) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("1", "4")
        coach = pilot.text("#advice")
        assert coach.startswith("20: 8.3%")
        assert "best" not in coach
        assert "costs" not in coach
        assert table.match.hints == set()


async def test_the_coach_is_called_at_the_running_table_and_the_match_knows() -> None:
    async with playing(replace(THREE, coach="off"), HANDS, size=(120, 40)) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("c")
        assert "Coach: odds" in pilot.text("#caption")
        assert "Players: chance to win the round" in pilot.seen()
        await pilot.press("4")
        assert pilot.text("#advice").startswith("20: 16.7%")
        assert "costs" not in pilot.seen()
        await pilot.press("c")
        assert "costs" in pilot.seen(), "the ranking is beside the hand"
        assert table.selection == {4}, "the dice stay selected"
        assert table.match.coaching == [(3, "full")]
        await pilot.press("c")
        assert not pilot.text("#advice").strip()
        assert table.match.coaching == []
        await pilot.press("c", "r", turn=1)
        assert table.match.coaching == [(3, "odds")]


@pytest.mark.parametrize("size", [(60, 20), (60, 44), (80, 24), (100, 30), (120, 40), (200, 60)])
@pytest.mark.parametrize("game", GAMES)
async def test_nothing_moves_when_the_coach_comes_by_its_key_or_its_button(game: str, size: tuple[int, int]) -> None:
    start = GAMES["421"].parse("*>-:7 -:11 -:3 round 9 roll 1") if game == "421" else None
    lineup = replace(THREE, coach="off", game=game)
    throws: list[Faces] = HANDS if game == "420" else [(6, 6, 1), (6, 5, 3), (5, 5, 1)]
    async with playing(lineup, throws, size=size, start=start) as pilot:
        table = await rolled(pilot, 3 if game == "420" else 1)
        places = []
        for step in range(3):
            parts = (table.hand, table.line, table.seats, table.rolls, *table.query(MouseButton))
            places.append([table.seats.seat_layout, *(part.region for part in parts)])
            if step == 0:
                await pilot.press("c")
                assert "%" in pilot.seen()
            else:
                await pilot.click("#coach")
        assert places[0] == places[1] == places[2]


async def test_a_hint_without_a_coach_offers_one() -> None:
    async with playing(replace(THREE, coach="off"), HANDS) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("h")
        assert "Show the odds from here on" in pilot.seen()
        assert table.match.hints == {3}
        await pilot.press("c")
        assert await pilot.turn() is table
        assert table.match.coach == "full"
        await pilot.press("h")
        assert "Show the odds from here on" not in pilot.seen()


async def test_without_a_coach_nothing_is_computed_and_nothing_shown() -> None:
    async with playing(replace(THREE, coach="off"), HANDS) as pilot:
        table = await rolled(pilot, 3)
        assert table.coach is None
        assert not pilot.text("#advice").strip()
        assert "%" not in pilot.seen()


async def test_a_hint_ranks_every_choice_and_is_noted() -> None:
    async with playing(THREE, HANDS) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("h")
        assert isinstance(pilot.app.screen, HintDialog)
        lines = [line.split() for line in pilot.text("#ranking").splitlines()]
        assert lines[0] == ["keep", "20", "over", "round", "costs"]
        assert [line[:-4] for line in lines[1:]] == [
            ["6", "5", "5"], ["6", "5"], ["5", "5"], ["6"], ["5"], ["nothing"],
        ]  # fmt: skip
        assert lines[1][-1] == "best"
        assert "other hands" not in pilot.seen(), "they do not matter here"
        await pilot.press("enter")
        assert await pilot.turn() is table
        assert table.match.hints == {3}


async def test_the_hint_says_where_other_hands_matter() -> None:
    four = replace(THREE, seats=(*THREE.seats, Seat("Dan")))
    async with playing(four, [(6, 6, 5, 1), *[(4, 3, 3, 2)] * 3]) as pilot:
        await rolled(pilot, 4)
        await pilot.press("h")
        assert "Against other hands, a different choice would be best." in pilot.seen()


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_where_chances_are_estimates_the_hint_says_so(size: tuple[int, int]) -> None:
    eight = replace(THREE, seats=tuple(Seat(f"Guest {number}") for number in range(8)))
    start = FourTwenty.from_hands([(6, 6, 5, 1), *[()] * 7])
    async with playing(eight, [(1, 2)], size=size, start=start) as pilot:
        await pilot.turn()
        await pilot.press("h")
        assert re.search(r"Against.*best,.*as far as.*the.*estimate.*goes\.", pilot.seen(), re.DOTALL)


async def test_the_coach_is_set_in_the_lobby() -> None:
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.option("Coach", "enter", "enter")
        assert "Also shows what each choice costs" in pilot.text("#sentence")
        await pilot.press("escape", "enter")
        table = await pilot.turn()
        assert table.match.lineup.coach == "full"
        assert "Coach: full" in pilot.text("#caption")
    async with playing() as pilot:
        await pilot.press("o")
        assert re.search("Coach +full", pilot.seen()), "kept for next time"


async def test_the_verdict_is_the_most_legible_of_the_advice() -> None:
    async with playing(THREE, HANDS) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("1", "4")
        advice = table.query_one(Coach).visual
        assert isinstance(advice, Content)
        (span,) = (each for each in advice.spans if str(advice)[each.start : each.end].startswith("costs"))
        assert span.style == "bold $warning"
        await pilot.press("1")
        advice = table.query_one(Coach).visual
        assert isinstance(advice, Content)
        (span,) = (each for each in advice.spans if str(advice)[each.start : each.end] == "best")
        assert span.style == "bold"
