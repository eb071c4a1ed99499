"""Every place where the program overrides Textual, each with its reason; the game itself is elsewhere.

A comment says what Textual does (in which version, file and function), what the program needs, what it costs without,
and when the override can go. ``tests/benchmarks/speed.py --without NAME`` measures it: the figures are the CPU time
of a start of the lobby or the table, medians of 14 to 20 in turn with the program as it is, on a busy machine.

These lie elsewhere, for their length, or because they come before Textual is imported:

* ``process_signals.py``. Textual 8.2 (drivers/linux_driver.py) handles SIGTSTP, SIGCONT and SIGWINCH in signal
  handlers, and SIGTERM and SIGHUP not at all. The program must end, sleep and go on without a deadlock, and leave the
  terminal as it was. Without, ``kill -TSTP`` hung 3 of 34 starts. Each function there says when it can go.
* ``launch.py``, TEXTUAL_SMOOTH_SCROLL=0. Textual 8.2 (drivers/linux_driver.py, stop_application_mode) leaves the pixel
  mouse on, mode 1016. The terminal must be as it was. Without, the next program that uses the mouse reads pixels for
  cells. It can go when Textual switches the mode off.
* ``launch.py``, ``gc.disable``. Importing Textual and the first layout make many objects and next to no garbage.
  Without, a start takes 30 to 60 ms more. ``HouseApp.on_ready`` collects again. It can go when that no longer shows.
* ``widgets/key_bar.py``, ``widgets/mouse_button.py``, ``dialogs/picker.py`` and ``dialogs/key_sheet.py`` stand in for
  Footer, Button, CommandPalette and HelpPanel, with documented members only. Without the first, a start takes 15 to
  29 ms more and a key at the table 17 ms; without the second, a start 10 to 25 ms.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import Compose, Event, InputEvent, Key, Resize, ScreenResume
from textual.geometry import Size
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.filter import LineFilter


BURST_SECONDS = 0.4
"""The longest time between two keys of one burst, in which one key is pressed again and again."""


class HouseScreen(Screen[ScreenResultType]):
    """A screen that is laid out at the size that the terminal has now, and whose contents can be copied."""

    KEY_PARTS: ClassVar[Mapping[str, Collection[str]]] = {}
    """Titles of the parts in which F1 lists the keys of this screen, with the ids of the bindings in each."""

    def copied(self) -> tuple[str, str] | None:
        """Return the name and the text that ``action_copy`` copies; None when there is nothing to copy."""
        return None

    def action_copy(self) -> None:
        """Copy the position, the record or the verdict that the screen shows to the clipboard."""
        copied = self.copied()
        if copied:
            name, text = copied
            self.app.copy_to_clipboard(text)
            self.notify(f"{name} is on the clipboard.", markup=False)

    def action_back(self) -> None:
        """Go back to the screen before."""
        if self.is_active:
            self.dismiss()

    deliberate = False
    """Whether a key counts only if it is pressed once the screen is painted, and not in a burst from before."""
    painted_at = inf
    """The time, on the clock of ``Event.time``, at which the screen was about to be painted first."""

    # Not after the paint: the key of a quick reader would come before the note.
    @on(ScreenResume)
    def note_first_picture(self) -> None:
        """Note when the screen is about to be painted first."""
        self.painted_at = min(self.painted_at, monotonic())

    # Textual 8.2 (screen.py, _on_resize) lays out a screen, and those below a modal one, at the size of the event.
    # After two sizes in a moment, a screen and a modal one above it lay each other out at sizes that are gone; a monkey
    # found a program busy in there 40 s after the last size. With the newest size they agree at once.
    # It can go when Textual drops the events of older sizes.
    async def _on_resize(self, event: Resize) -> None:
        """Take the newest size for that of the event; the handler of Textual comes next."""
        event.size = self.app.size

    def _screen_resized(self, size: Size) -> None:  # noqa: ARG002
        super()._screen_resized(self.app.size)


class OpeningScreen(HouseScreen[ScreenResultType]):
    """A screen that is shown at the start: it is styled once, and lets keys wait until it is ready."""

    opening = False
    """Whether keys and clicks wait, because the screen is not ready for them."""
    _shown = False

    # Textual 8.2 styles every widget of a new screen three times: when it is added (app.py, _register), when the screen
    # learns its size and gets the classes of the breakpoints (screen.py, _screen_resized), and when it is shown
    # (screen.py, _on_screen_resume). Once is enough: the classes are set before there are widgets, and the third pass
    # is skipped. Without, a start takes 5 to 15 ms more. Both can go when ScreenResume does not restyle a new screen.
    @on(Compose)
    def set_breakpoint_classes(self) -> None:
        """Set the classes for the size of the terminal before there are widgets."""
        columns, rows = self.app.size
        for size, breakpoints in ((columns, self.app.HORIZONTAL_BREAKPOINTS), (rows, self.app.VERTICAL_BREAKPOINTS)):
            _, fitting = max(each for each in breakpoints or [] if each[0] <= size)
            self.add_class(fitting)

    @on(ScreenResume)
    def skip_first_restyling(self, event: ScreenResume) -> None:
        """Keep the styles that all widgets have just been given."""
        event.refresh_styles &= self._shown
        self._shown = True


class HouseApp(App[None]):
    """A Textual app that starts fast, loses no key, keeps NO_COLOR, and ends and sleeps as signals ask."""

    burst_seconds = BURST_SECONDS
    """The longest time between two keys of one burst."""

    def __init__(self, ascii_only: bool = False) -> None:
        """Emit ASCII alone if asked to, and no colours where NO_COLOR is set."""
        super().__init__()
        self.ascii_only = ascii_only
        self._line_filters: list[LineFilter] = []
        if self.no_color:
            from fourtwenty.tui.monochrome import Monochrome

            self._line_filters.append(Monochrome(self))
        if ascii_only:
            from fourtwenty.tui.ascii import Ascii

            self._line_filters.append(Ascii())
        self.keymap: Mapping[str, str] = {}
        """The keys that are not the default ones, by binding id."""
        self.ended_by = 0
        """The signal that ended the program; 0 while none has."""
        self._is_ready = False
        self._last_key_at = self._burst_at = -inf
        """The times of the last key, and of the first one of its burst."""
        self._last_key = ""

    # -- the start ---------------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, _load_screen_css) parses every sheet again when a screen brings a new one, and styles the
    # screen below again: 8 to 12 ms of each first opening. No sheet here has rules for other screens, so that the
    # new one alone is parsed. It can go when Textual does so; if it renames the method, only the time is lost.
    def _load_screen_css(self, screen: Screen[object]) -> None:
        """Add the style sheet of a screen to those that are parsed already."""
        for path in screen.css_path:
            if not self.stylesheet.has_source(str(path)):
                self.stylesheet.add_source(path.read_text(encoding="utf-8"), (str(path), ""))
        super()._load_screen_css(screen)

    def on_ready(self) -> None:
        """Collect garbage from now on, but not what exists since the start: a full collection makes a key wait."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._is_ready = True
        if self.ended_by:
            self.exit()

    # -- what is painted ---------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, __init__) removes colours with its own filter, which leaves greys, and asks every filter for
    # every line whether it is enabled. We need lines without any colour (no-color.org), and ASCII where the terminal
    # has nothing else. It can go when Textual's NO_COLOR leaves no colours and filters can be added.
    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for NO_COLOR and for ASCII, where they are asked for."""
        return self._line_filters

    # Textual 8.2 (keys.py, KEY_DISPLAY_ALIASES) shows Enter and Backspace as signs that few fonts have. We need their
    # names. The method is documented; it stays as long as the signs do.
    def get_key_display(self, binding: Binding) -> str:
        """Return the name of a key as the screens show it."""
        return super().get_key_display(binding).replace("⏎", "enter").replace("⌫", "bksp")

    # -- keys and clicks ---------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, on_event) forwards input to the screen on top, even while it is being mounted and its
    # bindings do nothing, and ends with an error once the last screen has gone. Keys that are typed ahead must count,
    # and Enter that was typed before Textual set the terminal up arrives as a newline. Without, they are lost.
    # It can go when Textual holds input back until a screen is mounted.
    async def on_event(self, event: Event) -> None:
        """Queue input while a screen is opening; drop it when there is no screen left."""
        if isinstance(event, Key) and event.key == "ctrl+j":
            event = Key("enter", "\r")
        if isinstance(event, Key) and self._is_hasty(event):
            return
        if isinstance(event, InputEvent):
            while self.screen_stack and not self.screen.is_mounted:
                await asyncio.sleep(0)
            if self.screen_stack and isinstance(self.screen, OpeningScreen) and self.screen.opening:
                self.post_message(event)  # after the messages that open the screen
                await asyncio.sleep(0)
                return
        if self.screen_stack or not isinstance(event, InputEvent):
            await super().on_event(event)

    def _is_hasty(self, key: Key) -> bool:
        """Return whether a key was meant for the screen before: it is of a burst that began before this one was seen.

        Whoever skips ahead by many quick Enters, or holds the key down, must not leave a result that nobody saw.
        """
        if key.key != self._last_key or key.time - self._last_key_at > self.burst_seconds:
            self._burst_at = key.time
        self._last_key, self._last_key_at = key.key, key.time
        screen = self.screen_stack[-1] if self.screen_stack else None
        return isinstance(screen, HouseScreen) and screen.deliberate and self._burst_at <= screen.painted_at

    # Textual 8.2 (app.py, run_action) runs the action of a click even if another screen has been pushed since, or the
    # widget has no size. A quick second click must not act on a covered screen, or dismiss the screen that covers it.
    # It can go when Textual checks that the widget is on the active screen.
    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action, unless its widget is covered by another screen or has not been laid out."""
        node = default_namespace
        if isinstance(node, Widget) and not isinstance(node, Screen) and not node.size:
            return False
        if isinstance(node, Widget) and self.screen not in node.ancestors_with_self:
            return False
        return await super().run_action(action, default_namespace, namespaces)

    # -- the end -----------------------------------------------------------------------------------------------

    def end_by(self, number: int) -> None:
        """End because of a signal; Textual cannot end before its first screen is laid out without a traceback."""
        self.ended_by = number
        if self._is_ready:
            self.exit()

    # Textual 8.2 (app.py, action_help_quit) answers ctrl+c with a note about ctrl+q. A terminal program ends by ctrl+c;
    # every action of a match is in the journal by then. In a browser ctrl+c copies, so there it does nothing.
    # It stays: Textual's answer is deliberate.
    def action_help_quit(self) -> None:
        """End by ctrl+c, except in a browser."""
        if not self.is_web:
            self.end_by(signal.SIGINT)

    # Textual 8.2 (app.py, _close_all) removes the widgets of a screen that is still opening while its on_mount runs.
    # A signal at that moment must end the program without a traceback.
    # It can go when Textual waits for a screen to be mounted before it removes it.
    def _handle_exception(self, error: Exception) -> None:
        """Ignore exceptions while the app is ending."""
        if not self._exit:
            super()._handle_exception(error)

    # See process_signals.py; the driver has installed its handlers by now.
    def on_mount(self) -> None:
        """Repaint when the program was asleep, and when the terminal has a new size."""
        if self._driver and self._driver.can_suspend:
            from fourtwenty.tui.process_signals import when_resized, when_woken

            when_woken(self._driver, lambda: self.call_later(self.refresh, repaint=True, layout=True))
            when_resized(asyncio.get_running_loop())


# Textual 8.2 (drivers/linux_driver.py, run_input_thread) decodes all input as UTF-8: one other byte, an é of Latin-1,
# ends the app with a traceback. Keys must be read in the terminal's own encoding, and what is no character in it be
# replaced. It can go when that decoder replaces what it cannot decode.
def decode_any_byte() -> None:
    """Have input decoded in the encoding of standard input, with U+FFFD for what cannot be decoded."""
    if sys.platform == "win32" or not sys.stdin:
        return
    from textual.drivers import linux_driver

    decoder = partial(getincrementaldecoder(sys.stdin.encoding), errors="replace")
    linux_driver.getincrementaldecoder = lambda encoding: decoder  # type: ignore[assignment, attr-defined]  # noqa: ARG005
