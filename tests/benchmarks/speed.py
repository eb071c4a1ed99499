"""The speed of the program in a terminal, by hand: ``PYTHONPATH=tests/tools python tests/benchmarks/speed.py``.

The program is measured beside a Textual app with one label, in turn, in one run: medians, and ratios for starts and
keys. ``--without NAME,...`` measures the CPU time without some overrides of Textual instead, ``--without all`` without
each of them, and ``--without list`` names them. Linux only.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

from terminal import PROGRAM, Terminal
from waiting import MAX_WAIT_SECONDS

COLUMNS, ROWS = 100, 30
STARTS, PRESSES, PAIRS, ROLLS, IDLE_SECONDS = 11, 100, 10, 5, 5.0

EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    count = 0

    def compose(self):
        yield Static("0 ready")

    def on_key(self):
        self.count += 1
        self.query_one(Static).update(f"{self.count} ready")

Empty().run()
"""


def table(seats: int, *options: str) -> tuple[str, ...]:
    """A table with a hand to choose from, and many more seats."""
    hands = [">6551", "*4332", *["6421"] * (seats - 2)]
    players = ",".join(f"Guest {number}" for number in range(1, seats + 1))
    return (*PROGRAM, "play", "--players", players, "--position", f"{' '.join(hands)} roll 2", "--seed", "2a", *options)


TURN = r"your turn"
"""Shown by a table once a person is to act."""
EMPTY_APP = (sys.executable, "-c", EMPTY), r"ready"
PROGRAMS = {
    "empty": EMPTY_APP,
    "lobby": (PROGRAM, r"Quit"),
    "play": ((*PROGRAM, "play", "--players", "Ann,Ben"), TURN),
}
TABLES = {
    "2 seats": (table(2), TURN),
    "2 seats, coached": (table(2, "--coach", "full"), TURN),
    "20 seats": (table(20), TURN),
    "40 seats": (table(40), TURN),
    "200 seats": (table(200), TURN),
}


NO_TWENTY = """
from itertools import cycle
from fourtwenty.play.dice import FairDice
throws = cycle([(6, 5, 4, 3), (2, 1, 6, 4)])
FairDice.throw = lambda self, seat, throw, dice: next(throws)
from fourtwenty.__main__ import main
raise SystemExit(main())
"""
"""The program with dice that never total 20, which would end the round: a seed fixes no faces, as they follow from the
identifier of the match too."""
PATCHED = """
import gc
gc.disable()
from fourtwenty.tui.textual_base import base_app, shown
{patch}
from fourtwenty.__main__ import main
raise SystemExit(main())
"""
OVERRIDES = {
    "restyling": """
from textual.events import Compose, ScreenResume
def note(screen, event):  # its first picture waits for that
    screen._shown = True
handlers = shown.ShownScreen._decorated_handlers
del handlers[Compose]
skip = shown.ShownScreen.skip_first_restyling
handlers[ScreenResume] = [(note if each is skip else each, rest) for each, rest in handlers[ScreenResume]]""",
    "line_filters": "del base_app.BaseApp.get_line_filters",
    "gc": "gc.enable(); gc.disable = lambda: None",
    "on_event": "del base_app.InputApp.on_event",
    "run_action": "del base_app.InputApp.run_action",
    "key_display": "del base_app.BaseApp.get_key_display",
    "exceptions": "del base_app.BaseApp._handle_exception",
    "signals": "del base_app.BaseApp.on_mount",
    "newest_size": "del shown.ShownScreen._screen_resized",
    "screen_css": "del base_app.BaseApp._load_screen_css",
    "help_quit": "del base_app.BaseApp.action_help_quit",
    "pixel_mouse": "import os; os.environ['TEXTUAL_SMOOTH_SCROLL'] = '1'",
    "driver": "del base_app.BaseApp.get_driver_class",
    "key_bar": """
from fourtwenty.tui.widgets import key_bar
from textual.widgets import Footer
key_bar.KeyBar = Footer""",
    "mouse_button": """
from fourtwenty.tui.textual_base import mouse_button
from textual.widgets import Button
class MouseButton(Button, can_focus=False):
    pass
mouse_button.MouseButton = MouseButton""",
}
"""Statements that undo an override before the program starts, by its name."""


