"""The match as lines: commands typed, everything said in words that can be read aloud."""

from __future__ import annotations

import asyncio
import io
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st
from letters import LETTERS
from long_tests import PRODUCT
from plain_input import input_lines
from waiting import MAX_WAIT_SECONDS

from fourtwenty.__main__ import main
from fourtwenty.cli.plain_home import SAVED, WELCOME, PlainHome
from fourtwenty.cli.text_practice import TextPractice
from fourtwenty.cli.text_table import TABLE_COMMANDS, TextTable, rules_lines
from fourtwenty.cli.typed_lines import TypedLines, run
from fourtwenty.console import write_line
from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Faces, Roll
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match, SaveError
from fourtwenty.play.practice import daily
from fourtwenty.rooms.cli.text_room import is_action

ANN = Lineup(parse_players("Ann,bot:Steady"), starting_seat=0)


def said(commands: list[str], throws: list[Faces], lineup: Lineup = ANN) -> list[str]:
    lines: list[str] = []
    asyncio.run(TextTable(Match(lineup, ScriptedDice(throws)), input_lines(commands), lines.append).play())
    return lines


def test_a_match_in_lines() -> None:
    assert said(["", "roll 4"], [(6, 5, 5, 1), (4, 3, 3, 2), (4,)]) == [
        "420, by Mark Steere, marksteeregames.com. At the table: Ann, Steady (bot).",
        "Type roll 1 3 to roll dice 1 and 3, or help.",
        "Round 1 of 1. Ann starts.",
        "Ann, your turn. First roll: all four dice.",
        "Ann rolled 6 5 5 1: 17.",
        "Steady rolled 4 3 3 2: 12.",
        "Ann, your turn: 6 5 5 1 = 17. Select the dice to roll; keep the others.",
        "Ann kept 6 5 5, rolled 4: 20! Out and safe.",
        "Steady buys the drinks.",
        "Ann: 6 5 5 4 = 20, won round 1",
        "Steady: 4 3 3 2 = 12",
    ]


def test_what_is_impossible_is_explained() -> None:
    wrong = ["", "", "roll", "roll 1 2", "roll 1 1", "roll 9", "roll x", "stand", "dance", "quit"]
    answers = said(wrong, [(6, 4, 2, 1), (4, 3, 3, 2)])[7:]
    assert answers == [
        "There is a choice. Type one of: roll 1 3, roll all, stand, hint, seats, rules, help, quit.",
        "Select at least one die to roll.",
        "2 + 1 = 3. You need at least 10 to keep two dice.",
        "Dice are named by number, from 1, each once.",
        "There is no die 9: a hand has four.",
        "Dice are named by number, as in: roll 1 3.",
        "You can't pass in 420: every turn is a roll.",
        "Unknown command: dance. Type one of: roll 1 3, roll all, stand, hint, seats, rules, help, quit.",
        "This game isn't saved.",
    ]


@pytest.mark.parametrize("word", ["hint", "h", "odds", "o"])
def test_the_hint_ranks_the_choices(word: str) -> None:
    answers = said(["", word, "q"], [(6, 5, 5, 1), (4, 3, 3, 2)])[7:]
    assert answers[:2] == [
        "Roll the 1: one in six to be out, best by 1.1 points.",
        "keep 6 5 5: 20 16.7%, over 33.3%, round 59.9%, best",
    ]


def test_seats_and_rules() -> None:
    answers = said(["", "seats", "rules", "q"], [(6, 5, 5, 1), (4, 3, 3, 2)])[7:]
    assert "Ann: 6 5 5 1 = 17" in answers
    assert "420" in answers
    assert any("Mark Steere" in line for line in answers)


def test_nothing_is_drawn() -> None:
    lineup = Lineup(parse_players("bot:Steady,bot:Bold,bot:Tipsy"), starting_seat=0, game="421")
    lines: list[str] = []
    assert asyncio.run(TextTable(Match(lineup, FairDice(bytes(32))), input_lines(()), lines.append).play())
    text = "\n".join(lines)
    assert "picks up the tab" in text
    assert lines[-1] == f"The seed was: {bytes(32).hex()}"
    assert text.isascii()


