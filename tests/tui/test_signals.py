"""Ends, sleeps and closed windows in a real terminal: it is left as it was found, and the match is kept."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import closing
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from long_tests import ENDS, mostly_long, soak, try_out
from monkey import replay_everything
from terminal import PROGRAM, Terminal
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.journal.history import History
from fourtwenty.tui.app import FourTwentyApp

pytestmark = pytest.mark.terminal

TABLE = (*PROGRAM, "play", "--players", "Ann,Ben", "--dice", "typed")
ROLL = "6551\r"
ROLLED = r"(Ann|Ben) rolled 6 5 5 1: 17\."


def events_kept(home: Path) -> int:
    with closing(History(home / "games.sqlite", pytest.fail)) as history:
        return len(history.match(1).events)


@pytest.mark.parametrize(
    ("asked", "number"),
    [("SIGTERM", signal.SIGTERM), ("SIGHUP", signal.SIGHUP), ("SIGINT", signal.SIGINT), ("ctrl+c", signal.SIGINT)],
)
def test_asked_to_end(home: Path, asked: str, number: int) -> None:
    with Terminal(*TABLE) as terminal:
        terminal.press(ROLL, after="your turn")
        terminal.read_until(ROLLED)
        if asked == "ctrl+c":
            terminal.press("\x03")
        else:
            terminal.program.send_signal(number)
        assert terminal.wait() == -number, "what started it can tell why it ended"
        assert not terminal.left_behind
        assert "Traceback" not in terminal.written
    assert events_kept(home) == 1


def test_quitting(home: Path) -> None:
    with Terminal(*TABLE) as terminal:
        terminal.press(ROLL, after="your turn")
        terminal.press("q", after=ROLLED)
        terminal.press("q", after="Game saved")
        assert terminal.wait() == 0
        assert not terminal.left_behind
    assert events_kept(home) == 1


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of it")


@pytest.mark.parametrize("owned", [True, pytest.param(False, marks=only_linux)], ids=["its own", "another's"])
def test_the_window_is_closed(home: Path, owned: bool) -> None:
    with Terminal(*TABLE, owned=owned) as terminal:
        terminal.press(ROLL, after="your turn")
        terminal.read_until(ROLLED)
        terminal.hang_up()
        assert terminal.program.wait(MAX_WAIT_SECONDS) == -signal.SIGHUP
    assert events_kept(home) == 1


@only_linux
def test_the_window_is_closed_where_nobody_may_hang_up() -> None:
    with Terminal("sh", "-c", 'trap "" HUP; exec "$@"', "sh", *TABLE) as terminal:
        terminal.read_until("your turn|Enter to start")
        terminal.hang_up()
        assert terminal.program.wait(MAX_WAIT_SECONDS) == 128 + signal.SIGHUP


def test_ctrl_c_before_there_is_a_picture() -> None:
    with Terminal(*TABLE) as terminal:
        assert terminal.read(MAX_WAIT_SECONDS), "the first that is written asks what the terminal can do"
        terminal.program.send_signal(signal.SIGINT)
        assert terminal.wait() == -signal.SIGINT
        assert not terminal.left_behind
        assert "Traceback" not in terminal.written


KEYS = ("\r", "r", "h", "a", ",", "?", "\x1b", "\x1b[B", ROLL)
"""Keys that open something, roll, or lead back; none of them leads out."""


@soak(short=4, whole=100)
def test_a_signal_at_any_moment(trials: int) -> None:
    signals = cycle((signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGTSTP))

    def trial(chance: Random) -> None:
        number = next(signals)
        with Terminal(*chance.choice((PROGRAM, TABLE))) as terminal:
            moment = time.monotonic() + chance.uniform(0, 3)
            while (left := moment - time.monotonic()) > 0:
                if not terminal.read(min(left, chance.choice((0.01, 0.1, 0.5)))) and terminal.written:
                    terminal.press(chance.choice(KEYS))
            while terminal.read(0):
                pass
            heard = bool(terminal.written)
            terminal.program.send_signal(number)
            if number == signal.SIGTSTP:
                go_on(terminal, heard)
            else:
                status = terminal.wait()
                # Python itself ends with 1 or 130 when it is interrupted while it starts.
                assert status == -number or (number == signal.SIGINT and not heard and status in (1, 130))
            assert not terminal.left_behind
            if number != signal.SIGINT or heard:  # Python itself is interrupted while it imports what would hear it
                assert "Traceback" not in terminal.written

    try_out(trials, trial)
    replay_everything()


def go_on(terminal: Terminal, heard: bool) -> None:
    """Wait until the program sleeps, wake it, and leave it; before it hears signals, the system may drop this one."""
    if heard:
        terminal.wait_for_sleep()
        assert not terminal.left_behind
        terminal.wake()
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while terminal.program.poll() is None:
        assert time.monotonic() < deadline, f"nothing leads out:\n{terminal.shown}"
        if terminal.stopped:
            terminal.wake()
        if not terminal.read(0.2) and terminal.written:
            terminal.press("\x11")
    assert terminal.wait() == 0


@pytest.mark.parametrize("keys", [",", "e"])
def test_ctrl_c_in_a_dialog(keys: str) -> None:
    with Terminal(*PROGRAM) as terminal:
        terminal.press(keys, after="Quit")
        terminal.press("\x03", after="esc")
        assert terminal.wait() == -signal.SIGINT


def test_ctrl_c_in_a_terminal_too_small() -> None:
    with Terminal(*PROGRAM, columns=50, rows=15) as terminal:
        terminal.press("\x03", after="The game needs")
        assert terminal.wait() == -signal.SIGINT


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_asked_to_end_again_and_again(name: str) -> None:
    number = getattr(signal, name)
    with Terminal(*PROGRAM) as terminal:
        terminal.read_until("Quit")
        while terminal.program.poll() is None:
            terminal.program.send_signal(number)
            terminal.read(0.001)
        assert terminal.wait() == -number
        assert not terminal.left_behind
        assert "Traceback" not in terminal.written


@pytest.mark.parametrize("keys", ["", "1" * 200], ids=["idle", "while it paints"])
@mostly_long("name", ["SIGTERM", "SIGHUP", "SIGINT"], ["SIGHUP"], *ENDS)
def test_asked_to_end_in_a_terminal_that_nobody_reads(home: Path, name: str, keys: str) -> None:
    number = getattr(signal, name)
    with Terminal(*TABLE) as terminal:
        terminal.press(ROLL, after="your turn")
        terminal.read_until(ROLLED)
        terminal.freeze()
        terminal.press(keys)
        terminal.program.send_signal(number)
        assert terminal.program.wait(MAX_WAIT_SECONDS) == -number
        assert terminal.wait() == -number, "and whatever is left to be read is read now"
        assert not terminal.left_behind
    assert events_kept(home) == 1


INSIDE_THE_QUEUE = """
import os, signal, sys
from textual.drivers._writer_thread import WriterThread
from fourtwenty.__main__ import main
write = WriterThread.write
def interrupted(self, text):
    if "Options" in text:  # a picture of the lobby
        WriterThread.write = write
        with self._queue.mutex:
            os.kill(os.getpid(), signal.SIGTSTP)
    write(self, text)
