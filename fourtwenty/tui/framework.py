"""Every place where the program overrides Textual, each with its reason; the game itself is elsewhere.

A comment says what Textual does (in which version, file and function), what the program needs, what it costs without,
and when the override can go. ``tests/benchmarks/speed.py --without NAME`` measures what most of them save.
``docs/upstream.md`` has a reproduction and an issue for each; ``tests/house/test_upstream.py`` fails when one can go.
A number such as #6456 is an issue of Textualize/textual.

These lie elsewhere, for their length, or because they come before Textual is imported:

* ``process_signals.py``. Textual 8.2 (drivers/linux_driver.py) handles SIGTSTP, SIGCONT and SIGWINCH in signal
  handlers, and SIGTERM and SIGHUP not at all. The program must end, sleep and go on without a deadlock, and leave the
  terminal as it was. Without, ``kill -TSTP`` hung 3 of 34 starts (#6298). Each function there says when it can go.
* ``terminal_driver.py``. The input thread of Textual 8.2 polls, ends late, and cannot read every byte.
* ``without_palette.py``. Textual 8.2 imports its palette at once, which no start needs (#3754).
* ``launch.py``, TEXTUAL_SMOOTH_SCROLL=0. Textual 8.2 (drivers/linux_driver.py, stop_application_mode) leaves the pixel
  mouse on, mode 1016. The terminal must be as it was. Without, the next program that uses the mouse reads pixels for
  cells. It can go when Textual switches the mode off.
* ``launch.py``, ``gc.disable``. Importing Textual and the first layout make many objects and next to no garbage.
  Without, a start takes longer. ``HouseApp.on_ready`` collects again. It can go when that no longer shows.
* ``widgets/answers.py``. Textual 8.2 shows the pointer of an OptionList by a colour alone.
* ``widgets/key_bar.py``, ``widgets/mouse_button.py``, ``widgets/page.py``, ``dialogs/picker.py`` and
  ``dialogs/key_sheet.py`` stand in for Footer, Button, Markdown, CommandPalette and HelpPanel, with documented members
  only. Without the first, a start and every key take much longer; without the third, the rules open much later.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from rich.control import Control
from textual import on, reactive
from textual._compositor import ChopsUpdate, Compositor
from textual.actions import ActionParseResult
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import (
    Callback,
    Compose,
    Event,
    InputEvent,
    Key,
    MouseDown,
    MouseEvent,
    MouseUp,
    Paste,
    ScreenResume,
    ScreenSuspend,
    Unmount,
)
from textual.geometry import Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.messages import CloseMessages, Layout, Prune, Update
from textual.notifications import Notification, Notify, SeverityLevel
from textual.screen import Screen, ScreenResultType
from textual.widget import AwaitMount, Widget
from textual.widgets._toast import Toast, ToastRack

from fourtwenty.tui.actions import ActionScreen, bindings_of

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.filter import LineFilter


BURST_SECONDS = 0.4
"""The longest time between two keys of one burst, in which one key is pressed again and again."""

HANDLING_SECONDS = 2.0
"""The longest time for which a key waits until the screen has handled the one before it, and ctrl+c for all of them."""

SETTLE_SECONDS = 0.7
"""The time for which a result has been on the screen before a key passes it."""

LAST_MESSAGES = Callback, CloseMessages, Prune, ScreenSuspend, Unmount
"""The messages that a screen still gets once it is gone: those with which Textual removes it, and ``call_later``."""


class ScreenNote(Notification):
    """A note about what was just done on a screen, of no use elsewhere. All others are news, and keep their time."""

    screen: HouseScreen[Any]


class HouseScreen(ActionScreen[ScreenResultType]):
    """A screen that is laid out at the size that the terminal has now, and whose contents can be copied."""

    KEY_PARTS: ClassVar[Mapping[str, Collection[str]]] = {}
    """Titles of the parts in which F1 lists the keys of this screen, with the ids of the bindings in each."""

    @property
    def absent(self) -> Collection[str]:
        return self.app.absent if isinstance(self.app, HouseApp) else ()

    @property
    def help_here(self) -> str:
        """The help of this screen, without the paragraphs that begin with the key of an action that is not here."""
        keys = [each.key for each in bindings_of(type(self)) if each.action in self.absent]
        paragraphs = (self.HELP or "").split("\n\n")
        return "\n\n".join(each for each in paragraphs if not each.startswith(tuple(f"**{key}**" for key in keys)))

    def copied(self) -> tuple[str, str] | None:
        """Return the name and the text that ``action_copy`` copies; None when there is nothing to copy.

        Raises ValueError with the reason why there is no such text.
        """
        return None

    def action_copy(self) -> None:
        """Copy the position, the record or the verdict that the screen shows to the clipboard."""
        try:
            copied = self.copied()
        except ValueError as why:
            self.notify(f"Nothing is copied: {why}.", severity="warning", markup=False)
            return
        if copied:
            name, text = copied
            self.app.copy_to_clipboard(text)
            self.notify(f"{name} is on the clipboard.", markup=False)

    def action_back(self) -> None:
        if self.is_active:
            self.dismiss()

    # -- its notes -------------------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, notify) piles every note on those before, and shows it on whatever screen comes next: five
    # refused keys covered the answer to a puzzle (#5129). It stays: Textual's notes are those of the app on purpose.
    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a note in place of the one before; it goes when another screen is shown. A warning stays its time."""
        if severity != "information":
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)
            return
        seconds = self.app.NOTIFICATION_TIMEOUT if timeout is None else timeout
        note = ScreenNote(message, title, severity, seconds, markup)
        note.screen = self
        self.app.post_message(Notify(note))

    @on(ScreenSuspend)
    def take_notes_off(self) -> None:
        """Take the note of this screen off; news goes on to the next screen."""
        self.query(Toast).remove()
        for note in [*self.app._notifications]:
            if isinstance(note, ScreenNote) and note.screen is self:
                self.app._unnotify(note)

    # -- its first moment --------------------------------------------------------------------------------------------

    PASSING: ClassVar[Collection[str]] = ()
    """Actions that lead on from a screen that everybody must have seen; empty for a screen without any.

    A key on such a screen counts only if it comes once the screen is painted, and not in a burst from before; one that
    leads on, and a click, only once the screen has settled.
    """
    painted_at = inf
    """The time, on the clock of ``Event.time``, at which the screen was about to be painted first."""
    settles_at = inf
    """The time, on the same clock, from which keys lead on."""
    settled = False
    """Whether keys lead on by now."""

    # Not after the paint: the key of a quick reader would come before the note.
    @on(ScreenResume)
    def note_first_picture(self) -> None:
        """Note when the screen is about to be painted first."""
        if self.painted_at == inf:
            self.painted_at = monotonic()
            if self.PASSING and isinstance(self.app, HouseApp):
                self.settles_at = self.painted_at + self.app.settle_seconds
                if self.app.settle_seconds:
                    self.set_timer(self.app.settle_seconds, self.settle)
                else:
                    self.settle()

    @cached_property
    def _on_top(self) -> asyncio.Event:
        """Set whenever the screen is shown, first or again."""
        return asyncio.Event()

    @on(ScreenResume)
    def wake(self) -> None:
        """Wake ``uncovered``."""
        self._on_top.set()

    async def uncovered(self) -> None:
        """Wait until no other screen covers this one."""
        while not self.is_active:
            self._on_top.clear()
            await self._on_top.wait()

    def settle(self) -> None:
        """Let keys lead on."""
        self.settled = True
        self.show_actions()

    def is_hasty(self, key: str, since: float) -> bool:
        """Return whether a key, pressed again and again since a time, was meant for the screen before.

        Whoever skips ahead by many quick Enters, or holds the key down, must not leave a result that nobody saw.
        """
        if not self.PASSING:
            return False
        active = self.active_bindings.get(key)
        leads_on = active is not None and active.binding.action in self.PASSING
        return since <= (self.settles_at if leads_on else self.painted_at)

    # -- the end of a screen -----------------------------------------------------------------------------------------

    # Textual 8.2 removes a dismissed screen some messages later, and its widgets before the screen itself. Messages,
    # timers and callbacks that are still on their way reach a screen without widgets, where a query ends the program
    # with NoMatches: a name and Enter in one write did so in 12 of 13 openings. A screen that is gone gets no more.
    # Textual's pilot waits for callbacks of ``call_later``; no screen of ours uses it, see tests/house/test_house.py.
    # ``gate_watchers`` below does the same for watchers, and ``HouseApp.pop_screen`` for workers.
    # All can go when Textual stops a screen as soon as it is popped.
    @property
    def is_gone(self) -> bool:
        """Whether the screen has been dismissed, or is being removed."""
        return self._pruning or (self.is_mounted and self not in self.app.screen_stack)

    async def _dispatch_message(self, message: Message) -> None:
        if not self.is_gone or isinstance(message, LAST_MESSAGES):
            await super()._dispatch_message(message)

    async def _flush_next_callbacks(self) -> None:  # of call_next, and so of timers
        if self.is_gone:
            for callback in self._next_callbacks:
                for argument in getattr(callback.callback, "args", ()):
                    if asyncio.iscoroutine(argument):  # the rest of a watcher
                        argument.close()
            self._next_callbacks.clear()
        await super()._flush_next_callbacks()

    def call_after_refresh(self, callback: Callable[..., object], *args: Any, **kwargs: Any) -> bool:
        """Call a function once the screen has been painted, unless it is gone by then."""

        def call() -> object:
            return None if self.is_gone else callback(*args, **kwargs)

        return super().call_after_refresh(call)

    # -- its size ----------------------------------------------------------------------------------------------------

    # Textual 8.2 (screen.py, _on_resize) lays out a screen for every event, even at the size that it has. Of three
    # events at the start, and of those of a storm, only the first finds another size than the last layout. Without, a
    # screen that opens is laid out twice more. It can go when Textual compares the sizes.
    def _screen_resized(self, size: Size) -> None:  # noqa: ARG002
        if self.outer_size != self.app.size:
            super()._screen_resized(self.app.size)


