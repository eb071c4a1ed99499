"""The signals that a terminal program gets: to end, to sleep and to go on. Whatever comes, the terminal is left as it
was found. The match needs nothing here: it is kept already.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver

Handler = Callable[[int, FrameType | None], object]

ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that ask to end, where there are such."""

SLEEP = [getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name)]
"""The signals to sleep and to go on, where there are such."""

MODES_OFF = (2026, 1000, 1002, 1003, 1006, 1015, 1016, 2004, 2048, 1004)
"""Terminal modes that Textual 8.2 may have on: synchronized output, mouse, paste, in-band resize, focus."""

PATIENCE_SECONDS = 1.0
"""How long a terminal may take until it is ready for what puts it in order."""

LEAVE = f"\x18{''.join(f'{chr(27)}[?{mode}l' for mode in MODES_OFF)}\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h\x1b[0m".encode()
"""Breaks off what is half written, and undoes all that Textual 8.2 does to a terminal."""


def when_asked_to_end(loop: AbstractEventLoop, end: Callable[[int], object]) -> None:
    """Have ``end`` called in this loop with the signal that asks for it.

    The same signal once more ends the program at once, after the terminal has been put in order.
    """
    restore = _restorer()

    def asked(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        signal.signal(number, once_more)
        if loop.is_running() and sys.__stdin__ and sys.__stdin__.isatty():
            loop.call_soon_threadsafe(end, number)
        else:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def once_more(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        signal.signal(number, signal.SIG_IGN)
        restore()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    for number in ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, asked)


def _restorer() -> Callable[[], None]:
    """Return a function that puts the terminal back as it is now, without Textual and its queue of writes."""
    try:
        import termios

        shown_on, attributes = sys.stderr.fileno(), termios.tcgetattr(sys.stdin)
    except (ImportError, OSError, ValueError, termios.error):
        return lambda: None

    def restore() -> None:
        with suppress(OSError, termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSANOW, attributes)
            if select.select([], [shown_on], [], PATIENCE_SECONDS)[1]:  # not while ctrl+s holds it
                os.write(shown_on, LEAVE)

    return restore


def when_hung_up(loop: AbstractEventLoop, terminal: int, end: Callable[[int], object]) -> None:
    """Have ``end`` called in this loop with SIGHUP when the terminal is gone, where the system can tell (Linux).

    A program that does not belong to the terminal gets no signal, and Textual would read the end of file for ever.
    """
    if sys.platform != "linux":
        return
    watch = select.epoll()
    watch.register(terminal, 0)  # neither keys nor room to write: only that it is gone

    def gone() -> None:
        loop.remove_reader(watch)
        end(signal.SIGHUP)

    loop.add_reader(watch, gone)


def hold_sleep() -> None:
    """Let SIGTSTP and SIGCONT wait until ``when_woken`` handles them: Textual's own handlers can hang (see there)."""
    if SLEEP:
        signal.pthread_sigmask(signal.SIG_BLOCK, SLEEP)


def when_woken(driver: Driver, woken: Callable[[], object]) -> None:
    """Have ``woken`` called when the program has slept and goes on, after ``driver`` has taken the terminal again.

    Textual 8.2 does so in signal handlers of its own (drivers/linux_driver.py). They may interrupt its writer inside
    ``queue.put``, whose lock is not reentrant, and write again: the program hangs. In the event loop nothing is
    interrupted. Where nobody asked Textual before the sleep, as with SIGSTOP, it has not let go of the terminal either.
    """
    if not SLEEP:
        return
    sleep, wake = signal.getsignal(signal.SIGTSTP), signal.getsignal(signal.SIGCONT)
    asleep = False

    def falls_asleep(sleep: Handler) -> None:
        nonlocal asleep
        asleep = True
        sleep(signal.SIGTSTP, None)

    def goes_on(wake: Handler) -> None:
        nonlocal asleep
        slept, asleep = asleep, False
        if not slept:
            driver.suspend_application_mode()
        wake(signal.SIGCONT, None)
        when_resized(get_running_loop())  # Textual has set its own handler again
        woken()

    if callable(sleep) and callable(wake):  # another Textual may have none
        get_running_loop().add_signal_handler(signal.SIGTSTP, falls_asleep, sleep)
        get_running_loop().add_signal_handler(signal.SIGCONT, goes_on, wake)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SLEEP)


def when_resized(loop: AbstractEventLoop) -> None:
    """Have Textual told of sizes in this loop, the newest last.

    Textual 8.2.8 (drivers/linux_driver.py) asks for the size in a signal handler. The next signal interrupts it, the
    newer size is told first, and the older one stays.
    """
    resized = signal.getsignal(signal.SIGWINCH)
    if callable(resized):
        loop.add_signal_handler(signal.SIGWINCH, resized, signal.SIGWINCH, None)