WriterThread.write = interrupted
sys.exit(main([]))
"""


def test_sleep_that_comes_while_textual_writes_waits_for_it() -> None:
    with Terminal(sys.executable, "-c", INSIDE_THE_QUEUE) as terminal:
        terminal.wait_for_sleep()
        assert not terminal.left_behind
        terminal.wake()
        terminal.press("q", after="Quit")
        assert terminal.wait() == 0


AT_THE_END = """
import os, signal, sys
from textual.drivers.linux_driver import LinuxDriver
from fourtwenty.__main__ import main
close = LinuxDriver.close
def last(self):
    LinuxDriver.close = close
    close(self)
    os.kill(os.getpid(), signal.SIGTSTP)
LinuxDriver.close = last
sys.exit(main([]))
"""


def test_sleep_while_the_program_ends() -> None:
    with Terminal(sys.executable, "-c", AT_THE_END) as terminal:
        terminal.press("q", after="Quit")
        terminal.wait_for_sleep()
        assert not terminal.left_behind
        terminal.wake()
        assert terminal.wait() == 0
        assert not terminal.left_behind


def test_a_textual_without_handlers_for_sleep_starts_all_the_same() -> None:
    without = (
        "import signal, sys; from textual.drivers.linux_driver import LinuxDriver; start = LinuxDriver.__init__\n"
        "def init(self, *a, **k):\n"
        "    start(self, *a, **k)\n"
        "    for number in (signal.SIGTSTP, signal.SIGCONT): signal.signal(number, signal.SIG_DFL)\n"
        "LinuxDriver.__init__ = init\n"
        "from fourtwenty.__main__ import main; sys.exit(main([]))"
    )
    with Terminal(sys.executable, "-c", without) as terminal:
        terminal.press("q", after="Quit")
        assert terminal.wait() == 0


async def test_an_end_that_comes_while_a_screen_opens() -> None:
    app = FourTwentyApp()
    async with app.run_test() as pilot:
        await pilot.pause()
        app.action_history()
        app.end_by(signal.SIGTERM)
        await until(lambda: not app.is_running)
    assert app.return_code == 0


RESIZED_AGAIN = """
import sys, termios
from textual.drivers.linux_driver import LinuxDriver
from fourtwenty.__main__ import main

