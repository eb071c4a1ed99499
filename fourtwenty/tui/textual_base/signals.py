"""The signals to end, sleep and continue: each leaves the terminal as it was. The journal has the match."""

from __future__ import annotations

import os
import select
import signal
import sys
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver

Handler = Callable[[int, FrameType | None], object]

ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that ask the program to end, on systems that have them."""

SLEEP = [getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name)]
"""The signals to sleep and continue; none on Windows. The type checker needs ``sys.platform`` as well."""

MODES_OFF = (2026, 1000, 1002, 1003, 1006, 1015, 1016, 2004, 2048, 1004)
"""Modes of Textual 8.2 (drivers/linux_driver.py): synchronized output, mouse, paste, in-band resize, focus."""

TERMINAL_TIMEOUT = 1.0
"""Seconds to wait for a terminal that takes no output; then it is left as it is."""

POLL_SECONDS = 0.01
"""Seconds between two attempts to make room in a terminal that takes no output."""

LEAVE_TERMINAL = (
    f"\x18{''.join(f'{chr(27)}[?{mode}l' for mode in MODES_OFF)}\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h\x1b[0m".encode()
)
"""Cancels an unfinished escape sequence, then undoes each mode that Textual 8.2 sets."""


def when_asked_to_end(loop: AbstractEventLoop, end: Callable[[int], object]) -> None:
    """Call ``end`` in this loop with the number of a signal that asks to end.

    Textual 8.2 (drivers/linux_driver.py) handles none of these: SIGTERM would leave the terminal raw, on the alternate
    screen, with the mouse on. The same signal once more restores the terminal and ends the program at once. So does the
    first one if the terminal takes no output: Textual (drivers/_writer_thread.py) waits for it, and so does the loop.
    """
    terminal = sys.__stderr__.fileno() if sys.__stderr__ else -1  # Textual replaces sys.stderr
    restore = _restorer(terminal)

    def asked(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        signal.signal(number, once_more)
        if loop.is_running() and sys.__stdin__ and sys.__stdin__.isatty():
            loop.call_soon_threadsafe(end, number)
            if sys.platform != "win32" and SLEEP:
                signal.signal(signal.SIGALRM, partial(still_here, number))
                signal.setitimer(signal.ITIMER_REAL, TERMINAL_TIMEOUT)
        else:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def still_here(number: int, alarm: int, frame: FrameType | None) -> None:  # noqa: ARG001
        if sys.platform != "win32" and _takes_output(terminal, TERMINAL_TIMEOUT):
            signal.setitimer(signal.ITIMER_REAL, TERMINAL_TIMEOUT)
        else:
            once_more(number, frame)

    def once_more(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        # Not SIG_IGN: Python 3.11 to 3.14 prints an error if a signal's handler is gone when it is delivered
        # (python/cpython#87572).
        signal.signal(number, lambda number, frame: None)  # noqa: ARG005
        restore()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    for number in ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, asked)


def _takes_output(terminal: int, seconds: float) -> bool:
    """Return whether a terminal takes output within so many seconds; it does not if unread, or stopped by ctrl+s."""
    return bool(select.select([], [terminal], [], seconds)[1])


def _restorer(terminal: int) -> Callable[[], None]:
    """Return a function that restores a terminal without Textual's write queue, and drops untaken and later output."""
    if sys.platform == "win32" or not SLEEP:
        return lambda: None
    import termios

    try:
        attributes = termios.tcgetattr(sys.stdin)
    except (OSError, ValueError, termios.error):
        return lambda: None

    def restore() -> None:
        deadline = monotonic() + TERMINAL_TIMEOUT
        with suppress(OSError, termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSANOW, attributes)
            own = os.dup(terminal)
            os.dup2(os.open(os.devnull, os.O_WRONLY), terminal)  # Textual's writer goes on in its thread
            for byte in LEAVE_TERMINAL:  # one at a time: a longer write would wait for room
                while not _takes_output(own, POLL_SECONDS):
                    if monotonic() > deadline:
                        return
                    termios.tcflush(own, termios.TCOFLUSH)
                    for flow in (termios.TCOOFF, termios.TCOON):  # wakes a write that waits for room, and ends ctrl+s
                        termios.tcflow(own, flow)
                os.write(own, bytes([byte]))

    return restore


def hold_sleep() -> None:
    """Block SIGTSTP and SIGCONT until ``when_woken`` handles them: Textual's own handlers can deadlock (see there)."""
    if sys.platform != "win32" and SLEEP:
        signal.pthread_sigmask(signal.SIG_BLOCK, SLEEP)


def when_woken(driver: Driver, in_use: Callable[[], bool], woken: Callable[[], object]) -> None:
    """Call ``woken`` after a sleep, once ``driver`` has set the terminal up again.

    Unless ``in_use``, as after a sleep while the program ends, the terminal is left as it is.

    Textual 8.2 (drivers/linux_driver.py) sleeps and wakes in signal handlers. They can interrupt its writer inside
    ``queue.put``, whose lock is not reentrant, and write again: a deadlock. Here the event loop calls them. After
    SIGSTOP, which has no handler, the driver is suspended first. This can go when Textual uses the event loop
    (Textualize/textual#6298).
    """
    if sys.platform == "win32" or not SLEEP:
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
        if not in_use():
            return
        if not slept:
            driver.suspend_application_mode()
        wake(signal.SIGCONT, None)
        when_resized(get_running_loop())  # Textual has set its own handler again
        woken()

    if callable(sleep) and callable(wake):  # other versions of Textual may install none
        get_running_loop().add_signal_handler(signal.SIGTSTP, falls_asleep, sleep)
        get_running_loop().add_signal_handler(signal.SIGCONT, goes_on, wake)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SLEEP)


def when_resized(loop: AbstractEventLoop) -> None:
    """Handle SIGWINCH in this loop, so that Textual gets the newest size last.

    Textual 8.2 (drivers/linux_driver.py) reads the size in a signal handler. A second signal can interrupt it: the
    newer size is posted first, and the older one stays. This can go when Textual uses the event loop. Windows has no
    such signal: its driver reads the new size with the keys.
    """
    if sys.platform == "win32" or not SLEEP:
        return
    resized = signal.getsignal(signal.SIGWINCH)
    if callable(resized):
        loop.add_signal_handler(signal.SIGWINCH, resized, signal.SIGWINCH, None)
    # Every signal writes a byte to the loop; Python prints an error if a busy loop has not read them for long
    # (python/cpython#74236).
    signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)
