"""The match as lines: commands typed, everything said in words that can be read aloud."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourtwenty.dice import FairDice, ScriptedDice
from fourtwenty.games.game import Faces
from fourtwenty.lineup import Lineup, parse_players
from fourtwenty.match import Match
from fourtwenty.plain import Plain

ANN = Lineup(parse_players("Ann,bot:Steady"), first=0)


def said(commands: list[str], throws: list[Faces], lineup: Lineup = ANN) -> list[str]:
    lines: list[str] = []
    Plain(Match(lineup, ScriptedDice(throws)), iter(commands), lines.append).play()
    return lines


def test_a_match_in_lines() -> None:
    assert said(["", "roll 4"], [(6, 5, 5, 1), (4, 3, 3, 2), (4,)]) == [
        "420, by Mark Steere, marksteeregames.com. At the table: Ann, Steady (bot).",
        "Round 1 of 1, roll 1. Player 1: Ann.",
        "Ann, your turn. First roll: all four dice.",
        "Ann: all four, 6 5 5 1. Total 17.",
        "Steady: all four, 4 3 3 2. Total 12.",
        "Ann, your turn: 6 5 5 1 = 17. Select dice to roll; the others stay.",
        "Ann: one die, 4. Total 20!",
        "Steady buys the drinks.",
        "Last 20: Ann with 6 5 5 4, in 2 rolls",
        "Got out: Ann",
    ]


def test_what_is_impossible_is_explained() -> None:
    wrong = ["", "", "roll", "roll 1 2", "roll 1 1", "roll 9", "roll x", "stand", "dance", "quit"]
    answers = said(wrong, [(6, 4, 2, 1), (4, 3, 3, 2)])[6:]
    assert answers == [
        "There is a choice. Type one of: roll 1 3, roll all, stand, odds, seats, rules, quit.",
        "Select at least one die to roll.",
        "2 + 1 stay: 3. Two dice may stay from 10 up.",
        "Dice are named by their places, from 1, each once.",
        "There is no die 9: a hand has four.",
        "Dice are named by their places, as in: roll 1 3.",
        "There is no pass in 420: every turn is a roll.",
        "There is no command dance. Type one of: roll 1 3, roll all, stand, odds, seats, rules, quit.",
        "This match is not kept.",
    ]


def test_odds_seats_and_rules() -> None:
    answers = said(["", "odds", "seats", "rules", "q"], [(6, 5, 5, 1), (4, 3, 3, 2)])[6:]
    assert answers[0] == "6 5 5 to stay: 20 16.7 %, over 33.3 %, round 59.9 %, best"
    assert "Ann: 6 5 5 1 = 17, in" in answers
    assert "420" in answers
    assert any("Mark Steere" in line for line in answers)


def test_nothing_is_drawn() -> None:
    lineup = Lineup(parse_players("bot:Steady,bot:Bold,bot:Tipsy"), first=0, game="421")
    lines: list[str] = []
    assert Plain(Match(lineup, FairDice(bytes(32))), iter(()), lines.append).play()
    text = "\n".join(lines)
    assert "picks up the tab" in text
    assert lines[-1] == f"The seed was: {bytes(32).hex()}"
    assert text.isascii()


def test_no_more_commands_end_it() -> None:
    assert said([], [(6, 5, 5, 1)])[-1] == "This match is not kept."


@pytest.mark.parametrize("game", ["420", "421", "ten-rounds"])
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_whatever_is_typed_is_answered(game: str, data: st.DataObject) -> None:
    words = st.sampled_from(["", "roll all", "roll 1", "roll 2 3", "stand", "odds", "seats", "?", "ro\0ll", "roll ²"])
    commands = data.draw(st.lists(st.one_of(words, st.text(max_size=12)), max_size=30))
    lines: list[str] = []
    lineup = Lineup(parse_players("Ann,Ben,bot:Steady"), first=0, game=game)
    Plain(Match(lineup, FairDice(bytes(32))), iter(commands), lines.append).play()
    assert all("\x1b" not in line for line in lines)


def test_a_roll_is_understood_by_its_dice_alone_and_alone_where_there_is_no_choice() -> None:
    throws: list[Faces] = [(6, 4, 2, 1), (4, 3, 3, 2), (6, 5, 5, 1), (1, 1, 1, 1), (4,)]
    assert said(["roll", "all", "4"], throws)[-4:-2] == ["Ann: one die, 4. Total 20!", "Steady buys the drinks."]