class OpeningScreen(HouseScreen[ScreenResultType]):
    """A screen that is shown at the start: it is styled once, and lets keys wait until it is ready."""

    opening = False
    """Whether keys and clicks wait, because the screen is not ready for them."""
    _shown = False
    _first_picture_at = inf
    """The time of the first layout, which is the answer to all that was asked before it."""

    # Textual 8.2 styles every widget of a new screen three times: when it is added (app.py, _register), when the screen
    # learns its size and gets the classes of the breakpoints (screen.py, _screen_resized), and when it is shown
    # (screen.py, _on_screen_resume). Once is enough: the classes are set before there are widgets, and the third pass
    # is skipped. Without, a start takes longer. Both can go when ScreenResume does not restyle a new screen.
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

    # Textual 8.2 (screen.py, _on_screen_resume) lays out a new screen and paints it, and then once more, because every
    # widget has asked for both when it was mounted and when it got its first size; some of these messages are still on
    # their way. Without, a start takes longer. It can go when a new widget asks for nothing.
    async def _dispatch_message(self, message: Message) -> None:
        if isinstance(message, (Layout, Update)) and message.time < self._first_picture_at:
            return
        first = not self._shown
        await super()._dispatch_message(message)
        if first and self._shown:
            for widget in self.walk_children(Widget, with_self=True):
                widget._layout_required = widget._repaint_required = False
            self._first_picture_at = Message().time
            self._dirty_widgets.add(self)  # beside its widgets: their changes are painted with it, and not again
            self._update_timer.resume()

    # Textual 8.2 (screen.py, _refresh_layout) paints a new screen before its widgets have heard of their sizes, and so
    # most of them once more: the table when it asks for the first roll. Without, a start of the table takes
    # longer. It can go when a screen is first painted after its Resize events.
    def _compositor_refresh(self) -> None:
        if self._first_picture_at < inf:
            super()._compositor_refresh()

    # Textual 8.2 (widgets/_toast.py, show) hides the empty rack of notes when a screen is shown, which lays it out
    # again. It can go when an empty rack is hidden from the beginning.
    def _extend_compose(self, widgets: list[Widget]) -> None:
        super()._extend_compose(widgets)
        for rack in filter(lambda widget: isinstance(widget, ToastRack), widgets):
            rack.display = False


