"""Simulated matches against what the odds expect."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from io import StringIO
from math import sqrt
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from long_tests import mostly_long

from fourtwenty.__main__ import main
from fourtwenty.cli.commands import FinishSeats, Progress, _frequency, _percent, _seat_results
from fourtwenty.games import GAMES
from fourtwenty.odds.four_twenty_solver import initial_values
from fourtwenty.odds.solver import PlacementOdds
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.simulation import JobError, play_matches

SEED = bytes(31) + b"\x2a"
SIMULATE = (
    sys.executable,
    "-m",
    "fourtwenty",
    "simulate",
    "--players",
    "bot:Bold,bot:Random",
    "--seed",
    "2a",
    "--json",
)

unix = pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="needs a Unix terminal")


@pytest.mark.parametrize(("players", "matches"), [(2, 1000), (3, 500), (5, 100)])
def test_perfect_bots_win_and_pay_as_often_as_computed(players: int, matches: int) -> None:
    lineup = Lineup(parse_players(",".join(["bot:Perfect"] * players)), starting_seat=0)
    places = [outcome.places for outcome in play_matches(lineup, matches, SEED)]
    for place, chances in ((0, initial_values(players).round), (-1, initial_values(players).drinks)):
        times = Counter(seat for order in places for seat in order[place])
        for seat, chance in enumerate(chances):
            assert abs(times[seat] / matches - chance) < 4 * sqrt(chance * (1 - chance) / matches)


@mostly_long("game", GAMES, ["420"], "fourtwenty/play/", "fourtwenty/games/")
def test_two_jobs_play_what_one_plays(game: str) -> None:
    lineup = Lineup(parse_players("bot:Random,bot:Random,bot:Bold"), game=game, starting_seat=0)
    with closing(play_matches(lineup, 101, SEED, jobs=2)) as outcomes:
        assert list(outcomes) == list(play_matches(lineup, 101, SEED))
    assert not active_children()


def test_a_process_that_is_killed_ends_the_simulation() -> None:
    outcomes = play_matches(Lineup(parse_players("bot:Random,bot:Random")), 10**9, SEED, jobs=2)
    next(outcomes)
    active_children()[0].kill()
    with pytest.raises(JobError, match="a process ended before its matches were over"):
        list(outcomes)
    assert not active_children()


def test_a_process_that_cannot_start_is_an_error_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    refused = OSError(errno.EAGAIN, "Resource temporarily unavailable")
    with (
        patch("multiprocessing.context.SpawnProcess.start", side_effect=refused),
        pytest.raises(SystemExit) as end,
    ):
        main([*SIMULATE[3:], "--matches", "9", "--jobs", "2"])
    assert end.value.code == 2
    reason = "a process cannot be started: Resource temporarily unavailable"
    assert capsys.readouterr() == ("", f"fourtwenty simulate: {reason}\n")


def test_seats_that_share_a_place_count_for_a_part_each() -> None:
    finishes = Counter[FinishSeats]({((1,), (0,)): 2, ((0,), (1, 2)): 2})
    assert _frequency(0, 1, finishes) == (1 / 2, 1 / 4)
    assert _frequency(1, 1, finishes) == (1 / 4, 1 / 8), "two 0 and two 1/2 in four matches"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(["simulate", "--seed", "2a", *arguments])
    return capsys.readouterr().out


@pytest.mark.parametrize(("matches", "begin"), [("1", "1 game, Bold starts"), ("1000", "1,000 games, Bold starts")])
def test_matches_are_counted(matches: str, begin: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--players", "bot:Bold,bot:Sober", "--matches", matches).startswith(begin)


def test_the_last_place_is_shared_where_points_are_equal(capsys: pytest.CaptureFixture[str]) -> None:
    players = "bot:Random,bot:Random,bot:Random"
    arguments = ("--players", players, "--matches", "50", "--game", "ten-rounds", "--json")
    seats = json.loads(printed(capsys, *arguments))["seats"]
    lineup = Lineup(parse_players(players), game="ten-rounds", starting_seat=0)
    lasts = [outcome.places[-1] for outcome in play_matches(lineup, 50, SEED)]
    assert {len(last) for last in lasts} == {1, 2}
    for number, seat in enumerate(seats):
        assert seat["drinks"] == pytest.approx(sum((number in last) / len(last) for last in lasts) / 50)
        assert "perfect_drinks" not in seat
    assert sum(seat["drinks"] for seat in seats) == pytest.approx(1)


def test_the_expectation_stands_beside_the_results_of_perfect_bots(capsys: pytest.CaptureFixture[str]) -> None:
    perfect = ("--players", "bot:Perfect,bot:Perfect", "--matches", "3")
    head, _, _, first, *_ = printed(capsys, *perfect).splitlines()
    assert head == "3 games, Perfect starts; in brackets: what to expect"
    assert first.split()[4::4] == ["(52.70%)", "(47.30%)"]
    for seat in json.loads(printed(capsys, *perfect, "--json"))["seats"]:
        assert (seat["expected_round"], seat["expected_drinks"]) == (seat["perfect_round"], seat["perfect_drinks"])
    others = ("--players", "bot:Perfect,bot:Bold", "--matches", "3")
    assert printed(capsys, *others).startswith("3 games, Perfect starts; in brackets: if everybody played best\n")
    assert all("expected_round" not in seat for seat in json.loads(printed(capsys, *others, "--json"))["seats"])


def test_an_estimate_is_rounded_and_says_so() -> None:
    result = {"round": 0.25, "round_error": 0.01, "perfect_round": 0.2468}
    assert _percent(result, "round", estimated=True) == "25.00% ± 1.00%  (about 25%)"
    assert _percent(result, "round", estimated=False) == "25.00% ± 1.00%  (24.68%)"
    lineup, finishes = Lineup((Seat("Ann", "Perfect"),) * 2), Counter[FinishSeats]({((0,), (1,)): 4})
    document, _ = _seat_results(lineup, finishes, PlacementOdds((0.2468, 0.7532), None), {}, estimated=True)
    assert (document["perfect_round"], document["expected_round"], "expected_drinks" in document) == (0.25, 0.25, False)


def test_the_more_somebody_drank_the_more_they_pay() -> None:
    pays = []
    for name in ("Perfect", "Merry", "Tipsy", "Random"):
        lineup = Lineup(parse_players(f"bot:{name},bot:Perfect"), starting_seat=0)
        pays.append(sum(outcome.places[-1] == (0,) for outcome in play_matches(lineup, 500, SEED)))
    assert pays == sorted(pays)
    assert pays[-1] > 1.15 * pays[0]


@pytest.mark.terminal
@unix
def test_ctrl_c_prints_what_has_been_counted() -> None:
    from terminal import Terminal

    with Terminal(*SIMULATE[:-1], "--matches", "999999999") as terminal:
        terminal.press("\x03", after=r"[1-9][\d,]* of 999,999,999")
        assert terminal.wait() == 130
    lines = terminal.written.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("Interrupted after "))
    assert lines[head].endswith(" of 999,999,999 games, Bold starts; in brackets: if everybody played best")
    assert [line.split()[0] for line in lines[head + 2 : head + 5]] == ["seat", "Bold", "Random"]


def spawned_in(group: int) -> list[str]:
    """Return the processes of a process group that the module multiprocessing has started."""
    listed = subprocess.check_output(["ps", "-A", "-ww", "-o", "pgid=,args="], text=True).splitlines()
    return [line for line in listed if int(line.split()[0]) == group and "spawn_main" in line]


@pytest.mark.terminal
@unix
@pytest.mark.skipif(not shutil.which("ps"), reason="needs ps")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_json_too_as_if_no_more_had_been_asked_for(tmp_path: Path, jobs: str) -> None:
    from terminal import Terminal

    simulate = shlex.join([*SIMULATE, "--matches", "999999999", "--jobs", jobs])
    with Terminal("sh", "-c", f"exec {simulate} >{shlex.quote(str(tmp_path / 'json'))}") as terminal:
        terminal.read_until(r"[1-9][\d,]* of 999,999,999")
        assert len(spawned_in(terminal.program.pid)) == (2 if jobs == "2" else 0)
        terminal.press("\x03")
        assert terminal.wait() == 130
        assert not spawned_in(terminal.program.pid)
    assert "Traceback" not in terminal.written
    partial = json.loads((tmp_path / "json").read_text())
    assert partial.pop("interrupted")
    whole = json.loads(subprocess.check_output([*SIMULATE, "--matches", str(partial["matches"])], timeout=60))
    assert not whole.pop("interrupted")
    assert partial.pop("matches_per_second") > 0 < whole.pop("matches_per_second")
    assert partial == whole


INTERRUPTED = """
import signal, sys

