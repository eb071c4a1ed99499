"""What the operating system may ask of a program with a terminal: to end, to sleep and to go on.

Whatever is asked, the terminal is left as it was found. What becomes of the match is not its business: it is kept.
"""

from __future__ import annotations

import select
import signal
import sys
from asyncio import AbstractEventLoop
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.driver import Driver

ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals that ask to end, where there are such."""


def when_asked_to_end(loop: AbstractEventLoop, end: Callable[[int], object]) -> None:
    """Have ``end`` called in this loop with the signal that asks for it.

    Asked again, or without a terminal that could be left in order, the program ends at once.
    """

    def asked(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        signal.signal(number, signal.SIG_DFL)
        if loop.is_running() and sys.__stdin__ and sys.__stdin__.isatty():
            loop.call_soon_threadsafe(end, number)
        else:
            signal.raise_signal(number)

    for number in ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, asked)


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


def when_woken(driver: Driver, woken: Callable[[], object]) -> None:
    """Have ``woken`` called when the program has slept and goes on, after ``driver`` has taken the terminal again.

    Textual's driver does so; but where nobody asked it before the sleep, as with SIGSTOP, it has not let go either.
    """
    sleep, wake = signal.getsignal(signal.SIGTSTP), signal.getsignal(signal.SIGCONT)
    assert callable(sleep)
    assert callable(wake)
    asleep = False

    def falls_asleep(number: int, frame: FrameType | None) -> None:
        nonlocal asleep
        asleep = True
        sleep(number, frame)

    def goes_on(number: int, frame: FrameType | None) -> None:
        nonlocal asleep
        slept, asleep = asleep, False
        if not slept:
            driver.suspend_application_mode()
        wake(number, frame)
        woken()

    signal.signal(signal.SIGTSTP, falls_asleep)
    signal.signal(signal.SIGCONT, goes_on)
