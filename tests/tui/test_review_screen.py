"""The review as it is used after a match: its moments, its rolls, its chart, and a moment tried again."""

from __future__ import annotations

import pytest
from long_tests import PRODUCT
from msgspec.structs import replace
from table_pilot import TablePilot, playing
from textual.geometry import Region

from fourtwenty.games.game import Event, Faces, Leave
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import SKILL_LEGEND, rounds_of
from fourtwenty.tui.past_games.chance_chart import ChanceChart
from fourtwenty.tui.past_games.practice_screen import Practice
from fourtwenty.tui.past_games.review_screen import Review
from fourtwenty.tui.screens.results import Results

TWO = Lineup(seats=(Seat("You"), Seat("Ben")), starting_seat=0)
ROUND: list[Faces] = [(6, 5, 5, 1), (4, 3, 3, 2), (3, 2), (6, 5, 5, 4)]


async def reviewed(pilot: TablePilot) -> Review:
    """Play a short match with one mistake, and open its review."""
    for keys in ("r", "r", "14r", "r"):
        await pilot.turn()
        await pilot.press(*keys)
    await pilot.results()
    await pilot.press("v")
    assert isinstance(pilot.app.screen, Review)
    await pilot.pause()
    return pilot.app.screen


async def simulated(pilot: TablePilot, players: str, seed: int = 0, identifier: str | None = None) -> Review:
    """Open the review of a match of bots, some of whom sit there as people."""
    names = players.split(",")
    bots = Lineup(parse_players(",".join(f"bot:{name.strip('*')}" for name in names)), starting_seat=0)
    people = [Seat(seat.name) if "*" in name else seat for seat, name in zip(bots.seats, names, strict=True)]
    lineup = replace(bots, seats=tuple(people))
    match = Match(lineup, FairDice(bytes([seed] * 32)), identifier=identifier)
    match.lineup = bots
    match.play_out()
    match.lineup = lineup
    await pilot.app.push_screen(Results(match))
    await pilot.results()
    await pilot.press("v")
    assert isinstance(pilot.app.screen, Review)
    await pilot.pause()
    return pilot.app.screen


def rows(review: Review) -> list[tuple[str, ...]]:
    return [jump.cells for jump in review.jumps]


def told(pilot: TablePilot) -> list[str]:
    """Return the title of the roll at the cursor, and the lines about it."""
    title = pilot.app.screen.query_one("#roll").border_title
    return [str(title), *pilot.text("#about").splitlines()]


def lines(pilot: TablePilot) -> list[str]:
    """Return the lines of the chart, and the one below it."""
    shown = pilot.app.screen.query_one(ChanceChart)
    return [shown.render_line(y).text.rstrip() for y in range(shown.content_size.height)]


async def test_the_review_opens_on_the_costliest_choice() -> None:
    async with playing(TWO, ROUND) as pilot:
        review = await reviewed(pilot)
        assert pilot.text("#caption") == "Review   420 · 1 round · You, Ben"
        assert rows(review) == [
            ("● You", "6 5 5 1: kept 5 5, best 6 5 5", "costs 2.5 points"),
            ("■ Ben", "Rolled 6 5 5 4: 20! Out and safe.", "48% → 100%"),
            ("Round 1", "You buy the drinks, 1 mistake", "4 rolls"),
        ]
        assert told(pilot) == [
            "Round 1 of 1 · roll 3 of 4",
            "● You, with 6 5 5 1",
            "kept   5 5  57.4%  costs 2.5 points",
            "best   6 5 5  59.9%",
            "Kept 5 5, rolled 3 2: 15.  luck −5.4 points",
        ]
        assert "● You: 2.46 points lost per decision (1 decision); luck" in pilot.seen()
        assert "■ Ben: no decisions; luck" in pilot.seen()
        assert SKILL_LEGEND not in pilot.seen(), "one decision has no name"
        await pilot.press("q")
        assert pilot.stack()[-1] == "Results"


async def test_the_chart_has_a_line_a_player_with_the_hand_and_the_chance() -> None:
    async with playing(TWO, ROUND) as pilot:
        review = await reviewed(pilot)
        assert review.query_one(ChanceChart).border_title == "Chance to win the round · ^ shown  ! costly  | new round"
        first, second, foot, *_ = lines(pilot)
        assert first.startswith("▶ ● You  3 5 5 2 = 15      52.1%  ▄▄▄▄▄▄")
        assert second.startswith("  ■ Ben  4 3 3 2 = 12      47.9%  ▄▄▄▄▄▄")
        assert foot.strip() == "^"
        assert foot.index("^") == first.index("▄") + 3 * 6
        await pilot.press("right")
        first, second, foot, *_ = lines(pilot)
        assert first.startswith("  ● You  3 5 5 2 = 15         0%")
        assert second.startswith("▶ ■ Ben  6 5 5 4 = 20       100%")
        assert second.endswith("██████")
        assert "!" in foot.partition("^")[0]


