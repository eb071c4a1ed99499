"""The review as it is used after a match: stepping, mistakes, exercises, the ghost."""

from __future__ import annotations

import pytest
from at_the_table import click_die, click_on, parts, playing, results, seen, stack, text, turn
from msgspec.structs import replace
from textual.geometry import Region
from textual.pilot import Pilot

from fourtwenty.games.game import Event, Faces, Leave
from fourtwenty.journal.record import read, verify
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import SKILL_LEGEND, rounds_of
from fourtwenty.tui.dialogs.ghost import GhostDialog
from fourtwenty.tui.screens.exercise import Exercise
from fourtwenty.tui.screens.match_review import Review
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.round_review import RoundReview
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
    await pilot.pause()
    return pilot.app.screen


async def simulated(pilot: Pilot[None], players: str, seed: int = 0, identifier: str | None = None) -> Review:
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
    await results(pilot)
    await pilot.press("v")
    assert isinstance(pilot.app.screen, Review)
    await pilot.pause()
    return pilot.app.screen


def rows(review: Review) -> list[tuple[str, ...]]:
    return [jump.cells for jump in review.jumps]


async def test_the_review_opens_on_the_whole_match() -> None:
    async with playing(TWO, ROUND) as pilot:
        review = await reviewed(pilot)
        assert text(pilot, "#caption") == "Review   420 · 1 round · You, Ben"
        assert len(review.query_one(River).steps) == 5
        assert rows(review) == [
            ("Costly", "● You", "6 5 5 1: kept 5 5, best 6 5 5", "costs 2.5%"),
            ("Lucky", "■ Ben", "Rolled 6 5 5 4: 20!", "+52.1%"),
            ("Round 1", "", "You buy the drinks, 1 mistake", "4 rolls"),
        ]
        assert "● You: 2.46% lost per decision: tipsy (1 decision); luck" in seen(pilot)
        assert "■ Ben: no decisions; luck" in seen(pilot)
        assert SKILL_LEGEND in seen(pilot)
        assert "o Other player" not in seen(pilot)
        assert review.query_one(River).cursor == 3
        await pilot.press("down")
        assert review.query_one(River).cursor == 4
        await pilot.press("enter")
        assert "Round 1 of 1 · roll 4 of 4" in text(pilot, "#caption")
        await pilot.press("escape", "end")
        assert review.query_one(River).cursor == 0
        await click_on(pilot, "enter Open")
        assert "before the first roll" in text(pilot, "#caption")
        await pilot.press("q", "escape")
        assert stack(pilot)[-1] == "Finale"


async def test_a_round_is_stepped_through() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("n")
        review = pilot.app.screen
        assert isinstance(review, RoundReview)
        assert "before the first roll" in text(pilot, "#caption")
        assert "^ shown below  ! costly" in seen(pilot)
        assert text(pilot, "#moment") == "New round. You start.\n\nOne choice this round wasn't the best."
        await pilot.press("right")
        assert text(pilot, "#moment").startswith(
            "● You, first roll\nforced: only one legal choice\nRolled 6 5 5 1: 17."
        )
        await pilot.press("m")
        assert "roll 3 of 4" in text(pilot, "#caption")
        told = text(pilot, "#moment")
        assert told.startswith("● You, with 6 5 5 1\nkept   5 5  57.4%\nbest   6 5 5  59.9%\n       costs 2.5%")
        assert "luck   −" in told
        assert review.query_one(Seats).rows[0].detail == "3 5 5 2 = 15"
        await pilot.press("end")
        assert "Rolled 6 5 5 4: 20!" in text(pilot, "#moment")
        assert [row.bar_label for row in review.query_one(Seats).rows] == ["0%", "100%"]
        await pilot.press("right", "left", "home", "left")
        assert review.query_one(River).cursor == 0
        await pilot.press("escape")
        assert stack(pilot)[-1] == "Review"


async def test_a_dimmed_key_says_why() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        for key, sentence in (("n", "There is only one round."), ("g", "The ghost needs dice rolled by the computer.")):
            await pilot.press(key, key)
            assert [note.message for note in pilot.app._notifications] == [sentence]
        await click_on(pilot, "pn Round")
        assert [note.message for note in pilot.app._notifications] == ["There is only one round."]
    async with playing() as pilot:
        await simulated(pilot, "Perfect*,Tipsy")
        await pilot.press("m", "e", "n", "m")
        assert stack(pilot)[-1] == "RoundReview"
        assert [note.message for note in pilot.app._notifications] == ["You made no mistakes."]