def test_no_more_commands_end_it() -> None:
    assert said([], [(6, 5, 5, 1)])[-1] == "This game isn't saved."


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
@pytest.mark.long(*PRODUCT)
def test_whatever_is_typed_is_answered(game: str, data: st.DataObject) -> None:
    words = st.sampled_from(["", "roll all", "roll 1", "roll 2 3", "stand", "hint", "seats", "?", "ro\0ll", "roll ²"])
    commands = data.draw(st.lists(st.one_of(words, st.text(LETTERS, max_size=12)), max_size=30))
    lines: list[str] = []
    lineup = Lineup(parse_players("Ann,Ben,bot:Steady"), starting_seat=0, game=game)
    asyncio.run(TextTable(Match(lineup, FairDice(bytes(32))), input_lines(commands), lines.append).play())
    assert all("\x1b" not in line for line in lines)


def test_a_roll_is_understood_by_its_dice_alone_and_alone_where_there_is_no_choice() -> None:
    throws: list[Faces] = [(6, 4, 2, 1), (4, 3, 3, 2), (6, 5, 5, 1), (1, 1, 1, 1), (4,)]
    assert said(["roll", "all", "4"], throws)[-5:-3] == [
        "Ann kept 6 5 5, rolled 4: 20! Out and safe.",
        "Steady buys the drinks.",
    ]


SAME_ROLL = ("roll 1 3", "1 3", "roll 1,3", "1, 3", "roll 13", "13", "Roll 3,1", "roll １ ３", "１，３", "roll ١٣")


@pytest.mark.parametrize("line", SAME_ROLL)
def test_dice_may_be_named_with_spaces_commas_or_nothing_between(line: str) -> None:
    throws: list[Faces] = [(6, 6, 3, 4), (4, 3, 3, 2), (4, 6)]
    assert "Ann kept 6 4, rolled 4 6: 20! Out and safe." in said(["", line], throws)
    assert is_action(line), "it waits for its turn at a table of several machines"
    assert TextPractice._action(daily("420", date(2026, 11, 28)), line) == Roll((1, 3))


def test_dice_without_a_meaning_are_refused_clearly() -> None:
    wrong = ["", "roll 15", "roll 11", "roll 0", "13 x", "roll ,", "roll 1-3", "roll ²", "1.3", "quit"]
    lines = said(wrong, [(6, 6, 3, 4), (4, 3, 3, 2)])
    assert lines[7:-1] == [
        "There is no die 5: a hand has four.",
        *["Dice are named by number, from 1, each once."] * 2,
        *["Dice are named by number, as in: roll 1 3."] * 4,
        "Unknown command: 1.3. Type one of: roll 1 3, roll all, stand, hint, seats, rules, help, quit.",
    ]


