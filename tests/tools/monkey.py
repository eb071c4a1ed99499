"""A monkey that plays: seeded random keys, mouse, pastes, focus changes and sizes, as a terminal would send them.

By hand: ``python tests/tools/monkey.py [--events N] [--seed N] [--terminal] [--load N]``; without a terminal it plays
in Textual's pilot, knows which keys work on the screen it sees, and does much the same for the same seed. In a
terminal, what comes of a seed depends on the machine too: a run that fails is saved as a file, and ``--terminal
--replay FILE`` sends the same with the same pauses.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, TextIO

from chance import seeded
from msgspec.structs import replace
from terminal import Terminal
from textual import geometry
from textual.events import Key, Resize
from textual.message import Message
from textual.pilot import Pilot
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.games.replay import replay
from fourtwenty.journal.history import History
from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import COACHING, Lineup, Seat
from fourtwenty.rooms.tui.room_launcher import RoomLauncher
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.input.sequences import InputParser
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence

Size = tuple[int, int]
Thing = str | Size
"""Input of a terminal in one write, or its new size in columns and rows."""

ESCAPE = "\x1b"
KEYS = (
    *map(chr, range(128)),
    *"é漢🎲",
    *(f"{ESCAPE}[{letter}" for letter in "ABCDHFZ"),
    *(f"{ESCAPE}O{letter}" for letter in "ABCDHFPQRS"),
    *(f"{ESCAPE}[{number}~" for number in (1, 2, 3, 4, 5, 6, *range(11, 16), *range(17, 22), 23, 24)),
    *(f"{ESCAPE}[1;{held}{letter}" for held in range(2, 9) for letter in "ABCDHFPQRS"),
    *(f"{ESCAPE}[{number};{held}~" for held in range(2, 9) for number in (2, 3, 5, 6, 15, 24)),
    *(f"{ESCAPE}{chr(letter)}" for letter in (*range(97, 123), 13, 127)),
    *(f"{ESCAPE}[{letter};{held}u" for held in range(2, 9) for letter in (9, 13, 27, 32, *range(97, 123), 127)),
)
"""Input that keys send: printable characters, and keys with ctrl, alt or shift, some in the kitty protocol."""

ENDINGS = {"q", "\x03", "\x11", f"{ESCAPE}[99;5u", f"{ESCAPE}[113;5u"}
"""Keys that may lead out of the program: pressed as often, they would be all there is."""

WAY_OUT = (ESCAPE, "y", "q", "y", "q", "q", "y")
"""Keys that lead out of any screen: escape or q opens a question somewhere, which y answers, and closes the same one.
Where y opens a dialog, q closes it, and escape or one more q leaves the screen below."""

FRIENDLY = ((80, 24), (80, 24), (80, 24), (60, 20), (100, 30), (120, 40))
"""Sizes in which one can play."""


def messages(typed: str) -> list[Message]:
    """Return the messages that Textual makes of terminal input."""
    parser = InputParser()
    return [*parser.feed(typed), *parser.feed("")]


NAMED = {event.key: typed for typed in reversed(KEYS) for event in messages(typed) if isinstance(event, Key)}
"""Terminal input of a key, by the name that Textual gives it."""


def anything(chance: random.Random, size: Size, likely: Sequence[str]) -> Thing:
    """Return random input of a terminal of that size, mostly one of the likely keys, or its new size."""
    kind = chance.random()
    if size not in FRIENDLY and kind < 0.1:
        return chance.choice(FRIENDLY)
    kind = chance.random()
    columns, rows = (1 + chance.randrange(extent) for extent in size)

    def mouse(button: int, end: str = "M") -> str:
        return f"{ESCAPE}[<{button};{columns};{rows}{end}"

    if kind < 0.70:
        key = chance.choice(likely) if likely and chance.random() < 0.7 else chance.choice(KEYS)
        return key if key not in ENDINGS or chance.random() < 0.03 else "\r"
    if kind < 0.86:
        button = chance.choice((0, 0, 0, 0, 1, 2, 4, 8, 16))
        return mouse(button) + mouse(button, "m")
    if kind < 0.89:
        drag = mouse(0)
        for extent in (columns, rows):
            columns, rows = chance.randint(1, columns + extent), chance.randint(1, rows + 2)
            drag += mouse(32)
        return drag + mouse(0, "m")
    if kind < 0.92:
        return mouse(35)
    if kind < 0.95:
        return mouse(chance.choice((64, 64, 65, 65, 66, 67))) * chance.randint(1, 9)
    if kind < 0.97:
        length = chance.choice((0, 1, 3, 60, 3000))
        junk = "".join(chance.choice("a1 \n\r\t[/]\x00\x7f\x85\u202e\u0301漢🎲\u200d{}$") for _ in range(length))
        return f"{ESCAPE}[200~{junk}{ESCAPE}[201~"
    if kind < 0.98:
        return ESCAPE + chance.choice(["[I", "[O", "[I\x1b[O", "[5;7R", "[?2026;2$y", "[?1;2c"])
    if kind < 0.99:
        return chance.choice(FRIENDLY)
    return chance.randint(1, 300), chance.randint(1, 100)


def burst(chance: random.Random, likely: Sequence[str]) -> str:
    """Return keys in one write, as a slow line or a macro delivers them: what opens a dialog, text, what closes it."""
    opening = [key for key in chance.choices(likely or ("\r",), k=chance.choice((0, 1, 1, 2, 4))) if key not in ENDINGS]
    text = chance.choices("abehinrsxy12345 :,", k=chance.choice((0, 1, 3, 8)))
    closing = chance.choices(("\r", "\r", ESCAPE, "\t", f"{ESCAPE}[A", f"{ESCAPE}[B", "\x7f"), k=chance.randint(1, 4))
    return "".join((*opening, *text, *closing))


def at_once(chance: random.Random, size: Size, likely: Sequence[str]) -> list[Thing]:
    """Return what comes without a pause: one thing, mostly, a burst of keys, or a storm of sizes."""
    kind = chance.random()
    if kind < 0.02:
        storm = [(chance.randint(1, 300), chance.randint(1, 100)) for _ in range(chance.randint(10, 200))]
        return [*storm, chance.choice(FRIENDLY)] if chance.random() < 0.8 else [*storm]
    return [burst(chance, likely) if kind < 0.12 else anything(chance, size, likely)]


def lineup(chance: random.Random) -> Lineup:
    """Any table: of any game, more often small than large."""
    seats = chance.choice((2, 2, 2, 3, 4, 9, 40))
    people = chance.choice((1, 1, 2, seats))
    names = ("You", "[red]漢字[/] $x", "\u0301e\u200d🎲", "W" * 200)
    guests = [Seat(names[place] if place < len(names) else f"Guest {place}") for place in range(people)]
    bots = [Seat(f"Bot {place}", chance.choice(list(BOTS))) for place in range(people, seats)]
    whole = Lineup(tuple(chance.sample([*guests, *bots], seats)))
    return replace(
        whole,
        game=chance.choice(list(GAMES)),
        starting_seat=chance.choice((None, 0)),
        monocolor=chance.random() < 0.2,
        coach=chance.choice(COACHING),
        typed=chance.random() < 0.2,
    )


class FuzzRun:
    """One run of the app in the pilot, from somewhere until the monkey leaves it or has had enough."""

    def __init__(self, chance: random.Random, seen: Counter[str]) -> None:
        self.chance = chance
        self.seen = seen
        """Number of looks at each screen, by its name."""
        self.happened: list[Thing] = []
        self.likely: Sequence[str] = ()
        """Terminal input of the keys that were bound at the last look."""
        self.app = FourTwentyApp(lineup(chance) if chance.random() < 0.7 else None, rooms=RoomLauncher())
        self.app.pace = chance.choice((0, 0, 0.01))
        self.app.animation_level = chance.choice(("none", "none", "full"))

    async def play(self, most: int) -> None:
        """Let so many things happen; then everything must lead out."""
        failed: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
        try:
            async with self.app.run_test(size=self.chance.choice(FRIENDLY)) as pilot:
                await pilot.pause()
                while len(self.happened) < most and not self.over:
                    for _ in range(self.chance.choice((1, 1, 1, 2, 5, 20))):
                        for thing in at_once(self.chance, self.size, self.likely):
                            self.let_happen(thing)
                        await asyncio.sleep(0)
                    await self.look(pilot)
                await self.lead_out(pilot)
        except BaseException as error:
            error.add_note(f"after {self.happened[-40:]}")
            raise
        finally:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()  # as the end of the program does
        assert not failed, failed
        assert self.app.return_code in (0, None, 130), "it crashed"

    @property
    def over(self) -> bool:
        return self.app._exit or self.app._exception is not None

    @property
    def size(self) -> Size:
        return self.app.size.width or 1, self.app.size.height or 1

    def let_happen(self, thing: Thing) -> None:
        """Send something to the app, which may be busy."""
        self.happened.append(thing)
        driver = self.app._driver
        assert driver
        if isinstance(thing, tuple):
            driver._size = thing
        for message in (
            [Resize(geometry.Size(*thing), geometry.Size(*thing))] if isinstance(thing, tuple) else messages(thing)
        ):
            driver.process_message(message)

    async def look(self, pilot: Pilot[None]) -> None:
        """Take down what is shown once the app has done what there was to do, and which keys work there."""
        if self.over:
            return
        await pilot.pause()
        if self.app.screen_stack:
            await until(self.sentence_is_of_the_state)
            screen = self.app.screen
            name = type(screen).__name__
            if isinstance(screen, Table):
                name += f" of {screen.game.key}, coach {screen.match.lineup.coach}"
            self.seen[name] += 1
            self.seen["the keys beside it"] += type(screen).__name__ == "PaletteDialog"
            self.likely = [NAMED[key] for key in self.app.active_bindings if key in NAMED]

    def sentence_is_of_the_state(self) -> bool:
        """Return whether the screen on top says the resting sentence of its state, where it says nothing else."""
        screen = self.app.screen if self.app.screen_stack and not self.over else None
        if not isinstance(screen, BaseScreen) or screen.is_gone or not screen.is_mounted:
            return True
        lines = [line for line in screen.query(Sentence) if not line.said]
        return all(str(line.content) == screen.resting_sentence for line in lines)

    async def lead_out(self, pilot: Pilot[None]) -> None:
        """Press what leads out of any screen, until the app ends."""
        self.let_happen((80, 24))
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        for key in cycle(WAY_OUT):
            if self.over:
                return
            assert time.monotonic() < deadline, f"nothing leads out of {self.app.screen_stack}"
            await pilot.pause()
            self.let_happen(key)
            await asyncio.sleep(0.02)


def replay_everything() -> int:
    """Let every match that was kept happen again, by the rules and with the same dice; return how many there are."""
    if not history_file().exists():
        return 0
    with closing(History(history_file(), lambda sentence: sys.exit(sentence))) as history:
        entries = history.page(limit=1_000_000)
        for entry in entries:
            match = history.match(entry.id)
            assert entry.finished == (match.state.outcome is not None)
            assert len([*replay(match.start, match.events)]) == len(match.events)
    return len(entries)


async def play(seed: int, events: int) -> Counter[str]:
    """Play in the pilot, run after run; return how often each screen was looked at."""
    seen: Counter[str] = Counter()
    done = 0
    while done < events:
        life = FuzzRun(random.Random(f"{seed} {done}"), seen)
        try:
            with seeded(f"dice {seed} {done}"):
                await life.play(min(500, events - done))
        except BaseException as error:
            error.add_note(f"in the life of {seed} {done}")
            raise
        done += len(life.happened)
    return seen


STARTER = """
import asyncio, faulthandler, signal, sys