async def test_the_accounts_say_why() -> None:
    async with playing(TWO, ROUND, size=(120, 40)) as pilot:
        review = await reviewed(pilot)
        (only,) = rounds_of(review.match)
        await pilot.press("n")
        said = text(pilot, "#accounts > Static")
        assert only.ledger(0).words("You") in said
        assert "choices cost 2.5%." in said
        assert "You: from 52.7% to 0%." in seen(pilot)
        await pilot.press("m")
        assert "▶ 5 5" in text(pilot, "#choices")


async def test_a_seat_that_left_is_told_of_and_its_ghost_plays_up_to_there() -> None:
    match = Match(Lineup(parse_players("bot:Steady,bot:Bold,bot:Random"), starting_seat=0), FairDice(bytes(32)))
    match.act(match.bot_action())
    match.act(match.bot_action())
    match.record(Event(0, Leave(), ()))
    match.play_out()
    async with playing() as pilot:
        await pilot.app.push_screen(Results(match))
        await results(pilot)
        await pilot.press("v", "n", "right", "right", "right")
        assert text(pilot, "#moment").endswith("Steady is out of this game.")
        assert [row.note for row in pilot.app.screen.query_one(Seats).rows] == ["left", "", ""]
        await pilot.press("g")
        assert isinstance(pilot.app.screen, GhostDialog)
        await pilot.press("escape", "right", "right")
        assert [row.name for row in pilot.app.screen.query_one(Seats).rows] == ["Bold", "Random"]


async def test_the_rivers_are_clicked() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.click(River, offset=(7 + 6 * 3, 2))
        assert "roll 3 of 4" in text(pilot, "#caption")
        river = pilot.app.screen.query_one(River)
        await pilot.click(River, offset=(7 + 6 * 2, 2))
        assert river.cursor == 2
        await pilot.click(River, offset=(70, 2))
        assert river.cursor == 2, "beside the last roll there is nothing"


async def test_mistakes_are_exercises() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("e")
        exercise = pilot.app.screen
        assert isinstance(exercise, Exercise)
        assert "Exercise 1 of 1   Your mistakes, the costliest first" in seen(pilot)
        assert "What would you roll?" in seen(pilot)
        assert text(pilot, "#verdict").startswith("Which choice is best?"), "no answer before a try"
        await pilot.press("1", "r")
        assert text(pilot, "#line") == "5 + 5 + 1 = 11. You need at least 15 to keep three dice."
        assert not exercise.tried
        await click_die(pilot, 4)
        await click_die(pilot, 1)
        await pilot.press("enter")
        assert "1 of 1 right" in text(pilot, "#caption")
        assert "Correct, that's best." in text(pilot, "#verdict")
        assert "▶ 6 5 5" in text(pilot, "#verdict")
        await pilot.press("enter")
        assert stack(pilot)[-1] == "Review"
        assert not [*pilot.app._notifications], "nothing covers the review"


async def test_a_wrong_answer_is_tried_again_before_the_reason_is_shown() -> None:
    async with playing(TWO, ROUND) as pilot:
        await reviewed(pilot)
        await pilot.press("e", "w")
        assert [note.message for note in pilot.app._notifications] == ["Answer first."]
        await pilot.press("1", "4", "enter")
        assert text(pilot, "#verdict") == "Same mistake: it costs 2.5%.\nTry again. Press w to see why."
        exercise = pilot.app.screen
        assert isinstance(exercise, Exercise)
        assert exercise.selection == set()
        await pilot.press("4", "enter")
        assert "Correct, that's best." in text(pilot, "#verdict")
        assert (exercise.right, exercise.tried) == (0, 1), "the first answer counts"
        await pilot.press("1")
        assert exercise.selection == {4}, "an answer stands"