class Dropping:
    def find_spec(self, name, *_):
        if name == "msgspec":
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                pass

sys.meta_path.insert(0, Dropping())
from fourtwenty.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""A ctrl+c while msgspec is imported, whose KeyboardInterrupt is dropped, as msgspec 0.22 does."""


@pytest.mark.skipif(os.name != "posix", reason="Windows passes no signals on")
def test_ctrl_c_while_msgspec_is_imported_is_not_lost() -> None:
    command = ("simulate", "--players", "bot:Steady,bot:Merry", "--matches", "1")
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, *command], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.skipif(os.name != "posix", reason="Windows passes no signals on")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_ctrl_c_while_a_process_starts_is_not_lost(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    start = SpawnProcess.start
    started = []

    def interrupted(process: SpawnProcess) -> None:
        started.append(process)
        for when in ("before", "after"):
            if when == moment:
                signal.raise_signal(signal.SIGINT)
            if when == "before":
                start(process)

    monkeypatch.setattr(SpawnProcess, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(play_matches(Lineup((Seat("A", "Steady"), Seat("B", "Steady"))), 1000, bytes(32), jobs=2))
    (process,) = started
    assert not process.is_alive()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()), "the next ctrl+c counts, too"


@pytest.mark.parametrize(
    ("players", "matches", "jobs", "error"),
    [
        ("Ann,bot:Steady", 1, 1, "Ann is a person; every seat of a simulation is a bot, as bot:Steady"),
        ("bot:Steady,bot:Bold", -1, 1, "-1 matches cannot be played by 1 jobs."),
        ("bot:Steady,bot:Bold", 1, 0, "1 matches cannot be played by 0 jobs."),
        ("bot:Steady,bot:nowhere:cautious", 1, 1, "there is no module nowhere, neither in this folder nor installed"),
    ],
)
def test_matches_that_cannot_be_played_are_refused_at_the_call(
    players: str, matches: int, jobs: int, error: str
) -> None:
    lineup = Lineup(parse_players(players, custom_policies=True))
    with pytest.raises(ValueError, match=f"^{error}$"):
        play_matches(lineup, matches, SEED, jobs)
    with pytest.raises(ValueError, match=r"^You need at least two players\.$"):
        play_matches(Lineup(lineup.seats[1:]), 1, SEED)


def test_an_interrupt_before_the_first_match_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    with patch("fourtwenty.play.simulation.play_and_judge", side_effect=KeyboardInterrupt):
        assert main([*SIMULATE[3:], "--matches", "9"]) == 130
    assert capsys.readouterr() == ("", "")


def test_progress_is_drawn_five_times_a_second() -> None:
    seconds = iter(100 + number / 8 for number in range(1, 10))
    with (
        patch("fourtwenty.cli.commands.time", SimpleNamespace(monotonic=lambda: next(seconds))),
        patch("sys.stderr", StringIO()) as terminal,
        patch.object(terminal, "isatty", lambda: True),
    ):
        progress = Progress(5)
        for played in range(1, 6):
            progress.show(played)
    assert [line.rstrip() for line in terminal.getvalue().split("\r")[1:]] == [
        "0 of 5",
        "2 of 5",
        "4 of 5",
        "5 of 5",
    ]


def test_no_progress_is_drawn_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Progress(1).show(1)
    assert capsys.readouterr() == ("", "")
