"""Matches played at the table, through the screen, by keys and by mouse."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest
from long_tests import SCREEN, mostly_long
from msgspec.structs import replace
from table_pilot import TablePilot, driving, playing
from textual.events import Resize
from textual.geometry import Region, Size
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.themes import THEMES_BY_NAME
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.meter import MeterAndSentence
from fourtwenty.tui.widgets.roll_log import RollLog
from fourtwenty.tui.widgets.seats import Seats
from fourtwenty.tui.widgets.side_panel import BARS, SidePanel, chart

THREE = Lineup(seats=(Seat("Ann"), Seat("You"), Seat("Steady", "Steady")), starting_seat=0)
MATCH: list[Faces] = [
    (6, 5, 4, 1),  # Ann
    (6, 6, 5, 5),  # You go over
    (5, 5, 3, 1),  # Steady keeps 5 5
    (3,),  # Ann rolls the 1: 18
    (1, 2, 3, 4),  # You reset
    (4, 6),  # Steady makes 20 and drops out
    (4, 4, 4, 4),  # round 2: You are Player 1
    (2, 2, 2, 2),  # Ann
    (5, 5, 5, 5),  # You make 20
]


async def test_a_match_of_three_by_keys_only() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn(seat=0)
        assert pilot.text("#turn") == "● Ann, your turn"
        assert pilot.text("#line") == "First roll: all four dice"
        assert table.selection == {1, 2, 3, 4}
        await pilot.press("enter")

        await pilot.turn(seat=1)
        assert pilot.text("#turn") == "■ Your turn"
        await pilot.press("r")

        await pilot.turn(seat=0)
        assert pilot.text("#line") == "Select the dice to roll; keep the others"
        await pilot.press("3", "4")
        assert pilot.text("#line") == "Keep 6 5, roll two dice"
        await pilot.press("3")
        assert pilot.text("#line") == "Keep 6 5 4, roll one die"
        assert [die.selected for die in table.hand.dice] == [False, False, False, True]
        await pilot.press("r")

        await pilot.turn(seat=1)
        assert pilot.text("#line") == "22 is over 20: roll all four"
        assert str(table.query_one("#roll", MouseButton).label) == "Roll all four"
        await pilot.press("1")
        assert table.selection == {1, 2, 3, 4}, "over 20 there is nothing to choose"
        await pilot.press("enter")

        report = await pilot.results()
        assert report.report.headline == "Steady is out on roll 6"
        assert "You start round 2." in pilot.seen()
        assert "drinks" not in pilot.seen()
        await pilot.press("enter")

        await pilot.turn(seat=1)
        assert "Round 2 of 2" in pilot.text("#caption")
        assert [row.tag for row in pilot.app.screen.query_one(Seats).rows] == ["", "start", ""]
        await pilot.press("enter", turn=0)
        await pilot.press("enter", turn=1)
        await pilot.press("a", "enter")

        report = await pilot.results()
        assert report.report.headline == "Ann buys the drinks"


async def test_a_match_of_three_by_mouse_only() -> None:
    async with playing(THREE, MATCH) as pilot:
        await pilot.turn(seat=0)
        await pilot.click("#roll")
        await pilot.turn(seat=1)
        await pilot.click("#roll")
        table = await pilot.turn(seat=0)
        await pilot.click_die(1)
        await pilot.click_die(1)
        await pilot.click_die(4)
        assert table.selection == {4}
        await pilot.click("#roll")
        await pilot.turn(seat=1)
        await pilot.click("#roll")
        await pilot.results()
        await pilot.click("#round")
        await pilot.turn(seat=1)
        await pilot.click("#roll")
        await pilot.turn(seat=0)
        await pilot.click("#roll")
        await pilot.turn(seat=1)
        for die in (1, 2, 3, 4):
            await pilot.click_die(die)
        await pilot.click("#roll")
        report = await pilot.results()
        assert report.report.headline == "Ann buys the drinks"
        await pilot.click("#rematch")
        table = await pilot.turn()
        assert table.match is not report.match


@pytest.mark.parametrize("size", [(100, 30), (120, 40), (200, 60)])
async def test_hand_and_guide_lie_in_the_middle_and_still_while_the_choices_of_a_coach_come_and_go(
    size: tuple[int, int],
) -> None:
    async with playing(THREE, MATCH, size=size) as pilot:
        table = await pilot.turn(seat=0)
        play, panel = table.query_one("#play"), table.query_one(SidePanel)
        assert abs(play.region.x - (size[0] - panel.region.right)) <= 1
        await pilot.press("r", turn=1)
        await pilot.press("c", "r", turn=0)
        assert "points" in pilot.seen()
        place = play.region
        await pilot.press("4", "r", turn=1)
        assert "points" not in pilot.seen()
        assert play.region.offset == place.offset


async def test_the_chart_of_chances_takes_the_rows_that_are_there() -> None:
    heights = []
    for size in ((120, 30), (120, 40), (200, 60)):
        async with playing(replace(THREE, coach="full"), MATCH, size=size) as pilot:
            for seat in (0, 1, 0):
                await pilot.turn(seat=seat)
                await pilot.press("4", "r")
            await pilot.turn(seat=1)
            lines = [line[size[0] // 2 :] for line in pilot.seen().split("\n")]
            lines = [line for line in lines if "▕" not in line]
            heights.append(sum(bool(set(line) & set(BARS)) for line in lines))
    assert heights == [3, 9, 18]


def test_the_rows_of_a_chart() -> None:
    assert chart((0.5, None, 0.25, 0.01), 0.5, 1) == ["█ ▄▁"]
    assert chart((0.5, None, 0.25, 0.3), 0.5, 2) == ["█  ▂", "█ ██"]


async def test_what_is_impossible_is_explained_when_tried() -> None:
    async with playing(THREE, MATCH) as pilot:
        await pilot.rolls(0)
        await pilot.turn(seat=1)
        await pilot.press("2")
        assert pilot.text("#line") == "First roll: all four dice"
        assert pilot.app.screen.query_one(MeterAndSentence).refused
        await pilot.press("r")
        table = await pilot.turn(seat=0)
        roll = table.query_one("#roll")
        assert roll.has_class("-dimmed")
        for key in ("r", "enter"):
            await pilot.press(key)
            assert pilot.text("#line") == "Select at least one die to roll."
        await pilot.press("2", "3", "1")
        assert roll.has_class("-dimmed")
        await pilot.click("#roll")
        assert pilot.text("#line") == "1 is not enough. You need at least 5 to keep one die."
        assert table.match.state.hand(0) == (6, 5, 4, 1)
        await pilot.press("4")
        assert not roll.has_class("-dimmed")
        assert not table.query_one(MeterAndSentence).refused


async def test_the_seats_show_dice_total_and_state() -> None:
    async with playing(THREE, MATCH, size=(120, 40)) as pilot:
        await pilot.rolls(0, 1)
        table = await pilot.turn(seat=0)
        shown = [(row.name, row.tag, row.detail, row.note) for row in table.query_one(Seats).rows]
        assert shown == [
            ("Ann", "starts", "6 5 4 1 = 16", ""),
            ("You", "", "6 6 5 5 = 22", "over"),
            ("Steady", "", "5 5 3 1 = 14", ""),
        ]
        assert "Steady rolled 5 5 3 1: 14." in pilot.logged()
        await pilot.press("4", "r")
        await pilot.rolls(1)
        await pilot.results()
        await pilot.press("enter")
        table = await pilot.turn()
        assert table.query_one(Seats).rows[2].note == "won round 1"
        assert not table.query_one(Seats).rows[2].playing


async def test_on_a_phone_held_upright_the_buttons_are_large_enough_for_a_finger() -> None:
    async with playing(THREE, MATCH, size=(60, 56)) as pilot:
        await pilot.turn(seat=0)
        assert {button.region.height for button in pilot.app.screen.query(MouseButton) if button.display} == {3}


@mostly_long(
    "size",
    [(60, 20), (80, 24), (100, 30), (120, 40), (160, 50), (200, 60), (60, 60), (200, 20)],
    [(60, 20), (60, 60), (200, 20)],
    *SCREEN,
)
async def test_every_die_and_button_lies_inside_the_screen(size: tuple[int, int]) -> None:
    async with playing(THREE, MATCH, size=size) as pilot:

        def check(*, lines_of_seats: int = 0) -> None:
            screen = Region(0, 0, *size)
            laid_out = pilot.parts()
            for part in laid_out:
                assert part.area
                assert screen.contains_region(part)
                assert not any(part.overlaps(other) for other in laid_out if other is not part)
            for seats in pilot.app.screen.query(Seats):
                assert seats.region.height >= lines_of_seats

        await pilot.turn(seat=0)
        check(lines_of_seats=3)
        await pilot.press("r")
        await pilot.rolls(1)
        await pilot.turn(seat=0)
        await pilot.press("4")
        check()
        await pilot.press("r")
        await pilot.rolls(1)
        await pilot.results()
        check()


async def test_the_table_is_laid_out_again_when_the_terminal_grows_and_shrinks() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn(seat=0)
        await pilot.resize_terminal(160, 50)
        assert table.seats.region.bottom <= table.hand.region.y, "the seats are round the table"
        assert table.hand.die_region(1).size == (22, 11)
        assert "To keep, you need" in pilot.seen()
        await pilot.resize_terminal(80, 24)
        assert table.seats.region.x >= table.hand.region.right
        assert table.hand.die_region(1).size == (9, 6)
        assert table.query_one(SidePanel).region.y == table.seats.region.bottom, "the guide is below the seats"
        await pilot.resize_terminal(60, 48)
        assert table.hand.die_region(1).size == (14, 8), "as large as the width allows"
        assert table.hand.region.bottom <= table.seats.region.y <= table.query_one(RollLog).region.y
        assert "value" in table.seats.seat_layout.lines, "the other hands are dice"
        assert "To keep, you need" in pilot.seen()


@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("game", GAMES)
async def test_the_picture_depends_on_the_present_size_alone(game: str, seats: int) -> None:
    names = ("Anneliese", "Ben", "Cleo", "Dora", "Eve", "Fay", "Gus", "Hal")[:seats]
    lineup = Lineup(tuple(map(Seat, names)), game=game, coach="full", starting_seat=0)
    tokens = {2: "10 11", 4: "6 5 5 5", 8: "3 3 3 3 3 2 2 2"}[seats].split()  # in the last phase of 421
    held = " ".join(f"-:{count}" for count in tokens)
    start = GAMES[game].parse(f"*>{held} round 9 roll 1") if game == "421" else None
    throw = (6, 5, 3, 1)[: GAMES[game].hand_size]
    for size in ((60, 20), (80, 24), (100, 30)):
        async with playing(lineup, [throw], size=size, start=start) as pilot:
            await pilot.turn(seat=0)
            await pilot.press("r")
            await pilot.turn()
            before = pilot.seen()
            assert not re.search(r"\d (poin|point|toke|token)\b(?<!1 point)(?<!1 token)", before), before
            for other in ((120, 40), (60, 48), (100, 30), (60, 20)):
                await pilot.resize_terminal(*other)
                await pilot.resize_terminal(*size)
                assert pilot.seen() == before, f"{size} after {other}"


async def test_a_resize_shows_the_choices_in_one_place() -> None:
    lineup = Lineup(tuple(map(Seat, ("Ann", "Ben", "Cleo", "Dora"))), game="421", coach="full", starting_seat=0)
    start = GAMES["421"].parse("*>-:6 -:5 -:5 -:5 round 9 roll 1")
    async with playing(lineup, [(6, 5, 3)], start=start) as pilot:
        await pilot.turn(seat=0)
        await pilot.press("r")
        table = await pilot.turn(seat=0)
        await pilot.press("h", "h")
        (heading, *_) = table.side_panel_content.asked_choices
        for size in ((100, 30), (80, 24), (120, 40), (80, 24)):
            assert pilot.seen().count(heading.strip()) == 1, pilot.seen()
            await pilot.resize_terminal(*size)
        assert pilot.seen().count(heading.strip()) == 1


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40), (200, 60), (60, 48)])
async def test_the_guide_stands_at_every_size_that_has_room_until_it_is_switched_off(size: tuple[int, int]) -> None:
    async with playing(THREE, MATCH, size=size) as pilot:
        table = await pilot.turn(seat=0)
        assert ("To keep, you need" in pilot.seen()) == (size != (60, 20))
        await pilot.press("comma")
        await pilot.option("Guide", "enter", "escape")
        await until(lambda: "To keep, you need" not in pilot.seen())
        assert table.hand.region.area


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_has_its_guide_on_the_smallest_usual_screen(game: str) -> None:
    begun = {"421": "*>-:7 -:7 -:7 round 9 roll 1"}
    start = GAMES[game].parse(begun[game]) if game in begun else None
    async with playing(replace(THREE, game=game, starting_seat=0), start=start) as pilot:
        await until(lambda: all(value in pilot.seen() for _, value in GAMES[game].guide.rows))


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_the_hand_lies_in_the_middle_of_its_space(size: tuple[int, int]) -> None:
    async with playing(THREE, MATCH, size=size) as pilot:
        table = await pilot.turn(seat=0)
        play, log = table.query_one("#play").region, table.query_one(RollLog).region
        above, below = play.y - table.seats.region.bottom, log.y - play.bottom
        assert above > 0
        assert abs(above - below) <= 1
        assert log.bottom == size[1] - 1
        assert log.height >= size[1] // 5


KEYS = {
    "420": "1–4 Select  enter Roll  h Hint  c Coach  ? Rules  q Leave  F1 Keys",
    "421": "1–3 Select  enter Roll  h Hint  c Coach  ? Rules  q Leave  F1 Keys",
    "ten-rounds": "1–3 Select  enter Roll  h Hint  c Coach  ? Rules  q Leave  F1 Keys",
}


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("game", GAMES)
async def test_the_footer_has_seven_keys_and_always_the_way_to_all_of_them(game: str, size: tuple[int, int]) -> None:
    lineup = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0, game=game)
    start = GAMES["421"].parse("*>-:9 -:12 round 9 roll 1") if game == "421" else None
    async with playing(lineup, size=size, start=start) as pilot:
        await pilot.turn()
        footer = pilot.seen().split("\n")[-1].replace("│", " ")
        assert footer.split() == KEYS[game].split()


async def test_nothing_is_said_twice_at_the_first_table() -> None:
    lineup = Lineup((Seat("You"), Seat("Steady", "Steady")), starting_seat=0)
    async with playing(lineup, [(6, 5, 5, 1)], tips=True) as pilot:
        await pilot.turn()
        words = pilot.seen()
        for said in ("You start ", "irst roll", "Make exactly 20", "Round 1 of 1", "all four dice", "Tip:"):
            assert words.count(said) == 1, said
        assert len(re.findall(r"[A-Za-z]{2,}", words)) <= 60


async def test_names_that_look_like_markup_are_shown_as_they_are() -> None:
    odd = Lineup(seats=(Seat("[red]"), Seat("[/]김 🎲"), Seat("$x [@click=app.quit]")), starting_seat=0)
    throws: list[Faces] = [(1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1), (6, 5, 5, 4), (6, 5, 5, 4)]
    async with playing(odd, throws, size=(120, 40)) as pilot:
        for seat in range(3):
            await pilot.turn(seat)
            assert odd.seats[seat].name in pilot.text("#turn")
            await pilot.press("r")
        await pilot.turn(0)
        for name in (seat.name for seat in odd.seats):
            assert f" {name} " in pilot.seen()
            assert f"{name} rolled 1 1 1 1: 4." in pilot.logged()
        await pilot.results("a", "r")
        assert "[red] is out on roll 4" in pilot.seen()
        assert "[/]김 🎲 starts round 2." in pilot.seen()
        await pilot.press("enter")
        await pilot.turn()
        await pilot.results("r")
        assert "buys the drinks" in pilot.seen()


async def tumble(pilot: TablePilot) -> tuple[Table, Hand]:
    """Roll with animation, and return while the dice tumble; the pilot's own key presses wait until they lie."""
    pilot.app.animation_level = "full"
    table = await pilot.turn(seat=0)
    table.pace = 1
    pilot.app.simulate_key("r")
    hand = table.query_one(Hand)
    await until(lambda: bool(hand.flying))
    return table, hand


