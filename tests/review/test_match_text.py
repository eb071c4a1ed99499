"""A match as a short text for a chat: its lines, and what is sent of the history."""

from __future__ import annotations

from datetime import date

import pytest
from run_sql import run_sql

from fourtwenty.__main__ import main
from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll
from fourtwenty.journal import links
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record
from fourtwenty.play.clock import today
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import rounds_of
from fourtwenty.review.match_text import match_text

ROLL_ALL = Roll((1, 2, 3, 4))


def test_the_lines_of_a_match() -> None:
    dice = ScriptedDice([(6, 5, 5, 1), (4,) * 4, (5, 5)])
    match = Match(Lineup(parse_players("You,bot:Steady"), starting_seat=0), dice, identifier="0" * 32)
    for action in (ROLL_ALL, ROLL_ALL, Roll((1, 4))):
        match.act(action)
    # 59.9% with 6 5 5, 57.4% with 5 5; from 52.7% before the first roll: 52.7 - 2.5 + 44.8 + 5.0 = 100
    assert match_text(match, rounds_of(match), date(2026, 11, 24)).splitlines() == [
        "420 · 24 Nov 2026 · Steady buys the drinks",
        "Me      ▅█",
        "Steady  ▄▁",
        "Me: 5 5 5 5, a chance of 1 in 12",
        "Steady: luck −5.0 points, the least of two",
    ]


def test_the_bars_of_everybody_end_with_their_last_round() -> None:
    match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry,bot:Bold")), FairDice(bytes(32)))
    match.play_out()
    card = match_text(match, rounds_of(match), date(2026, 11, 24))
    bars = dict(line.rsplit("  ", 1) for line in card.splitlines()[1:4])
    assert sorted(each[-1] for each in bars.values()) == ["▁", "█", "█"], "all but the last place end at 20"


def test_the_card_ends_with_the_link_that_shows_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "homepage", lambda: "https://example.org/420/")
    match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry,bot:Bold")), FairDice(bytes(32)))
    match.play_out()
    page, fragment = match_text(match, rounds_of(match), date(2026, 11, 24)).splitlines()[-1].split("#")
    assert page == "https://example.org/420/"
    assert links.read_link(fragment) == Record.from_match(match)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_history_is_sent_as_a_card(
    game: str, capsys: pytest.CaptureFixture[str], history: History
) -> None:
    match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry,bot:Bold"), game=game), FairDice(bytes(32)))
    match.save_to(history.journal())
    match.play_out()
    assert main(["export", "1", "--text"]) == 0
    assert capsys.readouterr().out == f"{match_text(match, rounds_of(match), today())}\n"


def test_a_game_whose_day_is_damaged_says_so(capsys: pytest.CaptureFixture[str], history: History) -> None:
    for _ in range(2):
        match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry")), FairDice(bytes(32)))
        match.save_to(history.journal())
        match.play_out()
    run_sql(history_file(), "UPDATE match SET started = 1.5 WHERE id = 2")
    with pytest.raises(SystemExit) as end:
        main(["export", "2", "--text"])
    assert end.value.code == 2
    assert capsys.readouterr() == ("", "fourtwenty export: the day of game 2 is damaged\n")


def test_a_game_that_goes_on_is_no_text(capsys: pytest.CaptureFixture[str], history: History) -> None:
    Match(Lineup(starting_seat=0), FairDice(bytes(32)), journal=history.journal()).act(ROLL_ALL)
    with pytest.raises(SystemExit) as end:
        main(["export", "1", "--text"])
    assert end.value.code == 2
    assert capsys.readouterr() == ("", "fourtwenty export: this game is not over yet\n")
