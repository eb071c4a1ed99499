"""The app in a tab of a browser where Python itself runs, without a server, a thread or a disk.

``web/page`` makes the page. Its worker calls ``play`` with two objects, which are all that is known of the browser.
"""

from __future__ import annotations

import asyncio
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import TYPE_CHECKING, ClassVar, Protocol

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.constants import ESCAPE_DELAY
from textual.driver import Driver
from textual.events import AppBlur, AppFocus, Key, Resize
from textual.geometry import Size

from fourtwenty import paths
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.frame.actions import TOUCHED
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.match_flow import MatchFlow

if TYPE_CHECKING:
    from collections.abc import Collection

STORAGE_SECONDS = 5.0
"""Time for which the storage of a browser may keep the players waiting before they are asked."""

MODES = "\x1b[?1049h\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?2004h"
"""The terminal shows another screen, reports the mouse, hides its cursor and marks what is pasted."""


class TabPage(Protocol):
    """The page in the tab, with a terminal."""

    def show(self, painted: str) -> None:
        """Paint on the terminal."""

    def save(self, name: str, text: str) -> None:
        """Save a text as a file of this name."""


class TabDriver(Driver):
    page: ClassVar[TabPage]
    running: ClassVar[TabDriver | None] = None

    def __init__(self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None):
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._parser = XTermParser(debug)

    @property
    def is_web(self) -> bool:
        return True

    def write(self, data: str) -> None:
        self.page.show(data)

    def start_application_mode(self) -> None:
        self.write(MODES)
        assert self._size
        self.resize(*self._size)
        TabDriver.running = self

    def disable_input(self) -> None:
        pass

    def stop_application_mode(self) -> None:
        TabDriver.running = None

    def feed(self, text: str) -> None:
        """Take what the terminal sends: keys, the mouse, pasted text."""
        for event in self._parser.feed(text):
            self.process_message(event)
        self._loop.call_later(ESCAPE_DELAY + 0.001, self._tick)  # a single Escape counts after this time

    def _tick(self) -> None:
        for event in self._parser.tick():
            self.process_message(event)

    def resize(self, columns: int, rows: int) -> None:
        self._size = columns, rows
        self.send_message(Resize(Size(columns, rows), Size(columns, rows)))

    def focus(self, focused: bool) -> None:
        """Take whether the tab is the one that is looked at."""
        self.send_message(AppFocus() if focused else AppBlur())


class TabApp(FourTwentyApp):
    """The app without what needs a process, a network or a shell."""

    absent: ClassVar[Collection[str]] = {"friends", "suspend_process", "help_quit"}
    has_threads = False

    def get_driver_class(self) -> type[Driver]:
        return TabDriver

    def export(self, name: str, record: str) -> str:
        """Save a record as a file of the browser; return how it is called."""
        TabDriver.page.save(name, record)
        return f"The record is saved as {name}"


async def play(page: TabPage, storage: paths.Storage, columns: int, rows: int, by_touch: bool) -> str:
    """Run the app in a tab, and return the sentence about the damage that ended it, if any.

    The data folder is there, as ``storage`` has kept it. ``by_touch`` is whether the screen is touched.
    """
    # Pyodide 314.0.7 (webloop.py, create_task) calls a function that asyncio of Python 3.14 no longer has, for every
    # task of a task factory. Textual 8.2 sets one. It can go when Pyodide does not call it.
    if not hasattr(asyncio.tasks, "_set_task_name"):
        asyncio.tasks._set_task_name = lambda task, name: task.set_name(name)  # type: ignore[attr-defined]
    paths.storage = storage
    TabDriver.page = page
    MatchFlow.quiet_seconds = STORAGE_SECONDS
    app = TabApp()
    app.set_class(by_touch, TOUCHED)
    await app.run_async(size=(columns, rows))
    return app.damage


def tell(method: str, *values: object) -> None:
    """Call a method of the driver that plays: ``feed``, ``resize`` or ``focus``."""
    if TabDriver.running:
        getattr(TabDriver.running, method)(*values)


def back() -> bool:
    """Take the browser's way back as Escape; return whether it leaves the page: there is nothing before the lobby."""
    driver = TabDriver.running
    if driver is None or isinstance(driver._app.screen, Lobby):
        return True
    driver.process_message(Key("escape", "\x1b"))
    return False


def verified(file: str) -> str:
    """Return what the command ``verify`` prints about a file."""
    from fourtwenty.cli.arguments import parse
    from fourtwenty.cli.commands import run_command

    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed), suppress(SystemExit):
        run_command(parse(["verify", file]))
    return printed.getvalue()