async def test_resizes_while_the_dice_tumble_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourtwenty.tui.screens.match_view.LAND_SECONDS", 1_000_000)
    chance = random.Random(420)
    async with playing(THREE, MATCH) as pilot:
        table, hand = await tumble(pilot)
        for _ in range(100):
            size = Size(chance.randint(1, 200), chance.randint(1, 60))
            pilot.app.post_message(Resize(size, size))
            await asyncio.sleep(0)
        size = Size(80, 24)
        pilot.app.post_message(Resize(size, size))
        await until(lambda: pilot.app.screen is table and table.size == size)
        assert hand.flying
        pilot.burst("x")
        assert await pilot.turn(seat=1) is table
        assert table.match.state.hand(0) == (6, 5, 4, 1)
        assert pilot.stack() == ["Table"]
        assert not any(table.has_class(density) for density in ("-narrow", "-short", "-wide", "-tall"))


async def test_tumbling_dice_show_their_faces_only_when_they_land_and_a_key_lands_them() -> None:
    async with playing(THREE, [(1, 1, 1, 1)] * 2) as pilot:
        table, hand = await tumble(pilot)
        assert table.query_one(Seats).rows[0].detail == "", "the total is not told before the dice have landed"
        assert "rolled" not in pilot.text("#line")
        assert any(die.face != 1 for die in table.hand.dice), "the same faces are still seen to roll"
        table.pace = 1_000_000
        pilot.app.simulate_key("x")
        await until(lambda: not hand.flying)
        await until(lambda: table.query_one(Seats).rows[0].detail == "1 1 1 1 = 4")
        assert not table.waiting, "the roll is looked at before the table turns"
        pilot.app.simulate_key("x")
        await pilot.turn(seat=1)


