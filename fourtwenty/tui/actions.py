"""Actions of screens, each declared once: key, label, button, when it is there, and why it is refused.

Keys, buttons, clicks and the palette lead to the same method. What is done is in the screens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from textual import on
from textual.actions import ActionParseResult, parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import Key
from textual.screen import Screen, ScreenResultType

from fourtwenty.tui.widgets.mouse_button import MouseButton

TOUCHED = "-touched"
"""The class of an app that is used by touch (touch.py)."""


def _always(_: object) -> bool:
    return True


def _never(_: object) -> None:
    return None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ScreenAction(Binding):
    """A binding that is not always there, can be refused, or has a button. Its functions are called with the screen."""

    there: Callable[[Any], bool] = _always
    refusal: Callable[[Any], str | None] = _never
    """Why the action cannot be done now, in a sentence or, where none is needed, ""; None when it can. Dims it."""
    button: bool | Callable[[Any], str] = False
    """Whether it has a button; or the label of the button, empty for none, if that is not the description."""
    primary: bool | Callable[[Any], bool] = False
    """Whether the button stands out, before the others."""
    for_keys: bool = False
    """Whether the action is left out where the app is used by touch: a phone has the game, and not all around it."""
    spare: bool = False
    """Whether the key bar leaves the action out first when it has little room."""

    @property
    def button_id(self) -> str:
        """The widget id of the button: the last part of the id of the binding."""
        return (self.id or "").rpartition(".")[2]

    def label(self, screen: ActionScreen[Any]) -> str:
        """Return the label of the button on a screen; empty for none."""
        if isinstance(self.button, bool):
            return self.description if self.button else ""
        return self.button(screen)

    def stands_out(self, screen: ActionScreen[Any]) -> bool:
        """Whether the button stands out on a screen now."""
        return self.primary if isinstance(self.primary, bool) else self.primary(screen)

    def shown(self, screen: ActionScreen[Any]) -> tuple[bool | None, str, bool]:
        """Return the state of the action, the label of its button, and whether that stands out."""
        state = self.state(screen)
        return (state, self.label(screen), self.stands_out(screen)) if self.button else (state, "", False)

    def state(self, screen: ActionScreen[Any]) -> bool | None:
        """Return whether a screen has the action now; None when it is refused."""
        return self.is_there(screen) and (self.refusal(screen) is None or None)

    def is_there(self, screen: ActionScreen[Any]) -> bool:
        """Return whether a screen has the action now, refused or not."""
        if not self.there(screen) or self.action in screen.absent:
            return False
        return not self.for_keys or not screen.app.has_class(TOUCHED)


@cache
def bindings_of(owner: type[DOMNode]) -> Sequence[Binding]:
    """Return the bindings that a screen or an app and its bases declare, those of the bases first."""
    declarations = (each for base in reversed(owner.__mro__) for each in vars(base).get("BINDINGS", ()))
    return [each for each in declarations if isinstance(each, Binding)]


@cache
def declared(screen: type[Screen[Any]]) -> Mapping[ActionParseResult, ScreenAction]:
    """Return the actions that a screen and its bases declare, by what Textual parses of each."""
    return {parse(each.action): each for each in bindings_of(screen) if isinstance(each, ScreenAction)}


class ActionScreen(Screen[ScreenResultType]):
    """A screen that hides, dims, explains and does the actions in its ``BINDINGS``, and shows their buttons."""

    DIMMED_BUTTONS: ClassVar[bool] = True
    """Whether the button of a dimmed action is shown."""

    _shown_actions: Mapping[ScreenAction, tuple[bool | None, str, bool]] | None = None
    """The actions as they were shown last, by ``ScreenAction.shown``."""

    @property
    def absent(self) -> Collection[str]:
        """The actions that cannot be done where the program runs, and are not shown."""
        return ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide an action that is not there, and dim one that is refused."""
        found = declared(type(self)).get(("", action, parameters))
        return found is None or found.state(self)

    async def do(self, action: str) -> None:
        """Do an action that was clicked, or explain why it cannot be done now."""
        if self.is_active and not await self.app.run_action(action, self):
            self.explain(action)

    def explain(self, action: str) -> None:
        """Say why an action cannot be done now, if there is a sentence about it.

        The action need not be there: a die can be clicked while its faces are typed.
        """
        found = declared(type(self)).get(parse(action))
        sentence = found and found.refusal(self)
        if sentence:
            self.refuse(sentence)

    def refuse(self, sentence: str) -> None:
        """Show the sentence about an action that cannot be done."""
        self.app.bell()
        self.notify(sentence, markup=False)

    # -- keys ------------------------------------------------------------------------------------------------------

    async def on_key(self, event: Key) -> None:
        """Take a key. Override ``take_key`` and not this: Textual would call both."""
        if declared(type(self)) and self.is_active:
            await self.take_key(event)

    async def take_key(self, event: Key) -> None:
        """Explain a dimmed key; Textual runs the others."""
        active = self.active_bindings.get(event.key)
        if active and not active.enabled:
            event.stop()
            self.explain(active.binding.action)

    # -- buttons ---------------------------------------------------------------------------------------------------

    def buttons(self, now: bool = False) -> Iterator[MouseButton]:
        """Yield the buttons, those that stand out first; with ``now`` only of actions that are there already.

        Those of other actions are hidden; ``show_actions`` shows, hides and dims them.
        """
        for action in sorted(declared(type(self)).values(), key=lambda each: not each.stands_out(self)):
            label = action.label(self)
            there = action.is_there(self)
            if label and (there or not now):
                variant = "primary" if action.stands_out(self) else "default"
                button = MouseButton(label, id=action.button_id, variant=variant)
                if not there:
                    button.display = False
                yield button

    def show_actions(self) -> None:
        """Show the buttons and the keys of what can be done now."""
        shown = {each: each.shown(self) for each in declared(type(self)).values()}
        if shown == self._shown_actions:
            return
        self._shown_actions = shown
        buttons = {each.button_id: each for each in shown if each.button}
        for button in self.query(MouseButton):
            state, label, stands_out = shown[buttons[button.id or ""]]
            button.label = label or button.label
            display = bool(label and (state or (self.DIMMED_BUTTONS and state is None)))
            if button.display != display:  # Textual 8.2 (css/_style_properties.py) lays out again for the same
                button.display = display
            if display:
                button.set_class(not state, "-dimmed")
                button.set_class(stands_out, "-primary")
        self.refresh_bindings()

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        """Do the action of a button."""
        (action,) = (each.action for each in declared(type(self)).values() if each.button_id == event.button.id)
        await self.do(action)
