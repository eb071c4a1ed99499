"""Actions of screens, each declared once: key, label, button, when it is there, and why it is refused.

Keys, buttons, clicks and the palette lead to the same method. What is done is in the screens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from textual.actions import ActionParseResult, parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from fourtwenty.tui.frame.app import HouseApp

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

    def label(self, screen: Screen[Any]) -> str:
        """Return the label of the button on a screen; empty for none."""
        if isinstance(self.button, bool):
            return self.description if self.button else ""
        return self.button(screen)

    def stands_out(self, screen: Screen[Any]) -> bool:
        """Whether the button stands out on a screen now."""
        return self.primary if isinstance(self.primary, bool) else self.primary(screen)

    def shown(self, screen: Screen[Any]) -> tuple[bool | None, str, bool]:
        """Return the state of the action, the label of its button, and whether that stands out."""
        state = self.state(screen)
        return (state, self.label(screen), self.stands_out(screen)) if self.button else (state, "", False)

    def state(self, screen: Screen[Any]) -> bool | None:
        """Return whether a screen has the action now; None when it is refused."""
        return self.is_there(screen) and (self.refusal(screen) is None or None)

    def is_there(self, screen: Screen[Any]) -> bool:
        """Return whether a screen has the action now, refused or not."""
        app = screen.app
        assert isinstance(app, HouseApp)
        if not self.there(screen) or self.action in app.absent:
            return False
        return not self.for_keys or not app.has_class(TOUCHED)


@cache
def bindings_of(owner: type[DOMNode]) -> Sequence[Binding]:
    """Return the bindings that a screen or an app and its bases declare, those of the bases first."""
    declarations = (each for base in reversed(owner.__mro__) for each in vars(base).get("BINDINGS", ()))
    return [each for each in declarations if isinstance(each, Binding)]


@cache
def declared(screen: type[Screen[Any]]) -> Mapping[ActionParseResult, ScreenAction]:
    """Return the actions that a screen and its bases declare, by what Textual parses of each."""
    return {parse(each.action): each for each in bindings_of(screen) if isinstance(each, ScreenAction)}