async def test_any_key_skips_to_the_next_person() -> None:
    bots = Lineup(seats=(Seat("Ann"), *(Seat(f"Bot {number}", "Steady") for number in range(1, 9))), starting_seat=0)
    async with playing(bots, [(6, 1, 1, 1)] * 9) as pilot:
        table = await pilot.turn(seat=0)
        table.pace = 1_000_000
        await pilot.press("r")
        await until(lambda: len(table.match.events) == 1)
        await pilot.press("space", turn=0)
        assert len(table.match.events) == 9
        assert table.selection == frozenset(), "the key that skips does nothing else"


async def test_nothing_goes_on_behind_the_rules() -> None:
    bots = Lineup(seats=(Seat("Steady", "Steady"), Seat("Bold", "Bold"), Seat("Ann")), starting_seat=0)
    async with playing(bots, [(1, 1, 1, 1)] * 5) as pilot:
        table = await pilot.turn(seat=2)
        await pilot.press("question_mark")
        await pilot.press("1", "r")
        assert len(table.match.events) == 2
        assert "Mark Steere" in pilot.seen()
        await pilot.press("escape")
        await pilot.press("r")
        await until(lambda: len(table.match.events) == 5)


async def test_below_the_floor_a_quiet_screen_swallows_the_keys_until_there_is_room() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn(seat=0)
        await pilot.resize_terminal(59, 24)
        assert "This terminal is 59×24." in pilot.seen()
        assert "The game needs 60×20." in pilot.seen()
        await pilot.press("r", "q", "enter", "question_mark")
        assert table.match.events == []
        await pilot.resize_terminal(80, 19)
        assert "80×19" in pilot.seen()
        await pilot.resize_terminal(60, 20)
        assert pilot.app.screen is await pilot.turn(seat=0)
        assert table.has_class("-narrow")
        await pilot.press("r", turn=1)


