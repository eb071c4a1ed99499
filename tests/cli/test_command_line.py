"""The command line as a stranger meets it: one line for an error, status 2, never a traceback."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from long_tests import PRODUCT
from run_sql import run_sql
from waiting import MAX_WAIT_SECONDS

from fourtwenty import __version__
from fourtwenty.__main__ import main
from fourtwenty.cli.arguments import EXAMPLES, parse
from fourtwenty.cli.commands import MATCHES_LISTED
from fourtwenty.cli.help_page import HELP_PAGE, SUMMARIES
from fourtwenty.cli.play_command import match_options
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.database import VERSION
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import HistoryEntry
from fourtwenty.play.bots import BOTS
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import FIRST_SEATS, Lineup, Seat
from fourtwenty.play.match import Match

PROGRAM = [sys.executable, "-m", "fourtwenty"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def printed(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option: str) -> None:
    done = run(option)
    assert (done.returncode, done.stdout) == (0, f"fourtwenty {__version__}\n")
    assert run("--data-dir", "anywhere", option).stdout == done.stdout, "with and without a parser"


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"], ["--data-dir", "anywhere", "--help"]])
def test_help(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (0, HELP_PAGE)


def test_the_page_fits_a_screen() -> None:
    assert max(map(len, HELP_PAGE.splitlines())) <= 80
    assert all(
        variable in HELP_PAGE for variable in ("FOURTWENTY_HOME", "NO_COLOR", "ACCESSIBLE", "TEXTUAL_ANIMATIONS")
    )


@pytest.mark.parametrize("command", SUMMARIES)
def test_help_of_a_command(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(["help", command])
    assert ended.value.code == 0
    page = capsys.readouterr().out
    assert page.startswith(f"usage: fourtwenty {command}")
    assert f"examples:\n  fourtwenty {command}" in page
    assert all(len(line) <= 80 or line.startswith("Games are kept") for line in page.splitlines())


def test_a_game_by_command_is_against_the_bot_of_the_lobby() -> None:
    assert match_options(parse(["play", "421"]))[0].seats == FIRST_SEATS


@pytest.mark.parametrize("position", ["*6551 >4332 roll 2", "6551 x1 *>4332 roll 2"])
def test_a_position_without_players_is_played_by_you_where_the_next_choice_is(position: str) -> None:
    state = GAMES["420"].parse(position)
    seats = match_options(parse(["play", "--position", position]))[0].seats
    assert [seat for seat, player in enumerate(seats) if not player.bot] == [state.to_act]


@pytest.mark.parametrize(("command", "example"), [(name, each) for name in SUMMARIES for each in EXAMPLES[name]])
def test_the_examples_are_understood(command: str, example: str) -> None:
    words = takewhile(lambda word: not word.startswith(">"), shlex.split(example))
    assert parse([command, *words]).command == command


def test_help_tells_of_the_bots_and_of_the_folder(home: Path) -> None:
    page = run("play", "--help").stdout
    assert all(f"  {bot.name:7}  {bot.about}\n" in page for bot in BOTS.values())
    assert page.endswith(f"Games are kept in {home}\n")


def test_help_is_printed_whatever_the_folder_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOURTWENTY_HOME", "a\nb\udcff★")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert run("history", "--help").stdout.endswith("Games are kept in a\\ufffdb\\ufffd\\u2605\n")


def test_help_for_what_is_no_command() -> None:
    assert run("help", "dance").stderr.startswith("fourtwenty: argument COMMAND: invalid choice: 'dance'")


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_what_is_known_at_once_imports_nothing(option: str) -> None:
    code = f"import sys; from fourtwenty.__main__ import main; main(['{option}']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"argparse", "fourtwenty.games"} & set(loaded), "it would take more than twice an empty interpreter"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["dance"], "fourtwenty: argument COMMAND: invalid choice: 'dance'"),
        (["--dance"], "fourtwenty: unrecognized arguments: --dance"),
        (["play", "--players", "Ann"], "fourtwenty: --players: You need at least two players."),
        (["play", "--players", "Ann,Ann"], "fourtwenty: --players: Ann is already at the table."),
        (["play", "--players", "Ann,bot:Nobody"], "fourtwenty: --players: 'Nobody' isn't a bot. The bots are"),
        (["play", "--seed", "dice"], "fourtwenty: --seed: a seed is 1 to 64 hexadecimal digits"),
        (["play", "--seed", ""], "fourtwenty: --seed: a seed is 1 to 64 hexadecimal digits"),
        (["play", "chess"], "fourtwenty play: argument GAME: invalid choice: 'chess'"),
        (["421", "--players", "Ann"], "fourtwenty: --players: You need at least two players."),
        (["history", "7"], "fourtwenty history: there is no game 7"),
        (["history", "7", "--no-count"], "fourtwenty history: there is no game 7"),
        (["history", "--rename", "Ann", "Anna"], "fourtwenty history: nobody called Ann has played"),
        (
            ["history", "7", "--rename", "Ann", "Anna"],
            "fourtwenty history: argument --rename: not allowed with argument ID",
        ),
        (["history", "--rename", "Ann", "Anna", "--csv"], "fourtwenty history: --rename takes two names and nothing"),
        (["history", "--rename", "", "Anna"], "fourtwenty history: a name is missing"),
        (["history", "--count"], "fourtwenty history: --count and --no-count take the number of a game"),
        (["history", "7", "--all"], "fourtwenty history: argument --all: not allowed with argument ID"),
        (["--data-dir", "", "history"], "fourtwenty: --data-dir: which folder?"),
        (["play", "--dice", "loaded"], "fourtwenty play: argument --dice: invalid choice: 'loaded'"),
        (["odds"], "fourtwenty odds: the following arguments are required: HAND"),
        (
            ["odds", "7"],
            "fourtwenty odds: '7' isn't a hand. Type four dice from 1 to 6, such as 6551 (or - for none yet).",
        ),
        (["odds", "655"], "fourtwenty odds: '655' isn't a hand"),
        (["odds", "65511"], "fourtwenty odds: '65511' isn't a hand"),
        (["odds", "abc"], "fourtwenty odds: 'abc' isn't a hand"),
        (["odds", "６５５１"], "fourtwenty odds: '６５５１' isn't a hand"),
        (["odds", "6554"], "fourtwenty odds: 6 5 5 4 is 20: the round is over"),
        (["odds", "6551", "4332", "5555"], "fourtwenty odds: 5 5 5 5 is 20: the round is over"),
        (["values", "1"], "fourtwenty values: two to 1000 players, not 1"),
        (["values", "many"], "fourtwenty values: argument PLAYERS: 'many' isn't a whole number, 0 or more"),
        (["simulate", "--players", "bot:Perfect,Ann", "--matches", "9"], "fourtwenty simulate: Ann is a person"),
        (["simulate", "--players", "bot:Perfect", "--matches", "9"], "fourtwenty simulate: You need at least two"),
        (
            ["simulate", "--players", "bot:Bold,bot:Bold", "--matches", "0"],
            "fourtwenty simulate: one game or more",
        ),
        (
            ["simulate", "--players", "bot:Bold,bot:Bold", "--matches", "9", "--jobs", "0"],
            "fourtwenty simulate: one job or more",
        ),
        (
            ["simulate", "--players", "bot:Bold,bot:Bold", "--matches", "9", "--seed", "x"],
            "fourtwenty simulate: a seed is",
        ),
    ],
)
def test_errors_are_one_line_and_status_2(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert_one_line(line, *capsys.readouterr())


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["dance"], "fourtwenty: argument COMMAND: invalid choice: 'dance'"),
        (["--dance\n\x1b[31m\u202e"], "fourtwenty: unrecognized arguments: --dance��[31m�"),
        (["verify", "no\nfile\udcff"], "fourtwenty verify: no�file� cannot be read"),
        ([], "fourtwenty: the table needs a terminal; start it in one"),
        (["play"], "fourtwenty: the table needs a terminal; start it in one"),
    ],
)
def test_errors_of_the_program_are_one_line_and_status_2(arguments: list[str], line: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert_one_line(line, done.stdout, done.stderr)


def assert_one_line(line: str, out: str, error: str) -> None:
    assert out == ""
    assert error.startswith(line)
    assert error.count("\n") == 1


def test_odds_as_json() -> None:
    document = printed("odds", "6551", "4332")
    assert printed("odds", "6", "5", "5", "1", "4332") == printed("odds", "6551", *"4332") == document
    assert document["hand"] == [6, 5, 5, 1]
    assert document["opponents"] == [[4, 3, 3, 2]]
    best, *others = document["rerolls"]
    assert (best["keep"], best["roll"]) == ([6, 5, 5], [1])
    assert best["p_twenty"] == pytest.approx(1 / 6)
    assert best["p_over"] == pytest.approx(2 / 6)
    assert [sorted(other["keep"] + other["roll"]) for other in others] == [[1, 5, 5, 6]] * 5
    assert all(best["p_round"] > other["p_round"] for other in others)


def test_odds_before_the_first_roll_and_without_an_opponent() -> None:
    document = printed("odds", "-")
    assert (document["hand"], document["opponents"]) == ([], [[]])
    assert document["rerolls"] == [
        {"keep": [], "roll": [], "p_twenty": 35 / 1296, "p_over": 35 / 1296, "p_round": pytest.approx(0.527014858382)}
    ]
    assert "forced" in run("odds", "6666", "-").stdout


def test_odds_as_a_table() -> None:
    lines = run("odds", "6551", "4332").stdout.splitlines()
    assert lines[0] == "6551, before 4332"
    assert lines[3] == "655    1          16.67%   33.33%           59.9%           best"
    assert lines[5] == "55     2           8.33%    8.33%           57.4%     2.5 points"
    assert lines[-1] == "The other hands never change the best choice here."
    assert run("odds", *["-"] * 9).stdout.splitlines()[-1] == f"{lines[-1][:-1]}, as far as the estimate goes."


def test_values() -> None:
    document = printed("values", "3")
    assert document["players"] == 3
    assert sum(document["round"]) == pytest.approx(1)
    assert sum(document["drinks"]) == pytest.approx(1)
    assert run("values", "2").stdout.splitlines()[-1] == "     2           47.30%            52.70%"


def test_strategy() -> None:
    hands = {tuple(entry["hand"]): entry for entry in printed("strategy")["hands"]}
    assert len(hands) == 121
    assert (hands[6, 5, 5, 1]["keep"], hands[6, 5, 5, 1]["roll"]) == ([6, 5, 5], [1])
    assert hands[6, 6, 6, 6]["roll"] == [6, 6, 6, 6]
    assert (hands[6, 6, 5, 1]["keep"], hands[6, 6, 5, 1]["keep_in_a_hurry"]) == ([6, 6], [6, 6, 5])
    lines = run("strategy").stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert "(an estimate above eight players)" in lines[-2]
    assert "654     16.7%    16.7%        7.97   6541 6542 6543 6544" in lines


@pytest.mark.long(*PRODUCT)
def test_simulate() -> None:
    arguments = ["simulate", "--players", "bot:Perfect,bot:Tipsy", "--matches", "50", "--seed", "42"]
    document, again = printed(*arguments), printed(*arguments)
    assert document.pop("matches_per_second") > 0
    del again["matches_per_second"]
    assert document == again, "the same seed plays the same matches"
    assert document["matches"] == 50
    assert document["seed"] == "42".zfill(64)
    perfect, tipsy = document["seats"]
    assert perfect["round"] + tipsy["round"] == perfect["drinks"] + tipsy["drinks"] == pytest.approx(1)
    assert perfect["perfect_round"] == pytest.approx(0.527014858382)
    assert "games a second; seed 0" in run(*arguments).stdout


@pytest.mark.long(*PRODUCT)
def test_history(tmp_path: Path) -> None:
    assert run("history").stdout == "No games yet.\n"
    assert printed("history") == printed("history", "--all") == {"matches": [], "more": 0, "unreadable": 0}
    with closing(History(tmp_path / "elsewhere" / "games.sqlite", pytest.fail)) as kept:
        bots = Lineup((Seat("Ann", "Steady"), Seat("Zoë", "Bold")), starting_seat=0)
        Match(bots, FairDice(bytes(32)), journal=kept.journal()).play_out()
        match = Match(bots, FairDice(bytes(32)), journal=kept.journal())
        match.act(match.bot_action())
    folder = str(tmp_path / "elsewhere")
    head, waiting, ended = run("history", "--data-dir", folder).stdout.splitlines()
    assert head.endswith("  game  players   how it ended, or whose turn it is")
    assert waiting.endswith("  420   Ann, Zoë  unfinished, Zoë to roll, Round 1 of 1")
    assert ended.startswith("1   2")
    assert ended.endswith("s the drinks")
    later, earlier = printed("--data-dir", folder, "history")["matches"]
    assert (later["id"], later["finished"], later["places"]) == (2, False, None)
    assert (earlier["id"], earlier["finished"], sorted(earlier["places"])) == (1, True, [0, 1])
    assert earlier["players"] == [{"name": "Ann", "kind": "bot"}, {"name": "Zoë", "kind": "bot"}]
    assert printed("--data-dir", folder, "history", "1")["matches"] == [earlier]
    review = run("history", "1", "--data-dir", folder).stdout.splitlines()
    assert review[:2] == ["420 with Ann, Zoë. " + earlier["news"] + ".", "Round 1."]
    assert review[-1].startswith("Zoë: ")
    with closing(History(tmp_path / "elsewhere" / "games.sqlite", pytest.fail)) as kept:
        Match(bots, FairDice(bytes(32)), journal=kept.journal())
    begun = run("history", "3", "--data-dir", folder)
    assert (begun.returncode, begun.stdout) == (0, "420 with Ann, Zoë. Unfinished.\n")
    for missing in (["history", "4"], ["history", "4", "--json"]):
        assert run("--data-dir", folder, *missing).stderr == "fourtwenty history: there is no game 4\n"


@pytest.mark.parametrize("command", ["play 421", "play --plain 421", "421"])
def test_a_game_is_a_word(command: str) -> None:
    played = run(*command.split(), "--plain", "--players", "bot:Steady,bot:Bold", "--seed", "1")
    assert (played.returncode, played.stdout.split(",")[0]) == (0, "421")


def test_the_history_is_a_page_unless_all_of_it_is_asked_for(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def lines(*arguments: str) -> list[str]:
        assert main(["history", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    with closing(History(home / "games.sqlite", pytest.fail)) as kept:
        for number in range(225):
            seats = Seat("Ann" if number else "A name that is longer than all others"), Seat("Ben")
            Match(Lineup(seats, starting_seat=0), FairDice(bytes(32)), journal=kept.journal())
            if number == 19:
                assert len(lines()) == 21, "the head, and nothing about more"
    head, *page, last = lines()
    assert last == "205 more: fourtwenty history --all"
    assert [line.split()[0] for line in page] == [str(number) for number in range(225, 205, -1)]
    whole = lines("--all")
    assert whole[:21] == [head, *page]
    assert [line.split()[0] for line in whole[1:]] == [str(number) for number in range(225, 0, -1)]
    (part,), (document,) = lines("--json"), lines("--json", "--all")
    ids = [match["id"] for match in json.loads(document)["matches"]]
    assert (ids, json.loads(document)["more"]) == ([*range(225, 0, -1)], 0)
    newest = json.loads(document)["matches"][:MATCHES_LISTED]
    assert json.loads(part) == {"matches": newest, "more": 205, "unreadable": 0}


def test_the_history_as_csv_has_a_line_for_each_player(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(History(home / "games.sqlite", pytest.fail)) as kept:
        seats = Seat('=HYPERLINK("x")'), Seat("Ben, the second"), Seat("Steady", "Steady")
        match = Match(Lineup(seats, starting_seat=0), ScriptedDice([(6, 5, 5, 4)] * 2), journal=kept.journal())
        match.play_out(lambda: match.state.actions[0])
        for number in range(MATCHES_LISTED):
            Match(
                Lineup((Seat("\uff0bAnn"), Seat(f"-{number}")), starting_seat=0),
                FairDice(bytes(32)),
                journal=kept.journal(),
            )
    assert main(["history", "--csv"]) == 0
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert len(rows) == 3 + 2 * MATCHES_LISTED, "every game"
    assert [(row["id"], row["seat"], row["name"], row["kind"], row["place"]) for row in rows[-3:]] == [
        ("1", "1", """'=HYPERLINK("x")""", "human", "1"),
        ("1", "2", "Ben, the second", "human", "2"),
        ("1", "3", "Steady", "bot", "3"),
    ]
    assert (rows[-1]["finished"], rows[-1]["news"]) == ("yes", "Steady buys the drinks")
    assert [row["name"] for row in rows[:2]] == ["'\uff0bAnn", f"'-{MATCHES_LISTED - 1}"]
    assert (rows[0]["finished"], rows[0]["place"]) == ("no", "")
    assert main(["history", "1", "--csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 4
    assert run("history", "--csv", "--json").returncode == 2


def test_names_and_games_that_do_not_count_are_changed_by_command(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*arguments: str) -> str:
        assert main(["history", *arguments]) == 0
        return capsys.readouterr().out

    with closing(History(home / "games.sqlite", pytest.fail)) as kept:
        for name in ("You", "Ann"):
            match = Match(Lineup((Seat(name), Seat("Ben")), starting_seat=0), ScriptedDice([(6, 5, 5, 4)]))
            match.act(ROLL_ALL)
            kept.journal().begin(match)
    before = printed("--csv")
    assert printed("--rename", "You", "ann") == "You are ann now.\n"
    assert printed("2", "--no-count") == "Game 2 stays in the list and does not count.\n"
    rows = [*csv.DictReader(io.StringIO(printed("--csv")))]
    assert [row["name"] for row in rows] == ["ann", "Ben", "ann", "Ben"]
    assert [row["counted"] for row in rows] == ["no", "no", "yes", "yes"]
    assert "not counted: Ben buys the drinks" in printed()
    assert [match["counted"] for match in json.loads(printed("--json"))["matches"]] == [False, True]
    assert printed("--rename", "ann", "") == "All names of ann are as they were played.\n"
    assert printed("2", "--count") == "Game 2 counts.\n"
    assert printed("--csv") == before


def test_games_that_are_damaged_are_counted_where_others_are_listed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lines(*arguments: str) -> list[str]:
        assert main(["history", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    with closing(History(home / "games.sqlite", pytest.fail)) as kept:
        for _ in range(105):
            Match(Lineup(starting_seat=0), FairDice(bytes(32)), journal=kept.journal())
        with kept.transaction() as sql:
            sql.execute("UPDATE match SET started = '2026-P1-25' WHERE id > 5")
            sql.execute("UPDATE match SET game = '520' WHERE id = 1")
            sql.execute("UPDATE match SET played = x'32' WHERE id = 3")
    assert lines() == ["20 games cannot be read: damaged.", "85 more: fourtwenty history --all"]
    head, *games, last = lines("--all")
    assert [line.split()[0] for line in (head, *games)] == ["id", "5", "4", "2"]
    assert last == "102 games cannot be read: damaged."
    assert main(["history", "--csv"]) == 0
    printed = capsys.readouterr()
    assert (len(printed.out.splitlines()), printed.err) == (1 + 3 * 2, "102 games cannot be read: damaged.\n")
    (document,) = lines("--json", "--all")
    assert [match["id"] for match in json.loads(document)["matches"]] == [5, 4, 2]
    assert json.loads(document)["unreadable"] == 102


def test_all_of_the_history_is_printed_as_it_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(History(home / "games.sqlite", pytest.fail)) as kept:
        for _ in range(101):
            Match(Lineup(), FairDice(bytes(32)), journal=kept.journal())
    happened: list[str] = []
    read_page = History.page

    def page(history: History, **options: Any) -> tuple[HistoryEntry, ...]:
        happened.append("read")
        return read_page(history, **options)

    monkeypatch.setattr(History, "page", page)
    monkeypatch.setattr("builtins.print", lambda *_, **__: happened.append("printed"))
    assert main(["history", "--all"]) == 0
    assert happened == ["read", *["printed"] * 101, "read", "printed", "read"]


def test_a_history_of_another_version_is_left_alone(home: Path) -> None:
    home.mkdir()
    run_sql(home / "games.sqlite", "PRAGMA user_version = 999")
    done = run("history")
    newer = (
        f"{home / 'games.sqlite'} has format 999, and this version of fourtwenty has format {VERSION}; "
        "play with the version that wrote it, or choose another folder with --data-dir"
    )
    assert (done.returncode, done.stderr) == (2, f"fourtwenty history: nothing can be read: {newer}\n")


def test_a_match_in_lines_is_kept_when_the_commands_end() -> None:
    typed = b"roll all\n6551\nroll all\n4332\n\xff\xfe\n"
    plain = [*PROGRAM, "play", "--plain", "--players", "Ann,Ben", "--dice", "typed"]
    done = subprocess.run(plain, input=typed, capture_output=True, timeout=MAX_WAIT_SECONDS)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert {"Ann rolled 6 5 5 1: 17.", "Ben rolled 6 5 5 1: 17."} & {*lines}
    assert lines[-1] == "Game saved. Resume it with: fourtwenty play --plain --resume"
    assert "Round 1 of 1" in run("history").stdout
