"""The coach at the table: what it shows, what it keeps to itself, and when it warns."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from table_pilot import TablePilot, playing
from textual.content import Content
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Faces, Roll, Stand
from fourtwenty.odds.four_twenty_solver import choices
from fourtwenty.play.lineup import Lineup, Seat
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
        assert not pilot.text("#advice").strip()
        await pilot.press("4")
        best, *others = choices(table.match.state)
        assert pilot.text("#advice") == f"20: 16.7%  over: 33.3%\nwin the round: {best.value:.1%}  best"
        await pilot.press("1")
        second = next(choice for choice in others if choice.kept == (5, 5))
        assert f"win the round: {second.value:.1%}" in pilot.text("#advice")
        assert f"costs {100 * (best.value - second.value):.1f} points" in pilot.text("#advice")
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


async def test_the_stage_of_odds_that_older_versions_wrote_is_the_coach() -> None:
    async with playing(replace(THREE, coach="odds"), HANDS) as pilot:
        table = await rolled(pilot, 3)
        assert table.match.coaching == [(0, "full")], "what is new is written without it"
        table.match.coaching = [(0, "odds")]  # as in a history of then
        table.show_coach()
        assert "Coach: on" in pilot.text("#caption")
        await pilot.press("1", "4")
        assert pilot.text("#advice").startswith("20: 8.3%")
        assert "costs" in pilot.text("#advice")
        await pilot.press("c")
        assert "Coach" not in pilot.text("#caption")


async def test_the_coach_is_called_at_the_running_table_and_the_match_knows() -> None:
    async with playing(replace(THREE, coach="off"), HANDS, size=(120, 40)) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("c")
        assert "Coach: on" in pilot.text("#caption")
        assert "Players: chance to win the round" in pilot.seen()
        assert "points" in pilot.seen(), "the ranking is beside the hand"
        await pilot.press("4")
        assert pilot.text("#advice").startswith("20: 16.7%")
        assert table.match.coaching == [(3, "full")]
        await pilot.press("c")
        assert table.selection == {4}, "the dice stay selected"
        assert not pilot.text("#advice").strip()
        assert table.match.coaching == []
        await pilot.press("c", "r", turn=1)
        assert table.match.coaching == [(3, "full")]


ALL_SIZES = [(60, 20), (60, 44), (80, 24), (100, 30), (120, 40), (200, 60)]


@pytest.mark.parametrize(
    ("seats", "size"), [*((3, size) for size in ALL_SIZES), (4, (100, 30)), (12, (100, 30)), (12, (200, 60))]
)
@pytest.mark.parametrize("game", GAMES)
async def test_nothing_moves_when_the_coach_comes_by_its_key_or_its_button(
    seats: int, game: str, size: tuple[int, int]
) -> None:
    start = GAMES["421"].parse(f"*>-:{22 - seats}{' -:1' * (seats - 1)} round 9 roll 1") if game == "421" else None
    guests = tuple(Seat(f"Guest {number}") for number in range(seats - len(THREE.seats)))
    lineup = replace(THREE, seats=THREE.seats + guests, coach="off", game=game)
    throws: list[Faces] = HANDS[:3] * 4 if game == "420" else [(6, 6, 1), (6, 5, 3), (5, 5, 1)]
    async with playing(lineup, throws, size=size, start=start) as pilot:
        table = await rolled(pilot, seats if game == "420" else 1)
        places = []
        for step in range(3):
            parts = (table.hand, table.line, table.seats, table.rolls, *table.query(MouseButton))
            in_rows = table.seats._fields if table.is_party else None
            places.append([table.seats.seat_layout, in_rows, *(part.region for part in parts)])
            if step == 0:
                await pilot.press("c")
                assert "%" in pilot.seen()
            else:
                await pilot.click("#coach")
        assert places[0] == places[1] == places[2]


async def test_without_a_coach_nothing_is_computed_and_nothing_shown() -> None:
    async with playing(replace(THREE, coach="off"), HANDS) as pilot:
        table = await rolled(pilot, 3)
        assert table.coach is None
        assert not pilot.text("#advice").strip()
        assert "%" not in pilot.seen()


TWO_DICE: list[Faces] = [*HANDS[:3], (1, 1)]
HINT = "Roll the 1: one in six to be out, best by 1.7 points."


@pytest.mark.parametrize("coach", ["off", "full"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40)])
async def test_a_hint_lifts_its_dice_speaks_and_is_taken_by_enter(size: tuple[int, int], coach: str) -> None:
    async with playing(replace(THREE, coach=coach), HANDS, size=size) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("1", "h")
        assert [die.selected for die in table.hand.dice] == [False, False, False, True]
        assert pilot.text("#advice") == HINT
        assert pilot.seen().count("Roll the 1: one in six to be out, best") == 1
        assert table.match.hints == {3}
        await pilot.press("enter", turn=1)
        assert table.match.events[-1].action == Roll((4,))
        assert table.match.hints == {3}, "it is recorded as a hint, and no more"
        assert HINT not in pilot.text("#advice")


@pytest.mark.parametrize("take", ["key", "button"])
async def test_a_hint_to_stand_is_taken_by_enter_and_by_the_button(take: str) -> None:
    two = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0, game="ten-rounds")
    async with playing(two, [(4, 2, 1)]) as pilot:
        table = await rolled(pilot, 1)
        await pilot.press("1", "h")
        assert pilot.text("#advice").startswith("Stand on 4 2 1: ")
        assert table.selection == frozenset()
        await (pilot.click_on("Take the hint") if take == "button" else pilot.press("enter"))
        await pilot.turn(seat=1)
        assert table.match.events[-1].action == Stand()


async def test_an_enter_that_is_typed_ahead_of_a_hint_rolls_only_what_is_selected() -> None:
    async with playing(THREE, TWO_DICE) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("1", "4")
        pilot.burst("h", "enter")
        await pilot.turn(seat=1)
        assert table.match.events[-1].action == Roll((1, 4))
    async with playing(THREE, HANDS) as pilot:
        table = await rolled(pilot, 3)
        pilot.burst("h", "enter", "enter")
        await until(lambda: HINT in pilot.text("#advice"))
        await pilot.pause()
        assert len(table.match.events) == 3, "nothing was selected"
        assert HINT in pilot.text("#advice"), "and the hint is still there to be read"
        await pilot.press("enter", turn=1)


async def test_the_coach_that_comes_takes_the_place_of_a_hint() -> None:
    async with playing(replace(THREE, coach="off"), HANDS) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("h", "c")
        assert pilot.text("#advice").startswith("20: 16.7%")
        assert "Take the hint" not in pilot.seen()
        await pilot.press("enter", turn=1)
        assert table.match.events[-1].action == Roll((4,)), "its dice are still selected"


async def test_escape_or_another_die_turns_a_hint_down() -> None:
    async with playing(THREE, TWO_DICE) as pilot:
        table = await rolled(pilot, 3)
        await pilot.press("1", "h", "escape")
        assert table.selection == {1}
        assert HINT not in pilot.text("#advice")
        await pilot.press("h", "1")
        assert table.selection == {1, 4}
        assert HINT not in pilot.text("#advice")
        await pilot.press("enter", turn=1)
        assert table.match.events[-1].action == Roll((1, 4))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (60, 44)])
async def test_h_again_shows_every_choice_and_once_more_neither(size: tuple[int, int]) -> None:
    async with playing(replace(THREE, coach="off"), HANDS, size=size) as pilot:
        table = await rolled(pilot, 3)
        before = pilot.logged()
        await pilot.press("h")
        assert "points" not in pilot.seen().replace("points.", "")
        await pilot.press("h")
        lines = [re.split("  +", line.replace("▶ ", "").strip(" │")) for line in pilot.seen().split("\n")]
        found = [
            line for line in (line[-5:] for line in lines) if line[-1:] in (["points"], ["best"]) or "−" in line[-1]
        ]
        assert found[0] == ["keep", "20", "over", "round", "points"]
        assert found.count(found[0]) == 1
        assert (found[1][0], found[1][-1], found[2][0]) == ("6 5 5", "best", "6 5")
        assert pilot.text("#advice") == HINT, "it can still be taken"
        await pilot.press("h")
        assert not re.search("keep +20", pilot.seen())
        assert HINT not in pilot.text("#advice")
        await pilot.press("h", "h", "enter", turn=1)
        assert table.match.events[-1].action == Roll((4,))
        assert not re.search("keep +20", pilot.seen())
        assert pilot.logged().startswith(before)


async def test_where_the_table_of_choices_has_no_room_h_says_so() -> None:
    async with playing(THREE, HANDS, size=(60, 20)) as pilot:
        await rolled(pilot, 3)
        await pilot.press("h", "h")
        assert "No room here for every choice" in pilot.seen()
        await pilot.press("enter", turn=1)


async def test_the_table_says_where_other_hands_matter() -> None:
    four = replace(THREE, seats=(*THREE.seats, Seat("Dan")))
    async with playing(four, [(6, 6, 5, 1), *[(4, 3, 3, 2)] * 3], size=(120, 40)) as pilot:
        await rolled(pilot, 4)
        await pilot.press("h", "h")
        assert re.search(r"Against other hands, a different choice .*would be best\.", pilot.seen(), re.DOTALL)


async def test_where_chances_are_estimates_the_table_says_so() -> None:
    eight = replace(THREE, seats=tuple(Seat(f"Guest {number}") for number in range(8)))
    start = FourTwenty.from_hands([(6, 6, 5, 1), *[()] * 7])
    async with playing(eight, [(1, 2)], size=(120, 40), start=start) as pilot:
        await pilot.turn()
        await pilot.press("h", "h")
        assert "about" in pilot.text("#advice")
        assert re.search(r"Against.*best,.*as far as.*the.*estimate.*goes\.", pilot.seen(), re.DOTALL)


async def test_the_coach_is_set_in_the_lobby() -> None:
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.option("Coach", "enter")
        assert "what each choice is worth" in pilot.text("#sentence")
        await pilot.press("escape", "enter")
        table = await pilot.turn()
        assert table.match.lineup.coach == "full"
        assert "Coach: on" in pilot.text("#caption")
    async with playing() as pilot:
        await pilot.press("o")
        assert re.search("Coach +on", pilot.seen()), "kept for next time"


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
