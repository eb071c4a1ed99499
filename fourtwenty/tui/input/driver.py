"""Textual's terminal driver with another thread that reads the input."""

from __future__ import annotations

import os
import select
import signal
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from threading import Event

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from fourtwenty.tui.input.sequences import CURSOR, MODE_2026, UNMARKED_PASTES, InputParser

assert sys.platform != "win32"  # where Textual has another driver

WIDTH_QUESTION = f"\r─{CURSOR}"
"""Paints a line of one cell, and asks where the cursor is then."""

CLEAR = "\x1b[H\x1b[2J"
"""Clears the screen. GNU screen 4.9 and mosh 1.4 have one screen only, and show the picture for ever without it."""


class Wake(Event):
    def __init__(self) -> None:
        super().__init__()
        self.awaited, self._written = os.pipe()

    def set(self) -> None:
        """Set the event, and end a ``select`` that waits for ``awaited``."""
        super().set()
        os.write(self._written, b"\0")

    def clear(self) -> None:
        super().clear()
        os.read(self.awaited, 1)


# Textual 8.2 (drivers/linux_driver.py, run_input_thread) polls for input and for its end ten times a second. Leaving
# took 205 ms for the terminal and 252 ms for the process, with ten wake-ups a second when idle; a sleeping thread takes
# 13 and 73 ms, and none. It decodes all input as UTF-8: one other byte, an é of Latin-1, ends the app with a traceback.
# In a program without SIGHUP it reads the end of a closed terminal for ever. It can go when Textual's thread sleeps,
# replaces what it cannot decode (Textualize/textual#6456), and ends with the terminal.
class TerminalDriver(LinuxDriver):
    """Textual's driver, whose input thread sleeps until there is input, reads any byte, and ends with the terminal."""

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.exit_event: Wake = Wake()
        self._asked = {MODE_2026, CURSOR}
        """The questions whose answers are passed on."""

    def start_application_mode(self) -> None:
        # The thread that is started here forgets what it has asked. An attribute of BaseApp, as below.
        asks = CURSOR in self._asked and not self._app.ascii_only  # type: ignore[attr-defined]
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if asks:
            self.write(WIDTH_QUESTION)

    # The size comes by SIGWINCH. Mode 2048 would report it among the input, in pixels that not every terminal knows.
    def _query_in_band_window_resize(self) -> None:
        """Do not ask for reports of the size among the input."""

    # Textual 8.2 (drivers/linux_driver.py) has kitty 0.26 and foot 1.13 report every key as an escape code. After
    # ``kill -9`` the shell there can read no key at all, and Shift alone is a key.
    def write(self, data: str) -> None:
        """Write to the terminal, but do not ask for the kitty protocol."""
        if not (data.startswith("\x1b[>") and data.endswith("u")):
            super().write(data)

    def stop_application_mode(self) -> None:
        self.write(CLEAR)
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Pass on input until the driver stops; end the app by SIGHUP when the terminal is closed."""
        assert sys.__stdin__
        decode = getincrementaldecoder(sys.__stdin__.encoding)("replace").decode
        marks_pastes = not os.environ.get("TERM", "").startswith(UNMARKED_PASTES)
        parser = InputParser(self._asked, "SSH_CONNECTION" in os.environ, marks_pastes)
        self._asked = {MODE_2026}  # after a sleep
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno, self.exit_event.awaited], [], [], parser.seconds_left)
            if self.fileno in ready:
                data = b""
                with suppress(OSError):
                    data = os.read(self.fileno, 4096)
                if not data:
                    # A method of BaseApp, whose module imports this one.
                    self._app.call_later(self._app.end_by, signal.SIGHUP)  # type: ignore[attr-defined]
                    return
                if text := decode(data):
                    for event in parser.feed(text):
                        self.process_message(event)
            for event in parser.tick():
                self.process_message(event)
