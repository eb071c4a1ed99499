"""The queue of keys, clicks and pastes. Each is handled to its end before the next, on the screen it leads to."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from math import inf
from string import ascii_lowercase, digits
from time import monotonic
from typing import ClassVar

from textual import on
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import ActiveBinding, BindingsMap
from textual.dom import DOMNode
from textual.events import Callback, Event, InputEvent, Key, MouseDown, MouseEvent, MouseUp, Paste, ScreenResume
from textual.message_pump import MessagePump
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

from fourtwenty.tui.input.layout import translate_key
from fourtwenty.tui.input.sequences import Lines

BindingChain = Sequence[tuple[DOMNode, BindingsMap]]

SETTLE_SECONDS = 0.7
"""Seconds that a result is shown before a key or a click continues."""

PLAIN = frozenset(ascii_lowercase + digits)
"""The characters that mean the same on every keyboard."""

HANDLING_SECONDS = 2.0
"""The longest wait, in seconds, for the screen to handle the key before; for ctrl+c, all keys before."""


class InputScreen(Screen[ScreenResultType]):
    """A screen that says which input it is ready for."""

    opening = False
    """Whether keys and clicks wait, because the screen is not ready for them."""
    CONTINUE_ACTIONS: ClassVar[Collection[str]] = ()
    """Actions that continue from a screen that shows a result; empty for a screen that asks."""
    shown_at = inf
    """The time, on the clock of ``Event.time``, just before the first paint."""

    # Before the paint: a quick reader's key must not precede this time.
    @on(ScreenResume)
    def note_first_picture(self) -> None:
        if self.shown_at == inf:
            self.shown_at = monotonic()

    async def on_key(self, event: Key) -> None:
        """Handle a key. Override ``receive_key`` and not this: Textual would call both."""
        if self.is_active:
            await self.receive_key(event)

    async def receive_key(self, event: Key) -> None:
        """Handle a key that no widget has handled."""

    def binding_of(self, key: str, chain: BindingChain | None = None) -> ActiveBinding | None:
        """Return what ``active_bindings`` has for a key, without asking for the state of every other action.

        ``chain`` is ``_modal_binding_chain`` if the caller has it.
        """
        for node, bindings in chain or self._modal_binding_chain:
            for binding in bindings.key_to_bindings.get(key, ()):
                state = self.app._check_action_state(binding.action, node)
                if state is not False:
                    return ActiveBinding(node, binding, bool(state), binding.tooltip)
        return None

    def continues(self, key: str | None) -> bool:
        """Return whether a key, or a click for None, continues from a result here, or has no action."""
        active = None if key is None else self.binding_of(key)
        return bool(self.CONTINUE_ACTIONS) and (active is None or active.binding.action in self.CONTINUE_ACTIONS)


# Textual 8.2 (app.py, on_event) forwards input at once: to the top screen, even while it is being mounted and its
# bindings do nothing, and to the focused field, even if Enter before it ends the dialog. It ends with an error once the
# last screen has gone. Keys typed ahead must count, each on the screen that the keys before it lead to, so one waits
# for the other. Without this, keys are lost, and Enter chooses from a list before the search. It can go when Textual
# handles a key to its end before the next one (#6605).
class InputQueue:
    """Holds input back until all earlier input is handled.

    A screen that asks takes all that was typed ahead. A screen that shows a result takes what continues from it only
    ``settle_seconds`` after its first picture, by the time of the key or the click itself.
    """

    def __init__(self, app: InputApp, forward: Callable[[Event], Awaitable[None]]) -> None:
        self.app = app
        self.forward = forward
        self.waiting: deque[Event] = deque()
        """Keys, clicks and pastes not handled to their end, including the first."""
        self.screen: Screen[object] | None = None
        """The screen that the last event was forwarded to."""
        self._handling: asyncio.Task[None] | None = None
        self._ends_at = inf
        """The time from which input waits for no screen, because ctrl+c waits behind it."""

    def put(self, event: Event) -> None:
        """Handle a key, click or paste after all earlier input."""
        self.waiting.append(event)
        if isinstance(event, Key) and event.key == "ctrl+c":
            self._ends_at = min(self._ends_at, monotonic() + HANDLING_SECONDS)
        self._start()

    def put_back(self, key: Key) -> None:
        """Handle a key next, at its own time, on the screen that has come since it was forwarded."""
        again = Key(key.key, key.character)
        again.time = key.time
        self.waiting.insert(1, again)
        self._start()

    def _start(self) -> None:
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
        if not app.screen_stack or not (ends or _is_open(app.screen)):
            return
        if isinstance(event, Lines):
            if self._has_field:
                event = Paste(event.text)
            else:
                for key in reversed(event.keys):
                    self.waiting.insert(1, key)
                return
        for each in self._translated(event) if isinstance(event, Key) else [event]:
            if app.screen_stack and not self._is_early(each, event.time):
                self.screen = app.screen
                target = app.focused or app.screen
                await self.forward(each)
                if not isinstance(each, MouseEvent):
                    for node in target.ancestors_with_self:  # the key bubbles up to the app, which runs its binding
                        await _until_handled(node, min(HANDLING_SECONDS, self._ends_at - monotonic()))

    @property
    def _has_field(self) -> bool:
        """Whether an input line has the focus."""
        return self.app.focused is not None and self.app.focused.check_consume_key("a", "a")

    def _translated(self, key: Key) -> Iterator[Key]:
        """Yield a key as the focused field takes it, or translated for a screen without one."""
        if key.key == "alt+backspace":
            for name in ["ctrl+w"] if self._has_field else ["escape", "backspace"]:
                yield Key(name, None)
        elif key.is_printable and key.character not in PLAIN and not self._has_field:
            yield translate_key(key, self.app.screen.active_bindings)
        else:
            yield key

    def _is_early(self, event: Event, time: float) -> bool:
        """Return whether a key or click, of a time in seconds, continues from a result too soon."""
        screen = self.app.screen
        if not isinstance(screen, InputScreen) or time >= screen.shown_at + self.app.settle_seconds:
            return False
        key = event.key if isinstance(event, Key) else None
        return isinstance(event, (Key, MouseDown, MouseUp)) and screen.continues(key)


def _is_open(screen: Screen[object]) -> bool:
    return screen.is_mounted and not (isinstance(screen, InputScreen) and screen.opening)


class Handled(asyncio.Future[None]):
    # A method, and not ``call_later``: Textual 8.2 (_callback.py) would read the signature of every new function.
    def note(self, *_: object) -> None:
        if not self.done():
            self.set_result(None)


async def _until_handled(pump: MessagePump, seconds: float) -> None:
    """Wait, at most so many seconds, until a message pump has handled its present messages or has ended."""
    handled = Handled()
    if seconds > 0 and pump.post_message(Callback(handled.note)):
        timer = handled.get_loop().call_later(seconds, handled.note)
        if pump._task:
            pump._task.add_done_callback(handled.note)
        await handled
        timer.cancel()
        if pump._task:
            pump._task.remove_done_callback(handled.note)


class InputApp(App[None]):
    """An app whose keys, clicks and pastes wait in a queue."""

    def __init__(self) -> None:
        super().__init__()
        self.input_queue = InputQueue(self, super().on_event)

    @property
    def settle_seconds(self) -> float:
        """Seconds that a result is shown before a key or a click continues."""
        return SETTLE_SECONDS

    async def on_event(self, event: Event) -> None:
        """Hold input back until all earlier input is handled."""
        if isinstance(event, (InputEvent, Paste)) and not event.is_forwarded:
            self.input_queue.put(event)
        # Textual 8.2 (app.py, _check_bindings) looks for the binding of a key that no widget has handled on the screen
        # that is on top by then. A key for the table must not continue from a result that has come meanwhile. It can go
        # when Textual keeps the screen of a key.
        elif isinstance(event, Key) and self.screen_stack and self.screen is not self.input_queue.screen:
            self.input_queue.put_back(event)
        else:
            await super().on_event(event)

    # Textual 8.2 (app.py, run_action) runs the action of a click even if another screen has been pushed since, or the
    # widget has no size. A quick second click must not act on a covered screen, or dismiss the one that covers it. It
    # can go when Textual checks that the widget is on the active screen.
    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action, unless its widget is covered by another screen or has no layout yet."""
        if isinstance(default_namespace, Widget):
            seen = isinstance(default_namespace, Screen) or bool(default_namespace.size)
            if not seen or self.screen not in default_namespace.ancestors_with_self:
                return False
        return await super().run_action(action, default_namespace, namespaces)
