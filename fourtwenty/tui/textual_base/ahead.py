"""Input ahead of its screen: keys typed ahead, bursts, hasty keys, clicks on covered widgets."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from math import inf
from time import monotonic
from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.events import Callback, Event, Key, MouseDown, MouseEvent, MouseUp
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget

from fourtwenty.tui.textual_base.shown import SETTLE_SECONDS, ShownScreen

BURST_SECONDS = 0.4
"""The longest pause, in seconds, in a burst: one key pressed again and again."""

HANDLING_SECONDS = 2.0
"""The longest wait, in seconds, for the screen to handle the key before; for ctrl+c, all keys before."""


# Textual 8.2 (app.py, on_event) forwards input at once: to the top screen, even while it is being mounted and its
# bindings do nothing, and to the focused field, even if Enter before it ends the dialog. It ends with an error once the
# last screen has gone. Keys typed ahead must count, each on the screen that the keys before it lead to, so one waits
# for the other. Enter typed before Textual set the terminal up arrives as a newline. Without this, keys are lost, and
# Enter chooses from a list before the search. It can go when Textual handles a key to its end before the next one
# (#6605).
class Ahead:
    """Holds input back until all earlier input is handled; drops input meant for the screen before."""

    burst_seconds = BURST_SECONDS

    def __init__(self, app: App[Any], forward: Callable[[Event], Awaitable[None]]) -> None:
        self.app = app
        self.forward = forward
        self.waiting: deque[Event] = deque()
        """Keys, clicks and pastes not handled to their end, including the first."""
        self._handling: asyncio.Task[None] | None = None
        self._last_key = ""
        self._last_key_at = self._burst_at = -inf
        """The times of the last key, and of the first one of its burst."""
        self._dropped_until = -inf
        """The time until which further keys of the last burst are dropped."""
        self._ends_at = inf
        """The time from which input waits for no screen, because ctrl+c waits behind it."""

    def take(self, event: Event) -> None:
        """Handle a key, click or paste after all earlier input."""
        self.waiting.append(event)
        if isinstance(event, Key) and event.key == "ctrl+c":
            self._ends_at = min(self._ends_at, monotonic() + HANDLING_SECONDS)
        if self._handling is None or self._handling.done():
            self._handling = asyncio.create_task(self._handle_all())

    async def _handle_all(self) -> None:
        """Handle the waiting input in order, each once the top screen is ready."""
        while self.waiting:
            try:
                await self._handle(self.waiting[0])
            except Exception as error:
                self.app._handle_exception(error)
            finally:
                self.waiting.popleft()

    async def _handle(self, event: Event) -> None:
        """Handle a key, click or paste to its end; drop it if no screen is left, or none opens before ctrl+c."""
        app = self.app
        while app.screen_stack and not _is_open(app.screen) and monotonic() < self._ends_at:
            await asyncio.sleep(0)
        ends = isinstance(event, Key) and event.key == "ctrl+c"
        if ends:
            self._ends_at = inf
        if isinstance(event, Key) and event.key == "ctrl+j":
            event = Key("enter", "\r")
        if not app.screen_stack or not (ends or _is_open(app.screen)) or self._is_hasty(event):
            return
        target = app.focused or app.screen
        await self.forward(event)
        if not isinstance(event, MouseEvent):
            for node in target.ancestors_with_self:  # the key bubbles up to the app, which runs its binding
                await _until_handled(node, min(HANDLING_SECONDS, self._ends_at - monotonic()))

    def _is_hasty(self, event: Event) -> bool:
        """Return whether a key or click comes too early for the top screen."""
        screen = self.app.screen
        if isinstance(event, Key):
            paused = event.time - self._last_key_at > self.burst_seconds
            if event.key != self._last_key or paused:
                self._burst_at = event.time
            self._last_key, self._last_key_at = event.key, event.time
            if paused or event.key == "ctrl+c":
                self._dropped_until = -inf
            return event.time < self._dropped_until or (
                isinstance(screen, ShownScreen) and screen.is_hasty(event.key, self._burst_at)
            )
        clicked = isinstance(event, (MouseDown, MouseUp))
        return clicked and isinstance(screen, ShownScreen) and bool(screen.PASSING) and event.time < screen.settles_at

    def drop_burst(self) -> None:
        """Drop the rest of the burst that led here, until a pause, or SETTLE_SECONDS of further keys."""
        self._dropped_until = self._last_key_at + SETTLE_SECONDS


def _is_open(screen: Screen[object]) -> bool:
    return screen.is_mounted and not (isinstance(screen, ShownScreen) and screen.opening)


async def _until_handled(pump: MessagePump, seconds: float) -> None:
    """Wait, at most so many seconds, until a message pump has handled its present messages or has ended."""
    handled = asyncio.Event()
    # Not ``call_later``: Textual 8.2 (_callback.py) would read the signature of every new ``partial``.
    if seconds > 0 and pump.post_message(Callback(handled.set)):
        waiting = asyncio.create_task(handled.wait())
        ends = {waiting, *filter(None, [pump._task])}
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()


# Textual 8.2 (app.py, run_action) runs the action of a click even if another screen has been pushed since, or the
# widget has no size. A quick second click must not act on a covered screen, or dismiss the one that covers it. It can
# go when Textual checks that the widget is on the active screen.
def is_covered(node: DOMNode | None, screen: Screen[object]) -> bool:
    """Return whether a clicked widget is off the top screen, or has no layout yet."""
    if not isinstance(node, Widget):
        return False
    unseen = not isinstance(node, Screen) and not node.size
    return unseen or screen not in node.ancestors_with_self
