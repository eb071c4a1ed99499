"""A Textual app with a fast start, no lost keys, NO_COLOR, and ends and sleeps by signals."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.css.stylesheet import Stylesheet
from textual.events import CursorPosition
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import AwaitMount, Widget

from fourtwenty.tui.input.queue import InputApp
from fourtwenty.tui.terminal_features import has_eight_colours
from fourtwenty.tui.text_only import TextOnly

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.filter import LineFilter

MIN_SIZE = Size(60, 20)
"""The smallest terminal with room for all screens, in cells."""


def is_too_small(size: Size) -> bool:
    return size.width < MIN_SIZE.width or size.height < MIN_SIZE.height


# Textual 8.2 (css/stylesheet.py, reparse) parses every sheet in a new Stylesheet and drops its cache, so once more when
# the first screen brings its own. Our sheets leave no errors behind. It can go when the cache stays.
class OnceParsed(Stylesheet):
    def reparse(self) -> None:
        self.parse()


class BaseApp(InputApp):
    absent: ClassVar[Collection[str]] = ()
    """Actions of the app and all screens that are impossible where the program runs, and so hidden."""
    has_threads = True
    """Whether the program can start threads; not in a browser."""

    def __init__(self, ascii_only: bool = False) -> None:
        """Emit only ASCII if asked to, and no colours if NO_COLOR is set."""
        super().__init__()
        self.stylesheet = OnceParsed(variables=self.stylesheet._variables)
        self._text_only = TextOnly()
        self.look_filters: list[LineFilter] = []
        """The filters for a terminal of few colours or none, or without more than ASCII."""
        if self.no_color:
            from fourtwenty.tui.colours import Monochrome

            self.look_filters.append(Monochrome(self))
        elif self.console.color_system == "standard":
            from fourtwenty.tui.colours import FewColours

            self.look_filters.append(FewColours(has_eight_colours(os.environ)))
        self.ascii_only = False
        if ascii_only:
            self.draw_in_ascii()
        self.keymap: Mapping[str, str] = {}
        """The changed keys, by binding id."""
        self.ended_by = 0
        """The signal that ended the program; 0 for none."""
        self.damage = ""
        """The sentence about the damaged installation that ended the program; empty for none."""
        self._is_ready = False

    # See input/driver.py.
    def get_driver_class(self) -> type[Driver]:
        driver = super().get_driver_class()
        if sys.platform != "win32" and driver.__name__ == "LinuxDriver":  # not a browser, nor a test
            from fourtwenty.tui.input.driver import TerminalDriver

            return TerminalDriver
        if driver.__name__ == "WindowsDriver":
            from fourtwenty.tui.input.windows_driver import WindowsTerminalDriver

            return WindowsTerminalDriver
        return driver

    # -- the start ---------------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, _load_screen_css) parses every sheet again when a screen brings a new one, and restyles the
    # screen below. No sheet here has rules for other screens, so only the new one is parsed. It can go when Textual
    # does so; if it renames the method, only time is lost.
    def _load_screen_css(self, screen: Screen[object]) -> None:
        for path in screen.css_path:
            if not self.stylesheet.has_source(str(path)):
                self.stylesheet.add_source(path.read_text(encoding="utf-8"), (str(path), ""))
        super()._load_screen_css(screen)

    # Textual 8.2 (app.py, run) lets tasks begin at once from Python 3.12 on: a new screen composes its widgets before
    # push_screen reads its sheet, and they are styled without it. It can go when the sheet is read first.
    def _get_screen(self, screen: Screen[Any] | str) -> tuple[Screen[Any], AwaitMount]:
        if not isinstance(screen, str):
            self._load_screen_css(screen)
        return super()._get_screen(screen)

    def on_ready(self) -> None:
        """Collect garbage from now on, except objects of the start: a full collection delays a key."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._is_ready = True
        if self.ended_by:
            self.exit()

    # -- what is painted ---------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, __init__) removes colours with its own filter, which leaves greys, and asks every filter for
    # every line whether it is enabled. We need lines without any colour (no-color.org), and ASCII on terminals without
    # more. It can go when Textual's NO_COLOR leaves no colours (#839, #2829) and filters can be added.
    def get_line_filters(self) -> Sequence[LineFilter]:
        return [self._text_only, *self.look_filters]

    def draw_in_ascii(self) -> None:
        from fourtwenty.tui.ascii import Ascii

        self.ascii_only = True
        self.look_filters.append(Ascii())

    def on_cursor_position(self, event: CursorPosition) -> None:
        """Draw in ASCII from now on if a line that the driver painted is wider than a cell; dvtm 0.15 counts from 0."""
        if event.x > 1 and not self.ascii_only:
            self.draw_in_ascii()
            for screen in self.screen_stack:
                for widget in screen.walk_children(Widget, with_self=True):
                    widget.refresh()

    # Textual 8.2 (keys.py, KEY_DISPLAY_ALIASES) shows Enter and Backspace as signs that few fonts have. This documented
    # method shows their names, as long as Textual has the signs.
    def get_key_display(self, binding: Binding) -> str:
        return super().get_key_display(binding).replace("⏎", "enter").replace("⌫", "bksp")

    def warn(self, sentence: str) -> None:
        """Show a warning; from any thread."""
        self.notify(sentence, severity="warning", timeout=10, markup=False)

    def ring(self) -> None:
        self.bell()

    # -- the clipboard -----------------------------------------------------------------------------------------

    async def copy(self, text: str) -> str:
        """Copy a text to the clipboard and return a sentence about it, empty if copying is impossible."""
        self._clipboard = text
        if self.is_web:
            super().copy_to_clipboard(text)
            return "Sent to the clipboard, if your browser allows it."
        from fourtwenty.tui import clipboard

        return await clipboard.copy(text, super().copy_to_clipboard)

    def show_to_mark(self, text: str) -> None:
        """Show a text that could not be copied, to be marked with the mouse."""
        raise NotImplementedError

    # Textual 8.2 (app.py, copy_to_clipboard) sends OSC 52 to every terminal. Fields and selections are copied by it.
    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text as ``copy`` does, without a sentence."""
        self.run_worker(self.copy(text))

    # -- the end -----------------------------------------------------------------------------------------------

    def pop_screen(self) -> AwaitComplete:
        """Remove the top screen and stop its workers at once; Textual 8.2 stops them after removal."""
        screen = self.screen
        removed = super().pop_screen()
        self.workers.cancel_node(screen)
        return removed

    def end_by(self, number: int) -> None:
        """End by a signal, after the first layout: Textual shows a traceback if it ends before."""
        self.ended_by = number
        if self._is_ready:
            self.exit()

    # Textual 8.2 (app.py, action_help_quit) answers ctrl+c with a note about ctrl+q. A terminal program ends by ctrl+c;
    # all actions of a match are saved by then. In a browser ctrl+c copies, so there it does nothing. This stays:
    # Textual's answer is deliberate.
    def action_help_quit(self) -> None:
        if not self.is_web:
            self.end_by(signal.SIGINT)

    def action_suspend_process(self) -> None:
        """Sleep, if a shell can wake the program.

        A shell gives each job its own process group. A program started by ssh, a window or tmux is in the group of its
        session leader; Textual 8.2 (linux_driver.py) would stop it for ever.
        """
        if sys.platform == "win32" or not hasattr(os, "getsid") or os.getpgrp() != os.getsid(0):
            super().action_suspend_process()

    # Textual 8.2 (app.py, _close_all) removes the widgets of a screen that is still opening while its on_mount runs.
    # A signal at that moment must end the program without a traceback (#5325).
    # It can go when Textual waits for a screen to be mounted before it removes it.
    #
    # Textual ends with a traceback on any exception; that of a worker is inside a WorkerFailed. A damaged table of the
    # odds, which any screen, bot or thread can meet, must be one sentence, as on the command line. This part stays.
    def _handle_exception(self, error: Exception) -> None:
        """Ignore exceptions while the app is ending; end with one sentence on a damaged table of the odds."""
        if self._exit:
            return
        from textual.worker import WorkerFailed

        from fourtwenty.odds.tables import DamagedTableError

        cause = error.error if isinstance(error, WorkerFailed) else error
        if isinstance(cause, DamagedTableError):
            self.damage = str(cause)
            self.exit()
        else:
            super()._handle_exception(error)

    # See signals.py; the driver has installed its handlers before.
    def on_mount(self) -> None:
        if self._driver and self._driver.can_suspend:
            from fourtwenty.tui.textual_base.signals import when_resized, when_woken

            repaint = partial(self.refresh, repaint=True, layout=True)
            when_woken(self._driver, lambda: self.is_running, lambda: self.call_later(repaint))
            when_resized(asyncio.get_running_loop())