ask = LinuxDriver._get_terminal_size

def size_while_it_changes(driver):
    size = ask(driver)
    if size == (50, 15):
        termios.tcsetwinsize(0, (24, 80))
    return size

LinuxDriver._get_terminal_size = size_while_it_changes
sys.exit(main([]))
"""
"""Makes the terminal large again while the program has just learnt that it is small."""


@pytest.mark.parametrize("asleep", [False, True], ids=["awake", "asleep"])
def test_the_last_of_two_sizes_in_a_moment_stays(asleep: bool) -> None:
    with Terminal(sys.executable, "-c", RESIZED_AGAIN) as terminal:
        terminal.read_until("Quit")
        if asleep:
            terminal.program.send_signal(signal.SIGTSTP)
            terminal.wait_for_sleep()
        terminal.resize(50, 15)
        if asleep:
            terminal.wake()
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while "Theme" not in terminal.written:
            assert time.monotonic() < deadline, (
                f"no key does anything: it takes the terminal for small:\n{terminal.shown}"
            )
            terminal.press(",")
            terminal.read(0.1)
        terminal.press("\x11")
        assert terminal.wait() == 0


@pytest.mark.parametrize("how", ["SIGTSTP", "SIGSTOP"])
def test_sleep_and_going_on(how: str) -> None:
    with Terminal(*TABLE) as terminal:
        terminal.read_until("your turn")
        for _ in range(2):
            terminal.program.send_signal(getattr(signal, how))
            terminal.wait_for_sleep()
            assert how == "SIGSTOP" or not terminal.left_behind
            terminal.wake()
            terminal.read_until("Round 1 of 1", "your turn", "Leave")
        terminal.press(ROLL)
        terminal.press("\x11", after=ROLLED)
        assert terminal.wait() == 0
        assert not terminal.left_behind


def test_no_sleep_without_a_shell_that_could_end_it() -> None:
    with Terminal(*TABLE) as terminal:
        terminal.press("\x1a", after="your turn")
        terminal.press(ROLL)
        terminal.read_until(ROLLED)


def test_sleep_under_a_shell() -> None:
    with Terminal("sh", "-i", environment={"PS1": "ready ", "ENV": ""}) as shell:
        shell.read_until("ready")
        shell.press(" ".join((*TABLE, "\n")))
        shell.read_until("your turn")
        shell.press("\x1a")
        shell.read_until("ready")
        shell.press("fg\n")
        shell.read_until("your turn")
        shell.press(ROLL)
        shell.read_until(ROLLED)
        shell.press("\x11")
        shell.read_until("ready")
        shell.press("exit $?\n")
        assert shell.wait() == 0
        assert not shell.left_behind