class WatchedTerminal(Terminal):
    """A program that is timed from outside."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.began = time.perf_counter()
        super().__init__(*command, columns=COLUMNS, rows=ROWS, owned=False)

    def settled(self, silence: float) -> float:
        """Wait until it writes nothing for so many seconds; the milliseconds from the beginning to its last byte."""
        last = time.perf_counter()
        while self.read(silence):
            last = time.perf_counter()
        return 1000 * (last - self.began)

    def after(self, keys: str, silence: float = 0.03) -> tuple[float, int]:
        """Press keys: the milliseconds until all of the answer is there, and its bytes."""
        before, self.began = len(self.written), time.perf_counter()
        self.press(keys)
        assert self.read(MAX_WAIT_SECONDS), f"nothing was painted after {keys!r}: {self.written[-999:]!r}"
        return self.settled(silence), len(self.written) - before

    def of(self, file: str, field: str) -> int:
        """Add up a number that the kernel tells of each thread."""
        threads = Path(f"/proc/{self.program.pid}/task").iterdir()
        return sum(int(found[1]) for each in threads if (found := re.search(field, (each / file).read_text())))


def start(command: tuple[str, ...], word: str) -> tuple[float, float, float]:
    """Milliseconds to the first picture and to the whole one, megabytes at most."""
    with WatchedTerminal(command) as terminal:
        terminal.read_until(word)
        first = 1000 * (time.perf_counter() - terminal.began)
        whole = terminal.settled(0.3)
        status = Path(f"/proc/{terminal.program.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found
    return first, max(first, whole), int(found[1]) / 1024


@contextmanager
def opened(command: tuple[str, ...], word: str) -> Iterator[WatchedTerminal]:
    """The program as it stands after its start."""
    with WatchedTerminal(command) as terminal:
        terminal.read_until(word)
        terminal.settled(0.5)
        yield terminal


def pressed(terminal: WatchedTerminal, keys: str) -> list[tuple[float, int]]:
    """Press the keys in turn, after pauses that fall in with no clock of the program."""
    chance = Random(420)
    answers = []
    for number in range(PRESSES):
        terminal.read(0)
        time.sleep(chance.uniform(0.015, 0.06))
        answers.append(terminal.after(keys[number % len(keys)]))
    return answers


def show(name: str, *columns: str | float) -> None:
    cells = (f"{cell:8.1f}" if isinstance(cell, float) else f"{cell:>8}" for cell in columns)
    print(f"{name:20}" + "".join(cells), flush=True)


def ratios(numbers: list[float], base: list[float]) -> list[str]:
    """Return each figure as a multiple of the empty app's."""
    return [f"{mine / theirs:.2f} ×" for mine, theirs in zip(numbers, base, strict=True)]


def starts() -> None:
    runs: dict[str, list[tuple[float, float, float]]] = {name: [] for name in PROGRAMS}
    for number in range(STARTS + 1):
        for name, program in PROGRAMS.items():
            result = start(*program)
            if number:  # the first of each compiles, and warms the disk
                runs[name].append(result)
    medians = {name: [median(column) for column in zip(*results, strict=True)] for name, results in runs.items()}
    show("start", "first ms", "whole ms", "MB")
    for name, numbers in medians.items():
        show(name, *numbers, *ratios(numbers, medians["empty"]))


def keys() -> None:
    """Time a key that selects a die, the first or the last."""
    show("\na key", "p50 ms", "p95 ms", "bytes")
    base: list[float] = []
    for name, program in {"empty": EMPTY_APP, **TABLES}.items():
        with opened(*program) as terminal:
            times, sizes = zip(*pressed(terminal, "14"), strict=True)
            numbers = [median(times), quantiles(times, n=20)[-1]]
            base = base or numbers
            show(name, *numbers, round(median(sizes)), *ratios(numbers, base))


