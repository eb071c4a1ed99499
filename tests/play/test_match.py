"""A match in progress: what is thrown, by whom, and what is left alone when the rules refuse."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fourtwenty.games.four_twenty import ROLL_ALL, FourTwenty
from fourtwenty.games.game import Event, IllegalAction, Roll
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import coaching_line

THREE = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")), starting_seat=0)
SEED = bytes(range(32))


def play_out(match: Match) -> Match:
    """Let everybody take the first legal action, bots their own."""
    for _ in range(10_000):
        if match.state.outcome:
            return match
        if match.state.to_act is None:
            match.next_round()
        elif match.bot_to_act:
            match.act(match.bot_action())
        else:
            match.act(match.state.actions[0])
    raise AssertionError("the match does not end")


def test_throws_are_counted_by_seat_over_the_whole_match() -> None:
    match, dice = play_out(Match(THREE, FairDice(SEED))), FairDice(SEED)
    thrown = [0, 0, 0]
    for event in match.events:
        assert isinstance(event.action, Roll)
        thrown[event.seat] += 1
        assert event.faces == dice.throw(event.seat, thrown[event.seat], event.action.dice)


def test_the_same_seed_plays_the_same_match() -> None:
    bots = Lineup(seats=tuple(Seat(name, name) for name in ("Random", "Bold", "Steady")))
    assert play_out(Match(bots, FairDice(SEED))).events == play_out(Match(bots, FairDice(SEED))).events


def test_a_bot_asked_twice_says_the_same() -> None:
    match = Match(Lineup(seats=(Seat("Random", "Random"), Seat("Ann")), starting_seat=0), FairDice(SEED))
    match.act(ROLL_ALL)
    match.act(ROLL_ALL)
    assert len({match.bot_action() for _ in range(20)}) == 1


def test_who_starts_is_drawn_from_the_seed_unless_set() -> None:
    drawn = {Match(Lineup(), FairDice(bytes([number] * 32))).starting_seat for number in range(20)}
    assert drawn == {0, 1}
    assert all(Match(Lineup(starting_seat=1), FairDice(bytes([number] * 32))).starting_seat == 1 for number in range(5))


def test_an_illegal_action_throws_nothing() -> None:
    match = Match(THREE, ScriptedDice([(6, 5, 5, 4)]))
    with pytest.raises(IllegalAction, match="The first roll takes all four dice"):
        match.act(Roll((1,)))
    assert match.events == []
    assert match.act(ROLL_ALL) == Event(0, ROLL_ALL, (6, 5, 5, 4))


def test_a_rematch_of_two_passes_the_start_to_the_other() -> None:
    match = Match(Lineup(), FairDice(SEED))
    rematch = match.rematch()
    assert {match.starting_seat, rematch.starting_seat} == {0, 1}
    assert rematch.dice.seed != match.dice.seed
    assert rematch.rematch().starting_seat == match.starting_seat


def test_a_rematch_of_three_draws_lots_again() -> None:
    """The sheet: Player 1 is chosen at random; docs/rulings.md, 420, "rematch"."""
    drawn: set[int | None] = set()
    for _ in range(40):
        rematch = Match(THREE, FairDice(SEED)).rematch()
        assert rematch.start_drawn
        drawn.add(rematch.starting_seat)
    assert drawn == {0, 1, 2}


@pytest.mark.parametrize("game", ["421", "ten-rounds"])
def test_a_rematch_of_a_game_that_rolls_for_the_start_rolls_again(game: str) -> None:
    for seats in (THREE.seats, THREE.seats[:2]):
        match = Match(Lineup(seats, starting_seat=1, game=game), FairDice(SEED))
        assert match.rematch().state.starting_seat is None


def test_a_match_needs_a_line_up_that_can_play() -> None:
    with pytest.raises(ValueError, match="at least two players"):
        Match(Lineup(seats=(Seat("Ann"),)))


def test_a_cleared_table_as_a_position_sets_who_starts_and_draws_no_lot() -> None:
    match = Match.fresh(replace(THREE, starting_seat=None), FairDice(SEED), start=FourTwenty.start(3, starting_seat=2))
    assert (match.starting_seat, match.set_up, match.start_drawn) == (2, False, False)
    assert not Match.fresh(THREE, FairDice(SEED), FourTwenty.start(3, 0).apply(ROLL_ALL, (6, 5, 5, 1))).start_drawn


def test_it_can_be_said_from_when_on_the_odds_were_on_the_table() -> None:
    match = Match(THREE, FairDice(SEED))
    assert coaching_line(match) == ""
    match.set_coach("odds")
    match.act(ROLL_ALL)
    match.set_coach("full")
    assert coaching_line(match) == "With the coach from roll 1"
    match.act(ROLL_ALL)
    match.set_coach("off")
    assert coaching_line(match) == "With the coach from roll 1 to roll 2"
    assert match.coach == "off"
