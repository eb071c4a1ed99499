"""The interface of every game: its description, its states, and the words that games share."""

from __future__ import annotations

import re
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import fourtwenty
from fourtwenty.games import GAMES, bar_421, ten_rounds
from fourtwenty.games.english import NUMBERS, dice_by_position, dice_in_words, name_and_verb, ordinal
from fourtwenty.games.game import Faces, InvalidAction, check_faces
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import Solver


def test_the_house_has_its_own_game_first_and_new_ones_last() -> None:
    assert list(GAMES)[:3] == ["420", "421", "ten-rounds"]
    assert [GAMES[key].start(2, 0).key for key in GAMES] == list(GAMES)


def test_every_number_of_dice_has_a_word() -> None:
    assert all(game.hand_size < len(NUMBERS) for game in GAMES.values())


@pytest.mark.parametrize("key", ["420", "421", "ten-rounds"])
def test_one_of_two_reaches_the_goal_and_one_comes_last(key: str) -> None:
    state = GAMES[key].start(2, 0)
    last = solver_for(state).placement_odds(state).last
    assert sum(solver_for(state).values(state)) == pytest.approx(1)
    assert last
    assert sum(last) == pytest.approx(1)


@pytest.mark.parametrize(
    ("key", "name", "position", "there"),
    [
        ("421", "421.discharge", "*>-:9 -:12 round 9 roll 1", True),
        ("421", "421.discharge", "*>653:9 -:12 round 9 roll 2", False),
        ("421", "421.discharge", "*>-:0 -:0 pot 21 round 1 roll 1", False),
        ("ten-rounds", "ten-rounds.limit", "*>-:1 -:0 roll 1 of 3", False),
        ("ten-rounds", "ten-rounds.limit", "*644:1 >-:0 roll 1 of 3", True),
        ("ten-rounds", "ten-rounds.limit", "*644:1 >653:0 roll 2 of 3", False),
    ],
)
def test_a_tip_is_available_where_its_rule_is_new(key: str, name: str, position: str, there: bool) -> None:
    (tip,) = [tip for tip in GAMES[key].tips if tip.name == name]
    assert tip.available(GAMES[key].parse(position)) is there


@pytest.mark.parametrize("key", GAMES)
def test_a_game_deals_as_many_dice_as_it_says(key: str) -> None:
    game = GAMES[key]
    state = game.start(2, 0)
    roll = state.actions[0]
    assert len(state.apply(roll, (1,) * game.hand_size).hand(0)) == game.hand_size


@pytest.mark.parametrize("key", GAMES)
def test_a_game_has_its_odds_and_its_page_of_rules(key: str) -> None:
    state = GAMES[key].start(2, 0)
    values = solver_for(state).values(state)
    assert len(values) == 2
    assert all(0 <= value <= 1 for value in values)
    assert GAMES[key].rules.startswith(f"# {GAMES[key].name}\n")


def test_the_emblem_is_a_hand_that_everybody_hopes_for() -> None:
    assert sum(GAMES["420"].logo_hand) == 20
    assert bar_421.rank(GAMES["421"].logo_hand).name == "421"
    assert ten_rounds.rank(GAMES["ten-rounds"].logo_hand).name == "4-2-1"
    assert all(len(game.logo_hand) == game.hand_size for game in GAMES.values())


def test_lots_are_drawn_for_player_1_of_420_and_the_others_roll_for_the_start() -> None:
    assert GAMES["420"].draws_start
    for key in ("421", "ten-rounds"):
        assert not GAMES[key].draws_start
        assert GAMES[key].start(2, None).starting_seat is None


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("420", ("three dice", "15 or more")),
        ("421", ("4 2 1", "10 tokens")),
        ("ten-rounds", ("4 2 1", "+2 on the first roll")),
    ],
)
def test_every_game_has_a_table_to_look_up(game: str, line: tuple[str, str]) -> None:
    assert GAMES[game].guide.rows[0] == line


def test_the_charge_of_421_is_played_without_asking() -> None:
    automatic = {"420": False, "421": True, "ten-rounds": False}
    assert {key: bool(GAMES[key].start(2, 0).automatic) for key in automatic} == automatic
    assert all(GAMES[key].start(2, None).automatic for key in ("421", "ten-rounds")), "the throws for the start, too"
    assert not GAMES["421"].parse("*>-:9 -:12 round 9 roll 1").automatic


