"""The functions that Textual asks Windows for (drivers/win32.py), as far as a terminal in raw mode can answer them.

``simulated_windows.py`` puts this module into that one's place, so that Textual's own driver for Windows runs there.
"""

from __future__ import annotations

import os
import select
import sys
from asyncio import AbstractEventLoop
from codecs import getincrementaldecoder
from collections.abc import Callable
from threading import Event, Thread

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.message import Message


def enable_application_mode() -> Callable[[], None]:
    """Leave the terminal as it is: it reads key by key already."""
    return lambda: None


class EventMonitor(Thread):
    """Reads the keys. The size stays as it is."""

    def __init__(
        self,
        loop: AbstractEventLoop,  # noqa: ARG002
        app: App[None],  # noqa: ARG002
        exit_event: Event,
        process_event: Callable[[Message], None],
    ) -> None:
        super().__init__(name="textual-input")
        self._exit_event = exit_event
        self._process_event = process_event

    def run(self) -> None:
        assert sys.__stdin__
        terminal = sys.__stdin__.fileno()
        parser = XTermParser()
        decode = getincrementaldecoder("utf-8")().decode
        while not self._exit_event.is_set():
            for event in parser.tick():
                self._process_event(event)
            if select.select([terminal], [], [], 0.1)[0]:
                for event in parser.feed(decode(os.read(terminal, 4096))):
                    self._process_event(event)