class HouseApp(App[None]):
    """A Textual app that starts fast, loses no key, keeps NO_COLOR, and ends and sleeps as signals ask."""

    absent: ClassVar[Collection[str]] = ()
    """Actions of the app and of all screens that cannot be done where the program runs: they are nowhere shown."""

    burst_seconds = BURST_SECONDS
    """The longest time between two keys of one burst."""

    @property
    def settle_seconds(self) -> float:
        """The time for which a result has been on the screen before a key passes it."""
        return SETTLE_SECONDS

    def __init__(self, ascii_only: bool = False) -> None:
        """Emit ASCII alone if asked to, and no colours where NO_COLOR is set."""
        super().__init__()
        # Textual 8.2 (css/stylesheet.py, reparse) parses every sheet in a new Stylesheet, whose cache it throws away,
        # and so once more when the first screen brings its own. Our sheets have no errors that would be left behind.
        # It can go when the cache is kept.
        self.stylesheet.reparse = self.stylesheet.parse  # type: ignore[method-assign]
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
        self.damage = ""
        """The sentence about the damaged installation that ended the program; empty while none has."""
        self._is_ready = False
        self._last_key_at = self._burst_at = -inf
        """The times of the last key, and of the first one of its burst."""
        self._last_key = ""
        self._dropped_until = -inf
        """The time until which the keys to come of the last burst do nothing."""
        self._typed_ahead: deque[Event] = deque()
        """Keys, clicks and pastes that have not been handled to their end, the first one included."""
        self._handling: asyncio.Task[None] | None = None
        """Handles the input that was typed ahead, while there is any."""
        self._ends_at = inf
        """The time from which no input waits for a screen, because ctrl+c waits behind it."""

    # See terminal_driver.py.
    def get_driver_class(self) -> type[Driver]:
        """Return our own driver where Textual would take its driver of a terminal."""
        driver = super().get_driver_class()
        if sys.platform != "win32" and driver.__name__ == "LinuxDriver":  # not a browser, nor a test
            from fourtwenty.tui.terminal_driver import TerminalDriver

            return TerminalDriver
        return driver

    # -- the start ---------------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, _load_screen_css) parses every sheet again when a screen brings a new one, and styles the
    # screen below again, at each first opening. No sheet here has rules for other screens, so
    # that the new one alone is parsed. It can go when Textual does so; if it renames the method, only the time is lost.
    def _load_screen_css(self, screen: Screen[object]) -> None:
        """Add the style sheet of a screen to those that are parsed already."""
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
    # has nothing else. It can go when Textual's NO_COLOR leaves no colours (#839, #2829) and filters can be added.
    def get_line_filters(self) -> Sequence[LineFilter]:
        return self._line_filters

    # Textual 8.2 (keys.py, KEY_DISPLAY_ALIASES) shows Enter and Backspace as signs that few fonts have. We need their
    # names. The method is documented; it stays as long as the signs do.
    def get_key_display(self, binding: Binding) -> str:
        """Return the name of a key as the screens show it."""
        return super().get_key_display(binding).replace("⏎", "enter").replace("⌫", "bksp")

    # See ``HouseScreen.notify``.
    def on_notify(self, event: Notify) -> None:
        """Have a note of a screen take the place of the one before, and any note that of the same sentence."""
        note = event.notification
        for earlier in [*self._notifications]:
            if earlier.message == note.message or (isinstance(note, ScreenNote) and isinstance(earlier, ScreenNote)):
                self._unnotify(earlier)
        if isinstance(note, ScreenNote) and self.screen_stack and note.screen is not self.screen:
            event.prevent_default()  # its screen has been left meanwhile

    # -- keys and clicks ---------------------------------------------------------------------------------------

    # Textual 8.2 (app.py, on_event) forwards input at once: to the screen on top, even while it is being mounted and
    # its bindings do nothing, and to the field that has the focus, even if Enter before it ends the dialog. It ends
    # with an error once the last screen has gone. Keys that are typed ahead must count, each on the screen to which the
    # keys before it lead, so one waits for the other. Enter that was typed before Textual set the terminal up arrives
    # as a newline. Without, keys are lost, and Enter chooses from a list that has not been searched yet.
    # It can go when Textual handles a key to its end before the next one (#6605).
    async def on_event(self, event: Event) -> None:
        """Hold input back until all input before it has been handled."""
        if isinstance(event, (InputEvent, Paste)) and not event.is_forwarded:
            self._typed_ahead.append(event)
            if isinstance(event, Key) and event.key == "ctrl+c":
                self._ends_at = min(self._ends_at, monotonic() + HANDLING_SECONDS)
            if self._handling is None or self._handling.done():
                self._handling = asyncio.create_task(self._handle_input())
        else:
            await super().on_event(event)

    async def _handle_input(self) -> None:
        """Handle the input that waits, one after the other, each once the screen on top is ready for it."""
        while self._typed_ahead:
            try:
                await self._handle(self._typed_ahead[0])
            except Exception as error:
                self._handle_exception(error)
            finally:
                self._typed_ahead.popleft()

    async def _handle(self, event: Event) -> None:
        """Handle a key, a click or a paste to its end; drop it when there is no screen left."""
        while self.screen_stack and not self._is_open(self.screen) and monotonic() < self._ends_at:
            await asyncio.sleep(0)
        if isinstance(event, Key) and event.key == "ctrl+c":
            self._ends_at = inf
        if isinstance(event, Key) and event.key == "ctrl+j":
            event = Key("enter", "\r")
        if not self.screen_stack or self._is_hasty(event):
            return
        target = self.focused or self.screen
        await super().on_event(event)
        if not isinstance(event, MouseEvent):
            for node in target.ancestors_with_self:  # the key bubbles up to the app, which runs its binding
                await _until_handled(node, min(HANDLING_SECONDS, self._ends_at - monotonic()))

    @staticmethod
    def _is_open(screen: Screen[object]) -> bool:
        return screen.is_mounted and not (isinstance(screen, OpeningScreen) and screen.opening)

    def _is_hasty(self, event: Event) -> bool:
        """Return whether a key or a click comes too early for the screen on top."""
        screen = self.screen
        if isinstance(event, Key):
            paused = event.time - self._last_key_at > self.burst_seconds
            if event.key != self._last_key or paused:
                self._burst_at = event.time
            self._last_key, self._last_key_at = event.key, event.time
            if paused or event.key == "ctrl+c":
                self._dropped_until = -inf
            return event.time < self._dropped_until or (
                isinstance(screen, HouseScreen) and screen.is_hasty(event.key, self._burst_at)
            )
        clicked = isinstance(event, (MouseDown, MouseUp))
        return clicked and isinstance(screen, HouseScreen) and bool(screen.PASSING) and event.time < screen.settles_at

    def drop_burst(self) -> None:
        """Drop the keys to come of the burst that led here: they were meant for the screen that is left.

        A burst ends by a pause, and for whoever goes on pressing keys after SETTLE_SECONDS.
        """
        self._dropped_until = self._last_key_at + SETTLE_SECONDS

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

    def pop_screen(self) -> AwaitComplete:
        """Remove the screen on top, and stop its workers at once; Textual 8.2 does so once it is removed."""
        screen = self.screen
        removed = super().pop_screen()
        self.workers.cancel_node(screen)
        return removed

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

        from fourtwenty.odds.tables import DamagedTable

        cause = error.error if isinstance(error, WorkerFailed) else error
        if isinstance(cause, DamagedTable):
            self.damage = str(cause)
            self.exit()
        else:
            super()._handle_exception(error)

    # See process_signals.py; the driver has installed its handlers by now.
    def on_mount(self) -> None:
        """Repaint when the program was asleep, and when the terminal has a new size."""
        if self._driver and self._driver.can_suspend:
            from fourtwenty.tui.process_signals import when_resized, when_woken

            repaint = partial(self.refresh, repaint=True, layout=True)
            when_woken(self._driver, lambda: self.is_running, lambda: self.call_later(repaint))
            when_resized(asyncio.get_running_loop())