def test_who_is_first_and_who_is_last() -> None:
    ends = {
        "420": ("wins the first round", "buys the drinks"),
        "421": ("is safe first", "picks up the tab"),
        "ten-rounds": ("wins", "comes last"),
    }
    assert {key: GAMES[key].result_verbs for key in ends} == ends


def test_dice_and_places_in_words() -> None:
    assert [dice_in_words(count) for count in (1, 2, 3, 4)] == ["one die", "two dice", "three dice", "four dice"]
    assert [dice_by_position(dice) for dice in ((4,), (1, 4), (1, 2, 4))] == [
        "die 4",
        "dice 1 and 4",
        "dice 1, 2 and 4",
    ]
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111, 112, 113, 122)
    endings = "st nd rd th th th th st nd rd st th th th nd"
    assert [ordinal(number) for number in numbers] == [
        f"{n}{end}" for n, end in zip(numbers, endings.split(), strict=True)
    ]


def test_you_are_spoken_to() -> None:
    assert name_and_verb("Ann", "wins", "win") == "Ann wins"
    assert name_and_verb("YOU", "wins", "win") == "YOU win"
    assert name_and_verb("Zoë", "wins", "win") == "Zoë wins"


def test_every_ruling_that_is_cited_is_on_the_page() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "rulings.md").read_text("utf-8")
    sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", page, re.MULTILINE))
    cited = set()
    for folder in ("fourtwenty", "tests"):
        for module in (root / folder).rglob("*.py"):
            prose = " ".join(module.read_text("utf-8").split())
            cited |= set(re.findall(r"docs/rulings\.md, ([\w -]+), \"([^\"\\]+)\"", prose))
    assert cited
    for game, ruling in cited:
        assert f"- **{ruling}**:" in sections[game]


@pytest.mark.parametrize(
    ("faces", "dice"), [((), 1), ((1, 2), 1), ((0,), 1), ((7,), 1), ((1, 7), 2), ((True,), 1), ((1.0,), 1), ((1,), 0)]
)
def test_faces_that_no_dice_show_are_refused(faces: Faces, dice: int) -> None:
    sentences = ("No dice show no faces", "One die shows one face", "Two dice show two faces")
    with pytest.raises(InvalidAction, match=f"^{sentences[dice]} from 1 to 6"):
        check_faces(faces, dice)


@pytest.mark.parametrize("key", GAMES)
def test_every_public_member_of_a_state_and_of_its_odds_has_a_docstring(key: str) -> None:
    state = fourtwenty.GAMES[key].start(2, 0)
    described: Any = type(state)
    odds = solver_for(state)
    members = {name for name in dir(described) if not name.startswith("_")} - {*described.__struct_fields__, "key"}
    assert {"apply", "check", "actions", "hand", "to_act", "outcome", "order"} <= members
    assert [name for name in members if not getattr(described, name).__doc__] == []
    asked = {name for name, member in vars(Solver).items() if isinstance(member, FunctionType)} - {"__init__"}
    assert {"choices", "best", "values"} <= asked
    assert [name for name in asked if not name.startswith("_") and not getattr(odds, name).__doc__] == []


def test_a_docstring_of_its_own_stays_and_others_are_those_of_the_interface() -> None:
    assert fourtwenty.FourTwenty.apply.__doc__ == fourtwenty.State.apply.__doc__
    assert fourtwenty.FourTwenty.without.__doc__ == "The others keep their hands."
    assert solver_for(GAMES["420"].start(2, 0)).best.__doc__ != Solver.best.__doc__


@pytest.mark.parametrize("seat", [-1, 3, 9])
@pytest.mark.parametrize("game", GAMES)
def test_a_seat_that_is_not_there_has_no_hand(game: str, seat: int) -> None:
    with pytest.raises(ValueError, match=rf"^There is no seat {seat} at a table of 3\.$"):
        GAMES[game].start(3, 0).hand(seat)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_to_act_once_a_seat_is_alone(game: str) -> None:
    state = GAMES[game].start(2, 0).without(1)
    assert (state.to_act, state.actions) == (None, ())
    assert state.outcome
    assert state.outcome.places == ((0,), (1,))