async def test_a_screen_is_laid_out_at_the_size_the_terminal_has_now() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn()
        for gone in (Size(50, 15), Size(200, 60)):
            table.post_message(Resize(gone, gone))
            await pilot.pause()
            assert table.size == pilot.app.size == Size(80, 24)


async def test_of_several_sizes_in_a_moment_the_last_one_stays() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn()
        for size in (Size(50, 15), Size(200, 60), Size(60, 20)):
            pilot.app.post_message(Resize(size, size))
        await until(lambda: table.size == Size(60, 20) and table.has_class("-narrow"))
        assert pilot.app.size == Size(60, 20)
        assert pilot.app.screen is table


async def test_a_long_name_leaves_room_for_whose_turn_it_is() -> None:
    long = "Wolfeschlegelsteinhausenbergerdorffs"
    async with playing(Lineup((Seat(long), Seat("Ben")), 0), size=(80, 24)) as pilot:
        await pilot.turn(seat=0)
        assert pilot.text("#turn") == "● Wolfeschlegelsteinhausenber…, your turn"
        for size, name in (((120, 40), long), ((80, 24), "Wolfeschlegelsteinhausenber…")):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert pilot.text("#turn") == f"● {name}, your turn"


async def test_in_a_browser_it_is_the_window_that_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FourTwentyApp, "is_web", True)
    async with playing(size=(59, 24)) as pilot:
        await pilot.pause()
        assert "This window is 59×24." in pilot.seen()


