"""The work of a start, counted in instructions by cachegrind: the same on a busy machine.

``python tests/tools/start_cost.py --keep`` counts the starts of this Python and keeps the figures, which
``test_start_cost.py`` compares. Linux and valgrind only.
"""

from __future__ import annotations

import compileall
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import rich
import textual
from many_games import keep
from terminal import PROGRAM, Terminal
from waiting import MAX_WAIT_SECONDS

import fourtwenty

KEPT = Path(__file__).with_name("start_cost.json")
"""The figures by version and start: multiples of the instructions of an empty Textual app."""

VERSIONS = f"Python 3.{sys.version_info.minor}, Textual {version('textual')}"

ROOM = 1.03
"""The factor by which a start may grow over its figure; two counts of the same work differ by a percent."""

EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("ready")

Empty().run()
"""
"""The smallest app of Textual: what every other one is compared with."""

GAMES = 10_000
"""The number of games in a long history."""

STARTS: dict[str, tuple[tuple[str, ...], str, int]] = {
    "lobby": (PROGRAM, r"Quit", 0),
    f"lobby with {GAMES} games": (PROGRAM, r"Resume", GAMES),
    "table": ((*PROGRAM, "play", "--players", "Ann,Ben"), r"Leave", 0),
}
"""The command of each start, what it shows, and the number of games in the history."""

POLL_SECONDS = 0.05
QUIET_POLLS = 20
"""The number of polls in a row in which a program that has come to the end of its start does nothing."""


def missing() -> str:
    """Return why the instructions of a start cannot be counted here; empty when they can."""
    if sys.platform != "linux":
        return "cachegrind counts on Linux only"
    return "" if shutil.which("valgrind") else "valgrind is not installed"


def instructions(command: tuple[str, ...], shown: str, games: int = 0) -> int:
    """Return the number of instructions until a program has shown this and does nothing any more.

    Its history has so many games.
    """
    with TemporaryDirectory() as folder:
        log, home = Path(folder, "log"), Path(folder, "home")
        if games:
            home.mkdir()
            keep(home / "games.sqlite", games)
        # It counts as callgrind does, in two fifths of the time.
        counting = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", f"--log-file={log}")
        counted = ("valgrind", *counting, *command)
        fixed = {"FOURTWENTY_HOME": str(home), "PYTHONHASHSEED": "0", "TEXTUAL_ANIMATIONS": "none"}
        with Terminal(*counted, columns=100, rows=30, environment=fixed, owned=False) as terminal:
            terminal.read_until(shown)
            _wait_until_quiet(terminal)
            terminal.program.terminate()
            terminal.wait()
        found = re.findall(r"I +refs: +([\d,]+)", log.read_text())
        assert found, log.read_text()
        return int(found[-1].replace(",", ""))


def _wait_until_quiet(terminal: Terminal) -> None:
    """Wait until every thread of a program sleeps, for some time on end, and it writes nothing."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    quiet = 0
    while quiet < QUIET_POLLS:
        assert time.monotonic() < deadline, "it never comes to rest"
        wrote = terminal.read(POLL_SECONDS)
        if not wrote:
            time.sleep(POLL_SECONDS)
        quiet = 0 if wrote or not _asleep(terminal.program.pid) else quiet + 1


def _asleep(process: int) -> bool:
    """Return whether no thread of a process is running or about to."""
    states = [
        (task / "stat").read_text().rpartition(")")[2].split()[0] for task in Path(f"/proc/{process}/task").iterdir()
    ]
    return set(states) <= {"S"}


def multiples(names: Iterable[str] = STARTS) -> dict[str, float]:
    """Return the instructions of these starts as multiples of those of an empty app."""
    for package in (fourtwenty, rich, textual):  # or the first start compiles it
        compileall.compile_dir(package.__path__[0], quiet=1)
    empty = instructions((sys.executable, "-c", EMPTY), "ready")
    return {name: round(instructions(*STARTS[name]) / empty, 3) for name in names}


def kept() -> Mapping[str, float]:
    """Return the figures kept for this Python and this Textual; empty for none."""
    found: dict[str, dict[str, float]] = json.loads(KEPT.read_text())
    return found.get(VERSIONS, {})


def main() -> None:
    """Print the figures, and keep them if asked to."""
    print(now := multiples())
    if sys.argv[1:] == ["--keep"]:
        figures = json.loads(KEPT.read_text()) if KEPT.is_file() else {}
        figures[VERSIONS] = now
        KEPT.write_text(json.dumps(dict(sorted(figures.items())), indent=1) + os.linesep)


if __name__ == "__main__":
    main()