async def test_exercises_are_of_people_the_costliest_first_ten_at_most() -> None:
    async with playing(size=(120, 40)) as pilot:
        review = await simulated(pilot, "Random*,Tipsy,Random*,Random", seed=20)
        assert [cells[0] for cells in rows(review)] == [
            *["Costly"] * 3,
            "Lucky",
            "Round 1",
            "Round 2",
            "Round 3",
        ]
        assert {cells[1] for cells in rows(review)[:3]} <= {"● Random", "▲ Random 2"}
        await pilot.press("e")
        exercise = pilot.app.screen
        assert isinstance(exercise, Exercise)
        assert set(exercise.mistakes) == {0, 2}
        losses = [found.moment.loss for found in exercise.mistakes[0]]
        assert losses == sorted(losses, reverse=True)
        assert len(losses) == 10
        assert exercise.puzzle.seat == 0
        await pilot.press("n", "n")
        assert "Exercise 3 of 10" in seen(pilot)
        await click_on(pilot, "o Other player")
        assert "Random 2's mistakes" in seen(pilot)
        assert exercise.puzzle.seat == 2
        await pilot.press("q", "o")
        assert "▶ ▲ Random 2: " in seen(pilot)
        await pilot.press("m")
        assert isinstance(pilot.app.screen, RoundReview)
        walked = []
        mistakes = [found.moment.loss for found in exercise.mistakes[2]]
        for _ in [*mistakes, "from the last one to the first"]:
            moment = pilot.app.screen.moment
            assert moment
            walked.append(moment.loss)
            await pilot.press("m")
        assert walked == [*mistakes, mistakes[0]]
        assert len(mistakes) > 2


async def test_the_ghost_shows_best_play_with_the_same_dice() -> None:
    async with playing() as pilot:
        await simulated(pilot, "Tipsy,Perfect")
        await pilot.press("n", "right", "g")
        assert isinstance(pilot.app.screen, GhostDialog)
        assert "Best play with Tipsy's own dice" in seen(pilot)
        assert "1   nothing  → " in seen(pilot)
        await pilot.press("enter", "right", "g")
        assert "Best play with Perfect's own dice" in seen(pilot)
        assert "Perfect played the same, roll for roll." in seen(pilot)


async def test_the_roll_for_who_starts_is_no_roll_of_the_ghost() -> None:
    match = Match(Lineup(parse_players("bot:Tipsy,bot:Merry"), game="421"), FairDice(bytes(32)))
    match.play_out()
    assert match.start.starting_seat is None
    async with playing() as pilot:
        await pilot.app.push_screen(Review(match))
        await pilot.press("n", "right", "g")
        assert isinstance(pilot.app.screen, GhostDialog)
        assert [len(hand) for hand in pilot.app.screen.hands] == [3]
        assert [len(hand) for hand in pilot.app.screen.ghost.hands] == [3]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
async def test_everything_lies_inside_the_screen(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        review = await simulated(pilot, ",".join(["Tipsy"] * 12))
        for part in ("#river", "#jumps", "#accounts"):
            assert Region(0, 0, *size).contains_region(review.query_one(part).region)
            assert review.query_one(part).region.area
        await pilot.press("m", "p", "n", "p", "m", "end")
        for part in ("#river", "#moment", "#seats", "#accounts"):
            assert Region(0, 0, *size).contains_region(pilot.app.screen.query_one(part).region)
            assert pilot.app.screen.query_one(part).region.area
        await pilot.press("e")
        assert all(map(Region(0, 0, *size).contains_region, parts(pilot)))


async def test_seats_that_were_out_are_not_shown() -> None:
    async with playing(size=(120, 40)) as pilot:
        await simulated(pilot, "Tipsy,Merry,Perfect")
        await pilot.press("n")
        assert len(pilot.app.screen.query_one(Seats).rows) == 3
        await click_on(pilot, "n Round")
        assert len(pilot.app.screen.query_one(Seats).rows) == 2
        await pilot.press("p")
        assert len(pilot.app.screen.query_one(Seats).rows) == 3


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_three_seats_have_their_names_and_chances(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        await simulated(pilot, "Tipsy,Merry,Perfect")
        await pilot.press("n", "right", "right")
        await pilot.pause()
        lines = seen(pilot).splitlines()
        assert all(any(name in line for line in lines) for name in ("● Tipsy", "■ Merry", "▲ Perfect"))


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


async def test_what_is_looked_at_is_copied() -> None:
    async with playing(TWO, ROUND) as pilot:
        table = await turn(pilot)
        await pilot.press("r")
        await turn(pilot)
        await pilot.press("y")
        assert pilot.app.clipboard == table.match.state.position()
    async with playing() as pilot:
        review = await simulated(pilot, "Random*,Tipsy", identifier="0" * 32)
        await pilot.press("y")
        assert verify(read(pilot.app.clipboard)) == review.match.state
        await pilot.press("n", "right", "y")
        assert pilot.app.clipboard == review.rounds[0].moments[0].after.position()
        await pilot.press("e", "y")
        exercise = pilot.app.screen
        assert isinstance(exercise, Exercise)
        assert pilot.app.clipboard == exercise.puzzle.state.position()
