"""The review as it is used after a match: stepping, mistakes, exercises, the ghost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_the_table import click_die, parts, playing, results, seen, stack, text, turn
from textual.geometry import Region
from textual.pilot import Pilot

from fourtwenty.games.game import Faces
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import rounds_of
from fourtwenty.tui.dialogs.ghost import GhostDialog
from fourtwenty.tui.screens.exercise import Exercise
from fourtwenty.tui.screens.match_review import Review
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.widgets.river import River
from fourtwenty.tui.widgets.seats import Seats

TWO = Lineup(seats=(Seat("You"), Seat("Ben")), starting_seat=0)
ROUND: list[Faces] = [(6, 5, 5, 1), (4, 3, 3, 2), (3, 2), (6, 5, 5, 4)]


async def reviewed(pilot: Pilot[None]) -> Review:
    """Play a short match with one mistake, and open its review."""
    for keys in ("r", "r", "14r", "r"):
        await turn(pilot)
        await pilot.press(*keys)
    await results(pilot)
    await pilot.press("v")
    assert isinstance(pilot.app.screen, Review)
    return pilot.app.screen


async def simulated(pilot: Pilot[None], players: str) -> Review:
    """Open the review of a match of bots."""
    match = Match(Lineup(parse_players(players), starting_seat=0), FairDice(bytes(32)))
    match.play_out()
    await pilot.app.push_screen(Results(match))
    await pilot.press("v")
    assert isinstance(pilot.app.screen, Review)
    return pilot.app.screen


async def test_a_match_is_stepped_through() -> None:
    async with playing(TWO, ROUND) as pilot:
        review = await reviewed(pilot)
        assert "before the first roll" in text(pilot, "#caption")
        assert "1 of the choices in this round lost something." in text(pilot, "#moment")
        await pilot.press("right")
        assert text(pilot, "#moment").startswith("● You, first roll\nforced: only one legal choice\nAll four, 6 5 5 1.")
        await pilot.press("m")
        assert "roll 3 of 4" in text(pilot, "#caption")
        told = text(pilot, "#moment")
        assert told.startswith("● You, with 6 5 5 1\nkept   5 5  57.4%\nbest   6 5 5  59.9%\n       costs 2.5%")
        assert "luck   −" in told
        assert review.query_one(Seats).rows[0].detail == "3 5 5 2 = 15"
        await pilot.press("end")
        assert "Total 20!" in text(pilot, "#moment")
        assert [row.bar_label for row in review.query_one(Seats).rows] == ["0%", "100%"]
        await pilot.press("right", "left", "home", "left")
        assert review.query_one(River).cursor == 0
        await pilot.press("escape")
        assert stack(pilot)[-1] == "Results"


async def test_the_accounts_say_why() -> None:
    async with playing(TWO, ROUND, size=(120, 40)) as pilot:
        review = await reviewed(pilot)
        (only,) = rounds_of(review.match)
        said = text(pilot, "#accounts > Static")
        assert only.ledger(0).words("You") in said
        assert "choices cost 2.5%." in said
        assert "Choices in the whole match:\n  You: 2.46% lost per decision: tipsy (1 decision)" in said
        assert "Ben: no decisions" in said
        assert "You: from 52.7% to 0%." in seen(pilot)


async def test_the_river_is_clicked() -> None:
    async with playing(TWO, ROUND) as pilot:
        review = await reviewed(pilot)
        river = review.query_one(River)
        await pilot.click(River, offset=(7 + 6 * 3, 2))
        assert river.cursor == 3
        await pilot.click(River, offset=(70, 2))
        assert river.cursor == 3, "beside the last roll there is nothing"


async def test_mistakes_are_exercises() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("e")
        exercise = pilot.app.screen
        assert isinstance(exercise, Exercise)
        assert "Exercise 1 of 1" in seen(pilot)
        assert "You: what would you roll?" in seen(pilot)
        assert "best" not in text(pilot, "#verdict"), "no answer before a try"
        await pilot.press("1", "r")
        assert text(pilot, "#line") == "5 + 5 + 1 = 11. You need at least 15 to keep three dice."
        assert not exercise.answered
        await click_die(pilot, 4)
        await click_die(pilot, 1)
        await pilot.press("enter")
        assert exercise.right == 1
        assert "Correct, that is best." in text(pilot, "#verdict")
        assert "▶ 6 5 5" in text(pilot, "#verdict")
        await pilot.press("enter")
        assert stack(pilot)[-1] == "Review"


async def test_the_same_mistake_again_is_called_that() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("e", "1", "4", "enter")
        assert "The same mistake: it costs 2.5%." in text(pilot, "#verdict")
        await pilot.press("1")
        assert isinstance(pilot.app.screen, Exercise)
        assert pilot.app.screen.selection == {1, 4}, "an answer stands"


async def test_the_ghost_shows_best_play_with_the_same_dice() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("g")
        assert stack(pilot)[-1] == "Review", "scripted dice cannot be thrown again"
    async with playing() as pilot:
        await simulated(pilot, "bot:Tipsy,bot:Perfect")
        await pilot.press("right", "g")
        assert isinstance(pilot.app.screen, GhostDialog)
        assert "Best play with Tipsy's own dice" in seen(pilot)
        await pilot.press("enter", "right", "g")
        assert "Best play with Perfect's own dice" in seen(pilot)
        assert "The same choices, roll for roll." in seen(pilot)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
async def test_everything_lies_inside_the_screen(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        review = await simulated(pilot, ",".join(["bot:Tipsy"] * 12))
        for part in ("#river", "#moment", "#seats", "#accounts"):
            assert Region(0, 0, *size).contains_region(review.query_one(part).region)
            assert review.query_one(part).region.area
        await pilot.press("p", "n", "p", "m", "end")
        await pilot.press("e")
        assert all(map(Region(0, 0, *size).contains_region, parts(pilot)))


async def test_seats_that_were_out_are_not_shown() -> None:
    async with playing(size=(120, 40)) as pilot:
        review = await simulated(pilot, "bot:Tipsy,bot:Merry,bot:Perfect")
        assert len(review.query_one(Seats).rows) == 2
        await pilot.press("p")
        assert len(review.query_one(Seats).rows) == 3


async def test_a_round_is_reviewed_between_two_rounds_and_monocolor_has_no_tints() -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)
    async with playing(replace(lineup, monocolor=True), [(6, 5, 5, 4), (1, 1, 1, 1)]) as pilot:
        await turn(pilot)
        await pilot.press("r")
        await results(pilot)
        await pilot.press("v", "right")
        assert isinstance(pilot.app.screen, Review)
        assert not pilot.app.screen.query_one(River).coloured
        await pilot.press("escape", "enter")
        await turn(pilot, seat=1)
