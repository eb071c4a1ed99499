"""A match as a short text for a chat: its lines, and what is sent of the history."""

from __future__ import annotations

import pytest

from fourtwenty.__main__ import main
from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Faces, Leave, Roll
from fourtwenty.journal import links
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record
from fourtwenty.play.card import in_ascii
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.match_text import MAX_LINK_LENGTH, MAX_SQUARES, match_text

HOME = "https://example.org/420/"


def played(players: str, throws: list[tuple[Faces, tuple[int, ...]]]) -> Match:
    """Return a match of 420: the faces of each roll and its dice; the first seat starts."""
    dice = ScriptedDice([faces for faces, _ in throws])
    match = Match(Lineup(parse_players(players), starting_seat=0), dice, identifier="0" * 32)
    for _, rolled in throws:
        if match.state.to_act is None:
            match.next_round()
        match.act(Roll(rolled))
    assert match.state.outcome
    return match


ALL = (1, 2, 3, 4)
WIN = ((6, 5, 5, 4), ALL)
LOW = ((4, 3, 3, 2), ALL)


def test_the_lines_of_a_match() -> None:
    match = played("You,Ben,Cleo", [LOW, LOW, WIN, ((6, 5, 5, 3), ALL), LOW, ((5,), (4,)), WIN])
    assert match_text(match).splitlines() == [
        "🎲 420 by Mark Steere · Ben buys the drinks",
        "🟨🟩 Me: out on roll 2",
        "🟨🟥 Ben: one away twice",
        "🟩 Cleo: out on roll 1",
        "I rolled the same four dice twice in a row: 1 game in 40.",
        "Your turn with 6 5 5 3: fourtwenty play 420 --position '4332 *>6553 x1 roll 2'",
        "Its record proves the dice: fourtwenty verify",
    ]


def test_whoever_sends_it_speaks_of_themselves() -> None:
    match = played("Ann,You", [WIN])
    assert match_text(match).splitlines()[0] == "🎲 420 by Mark Steere · I buy the drinks"
    match = played("You,Ann", [WIN])
    assert match_text(match).splitlines()[3] == "I made 20 with the very first roll: 1 game in 20."


def test_the_other_games_have_rows_of_at_most_ten_squares() -> None:
    rows = []
    for game in ("421", "ten-rounds"):
        lineup = Lineup(parse_players("bot:Steady,bot:Bold"), game=game)
        match = Match(lineup, FairDice(bytes(32)), identifier="0" * 32)
        match.play_out()
        headline, *lines = match_text(match).splitlines()
        assert headline.startswith(f"🎲 {match.game.name} · ")
        rows += [line.split(" ", 1) for line in lines[:2]]
    assert all(set(squares) <= set("🟩🟨🟥") and len(squares) == MAX_SQUARES for squares, _ in rows)
    assert [words for _, words in rows] == [
        "Steady: safe in round 27",
        "Bold: all 21 tokens",
        "Steady: 2 points",
        "Bold: 8 points",
    ]


def test_who_has_no_tokens_after_the_charge_is_safe_then_and_who_leaves_has_left() -> None:
    lineup = Lineup(parse_players("Ann,Ben,Cleo"), game="421", starting_seat=0)
    best, low, weak = (4, 2, 1), (6, 6, 5), (1, 1, 2)
    charge = [best, low, weak, weak, best, low, weak, best, low]  # the weakest starts the next round
    match = Match(lineup, ScriptedDice(charge), identifier="0" * 32)
    for faces in charge:
        if match.state.to_act is None:
            match.next_round()
        match.act(Roll((1, 2, 3)), faces)
    assert match_text(match).splitlines()[1:4] == [
        "🟩🟩🟩 Ann: safe after the charge",
        "🟨🟨🟨 Ben: safe after the charge",
        "🟨🟨🟥 Cleo: all 21 tokens",
    ]
    match = Match(Lineup(parse_players("Ann,Ben,Cleo"), starting_seat=0), ScriptedDice([WIN[0]]), identifier="0" * 32)
    match.record(Event(2, Leave(), ()))
    match.act(Roll(ALL))
    assert match_text(match).splitlines()[1:4] == ["🟩 Ann: out on roll 1", "🟨 Ben: never one away", "🟥 Cleo: left"]


@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_left_alone_stayed(game: str) -> None:
    starting_seat = 0 if game == "420" else None
    match = Match(Lineup(parse_players("Ann,Ben,Cleo"), game=game, starting_seat=starting_seat), FairDice(bytes(32)))
    match.identifier = "0" * 32
    for _ in range(4):
        match.act(match.state.actions[-1])
    match.record(Event(2, Leave(), ()))
    match.record(Event(0, Leave(), ()))
    assert [line.split(" ", 1)[1] for line in match_text(match).splitlines()[1:4]] == [
        "Ann: left",
        "Ben: stayed",
        "Cleo: left",
    ]


def test_in_ascii_only_names_and_faces_are_other_characters() -> None:
    match = played("Zoë,Ben", [WIN])
    assert in_ascii(match_text(match)).splitlines()[:3] == [
        "420 by Mark Steere - Ben buys the drinks",
        "+ Zoë: out on roll 1",
        "x Ben: never one away",
    ]


def test_the_card_ends_with_the_link_that_shows_and_proves_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "homepage", lambda: HOME)
    match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry,bot:Bold")), FairDice(bytes(32)))
    match.play_out()
    said, _, address = match_text(match).splitlines()[-1].rpartition(": ")
    assert said.startswith("Every roll, with the proof")
    assert len(f"https{address}") < MAX_LINK_LENGTH
    assert links.read_link(address.partition("#")[2]) == Record.from_match(match)


def test_a_link_too_long_for_a_chat_opens_the_last_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "homepage", lambda: HOME)
    match = Match.fresh(Lineup(parse_players(",".join(["bot:Steady"] * 30))), FairDice(bytes(32)))
    match.play_out()
    turn, proof = match_text(match).splitlines()[-2:]
    assert turn.startswith("Your turn with ")
    assert not isinstance(links.read_link(turn.partition("#")[2]), Record)
    assert proof == "Its record proves the dice: fourtwenty verify"


def test_a_card_of_real_dice_speaks_of_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    lineup = Lineup(parse_players("Ann,Ben"), starting_seat=0, typed=True)
    match = Match.fresh(lineup)
    match.act(Roll(ALL), (6, 5, 5, 4))
    assert "verify" not in match_text(match)
    assert "Your turn" not in match_text(match), "there was no choice"
    monkeypatch.setattr(links, "homepage", lambda: HOME)
    assert "Every roll: https://" in match_text(match)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_history_is_sent_as_a_card(
    game: str, capsys: pytest.CaptureFixture[str], history: History
) -> None:
    match = Match.fresh(Lineup(parse_players("bot:Steady,bot:Merry,bot:Bold"), game=game), FairDice(bytes(32)))
    match.save_to(history.journal())
    match.play_out()
    assert main(["export", "1", "--text"]) == 0
    assert capsys.readouterr().out == f"{match_text(match)}\n"
    assert main(["export", "1", "--text", "--ascii"]) == 0
    assert capsys.readouterr().out == f"{in_ascii(match_text(match))}\n"


def test_a_game_that_goes_on_is_no_text(capsys: pytest.CaptureFixture[str], history: History) -> None:
    Match(Lineup(starting_seat=0), FairDice(bytes(32)), journal=history.journal()).act(Roll(ALL))
    with pytest.raises(SystemExit) as end:
        main(["export", "1", "--text"])
    assert end.value.code == 2
    assert capsys.readouterr() == ("", "fourtwenty export: this game is not over yet\n")