# See ``HouseScreen.is_gone``. Textual 8.2 (reactive.py, _check_watchers) calls the watchers of a node that is being
# removed, too: the app had read the names for a dialog, and set them when it was gone.
def gate_watchers() -> None:
    """Have no watcher called on a screen or a widget that is being removed."""
    invoke = reactive.invoke_watcher

    def invoke_watcher(watcher_object: DOMNode, *rest: Any) -> None:
        if not watcher_object._pruning:
            invoke(watcher_object, *rest)

    reactive.invoke_watcher = invoke_watcher  # type: ignore[assignment]


gate_watchers()


# Textual 8.2 (widget.py, _size_updated) lays out and paints everything once more whenever a layout has given a widget
# another size, because it sets ``virtual_size``, which asks for both. A layout that needs a second one, because a
# scrollbar comes or goes, asks for it elsewhere. Without, a tip that comes or goes takes two layouts, and a coached
# roll with tips writes 9 kB more. It can go when Textual sets the size without asking.
def lay_out_once() -> None:
    """Have no widget ask for another layout because it has got its size from one."""
    update = Widget._size_updated

    def _size_updated(
        self: Widget,
        size: Size,
        virtual_size: Size,
        container_size: Size,
        layout: bool = True,  # noqa: ARG001
    ) -> bool:
        return update(self, size, virtual_size, container_size, layout=False)

    Widget._size_updated = _size_updated  # type: ignore[method-assign]