def awaited(task):
    coroutine, lines = task.get_coro(), []
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None)
        if frame is not None:
            lines.append(f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}")
        coroutine = getattr(coroutine, "cr_await", None)
    return lines

def where(*_):
    for task in asyncio.all_tasks():
        lines = awaited(task)
        if not any("_get_message" in line or "_run_timer" in line or line.endswith(" get") for line in lines):
            print(task.get_name(), *lines, sep="\\r\\n  ", end="\\r\\n", file=sys.__stderr__)
    faulthandler.dump_traceback(sys.__stderr__)

signal.signal(signal.SIGUSR1, where)
sys.path.insert(0, sys.argv[1])
from chance import seeded
from fourtwenty.__main__ import main
with seeded(sys.argv[2]):
    sys.exit(main([]))
"""
"""Starts the program with chance that follows from a text, so that a run is replayed with the same dice.

On SIGUSR1 it writes into the terminal where it is: the tasks that do not wait for a message, and the threads.
"""


class TerminalFuzzRun(Terminal):
    """A terminal whose program is woken as soon as it has fallen asleep, and a record of what it is sent.

    The record is a line ``[seconds, thing]`` for each thing, with the time since the lobby was there. The line before
    them is ``[size at the start, text from which the program's chance follows]``.
    """

    def __init__(self, size: Size, chance: str, record: TextIO) -> None:
        self._record = record
        print(json.dumps([size, chance]), file=record, flush=True)
        here = str(Path(__file__).parent)
        super().__init__(sys.executable, "-c", STARTER, here, chance, columns=size[0], rows=size[1])
        self.read_until("Play")
        self._began = time.monotonic()

    def read(self, seconds: float) -> bool:
        """Take what it writes within so many seconds; whether there was anything."""
        if self.stopped:
            self.wake()
        return super().read(seconds)

    def send(self, thing: Thing) -> None:
        """Send something to the program, and write it down."""
        self._write_down(thing)
        if isinstance(thing, tuple):
            self.resize(*thing)
        else:
            self.press(thing)

    def send_again(self, things: Sequence[tuple[float, Thing]]) -> None:
        """Send things at their times, until the program ends."""
        for seconds, thing in things:
            while self.is_alive and (left := self._began + seconds - time.monotonic()) > 0:
                self.read(left)
            if not self.is_alive:
                return
            self.send(thing)

    def lead_out(self) -> None:
        """Press what leads out of any screen, until the program ends; it must leave the terminal as it was."""
        self.send((80, 24))
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        for key in cycle(WAY_OUT):
            if not self.is_alive:
                break
            if time.monotonic() > deadline:
                self.program.send_signal(signal.SIGUSR1)
                self.read_until("most recent call first")
                self.read(1)
                raise AssertionError(f"nothing leads out: {self.written[-9000:]}")
            self.send(key)
            while self.read(0.2):
                pass
        assert self.wait() in (0, -2), f"it crashed: {self.written[-5000:]}"
        assert not self.left_behind
        assert "Traceback" not in self.written

    @property
    def is_alive(self) -> bool:
        return self.program.poll() is None

    def _write_down(self, thing: Thing) -> None:
        print(json.dumps([round(time.monotonic() - self._began, 4), thing]), file=self._record, flush=True)


@contextmanager
def recorded(life: str) -> Iterator[TextIO]:
    """Give a file for the record of a run, beside a copy of the data folder; both are kept when the run fails."""
    folder = Path(tempfile.mkdtemp(prefix="fourtwenty-life-"))
    if history_file().parent.exists():
        shutil.copytree(history_file().parent, folder / "home")
    with (folder / "keys.jsonl").open("w", encoding="utf-8") as file:
        try:
            yield file
        except BaseException as error:
            error.add_note(f"{life}: python tests/tools/monkey.py --terminal --replay {file.name}")
            raise
    shutil.rmtree(folder)


def replay_in_terminal(file: Path) -> None:
    """Send a program what a recorded run was sent, with the same pauses, in the data folder beside the record."""
    if (file.parent / "home").exists():
        shutil.copytree(file.parent / "home", history_file().parent, dirs_exist_ok=True)
    (size, chance), *lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    things = [(seconds, thing if isinstance(thing, str) else (thing[0], thing[1])) for seconds, thing in lines]
    with recorded(f"{file} again") as record, TerminalFuzzRun(size, chance, record) as terminal:
        terminal.send_again(things)
        terminal.lead_out()


def play_in_terminal(seed: int, events: int) -> int:
    """Play in a real terminal, run after run, knowing nothing of the screen; return how many runs there were.

    Raises a group of errors, one for each run that has failed, when all are over.
    """
    chance, pause = random.Random(f"{seed} terminal"), random.Random(f"{seed} pause")
    likely = [*"1234arsnveghmcbgktwox\r\r\r ", f"{ESCAPE}[A", f"{ESCAPE}[B", f"{ESCAPE}[C"]
    lives = done = 0
    failures: list[Exception] = []
    while done < events:
        lives += 1
        size: Size = chance.choice(FRIENDLY)
        happened = 0
        try:
            life = f"life {lives} of {seed}"
            with recorded(life) as record, TerminalFuzzRun(size, life, record) as terminal:
                while happened < min(500, events - done) and terminal.is_alive:
                    for thing in at_once(chance, size, likely):
                        terminal.send(thing)
                        size = thing if isinstance(thing, tuple) else size
                    happened += 1
                    while terminal.read(pause.choice((0, 0, 0.01, 0.05))):
                        pass
                terminal.lead_out()
        except Exception as error:
            failures.append(error)
        done += max(1, happened)
    if failures:
        raise ExceptionGroup(f"{len(failures)} of {lives} lives have failed", failures)
    return lives


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine busy meanwhile with so many processes; they end with this one, whatever ends it."""
    work = f"import os\nwhile os.getppid() == {os.getpid()}: pass"
    working = [subprocess.Popen([sys.executable, "-S", "-c", work]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in working:
            each.kill()
            each.wait()


def main() -> None:
    """Play as the command line says, and report."""
    asked = argparse.ArgumentParser(description="A monkey that plays.")
    asked.add_argument("--events", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=420)
    asked.add_argument("--terminal", action="store_true", help="in a real terminal")
    asked.add_argument("--load", type=int, default=0, metavar="N", help="beside N busy processes")
    asked.add_argument("--replay", type=Path, metavar="FILE", help="in a terminal, the run of a file")
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, busy(chosen.load):
        os.environ["FOURTWENTY_HOME"] = folder
        if chosen.replay:
            replay_in_terminal(chosen.replay)
            print(f"{chosen.replay} ends as it should")
            return
        if chosen.terminal:
            print(play_in_terminal(chosen.seed, chosen.events), "lives")
        else:
            for screen, times in asyncio.run(play(chosen.seed, chosen.events)).most_common():
                print(f"{times:8}  {screen}")
        print(f"{chosen.events} events of seed {chosen.seed}; {replay_everything()} matches replayed")


if __name__ == "__main__":
    main()
