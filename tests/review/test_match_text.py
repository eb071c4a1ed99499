"""A match as a short text for a chat: its lines, and the fingerprint that ``verify`` prints for its record."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from fourtwenty.__main__ import main
from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, fingerprint, write
from fourtwenty.paths import history_file
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.match_text import match_text

ROLL_ALL = Roll((1, 2, 3, 4))


def test_the_lines_of_a_match() -> None:
    dice = ScriptedDice([(6, 5, 5, 1), (4,) * 4, (5, 5)])
    match = Match(Lineup(parse_players("You,bot:Steady"), starting_seat=0), dice, identifier="0" * 32)
    for action in (ROLL_ALL, ROLL_ALL, Roll((1, 4))):
        match.act(action)
    # 59.9% with 6 5 5, 57.4% with 5 5; from 52.7% before the first roll: 52.7 - 2.5 + 44.8 + 5.0 = 100
    assert match_text(match).splitlines() == [
        "420: Me and Steady (bot)",
        "Final 20: Me, 5 5 5 5, in 2 rolls",
        "Safe: Me",
        "Buys the drinks: Steady",
        "Me: 2.46% lost per decision: tipsy (1 decision), luck +44.8%",
        "Steady: no decisions, luck \N{MINUS SIGN}5.0%",
        f"Game {'0' * 32}",
        f"Fingerprint {fingerprint(write(Record.of(match)))} (fourtwenty verify)",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_history_is_sent_with_the_fingerprint_of_its_record(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(History(history_file(), pytest.fail)) as history:
        match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry,bot:Bold"), game=game), FairDice(bytes(32)))
        match.keep(history.journal())
        match.play_out()
    assert main(["export", "1", "--text"]) == 0
    text = capsys.readouterr().out
    assert text == f"{match_text(match)}\n"
    (tmp_path / "record.json").write_text(write(Record.of(match)), "utf-8")
    assert main(["verify", str(tmp_path / "record.json")]) == 0
    printed = capsys.readouterr().out.rpartition("fingerprint ")[2].rstrip(".\n")
    assert f"\nFingerprint {printed} (" in text
    assert f"\nGame {match.identifier}\n" in text
    for seat, name in enumerate(match.names):
        assert text.count(f"\n{name}: ") == 1, seat
    assert f"{match.names[match.state.report(match.names).seat]}" in text.splitlines()[1], "whose hand it was"


def test_a_game_that_goes_on_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(History(history_file(), pytest.fail)) as history:
        Match(Lineup(starting_seat=0), FairDice(bytes(32)), journal=history.journal()).act(ROLL_ALL)
    with pytest.raises(SystemExit) as end:
        main(["export", "1", "--text"])
    assert end.value.code == 2
    assert capsys.readouterr() == ("", "fourtwenty export: this game is not over yet\n")
