"""Starts programs on one data folder at the same moment, again and again; each must play its match to the end.

By hand: ``python tests/tools/concurrent_starts.py PROGRAMS TRIALS [damaged]``; then a file that is no history lies
there.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from processes import piped

from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

BOTS = Lineup((Seat("Ann", "Random"), Seat("Ben", "Random")))


def play(path: Path) -> None:
    """Play a match in a history to its end, kept."""
    with closing(History(path, lambda _: None)) as history:
        match = Match(BOTS, FairDice(bytes(32)), journal=history.journal())
        match.play_out()
        assert match.saved


def start_together(path: Path, programs: int) -> int:
    """Let so many processes play, from the same moment on; return the number of those that failed."""
    children = []
    with piped() as (wait, begin):
        for _ in range(programs):
            child = os.fork()
            if not child:
                failed = 1
                try:
                    begin.close()
                    wait.read()  # until the other end is closed
                    play(path)
                    failed = 0
                except Exception as error:
                    print(repr(error), file=sys.stderr, flush=True)
                finally:
                    os._exit(failed)
            children.append(child)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


def main(programs: int, trials: int, damaged: bool) -> None:
    """Make so many trials, each on a folder that is not there yet, or on a history that is damaged."""
    failed = 0
    for _ in range(trials):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "home", "games.sqlite")
            if damaged:
                path.parent.mkdir()
                path.write_bytes(b"no history" * 1000)
            failed += start_together(path, programs)
            with closing(History(path, print)) as history:
                failed += programs - sum(entry.finished for entry in history.page(limit=999))
            failed += len([*path.parent.glob("*.damaged")]) - damaged
    if failed:
        sys.exit(f"{failed} failures of {programs * trials} programs")
    print("every match was played to its end, and kept")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), damaged="damaged" in sys.argv)
