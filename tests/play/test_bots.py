"""The characters: each plays as the lobby says, and only what the rules allow."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL, FourTwenty
from fourtwenty.games.game import Faces, Roll
from fourtwenty.odds.four_twenty_solver import choices
from fourtwenty.play.bots import BOTS, bold, bot_named, perfect, steady
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match

RNG = Random(420)


def to_move(hand: Faces) -> FourTwenty:
    return FourTwenty(hands=(hand, (1, 1, 1, 1)), out=(), starting_seat=0, rolls=2)


@pytest.mark.parametrize("name", BOTS)
def test_every_character_plays_legally_from_every_hand(name: str) -> None:
    for hand in product(range(1, 7), repeat=4):
        state = to_move(hand)
        if state.actions:
            assert state.check(BOTS[name].policy(RNG.random)(state)) is None


@pytest.mark.parametrize("game", GAMES)
def test_every_character_plays_every_game_to_its_end(game: str) -> None:
    for name in BOTS:
        lineup = Lineup(parse_players(f"bot:{name},bot:Steady"), game=game)
        places = Match(lineup, FairDice(bytes(32))).play_out().places
        assert sorted(seat for shared in places for seat in shared) == [0, 1]


@pytest.mark.parametrize(
    ("hand", "dice"),
    [
        ((6, 5, 5, 1), (4,)),
        ((6, 6, 5, 2), (4,)),
        ((6, 4, 2, 1), (3, 4)),
        ((6, 6, 4, 3), (3,)),
        ((6, 5, 2, 1), (3, 4)),
        ((6, 3, 2, 1), (2, 3, 4)),
        ((4, 4, 4, 4), (1, 2, 3, 4)),
    ],
)
def test_steady_keeps_as_many_as_it_may_of_those_the_lowest(hand: Faces, dice: tuple[int, ...]) -> None:
    assert steady(to_move(hand)) == Roll(dice)


@pytest.mark.parametrize(
    ("hand", "dice"),
    [
        ((6, 5, 5, 1), (2, 4)),
        ((6, 6, 5, 2), (3, 4)),
        ((6, 3, 2, 1), (2, 3, 4)),
        ((4, 4, 4, 4), (1, 2, 3, 4)),
    ],
)
def test_bold_keeps_two_at_most_of_those_the_highest(hand: Faces, dice: tuple[int, ...]) -> None:
    assert bold(to_move(hand)) == Roll(dice)


def test_random_does_everything_the_rules_allow_sooner_or_later() -> None:
    state = to_move((6, 5, 5, 1))
    assert {BOTS["Random"].policy(RNG.random)(state) for _ in range(500)} == set(state.actions)


def test_perfect_lets_stay_what_is_best() -> None:
    assert perfect(to_move((6, 5, 5, 1))) == Roll((4,))
    assert perfect(to_move((1, 6, 6, 5))) == Roll((1, 4))


def test_people_err_the_rarer_the_more_it_loses_and_the_more_they_drank_the_more() -> None:
    state = to_move((6, 5, 5, 1))
    value = {choice.action: choice.value for choice in choices(state)}
    lost = {}
    for name in ("Sober", "Merry", "Tipsy"):
        chosen = Counter(BOTS[name].policy(RNG.random)(state) for _ in range(2000))
        best, second, *_, worst = (chosen[choice.action] for choice in choices(state))
        assert best > second > worst
        lost[name] = sum(times * value[action] for action, times in chosen.items())
    assert lost["Sober"] > lost["Merry"] > lost["Tipsy"]


def test_over_20_there_is_nothing_to_choose() -> None:
    assert {character.policy(RNG.random)(to_move((6, 6, 6, 6))) for character in BOTS.values()} == {ROLL_ALL}


def test_characters_are_named_in_any_case() -> None:
    assert bot_named("sTEADY").name == "Steady"
    with pytest.raises(ValueError, match=rf"^'Perfekt' isn't a bot\. The bots are {', '.join(BOTS)}\.$"):
        bot_named("Perfekt")