async def test_nothing_covers_the_quiet_screen_and_it_goes_when_it_is_uncovered() -> None:
    async with playing(THREE, MATCH) as pilot:
        await pilot.turn(seat=0)
        await pilot.press("question_mark")
        await pilot.resize_terminal(40, 10)
        await pilot.press("ctrl+p")
        await pilot.resize_terminal(30, 10)
        assert pilot.stack() == ["Table", "MarkdownScreen", "TooSmall"]
        await pilot.resize_terminal(80, 24)
        await pilot.press("escape")
        assert pilot.stack() == ["Table"]
    async with playing(size=(80, 24)) as pilot:
        await pilot.resize_terminal(40, 10)
        assert isinstance(pilot.app, FourTwentyApp)
        pilot.app.play(THREE)
        await pilot.resize_terminal(80, 24)
        await pilot.turn(seat=0)
        assert pilot.stack() == ["Lobby", "Table"]


async def test_one_key_leaves_and_the_match_is_kept() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn(seat=0)
        await pilot.press("r", turn=1)
        pilot.burst("q", "r")
        await pilot.reaches("Lobby")
        assert pilot.stack() == ["Table", "Lobby"]
        assert "Add a player" in pilot.seen()
        assert len(table.match.events) == 1
        assert pilot.below()[1] == "Game saved. Press r to resume."
        assert not pilot.app._notifications, "nothing covers the buttons"