async def test_enter_and_the_arrows_go_from_moment_to_moment() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("down")
        assert told(pilot)[-1] == "Rolled 6 5 5 4: 20! Out and safe.  luck +52.1 points"
        await pilot.press("enter")
        assert told(pilot) == [
            "Round 1 of 1 · before the first roll",
            "You start.",
        ]
        await pilot.press("enter")
        assert "roll 3 of 4" in told(pilot)[0], "from the last one to the first"
        await pilot.press("left")
        assert "roll 2 of 4" in told(pilot)[0]
        await pilot.click_on("enter Moment")
        assert "roll 3 of 4" in told(pilot)[0], "back to the moment at the cursor"
        await pilot.press("end")
        assert "before the first roll" in told(pilot)[0]


async def test_the_arrows_step_through_the_rolls_of_all_rounds() -> None:
    async with playing(size=(120, 40)) as pilot:
        review = await simulated(pilot, "Tipsy,Merry,Perfect")
        await pilot.press("end", "left")
        last, rolls = review.rounds[0], len(review.rounds[0].moments)
        assert told(pilot)[0] == f"Round 1 of 2 · roll {rolls} of {rolls}"
        assert len(lines(pilot)) == 4
        assert sum(line.strip() != "" for line in lines(pilot)) == 4
        await pilot.press("right")
        assert told(pilot)[0] == "Round 2 of 2 · before the first roll"
        out = review.match.names[last.moments[-1].event.seat]
        assert not any(out in line for line in lines(pilot)), "who is out has no line"
        for _ in review.steps:
            await pilot.press("left")
        assert told(pilot)[:2] == [
            "Round 1 of 2 · before the first roll",
            "Tipsy starts.",
        ]
        await pilot.press("right")
        assert told(pilot)[2] == "forced: only one legal choice"


async def test_the_accounts_say_why() -> None:
    async with playing(TWO, ROUND, size=(120, 40)) as pilot:
        review = await reviewed(pilot)
        (only,) = rounds_of(review.match)
        said = pilot.text("#accounts > Static")
        assert only.ledger(0).words("You") in said
        assert "choices cost 2.5 points." in said
        assert "You: from 52.7% to 0%." in pilot.seen()
        assert "▶ 5 5" in pilot.text("#choices")
    async with playing(TWO, ROUND, size=(60, 20)) as pilot:
        await reviewed(pilot)
        assert "Ben: from 47.3% to 100%." not in pilot.seen()
        await pilot.press(*["shift+down"] * 6)
        await pilot.pause()
        assert "Ben: from 47.3% to 100%." in pilot.seen()


async def test_a_seat_that_left_is_told_of() -> None:
    match = Match(Lineup(parse_players("bot:Steady,bot:Bold,bot:Random"), starting_seat=0), FairDice(bytes(32)))
    match.act(match.bot_action())
    match.act(match.bot_action())
    match.record(Event(0, Leave(), ()))
    match.play_out()
    async with playing() as pilot:
        await pilot.app.push_screen(Results(match))
        await pilot.results()
        await pilot.press("v")
        review = pilot.app.screen
        assert isinstance(review, Review)
        review.go_to(3)
        await pilot.press("m")
        assert told(pilot)[1:] == ["● Steady, with 2 6 6 3", "Steady is out of this game."]
        assert pilot.text("#sentence") == "There was nothing to choose here."
        assert lines(pilot)[0].startswith("▶ ● Steady  left")
        await pilot.press("right", "right")
        assert not any("Steady" in line for line in lines(pilot))


async def test_the_chart_is_clicked() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        start = lines(pilot)[0].index("▄")
        shown = pilot.app.screen.query_one(ChanceChart)
        await pilot.click(ChanceChart, offset=(1 + start + 6 * 2, 1))
        assert "roll 2 of 4" in told(pilot)[0]
        for beside in (start - 3, start + 6 * len(shown.steps)):
            await pilot.click(ChanceChart, offset=(1 + beside, 1))
            assert "roll 2 of 4" in told(pilot)[0], "beside the chart there is nothing"