lay_out_once()


# Textual 8.2 (_compositor.py, ChopsUpdate.render_segments) writes the line of a widget from its left edge for every
# part of it that has changed: the chance at the end of a line takes the whole line, and three of them take it twice.
# Without, a coached roll at a table of 12 writes 24 kB and not 12. It can go when Textual crops both ends ("TODO").
def paint_changes_only() -> None:
    """Have a picture write nothing to the left of what has changed."""

    def render_segments(self: ChopsUpdate, console: Console) -> str:
        written: list[str] = []
        for y, left, right in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is not None and x < right and end > left:
                    start = max(x, left)
                    written += (
                        Control.move_to(start, y).segment.text,
                        strip.crop(start - x, min(end, right) - x).render(console),
                    )
        return "".join(written)

    ChopsUpdate.render_segments = render_segments  # type: ignore[method-assign]

    # Textual 8.2 (_compositor.py, _get_renders) renders every widget of the screen for every change, since it asks
    # whether the clip of a widget meets the changes, which is mostly the screen. Without, a key on a die makes 16 %
    # more calls of functions. It can go when Textual asks for the region.
    update = Compositor.render_partial_update

    def render_partial_update(self: Compositor) -> ChopsUpdate | None:
        changes, everything = [*self._dirty_regions], self.visible_widgets
        if changes and self.cuts:
            self._visible_widgets = {
                widget: (region, clip)
                for widget, (region, clip) in everything.items()
                for change in changes
                if region.overlaps(change)
            }
        try:
            return update(self)
        finally:
            self._visible_widgets = everything

    Compositor.render_partial_update = render_partial_update  # type: ignore[method-assign]


paint_changes_only()


async def _until_handled(pump: MessagePump, seconds: float) -> None:
    """Wait until a message pump has handled every message that it has now, or has ended, for this time at most."""
    handled = asyncio.Event()
    if seconds > 0 and pump.call_later(handled.set):
        waiting = asyncio.create_task(handled.wait())
        ends = {waiting, *filter(None, [pump._task])}
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
