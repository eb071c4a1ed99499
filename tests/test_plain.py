"""The match as lines: commands typed, everything said in words that can be read aloud."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourtwenty.cli.text_table import TextTable
from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match, NotKept

ANN = Lineup(parse_players("Ann,bot:Steady"), starting_seat=0)


def said(commands: list[str], throws: list[Faces], lineup: Lineup = ANN) -> list[str]:
    lines: list[str] = []
    TextTable(Match(lineup, ScriptedDice(throws)), iter(commands), lines.append).play()
    return lines


def test_a_match_in_lines() -> None:
    assert said(["", "roll 4"], [(6, 5, 5, 1), (4, 3, 3, 2), (4,)]) == [
        "420, by Mark Steere, marksteeregames.com. At the table: Ann, Steady (bot).",
        "Round 1 of 1, roll 1. Player 1: Ann.",
        "Ann, your turn. First roll: all four dice.",
        "Ann: all four, 6 5 5 1. Total 17.",
        "Steady: all four, 4 3 3 2. Total 12.",
        "Ann, your turn: 6 5 5 1 = 17. Select the dice to roll; you keep the others.",
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
        "2 + 1 = 3. You need at least 10 to keep two dice.",
        "Dice are named by their places, from 1, each once.",
        "There is no die 9: a hand has four.",
        "Dice are named by their places, as in: roll 1 3.",
        "There is no pass in 420: every turn is a roll.",
        "There is no command dance. Type one of: roll 1 3, roll all, stand, odds, seats, rules, quit.",
        "This match is not kept.",
    ]


def test_odds_seats_and_rules() -> None:
    answers = said(["", "odds", "seats", "rules", "q"], [(6, 5, 5, 1), (4, 3, 3, 2)])[6:]
    assert answers[0] == "keep 6 5 5: 20 16.7%, over 33.3%, round 59.9%, best"
    assert "Ann: 6 5 5 1 = 17" in answers
    assert "420" in answers
    assert any("Mark Steere" in line for line in answers)


def test_nothing_is_drawn() -> None:
    lineup = Lineup(parse_players("bot:Steady,bot:Bold,bot:Tipsy"), starting_seat=0, game="421")
    lines: list[str] = []
    assert TextTable(Match(lineup, FairDice(bytes(32))), iter(()), lines.append).play()
    text = "\n".join(lines)
    assert "picks up the tab" in text
    assert lines[-1] == f"The seed was: {bytes(32).hex()}"
    assert text.isascii()


def test_no_more_commands_end_it() -> None:
    assert said([], [(6, 5, 5, 1)])[-1] == "This match is not kept."


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_whatever_is_typed_is_answered(game: str, data: st.DataObject) -> None:
    words = st.sampled_from(["", "roll all", "roll 1", "roll 2 3", "stand", "odds", "seats", "?", "ro\0ll", "roll ²"])
    commands = data.draw(st.lists(st.one_of(words, st.text(max_size=12)), max_size=30))
    lines: list[str] = []
    lineup = Lineup(parse_players("Ann,Ben,bot:Steady"), starting_seat=0, game=game)
    TextTable(Match(lineup, FairDice(bytes(32))), iter(commands), lines.append).play()
    assert all("\x1b" not in line for line in lines)


def test_a_roll_is_understood_by_its_dice_alone_and_alone_where_there_is_no_choice() -> None:
    throws: list[Faces] = [(6, 4, 2, 1), (4, 3, 3, 2), (6, 5, 5, 1), (1, 1, 1, 1), (4,)]
    assert said(["roll", "all", "4"], throws)[-4:-2] == ["Ann: one die, 4. Total 20!", "Steady buys the drinks."]


def open_for_words(
    *commands: str, words: list[str] | None, players: str = "Ann,Ben,bot:Steady"
) -> tuple[Match, list[str]]:
    """Play a match whose dice are not settled yet, until the commands end."""
    lines: list[str] = []
    match = Match.fresh(Lineup(parse_players(players)), FairDice(bytes(range(32))))
    TextTable(match, iter(commands), lines.append).play(words=words)
    return match, lines


def test_everybody_is_asked_for_a_word_after_the_seal_and_before_the_lot() -> None:
    match, lines = open_for_words("rain", "a\tb", "x" * 61, "", words=None)
    assert match.words == ("rain", "", "")
    assert lines[1:8] == [
        f"The dice are sealed: {match.commitment}",
        "Ann, add a word that the dice follow from, or press Enter.",
        "Ben, add a word that the dice follow from, or press Enter.",
        "A word is one line of text.",
        "A word has 60 characters at most.",
        "Ann adds to the dice: rain",
        f"Round 1 of 2, roll 1. Player 1: {match.names[match.starting_seat or 0]}.",
    ]


def test_words_may_come_along() -> None:
    match, lines = open_for_words(words=["rain", "snow"])
    assert match.words == ("rain", "snow", "")
    assert "Ben adds to the dice: snow" in lines


def test_nobody_there_to_add_a_word_settles_nothing() -> None:
    match, lines = open_for_words(words=None)
    assert match.words is None
    assert lines[-1] == "This match is not kept."


class Stuck:
    """A journal that cannot be written until somebody mends it."""

    def __init__(self) -> None:
        self.kept = False
        self.agreed = False
        self.mended = False

    def write(self, *_: object) -> None:
        """Refuse, or do as if."""
        if not self.mended and not self.agreed:
            raise NotKept("the disk is full")
        self.kept = self.mended

    begin = record = write

    def play_on_unkept(self) -> None:
        """Refuse no more."""
        self.agreed = True

    def leave(self, *_: object) -> None:
        """Do nothing."""

    catch_up = forget = leave


def unkept(*commands: str, journal: Stuck, players: str = "Ann,bot:Steady") -> list[str]:
    """Play a match that cannot be kept."""
    lines: list[str] = []
    match = Match(Lineup(parse_players(players), starting_seat=0), ScriptedDice([(6, 5, 5, 1), (5, 5, 5, 5)]))
    TextTable(match, iter(commands), lines.append).play(journal)  # type: ignore[arg-type]
    return lines


CANNOT = "This match cannot be kept: the disk is full. An empty line tries again, go on plays on unkept."


def test_nothing_is_shown_that_is_not_kept_until_they_agree() -> None:
    assert unkept(journal=Stuck())[1:] == [CANNOT, "This match is not kept."]
    assert unkept("", "", "quit", journal=Stuck())[1:] == [CANNOT] * 3 + ["This match is not kept."]
    lines = unkept("go on", "roll", journal=Stuck())
    assert lines[1:3] == [CANNOT, "Round 1 of 1, roll 1. Player 1: Ann."]
    assert "Ann: all four, 6 5 5 1. Total 17." in lines


def test_a_roll_waits_until_it_can_be_kept() -> None:
    journal = Stuck()
    journal.mended = True

    def commands() -> Iterator[str]:
        journal.mended = False
        yield "roll"
        assert not any("6 5 5 1" in line for line in lines), "nobody has seen it"
        journal.mended = True
        yield ""

    lines: list[str] = []
    match = Match(Lineup(parse_players("Ann,bot:Steady"), starting_seat=0), ScriptedDice([(6, 5, 5, 1), (5, 5, 5, 5)]))
    TextTable(match, commands(), lines.append).play(journal)  # type: ignore[arg-type]
    assert lines[lines.index(CANNOT) + 1] == "Ann: all four, 6 5 5 1. Total 17."


def test_bots_have_nobody_to_ask() -> None:
    lines = unkept(journal=Stuck(), players="bot:Steady,bot:Bold")
    assert lines.count("This match is not being kept: the disk is full.") == 1
