"""Kills a process that plays, again and again, and checks that nothing shown was lost and no die fell otherwise.

By hand: ``python tests/crash.py KILLS [SEED [FOLDER]]``. The seed settles who plays what with which dice, and when
processes are to die.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from fourtwenty.games import GAMES
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

LINES = (0, 0, 1, 2, 5, 10)
"""Numbers of lines that a process may show before it is to be killed."""

LAST = 0.02
"""Longest time in seconds between the last of these lines and the kill."""

Shown = dict[int, list[str]]
"""Lines that were shown, by the id of the match."""


def open_history(path: Path) -> History:
    """Open the history; it has nothing to complain of."""
    return History(path, lambda sentence: sys.exit(sentence))


def play(path: Path, chance: random.Random, show: int) -> None:
    """Take up the match that waits, or begin one, on and on; show everything that has happened as a line."""
    history = open_history(path)
    os.write(show, b"\n")
    while True:
        waiting = history.unfinished()
        if waiting:
            number = waiting[0].id
            match = history.resume(number)
        else:
            seats = tuple(Seat(f"Player {place}", "Random") for place in range(chance.randint(2, 5)))
            lineup = Lineup(seats, game=chance.choice(list(GAMES)))
            match = Match(lineup, FairDice(chance.randbytes(32)), journal=history.journal())
            number = history.unfinished()[0].id
            os.write(show, f"{number} sealed as {match.commitment}\n".encode())
        while not match.state.outcome:
            if match.state.to_act is None:
                match.next_round()
            event = match.act(match.bot_action())
            os.write(show, f"{number} {len(match.events)} {event}\n".encode())


def kill_one(path: Path, chance: random.Random, shown: Shown) -> None:
    """Let a process play for an instant, kill it, and take down what it has shown."""
    seen, show = os.pipe()
    seed, lines, last = chance.random(), chance.choice(LINES), chance.uniform(0, LAST)
    child = os.fork()
    if not child:
        try:
            play(path, random.Random(seed), show)
        finally:
            os._exit(1)
    os.close(show)
    with os.fdopen(seen, "rb") as told:
        assert told.readline() == b"\n", "it plays"
        read = [told.readline() for _ in range(lines)]
        time.sleep(last)
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL, "nothing else ended it"
        for line in (*read, *told):
            number, what = line.decode().rstrip("\n").split(" ", 1)
            shown[int(number)].append(what)


def check(path: Path, shown: Shown) -> int:
    """Hold what is kept against what was shown, and against the same matches played without a break; count events."""
    events = 0
    with closing(open_history(path)) as history:
        assert len(history.unfinished()) <= 1
        for entry in history.page(limit=999):
            kept = history.match(entry.id)
            assert kept.seed
            unbroken = Match(kept.lineup, FairDice(kept.seed))
            unbroken.play_out()
            told = [f"sealed as {unbroken.commitment}"]
            told += [f"{number} {event}" for number, event in enumerate(unbroken.events, 1)]
            assert set(shown[entry.id]) <= set(told[: len(kept.events) + 1]), f"match {entry.id}: shown, but not kept"
            assert kept.events == unbroken.events[: len(kept.events)], f"match {entry.id}: other dice"
            assert entry.finished == (len(kept.events) == len(unbroken.events))
            kept.play_out()
            assert kept.events == unbroken.events, f"match {entry.id}: it goes on with other dice"
            events += len(shown[entry.id])
        assert set(shown) <= {entry.id for entry in history.page(limit=999)}
    return events


def main(kills: int, seed: str, path: Path) -> None:
    """Kill so many processes, and check after every tenth of them."""
    chance = random.Random(seed)
    shown: Shown = defaultdict(list)
    for number in range(1, kills + 1):
        kill_one(path, chance, shown)
        if number % max(1, kills // 10) == 0:
            events = check(path, shown)
    print(f"{kills} kills, {len(shown)} matches, {events} shown events: nothing lost, no other dice")


if __name__ == "__main__":
    arguments = dict(enumerate(sys.argv[1:]))
    with tempfile.TemporaryDirectory() as folder:
        main(int(arguments[0]), arguments.get(1, "420"), Path(arguments.get(2, folder)) / "history.sqlite")
