"""A screen with a lifecycle: it is painted once when shown, and gets no messages after dismissal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from typing import Any

from textual import on
from textual._compositor import Compositor
from textual.events import Callback, Compose, ScreenResume, ScreenSuspend, Unmount
from textual.geometry import Size
from textual.message import Message
from textual.messages import CloseMessages, Layout, Prune, Update
from textual.screen import ScreenResultType
from textual.widget import Widget

from fourtwenty.tui.input.queue import InputScreen
from fourtwenty.tui.textual_base.changes import ChangesCompositor

LAST_MESSAGES = Callback, CloseMessages, Prune, ScreenSuspend, Unmount
"""The messages that a dismissed screen still receives: those by which Textual removes it, and ``call_later``."""


class ShownScreen(InputScreen[ScreenResultType]):
    """A screen that is styled, arranged and painted once when shown, and knows when it is gone."""

    def __init__(self) -> None:
        super().__init__()
        self._compositor: Compositor = ChangesCompositor()
        self._on_top = asyncio.Event()

    # -- its first picture -------------------------------------------------------------------------------------------

    _shown = False
    _first_picture_at = inf
    """The time of the first layout; it answers all earlier requests for one."""

    # Textual 8.2 styles every widget of a new screen three times: when it is added (app.py, _register), when the screen
    # learns its size and gets the breakpoints' classes (screen.py, _screen_resized), and when it is shown (screen.py,
    # _on_screen_resume). Once is enough: the classes are set before there are widgets, and the third pass is skipped.
    # Without this, a start takes 28 million instructions more. Both can go when ScreenResume does not restyle a new
    # screen (#5158 and #6464 are near).
    @on(Compose)
    def set_breakpoint_classes(self) -> None:
        """Set the classes for the terminal's size before there are widgets."""
        columns, rows = self.app.size
        across = self.app.HORIZONTAL_BREAKPOINTS if self.HORIZONTAL_BREAKPOINTS is None else self.HORIZONTAL_BREAKPOINTS
        down = self.app.VERTICAL_BREAKPOINTS if self.VERTICAL_BREAKPOINTS is None else self.VERTICAL_BREAKPOINTS
        fitting = [
            max(each for each in breakpoints if each[0] <= size)[1]
            for size, breakpoints in ((columns, across), (rows, down))
            if breakpoints
        ]
        self.add_class(*fitting)  # every call restyles the screen

    @on(ScreenResume)
    def skip_first_restyling(self, event: ScreenResume) -> None:
        """Keep the styles that all widgets have just been given."""
        event.refresh_styles &= self._shown
        self._shown = True

    # Textual 8.2 (screen.py, _on_screen_resume) lays out a new screen and paints it, then once more: every widget has
    # asked for both when it was mounted and when it got its first size, and some of these messages are still queued.
    # Without this, a start takes longer. It can go when a new widget asks for nothing.
    async def _dispatch_message(self, message: Message) -> None:
        if self.is_gone and not isinstance(message, LAST_MESSAGES):
            return
        if isinstance(message, (Layout, Update)) and message.time < self._first_picture_at:
            return
        first = not self._shown
        await super()._dispatch_message(message)
        if first and self._shown:
            for widget in self.walk_children(Widget, with_self=True):
                widget._layout_required = widget._repaint_required = False
            self._first_picture_at = Message().time
            self._dirty_widgets.add(self)  # painted with its widgets' changes, not again
            self._update_timer.resume()

    # Textual 8.2 (screen.py, _refresh_layout) paints a new screen before its widgets receive their sizes, and most of
    # them again: the table when it asks for the first roll. Without this, a table opens more slowly. It can go when a
    # screen is first painted after its Resize events.
    def _compositor_refresh(self) -> None:
        if self._first_picture_at < inf:
            super()._compositor_refresh()

    # -- whether it is on top -----------------------------------------------------------------------------------------

    @on(ScreenResume)
    def wake(self) -> None:
        self._on_top.set()

    async def uncovered(self) -> None:
        """Wait until the screen is mounted and uncovered."""
        while not (self.is_mounted and self.is_active):
            self._on_top.clear()
            await self._on_top.wait()

    # -- the end of a screen -----------------------------------------------------------------------------------------

    # Textual 8.2 removes a dismissed screen some messages later, and its widgets before the screen itself. Messages,
    # timers and callbacks already queued reach a screen without widgets, where a query ends the program with NoMatches:
    # a name and Enter in one write did so in 12 of 13 openings. So a dismissed screen gets no more of them. Textual's
    # pilot waits for callbacks of ``call_later``; our screens do not use it, see tests/architecture/test_layers.py.
    # ``BaseApp.pop_screen`` ends its workers. All can go when Textual stops a screen as soon as it is popped.
    @property
    def is_gone(self) -> bool:
        """Whether the screen has been dismissed, or is being removed."""
        return self._pruning or (self.is_mounted and self not in self.app.screen_stack)

    async def _flush_next_callbacks(self) -> None:  # for call_next and timers
        if self.is_gone:
            for callback in self._next_callbacks:
                for argument in getattr(callback.callback, "args", ()):
                    if asyncio.iscoroutine(argument):  # the rest of a watcher
                        argument.close()
            self._next_callbacks.clear()
        await super()._flush_next_callbacks()

    def call_after_refresh(self, callback: Callable[..., object], *args: Any, **kwargs: Any) -> bool:
        """Call a function after the next paint, unless the screen is gone by then."""

        def call() -> object:
            return None if self.is_gone else callback(*args, **kwargs)

        return super().call_after_refresh(call)

    # -- its size ----------------------------------------------------------------------------------------------------

    # Textual 8.2 (screen.py, _on_resize) lays out a screen for every event, even without a change. Of three events at
    # the start, and of a storm, only the first one changes the size. Without this, a new screen is laid out twice more.
    # It can go when Textual compares the sizes (#6471 is near).
    def _screen_resized(self, size: Size) -> None:  # noqa: ARG002
        if self.outer_size != self.app.size:
            super()._screen_resized(self.app.size)
