"""The one thing worth telling of a round, and the deciding throw, by rounds that have them and rounds that have not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces, Roll, Stand
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.round_result import DecidingThrow, deciding_throw, last_rounds, seats_by_place
from fourtwenty.review.round_story import round_story

THREE = Lineup((Seat("Ann"), Seat("Ben"), Seat("You")), starting_seat=0)
ALL = (1, 2, 3, 4)
ONES = (ALL, (1, 1, 1, 1))


def played(*rolls: tuple[Sequence[int], Faces], position: str = "", game: str = "420") -> Match:
    """A match in which these dice are rolled, with the faces; no dice for a stand. The next round begins by itself."""
    start = GAMES[game].parse(position) if position else None
    lineup = Lineup(THREE.seats, starting_seat=0, game=game)
    match = Match(lineup, ScriptedDice([faces for dice, faces in rolls if dice]), start=start)
    for dice, _ in rolls:
        if match.state.to_act is None:
            match.next_round()
        match.act(Roll(tuple(dice)) if dice else Stand())
    return match


@pytest.mark.parametrize(
    ("rolls", "told"),
    [
        ([(ALL, (6, 5, 5, 4))], "A throw like that comes once in 37."),
        ([(ALL, (6, 5, 2, 1)), ONES, ONES, ((3, 4), (3, 6))], ""),
        ([(ALL, (6, 4, 2, 1)), ONES, ONES, ((3, 4), (5, 5))], "A throw like that comes once in 12."),
        ([(ALL, (6, 5, 5, 1)), ONES, ONES, ((4,), (4,))], ""),
        (
            [(ALL, (6, 5, 5, 1)), ONES, (ALL, (6, 6, 6, 1)), ((4,), (2,)), ONES, ((4,), (3,)), ((4,), (4,))],
            "You were one away twice.",
        ),
        (
            [(ALL, (6, 5, 5, 1)), ONES, (ALL, (6, 6, 6, 1)), ((4,), (2,)), ONES, ((4,), (4,)), ((4,), (4,))],
            "",
        ),
    ],
)
def test_a_rare_throw_and_misses_are_told(rolls: list[tuple[Sequence[int], Faces]], told: str) -> None:
    assert round_story(played(*rolls)) == told


def test_the_longest_round_yet_is_told_from_the_second_on() -> None:
    first = [(ALL, (6, 5, 5, 1)), ONES, ONES, ((4,), (4,))]
    second = [(ALL, (6, 5, 5, 1)), ONES, ((4,), (1,)), ONES, ((4,), (4,))]
    assert round_story(played(*first)) == ""
    assert round_story(played(*first, *second)) == "The longest round yet: 5 rolls."
    assert round_story(played(*first, (ALL, (6, 5, 5, 1)), ONES, ((4,), (4,)))) == ""


@pytest.mark.parametrize(("tokens", "told"), [("9:4:8", "Ann once had 9 tokens."), ("6:7:8", "")])
def test_tokens_that_are_lost_are_told(tokens: str, told: str) -> None:
    ann, ben, you = tokens.split(":")
    throws = ((4, 2, 1), (6, 5, 3), (6, 6, 1))
    rolls = [turn for throw in throws for turn in (((1, 2, 3), throw), ((), ()))]
    match = played(*rolls, position=f"*>-:{ann} -:{ben} -:{you} round 9 roll 1", game="421")
    assert match.state.report(match.names).headline == f"Ann gives Ben the last {ann} tokens and is safe"
    assert round_story(match) == told


def test_the_deciding_throw_is_the_last_of_the_hand_that_decided() -> None:
    match = played((ALL, (6, 5, 5, 1)), ONES, ONES, ((4,), (4,)))
    assert deciding_throw(match) == DecidingThrow((6, 5, 5, 4), (6, 5, 5, 1), (4,))
    assert deciding_throw(played((ALL, (6, 5, 5, 4)))) == DecidingThrow((6, 5, 5, 4), (), ALL)
    three, stand = (1, 2, 3), ((), ())
    stood = played(
        (three, (4, 2, 6)), ((3,), (1,)), stand, (three, (6, 5, 3)), stand, (three, (6, 6, 1)), stand,
        position="*>-:9 -:4 -:8 round 9 roll 1", game="421",
    )  # fmt: skip
    assert deciding_throw(stood) == DecidingThrow((4, 2, 1), (4, 2, 6), (3,))


def test_seats_are_in_the_order_of_their_places_each_with_its_last_round() -> None:
    match = played(ONES, (ALL, (6, 5, 5, 4)), (ALL, (6, 6, 6, 1)), ONES)
    assert seats_by_place(match.state) == (1, 0, 2)
    rounds = last_rounds(match)
    assert rounds[1].hand(1) == (6, 5, 5, 4)
    assert rounds[0].round == rounds[2].round == 1
    assert [match.state.places, match.start.places] == [((1,),), ()]
