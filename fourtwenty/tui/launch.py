"""The start and the end of the full-screen app: terminal checks, process set-up, signals."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from fourtwenty.console import check_encoding, exit_with_error
from fourtwenty.tui.terminal_features import color_system

if TYPE_CHECKING:
    from fourtwenty.games.game import State
    from fourtwenty.play.dice import Dice
    from fourtwenty.play.lineup import Lineup
    from fourtwenty.play.practice import PracticeOptions
    from fourtwenty.tui.app import RoomsPlugin

PLAIN = "play in lines of text: fourtwenty play --plain"
PLAIN_PRACTICE = "practise in lines of text: fourtwenty practice --plain"
PLAIN_ROOM = "play in lines of text: add --plain"
COLOUR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")


def _check_terminal(plain: str) -> None:
    """Exit with a message if the terminal cannot show the table."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        exit_with_error(f"fourtwenty: the table needs a terminal; start it in one, or {plain}")
    if os.environ.get("TERM") == "dumb":
        exit_with_error(f"fourtwenty: this terminal cannot show the table; {plain}")
    check_encoding()


def _check_environment() -> None:
    """Exit with a message where Textual 8.2 (constants.py, app.py) would end with a traceback."""
    colours = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    if colours not in COLOUR_SYSTEMS:
        exit_with_error(f"fourtwenty: TEXTUAL_COLOR_SYSTEM is {colours!r}; it can be {', '.join(COLOUR_SYSTEMS)}")
    log = os.environ.get("TEXTUAL_LOG")
    if log:
        try:
            Path(log).open("a", encoding="utf-8").close()
        except OSError as error:
            exit_with_error(f"fourtwenty: TEXTUAL_LOG is {log!r}, which cannot be written ({error.strerror}); unset it")
    driver = os.environ.get("TEXTUAL_DRIVER")
    if driver is not None:
        from textual.driver import Driver

        module, _, name = driver.partition(":")
        try:
            known = issubclass(getattr(import_module(module), name), Driver)
        except (ImportError, AttributeError, TypeError, ValueError):
            known = False
        if not known:
            exit_with_error(f"fourtwenty: TEXTUAL_DRIVER is {driver!r}, which isn't a driver; unset it")


def _needs_ascii() -> bool:
    """Whether the terminal lacks box-drawing and other characters; the Linux console lacks most."""
    import codecs

    return os.environ.get("TERM") == "linux" or codecs.lookup(sys.stderr.encoding).name != "utf-8"


def run_app(
    lineup: Lineup | None = None,
    dice: Dice | None = None,
    start: State | None = None,
    ascii_only: bool = False,
    practice: PracticeOptions | None = None,
    rooms: RoomsPlugin | None = None,
) -> int:
    """Run the app, or exit with a message; return the exit status."""
    if "TEXTUAL_DRIVER" not in os.environ:
        _check_terminal(PLAIN_ROOM if rooms and rooms.pending_table else PLAIN_PRACTICE if practice else PLAIN)
        ascii_only = ascii_only or _needs_ascii()
    _check_environment()
    os.environ.setdefault("TEXTUAL_COLOR_SYSTEM", color_system(os.environ))
    # Textual 8.2 (app.py) takes an empty NO_COLOR as set; no-color.org does not.
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)
    # Textual 8.2 (drivers/linux_driver.py, stop_application_mode) leaves the pixel mouse on, mode 1016: the next
    # program reads pixels for cells. It can go when Textual switches the mode off.
    os.environ.setdefault("TEXTUAL_SMOOTH_SCROLL", "0")

    import gc

    # Importing Textual and the first layout make many objects and almost no garbage; collecting it slows the start.
    # ``BaseApp.on_ready`` collects again. It can go when that no longer shows (Textual 8.2; #6402 and #6410 are near).
    gc.disable()

    import asyncio
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # for ctrl+c during the imports below

    from fourtwenty.tui.app import FourTwentyApp
    from fourtwenty.tui.textual_base.signals import hold_sleep, when_asked_to_end

    try:
        app = FourTwentyApp(lineup, dice, start, ascii_only, practice, rooms)
        with asyncio.Runner() as runner:
            if "TEXTUAL_DRIVER" not in os.environ:
                when_asked_to_end(runner.get_loop(), app.end_by)
                hold_sleep()
            try:
                runner.run(app.run_async())
            finally:
                # Python 3.11 to 3.14 (asyncio/unix_events.py, close) closes the descriptor that signals write to before
                # it is unset (python/cpython#96807).
                signal.set_wakeup_fd(-1)
    finally:
        gc.enable()
    if app.ended_by:
        signal.raise_signal(app.ended_by)
        return 128 + app.ended_by  # the signal is ignored, as SIGHUP under nohup
    if app.damage:
        exit_with_error(f"fourtwenty: {app.damage}")
    # Textual 8.2 (app.py, panic) sets no status when its driver's thread fails; an app that ended well has one.
    return 1 if app.return_code is None else app.return_code
