"""Kills a process that plays, again and again, and checks that nothing shown was lost and no die fell otherwise.

By hand: ``python tests/tools/crash.py KILLS [SEED [FOLDER]]``. The seed settles who plays what with which dice, and
when processes are to die.
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

from processes import piped

from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Faces, Roll
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

LINES = (0, 0, 1, 2, 5, 10)
"""Numbers of lines that a process may show before it is to be killed."""

LAST = 0.02
"""Longest time in seconds between the last of these lines and the kill."""

Shown = dict[int, list[str]]
"""Lines that were shown, by the id of the match."""


def open_history(path: Path) -> History:
    return History(path, lambda sentence: sys.exit(sentence))


def play(path: Path, chance: random.Random, show: int) -> None:
    """Take up a match that waits, or begin one, on and on; show everything that has happened as a line."""
    history = open_history(path)
    os.write(show, b"\n")
    while True:
        waiting = history.unfinished()
        if waiting and chance.random() < 0.7:
            number = chance.choice(waiting).id
            match = history.resume(number)
        else:
            table = lineup(chance)
            source = chance.randbytes(32)
            match = Match.fresh(table, ManualDice(source) if table.typed else FairDice(source))
            match.save_to(history.journal())
            number = history.unfinished()[0].id
            if match.dice.commitment:
                os.write(show, f"{number} sealed as {match.dice.commitment}\n".encode())
        while not match.state.outcome:
            if match.state.to_act is None:
                match.next_round()
            action = match.bot_action()
            event = match.act(action, manual_faces(chance, action) if match.dice.typed else ())
            os.write(show, f"{number} {len(match.events)} {event}\n".encode())


def lineup(chance: random.Random) -> Lineup:
    seats = tuple(Seat(f"Player {place}", "Random") for place in range(chance.randint(2, 5)))
    return Lineup(seats, game=chance.choice(list(GAMES)), typed=chance.random() < 0.3)


def manual_faces(chance: random.Random, action: Action) -> Faces:
    """The faces that somebody types for an action."""
    return tuple(chance.randint(1, 6) for _ in action.dice) if isinstance(action, Roll) else ()


def kill_one(path: Path, chance: random.Random, shown: Shown) -> None:
    """Let a process play for an instant, kill it, and take down what it has shown."""
    seed, lines, last = chance.random(), chance.choice(LINES), chance.uniform(0, LAST)
    with piped() as (told, show):
        child = os.fork()
        if not child:
            try:
                play(path, random.Random(seed), show.fileno())
            finally:
                os._exit(1)
        try:
            show.close()
            assert told.readline() == b"\n", "it plays"
            read = [told.readline() for _ in range(lines)]
            time.sleep(last)
        finally:
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)[1]
        assert ended == signal.SIGKILL, "nothing else ended it"
        for line in (*read, *told):
            number, what = line.decode().rstrip("\n").split(" ", 1)
            shown[int(number)].append(what)


def unbroken(kept: Match) -> Match:
    """A match with the same fair dice, played to its end without a break."""
    assert kept.dice.seed
    match = Match(kept.lineup, FairDice(kept.dice.seed), identifier=kept.identifier)
    match.play_out()
    return match


def check(path: Path, shown: Shown) -> int:
    """Hold what is kept against what was shown, and against the same matches played without a break; count events."""
    events = 0
    with closing(open_history(path)) as history:
        for entry in history.page(limit=999):
            kept = history.match(entry.id)
            whole = unbroken(kept) if kept.dice.seed else kept
            told = [f"sealed as {whole.dice.commitment}"]
            told += [f"{number} {event}" for number, event in enumerate(whole.events, 1)]
            assert {*shown[entry.id]} <= {*told[: len(kept.events) + 1]}, f"match {entry.id}: shown, but not kept"
            assert kept.events == whole.events[: len(kept.events)], f"match {entry.id}: other dice"
            assert entry.finished == (kept.state.outcome is not None)
            if whole is not kept:
                kept.play_out()
                assert kept.events == whole.events, f"match {entry.id}: it goes on with other dice"
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
        main(int(arguments[0]), arguments.get(1, "420"), Path(arguments.get(2, folder)) / "games.sqlite")
