"""Simulated matches against what the odds expect."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections import Counter
from io import StringIO
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from fourtwenty.__main__ import main
from fourtwenty.cli.progress import Progress, time_left
from fourtwenty.odds.four_twenty import evening
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.simulation import play_matches

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


@pytest.mark.parametrize(("players", "matches"), [(2, 2000), (3, 1000), (5, 300)])
def test_perfect_bots_win_and_pay_as_often_as_computed(players: int, matches: int) -> None:
    lineup = Lineup(parse_players(",".join(["bot:Perfect"] * players)), starting_seat=0)
    places = [outcome.places for outcome in play_matches(lineup, matches, SEED)]
    for place, chances in ((0, evening(players).round), (-1, evening(players).drinks)):
        times = Counter(seat for order in places for seat in order[place])
        for seat, chance in enumerate(chances):
            assert abs(times[seat] / matches - chance) < 4 * sqrt(chance * (1 - chance) / matches)


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
        terminal.read_until(r"\] [1-9][\d,]* of 999,999,999, .* left")
        terminal.press("\x03")
        assert terminal.wait() == 130
    lines = terminal.written.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("Interrupted after "))
    assert lines[head].endswith(" of 999,999,999 matches, Bold starts; in brackets: if everybody played best")
    assert [line.split()[0] for line in lines[head + 2 : head + 5]] == ["seat", "Bold", "Random"]


@pytest.mark.terminal
@unix
def test_ctrl_c_prints_json_too_as_if_no_more_had_been_asked_for(tmp_path: Path) -> None:
    from terminal import Terminal

    simulate = shlex.join([*SIMULATE, "--matches", "999999999"])
    with Terminal("sh", "-c", f"exec {simulate} >{shlex.quote(str(tmp_path / 'json'))}") as terminal:
        terminal.read_until(r"\] [1-9][\d,]* of 999,999,999")
        terminal.press("\x03")
        assert terminal.wait() == 130
    partial = json.loads((tmp_path / "json").read_text())
    assert partial.pop("interrupted")
    whole = json.loads(subprocess.check_output([*SIMULATE, "--matches", str(partial["matches"])], timeout=60))
    assert not whole.pop("interrupted")
    assert partial.pop("matches_per_second") > 0 < whole.pop("matches_per_second")
    assert partial == whole


def test_an_interrupt_before_the_first_match_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    with patch("fourtwenty.play.simulation.play_matches", side_effect=KeyboardInterrupt):
        assert main([*SIMULATE[3:], "--matches", "9"]) == 130
    assert capsys.readouterr() == ("", "")


def test_progress_is_drawn_five_times_a_second() -> None:
    seconds = iter(number / 8 for number in range(10))
    with (
        patch("fourtwenty.cli.progress.time", SimpleNamespace(monotonic=lambda: next(seconds))),
        patch("sys.stderr", StringIO()) as terminal,
        patch.object(terminal, "isatty", lambda: True),
    ):
        progress = Progress(5)
        for played in range(1, 6):
            progress.show(played)
    assert [line.rstrip() for line in terminal.getvalue().split("\r")[1:]] == [
        "[                              ] 0 of 5",
        "[############                  ] 2 of 5, 1 s left",
        "[########################      ] 4 of 5, 1 s left",
        "[##############################] 5 of 5",
    ]


def test_no_progress_is_drawn_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Progress(1).show(1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.1, "1 s left"), (59.5, "60 s left"), (60, "1 min left"), (3541, "1 h 0 min left"), (7261, "2 h 2 min left")],
)
def test_the_time_left(seconds: float, told: str) -> None:
    assert time_left(seconds) == told