def turns() -> None:
    """Count what dice that tumble and the turn to the next hand write and work, beside the bytes at the start."""
    show("\na roll and a turn", "bytes", "CPU ms", "at start")
    for name, (command, word) in TABLES.items():
        with opened((sys.executable, "-c", NO_TWENTY, *command[len(PROGRAM) :]), word) as terminal:
            picture = len(terminal.written)
            before = terminal.of("schedstat", r"^(\d+)")
            sizes = []
            for _ in range(ROLLS):
                terminal.press("a")
                terminal.settled(0.2)
                sizes.append(terminal.after("r", silence=2)[1])
            spent = terminal.of("schedstat", r"^(\d+)") - before
            show(name, round(median(sizes)), spent / 1e6 / ROLLS, picture)


def idleness() -> None:
    """Count what is done while nothing is to be done."""
    show("\nidle, a second", "bytes", "wakes", "CPU ms")
    counters = ("status", r"\nvoluntary_ctxt_switches:\s+(\d+)"), ("schedstat", r"^(\d+)")
    for name, program in {**PROGRAMS, **TABLES}.items():
        with opened(*program) as terminal:
            before = [terminal.of(*counter) for counter in counters]
            written = len(terminal.written)
            end = time.perf_counter() + IDLE_SECONDS
            while (left := end - time.perf_counter()) > 0:
                terminal.read(left)
            wakes, spent = (terminal.of(*counter) - then for counter, then in zip(counters, before, strict=True))
            show(name, len(terminal.written) - written, wakes / IDLE_SECONDS, spent / 1e6 / IDLE_SECONDS)


def ends() -> None:
    show("\nleaving", "ms")
    for name, program in PROGRAMS.items():
        with opened(*program) as terminal:
            terminal.began = time.perf_counter()
            terminal.press("\x11")
            terminal.wait()
            show(name, 1000 * (time.perf_counter() - terminal.began))


def cpu_ms(terminal: WatchedTerminal) -> float:
    """Return the CPU time that all threads of a program have used so far."""
    return terminal.of("schedstat", r"^(\d+)") / 1e6


def without(names: list[str]) -> None:
    """Measure the CPU time of the start and of a key without each of these overrides, in turn, and without them all."""
    patches = {"as it is": "", **{name: OVERRIDES[name] for name in names}}
    if len(names) > 1:
        patches["all of these"] = "\n".join(OVERRIDES[name] for name in names)
    places = {"lobby": ((), r"Quit", "gg"), "table": (table(2)[len(PROGRAM) :], TURN, "14")}
    for place, (arguments, word, pair) in places.items():
        runs: dict[str, list[tuple[float, float]]] = {name: [] for name in patches}
        for number in range(STARTS + 1):
            for name, patch in patches.items():
                program = (sys.executable, "-c", PATCHED.format(patch=patch), *arguments)
                with opened(program, word) as terminal:
                    start = cpu_ms(terminal)
                    before = cpu_ms(terminal)
                    for key in pair * PAIRS:
                        terminal.after(key)
                    if number:  # the first of each compiles
                        runs[name].append((start, (cpu_ms(terminal) - before) / (2 * PAIRS)))
        show(f"\nCPU ms, {place}", "start", "least", "more", "a key", "more")
        base = [median(column) for column in zip(*runs["as it is"], strict=True)]
        for name, measured in runs.items():
            starts, keys = zip(*measured, strict=True)
            start, key = median(starts), median(keys)
            show(name, start, min(starts), start - base[0], key, key - base[1])


def main() -> None:
    """Print all figures, or those without some overrides."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--without", metavar="NAME,...", help="names of overrides, all, or list")
    chosen = parser.parse_args().without
    if chosen == "list":
        raise SystemExit("\n".join(OVERRIDES))
    overrides = list(OVERRIDES) if chosen == "all" else chosen.split(",") if chosen else []
    unknown = set(overrides) - set(OVERRIDES)
    if unknown:
        parser.error(f"no override is called {', '.join(sorted(unknown))}; --without list names them")
    with tempfile.TemporaryDirectory() as home:
        os.environ["FOURTWENTY_HOME"] = home
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        if overrides:
            without(overrides)
        else:
            for measure in (starts, keys, turns, idleness, ends):
                measure()


if __name__ == "__main__":
    main()
