"""Textual's driver for Windows, which reads the console with the same parser as other terminals."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace

from textual.drivers import win32, windows_driver
from textual.drivers.windows_driver import WindowsDriver

from fourtwenty.tui.input.sequences import InputParser

KITTY_KEYS = "\x1b[>1u"


# Textual 8.2 (drivers/win32.py, EventMonitor.run; windows_driver.py, start_application_mode) names its parser in the
# function that reads the console, and that class in the function that starts it. Both run here with other names, so
# that no code of the console is copied. It can go when a driver can choose its parser.
class ConsoleReader(win32.EventMonitor):
    run = FunctionType(
        win32.EventMonitor.run.__code__,
        {**vars(win32), "XTermParser": lambda debug=False: InputParser()},  # noqa: ARG005
    )


class WindowsTerminalDriver(WindowsDriver):
    start_application_mode = FunctionType(
        WindowsDriver.start_application_mode.__code__,
        {**vars(windows_driver), "win32": SimpleNamespace(**{**vars(win32), "EventMonitor": ConsoleReader})},
    )

    def write(self, data: str) -> None:
        """Write to the console, but do not ask it for the kitty protocol (driver.py)."""
        if data != KITTY_KEYS:
            super().write(data)