async def test_a_long_match_is_scrolled_to_the_roll_that_is_shown() -> None:
    async with playing(size=(60, 20)) as pilot:
        review = await simulated(pilot, ",".join(["Tipsy"] * 12))
        assert len(review.steps) > 60
        for step in (0, len(review.steps) // 2, len(review.steps) - 1):
            review.go_to(step)
            await pilot.pause()
            moment = review.moment
            seat = (moment or review.rounds[0].moments[0]).event.seat
            assert any(line.startswith("▶") and review.match.names[seat] in line for line in lines(pilot))
            foot = next(line for line in lines(pilot) if "^" in line)
            assert foot.partition("^")[0].strip(" !|") == ""


async def test_a_moment_is_tried_again() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("down", "m")
        assert pilot.text("#sentence") == "There was nothing to choose here."
        assert pilot.stack()[-1] == "Review"
        await pilot.press("up", "m")
        again = pilot.app.screen
        assert isinstance(again, Practice)
        assert pilot.text("#caption") == "Practice   420 · once more"
        assert not {"g Game", "d Daily", "m Mine"} & {*pilot.seen().split("  ")}, "it is about this match"
        assert "What would you roll?" in pilot.seen()
        assert pilot.text("#verdict").startswith("Which choice is best?"), "no answer before a try"
        await pilot.press("1", "r")
        assert pilot.text("#line") == "5 + 5 + 1 = 11. You need at least 15 to keep three dice."
        assert pilot.text("#verdict").startswith("Which choice is best?"), "that is no answer"
        await pilot.click_die(4)
        await pilot.click_die(1)
        await pilot.press("enter")
        assert "Correct, that's best." in pilot.text("#verdict")
        assert "▶ 6 5 5" in pilot.text("#verdict")
        await pilot.press("enter")
        assert pilot.stack()[-1] == "Review"


async def test_a_wrong_answer_is_tried_again_before_the_reason_is_shown() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("m", "w")
        assert pilot.text("#line") == "Answer first."
        await pilot.press("1", "4", "enter")
        assert pilot.text("#verdict") == "Same mistake: it costs 2.5 points.\nTry again. Press w to see why."
        again = pilot.app.screen
        assert isinstance(again, Practice)
        assert again.selection == set()
        await pilot.press("4", "enter")
        assert "Correct, that's best." in pilot.text("#verdict")
        await pilot.press("1")
        assert again.selection == {4}, "an answer stands"


async def test_the_moments_are_of_people_first_the_costliest_first() -> None:
    async with playing(size=(120, 40)) as pilot:
        review = await simulated(pilot, "Random*,Tipsy,Random*,Random", seed=20)
        assert [cells[0] for cells in rows(review)][4:] == ["Round 1", "Round 2", "Round 3"]
        assert {cells[0] for cells in rows(review)[:3]} <= {"● Random", "▲ Random 2"}
        losses = []
        for _ in range(3):
            assert review.moment
            losses.append(review.moment.loss)
            await pilot.press("down")
        assert losses == sorted(losses, reverse=True)
        assert losses[0] == max(
            moment.loss for each in review.rounds for moment in each.moments if moment.event.seat in (0, 2)
        )


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
@pytest.mark.long(*PRODUCT)
async def test_everything_lies_inside_the_screen(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        review = await simulated(pilot, ",".join(["Tipsy"] * 12))
        for part in ("#jumps", "#chances", "#about", "#accounts"):
            assert Region(0, 0, *size).contains_region(review.query_one(part).region)
            assert review.query_one(part).region.area
        await pilot.press("m")
        assert all(map(Region(0, 0, *size).contains_region, pilot.parts()))


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_four_seats_have_their_names_hands_and_chances(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        review = await simulated(pilot, "Tipsy,Merry,Perfect,Random")
        review.go_to(5)
        await pilot.pause()
        shown = [line for line in pilot.seen().splitlines() if "%  " in line]
        for name in ("● Tipsy", "■ Merry", "▲ Perfect", "◆ Random"):
            assert any(name in line and " = " in line for line in shown), name


async def test_a_round_is_reviewed_between_two_rounds_and_monocolor_has_no_tints() -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)
    async with playing(replace(lineup, monocolor=True), [(6, 5, 5, 4), (1, 1, 1, 1)]) as pilot:
        await pilot.turn()
        await pilot.results("r")
        await pilot.press("v", "right")
        assert isinstance(pilot.app.screen, Review)
        assert not pilot.app.screen.query_one(ChanceChart).coloured
        await pilot.press("escape", "enter", turn=1)


async def test_what_is_looked_at_is_copied() -> None:
    async with playing(TWO, ROUND) as pilot:
        table = await pilot.turn()
        await pilot.press("r")
        await pilot.turn()
        await pilot.press("y")
        assert pilot.app.clipboard == table.match.state.to_text()
    async with playing() as pilot:
        await simulated(pilot, "Random*,Tipsy")
        await pilot.press("y")
        assert pilot.app.clipboard == ""
        assert pilot.text("#sentence") == "Nothing is copied: a match without an identifier has no record."
    async with playing() as pilot:
        review = await simulated(pilot, "Random*,Tipsy", identifier="0" * 32)
        await pilot.press("y")
        assert verify_record(read_record(pilot.app.clipboard)) == review.match.state
        await pilot.press("m", "y")
        again = pilot.app.screen
        assert isinstance(again, Practice)
        assert pilot.app.clipboard == again.puzzle.state.to_text()