@pytest.mark.parametrize(
    ("words", "door"),
    [
        ([], "play_command.play_in_lines"),
        (["--ascii"], "play_command.play_in_lines"),
        (["play"], "play_command.play_in_lines"),
        (["practice"], "text_practice.practise_in_lines"),
        (["host"], "room_command.room_in_lines"),
        (["join", "here/K7QF-3XMP"], "room_command.room_in_lines"),
    ],
)
def test_who_needs_lines_gets_them_without_asking(words: list[str], door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = "fourtwenty.rooms.cli" if door.startswith("room") else "fourtwenty.cli"
    for value, lines in (("1", True), ("yes", True), ("0", False), ("false", False), ("False", False), ("", False)):
        monkeypatch.setenv("ACCESSIBLE", value)
        with (
            patch(f"{package}.{door}") as in_lines,
            patch("fourtwenty.tui.launch.run_app", return_value=0) as on_screen,
        ):
            main(words)
        assert (in_lines.called, on_screen.called) == (lines, not lines)


@pytest.mark.parametrize("words", [["--plain"], ["--plain", "421"], ["421", "--plain"], ["--plain", "play"]])
def test_plain_comes_before_or_after_a_command_or_alone(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURTWENTY_HOME", "kept")  # --data-dir sets it
    for folder in ([], ["--data-dir", "kept"], ["--data-dir", "421"]):
        with patch("fourtwenty.cli.play_command.play_in_lines") as in_lines:
            main([*folder, *words])
        ((arguments,), _) = in_lines.call_args
        assert (arguments.plain, arguments.game) == (True, "421" if "421" in words else "420")


def test_lines_without_asking_are_those_of_plain_mode(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACCESSIBLE", "1")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main([]) == 0
    assert capsys.readouterr().out.startswith(
        "420, by Mark Steere, marksteeregames.com. At the table: You, Merry (bot)."
    )


def test_a_script_gets_the_whole_seal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], history: History
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("all\n"))
    main(["play", "--plain", "--players", "Ann,Ben"])
    match = history.match(1)
    assert capsys.readouterr().out.splitlines()[1] == f"Fair-dice seal: {match.dice.commitment}"
    monkeypatch.setattr("sys.stdin", io.StringIO())
    main(["play", "--plain", "--resume"])
    seal = (match.dice.commitment or "")[:12]
    assert capsys.readouterr().out.splitlines()[1] == f"Fair-dice seal: {seal} (seal for all of it)."


class StuckJournal:
    """A journal that cannot be written until somebody mends it."""

    def __init__(self) -> None:
        self.saved = False
        self.agreed = False
        self.mended = False

    def write(self, *_: object) -> None:
        if not self.mended and not self.agreed:
            raise SaveError("the disk is full")
        self.saved = self.mended

    begin = record = write

    def play_unsaved(self) -> None:
        self.agreed = True

    def leave(self, *_: object) -> None:
        """Do nothing."""

    catch_up = forget = leave


def unsaved(*commands: str, journal: StuckJournal, players: str = "Ann,bot:Steady") -> list[str]:
    """Play a match that cannot be kept."""
    lines: list[str] = []
    match = Match(Lineup(parse_players(players), starting_seat=0), ScriptedDice([(6, 5, 5, 1), (5, 5, 5, 5)]))
    asyncio.run(TextTable(match, input_lines(commands), lines.append).play(journal))  # type: ignore[arg-type]
    return lines


CANNOT = "This game can't be saved: the disk is full. Press Enter to try again, or type go on to play unsaved."


def test_nothing_is_shown_that_is_not_kept_until_they_agree() -> None:
    assert unsaved(journal=StuckJournal())[2:] == [CANNOT, "This game isn't saved."]
    assert unsaved("", "", "quit", journal=StuckJournal())[2:] == [CANNOT] * 3 + ["This game isn't saved."]
    lines = unsaved("go on", "roll", journal=StuckJournal())
    assert lines[2:4] == [CANNOT, "Round 1 of 1. Ann starts."]
    assert "Ann rolled 6 5 5 1: 17." in lines


def test_a_roll_waits_until_it_can_be_kept() -> None:
    journal = StuckJournal()
    journal.mended = True

    def commands() -> Iterator[str]:
        journal.mended = False
        yield "roll"
        assert not any("6 5 5 1" in line for line in lines), "nobody has seen it"
        journal.mended = True
        yield ""

    lines: list[str] = []
    match = Match(Lineup(parse_players("Ann,bot:Steady"), starting_seat=0), ScriptedDice([(6, 5, 5, 1), (5, 5, 5, 5)]))
    asyncio.run(TextTable(match, input_lines(commands()), lines.append).play(journal))  # type: ignore[arg-type]
    assert lines[lines.index(CANNOT) + 1] == "Ann rolled 6 5 5 1: 17."


def test_bots_have_nobody_to_ask() -> None:
    lines = unsaved(journal=StuckJournal(), players="bot:Steady,bot:Bold")
    assert lines.count("This game isn't being saved: the disk is full.") == 1


def at_home(*commands: str) -> list[str]:
    """Return the lines that the home of plain mode writes, without those that say which commands there are."""
    lines: list[str] = []
    with closing(History(history_file(), pytest.fail)) as history:
        asyncio.run(PlainHome(history, input_lines(commands), lines.append).run())
    assert lines[0] == WELCOME
    return [line for line in lines if line != WELCOME]


def test_a_game_is_left_listed_and_resumed() -> None:
    left = at_home("new Ann, Ben, Cleo", "all", "quit")
    assert left[0].endswith("At the table: Ann, Ben, Cleo.")
    assert left[-1] == SAVED
    (listed,) = at_home("list")
    assert re.fullmatch(r"1: 420: Ann, Ben, Cleo, \d\d:\d\d, \w+ to roll\. Round 1 of 2\.", listed)
    assert at_home("resume 7") == ["There is no unfinished game 7."]
    assert any("your turn" in line for line in at_home("resume", "quit"))
    assert at_home("resume x") == ["Type the number of a game, as list and history show it."]


def test_games_that_are_damaged_are_counted() -> None:
    at_home("new Ann, Ben, Cleo", "all", "quit")
    with closing(History(history_file(), pytest.fail)) as history, history.transaction() as sql:
        sql.execute("UPDATE match SET game = '520'")
    assert at_home("history") == ["1 game cannot be read: damaged."]
    assert at_home("list") == ["No unfinished games.", "1 game cannot be read: damaged."]


def test_a_finished_game_is_listed_and_reviewed_and_its_mistakes_are_asked_again(history: History) -> None:
    dice = ScriptedDice([(6, 5, 5, 1), (4, 3, 3, 2), (3, 5), (4, 6, 6, 4)])
    match = Match(ANN, dice, journal=history.journal())
    for action in (ROLL_ALL, ROLL_ALL, Roll((3, 4)), ROLL_ALL):
        match.act(action)
    finished = at_home("history", "review")
    assert finished[0].startswith("1: 420 with Ann, Steady, ")
    assert [line.split("luck")[0] for line in finished if "luck" in line] == ["Ann's ", "Steady's "]
    assert any(line.startswith("Ann kept 6 5 of 6 5 5 1; best: keep 6 5 5. It cost ") for line in finished)
    summary, mistake = at_home("statistics Ann")
    assert summary.startswith("Ann, 420: 1 game, last")
    assert mistake == "Mistake: keeps 6 5 where 6 5 5 is better: once, 1.1 points."
    assert "Correct, that's best." not in at_home("mistakes Ann", "skip")
    assert any(line.startswith("keep 6 5 5: best") for line in at_home("mistakes Ann", "why"))
    asked = at_home("mistakes Ann", "roll 3 4", "roll 1 2 9", "roll 4")
    assert asked[1:6] == [
        "420, my mistakes, 1 of 1.",
        "Round 1 of 1.",
        "Ann: 6 5 5 1 = 17",
        "Steady: 4 3 3 2 = 12",
        "Ann: what would you roll?",
    ]
    assert asked[6].startswith("Same mistake: it costs 1.1 points")
    assert "Correct, that's best." in asked
    assert any(line.startswith("Keep 6 5 5 rather than ") for line in asked)
    assert at_home("mistakes Ann") == ["No mistake is due. The next one comes back within a day."]


def test_an_empty_home_answers_everything() -> None:
    commands = (
        "list",
        "history",
        "resume",
        "review",
        "mistakes",
        "statistics Zoe",
        "rules none",
        "dance",
        "quit",
        "?",
    )
    assert at_home(*commands) == [
        "No unfinished games.",
        "No games yet. They'll show up here.",
        "There is no unfinished game.",
        "There is no finished game yet.",
        "No mistakes yet: they come from finished games.",
        "No finished games of Zoe count.",
        f"There is no game none; the games are {', '.join(GAMES)}.",
        f"Unknown command: dance. {WELCOME}",
    ]
    assert any("Nenette" in line for line in at_home("rules 421"))
    assert [line.split(":")[0] for line in at_home("?")][-2:] == ["help", "quit"]


def test_help_on_one_command_is_one_line() -> None:
    lines: list[str] = []
    asyncio.run(TextTable(Match(Lineup()), input_lines(["", "help ro", "? ODDS"]), lines.append).play())
    assert lines[-3:-1] == [f"{name}: {TABLE_COMMANDS[name]}" for name in ("roll", "odds")]
    assert at_home("help history") == ["history: finished games, the latest first."]
    assert at_home("help roll") == [f"roll: {TABLE_COMMANDS['roll']}."]


def test_a_roll_without_a_choice_says_what_to_type() -> None:
    lines: list[str] = []
    start = GAMES["ten-rounds"].parse("*>665=- 665=- roll 1 of 3")
    match = Match(Lineup(parse_players("Ann,Ben"), game="ten-rounds"), FairDice(bytes(32)), start)
    asyncio.run(TextTable(match, input_lines(["roll 1", "roll"]), lines.append).play())
    refused = lines.index("This is a roll-off: one roll, and it stands. Type roll.")
    assert "rolled off" in lines[refused + 1]


def test_the_charge_asks_nobody_and_says_so() -> None:
    lines: list[str] = []
    match = Match(Lineup(parse_players("Ann,Ben"), game="421"), FairDice(bytes(32)))
    asyncio.run(TextTable(match, input_lines([""] * 2), lines.append).play())
    asked = [number for number, line in enumerate(lines) if "your turn" in line]
    assert len(asked) == 2, "an empty line rolls, and then is no choice"
    begun = lines.index("Discharge, round 6, roll 1 of 3. Ben starts.")
    assert asked[0] == begun + 1
    assert [line for line in lines[:begun] if "for the start" in line or line.startswith("Charge, round 2")]


def test_lines_are_broken_between_words_and_at_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line, seal = "Select the dice to roll; keep the others.", "0" * 64
    monkeypatch.setenv("COLUMNS", "20")
    write_line(line)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for text in (line, "", f"Seal: {seal}"):
        write_line(text)
    broken = ["Select the dice to", "roll; keep the", "others."]
    assert capsys.readouterr().out.splitlines() == [line, *broken, "", "Seal:", seal]


def test_help_and_the_whole_seal_are_a_word_away() -> None:
    lines: list[str] = []
    match = Match(ANN, FairDice(bytes(32)))
    asyncio.run(TextTable(match, input_lines(["help", "seal"]), lines.append).play())
    assert "hint: the best choice, then every one with its chances" in lines
    assert f"Seal (SHA-256): {match.dice.commitment}" in lines


@pytest.mark.parametrize("game", GAMES)
def test_seats_leave_no_comma_without_words(game: str) -> None:
    lines: list[str] = []
    match, chance = Match(Lineup(parse_players("Ann,Ben,Cleo"), game=game), FairDice(bytes(32))), Random(1)
    while not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
        else:
            asyncio.run(TextTable(match, input_lines(["seats"]), lines.append).play())
            match.act(chance.choice(match.state.actions))
    assert len(lines) > 100
    assert not [line for line in lines if re.search(r"[,:]\s*([,.:]|$)|\s,", line)]


def test_points_by_round_are_told_from_their_sum() -> None:
    lines: list[str] = []
    state = GAMES["ten-rounds"].parse("*421:0130 >-:1001 roll 1 of 2")
    lineup = Lineup(parse_players("Ann,Ben"), game="ten-rounds")
    asyncio.run(TextTable(Match(lineup, FairDice(bytes(32)), start=state), input_lines(["seats"]), lines.append).play())
    assert lines[-3:-1] == ["Ann: 4 2 1 = 4-2-1, 1st, 0 1 3 0, 4 points", "Ben: to roll, 1 0 0 1, 2 points"]


@pytest.mark.parametrize("game", GAMES)
def test_rules_and_turns_leave_nothing_dangling_and_double_nothing(game: str) -> None:
    assert not [line for line in rules_lines(GAMES[game]) if line.endswith(",")]
    lines: list[str] = []
    lineup = Lineup(parse_players("Ann,Ben"), starting_seat=0, game=game)
    asyncio.run(TextTable(Match(lineup, FairDice(bytes(32))), input_lines(["all"] * 40), lines.append).play())
    assert not [line for line in lines if re.search(r"\b([A-Za-z]+( \w+)?)[,. ]+\1\b", line.partition("your turn")[2])]


def test_ctrl_c_ends_a_calculation_at_once() -> None:
    async def calculate() -> None:
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it goes on")

    with pytest.raises(KeyboardInterrupt):
        run(calculate())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_of_a_pipe_are_read_as_their_byte_order_mark_says(encoding: str) -> None:
    command = [sys.executable, "-m", "fourtwenty", "play", "--plain", "--players", "Ann,Ben", "--dice", "typed"]
    typed = "roll all\n6551\nquit\n".encode(encoding)
    written = subprocess.run(
        command, input=typed, capture_output=True, check=True, timeout=MAX_WAIT_SECONDS
    ).stdout.decode()
    assert "Unknown command" not in written
    assert "rolled 6 5 5 1" in written


async def test_a_program_that_writes_without_end_has_to_wait() -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield f"{read}\n"

    lines = TypedLines(endless())
    for taken in range(1, 200):
        assert await anext(lines) == str(taken)
        assert read <= taken + 64 + 1, "a few lines are read ahead"


async def test_a_terminal_that_is_gone_has_no_more_lines() -> None:
    def gone() -> Iterator[str]:
        yield "all\n"
        raise OSError(5, "Input/output error")

    lines = TypedLines(gone())
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        assert [line async for line in lines] == ["all"]
    assert lines.ended