async def test_leaving_asks_first_when_the_match_is_not_kept(home: Path) -> None:
    home.write_text("a file where the folder should be")
    async with playing(THREE, MATCH) as pilot:
        await pilot.reaches("SaveFailedDialog")
        await pilot.press("p")
        table = await pilot.turn(seat=0)
        await pilot.press("r", turn=1)
        await pilot.press("q")
        await pilot.press("enter")
        assert pilot.app.screen is table
        pilot.burst("q", "y", "r", "1")
        await pilot.reaches("Lobby")
        assert pilot.stack() == ["Table", "Lobby"]
        assert len(table.match.events) == 1


async def test_leaving_while_a_20_is_looked_at() -> None:
    async with playing(THREE, [(6, 5, 5, 4)]) as pilot:
        table = await pilot.turn(seat=0)
        table.pace = 1_000_000
        pilot.burst("r")
        await until(lambda: table.match.state.to_act is None)
        pilot.burst("q", "r")
        await pilot.reaches("Lobby")
        assert pilot.stack() == ["Table", "Lobby"]


async def test_leaving_while_a_roll_is_looked_at() -> None:
    async with playing(THREE, MATCH) as pilot:
        table = await pilot.turn(seat=0)
        table.pace = 1_000_000
        pilot.burst("r")
        await until(lambda: table.match.state.to_act == 1)
        await pilot.press("q", to="Lobby")


async def test_leaving_between_two_rounds() -> None:
    async with playing(THREE, [(6, 5, 5, 4), (1, 1, 1, 1)]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        pilot.burst("q", "1")
        await pilot.reaches("Lobby")
        assert pilot.stack() == ["Table", "Lobby"]


async def test_leaving_between_two_rounds_asks_first_when_the_match_is_not_kept(home: Path) -> None:
    home.write_text("a file where the folder should be")
    async with playing(THREE, [(6, 5, 5, 4), (1, 1, 1, 1)]) as pilot:
        await pilot.reaches("SaveFailedDialog")
        await pilot.press("p")
        await pilot.rolls(0)
        await pilot.results()
        pilot.burst("q", "enter", "q", "q", "q", "enter")
        await pilot.pause()
        assert pilot.stack() == ["Table", "Results"]
        await pilot.press("enter", turn=1)
        assert pilot.stack() == ["Table"]
        assert len((await pilot.turn(seat=1)).match.events) == 1


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_last_results_of_forty_seats_show_the_seed_and_every_button(size: tuple[int, int]) -> None:
    forty = Lineup(seats=tuple(Seat(f"A rather long name {number}", "Random") for number in range(40)), starting_seat=0)
    match = Match(forty, FairDice(bytes(32)), identifier="0" * 32)
    while not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
        else:
            match.act(match.bot_action())
    async with playing(size=size) as pilot:
        await pilot.app.push_screen(Results(match))
        await pilot.pause()
        for button in pilot.app.screen.query(MouseButton):
            assert button.region.area
            assert Region(0, 0, *size).contains_region(button.region)
        await pilot.press("f")
        await pilot.pause()
        assert "0000000000000000" in pilot.seen()


async def test_monocolor_dice_are_white_and_the_seats_keep_their_marks() -> None:
    plain = Lineup(seats=THREE.seats, starting_seat=0, monocolor=True)
    async with playing(plain, MATCH) as pilot:
        table = await pilot.turn(seat=0)
        styles = {segment.style for segment in table.hand.render_lines(Region(0, 1, 9, 1))[0]}
        assert [str(style) for style in styles] == ["#0a0908 on #f7f3e8"]
        assert not table.query_one(Seats).coloured
        assert pilot.text("#turn") == "● Ann, your turn"


async def test_forty_seats_scroll_to_the_one_that_rolls() -> None:
    forty = Lineup(seats=(*(Seat(f"Bot {number}", "Random") for number in range(39)), Seat("Ann")), starting_seat=0)
    async with playing(forty, [(1, 1, 1, 1)] * 40, size=(60, 20)) as pilot:
        table = await pilot.turn(seat=39)
        assert table.query_one(Seats).cursor == 39
        assert "▶" in pilot.seen()
        assert "Ann" in pilot.seen().split("▶")[1].split("\n")[0]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_results_show_the_hand_in_its_colour_in_the_middle(size: tuple[int, int]) -> None:
    async with playing(THREE, [(6, 5, 5, 4)], size=size) as pilot:
        await pilot.rolls(0)
        screen = await pilot.results()
        hand = screen.query_one(Hand)
        assert hand.colour == 0
        assert abs(hand.region.x + hand.region.right - size[0]) <= 2


async def test_every_theme_paints_the_table() -> None:
    async with playing(THREE, MATCH) as pilot:
        await pilot.turn(seat=0)
        for theme in THEMES_BY_NAME:
            pilot.app.theme = theme
            await pilot.pause()
            assert "Ann, your turn" in pilot.seen()


async def test_the_roll_that_decides_who_starts_is_seen() -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben")), game="ten-rounds")
    app = FourTwentyApp(lineup, ScriptedDice([(2,), (5,)]))
    app.pace = 3600
    async with driving(app) as pilot:
        await until(lambda: isinstance(app.screen, Table) and len(app.screen.match.events) == 1)
        pilot.burst("x")
        await pilot.turn(seat=1)
        assert "Ann rolled 2 for the start.\nBen rolled 5 for the start." in pilot.logged()


async def test_what_a_game_does_not_have_is_not_offered_while_a_bot_begins() -> None:
    app = FourTwentyApp(Lineup(seats=(Seat("Steady", "Steady"), Seat("Ann")), starting_seat=0))
    async with driving(app, (60, 20)) as pilot:
        await until(lambda: isinstance(app.screen, Table) and app.screen.waiting)
        await pilot.press("enter", shows="Steady plays")
        assert "Stand" not in pilot.seen()
        assert {button.id for button in app.screen.query(MouseButton) if button.has_class("-dimmed")} >= {"roll"}
