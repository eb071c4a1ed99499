"""Actions of screens, each declared once: key, label, button, availability, refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from textual.actions import ActionParseResult, parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from fourtwenty.tui.textual_base.base_app import BaseApp


def _always(_: object) -> bool:
    return True


def _never(_: object) -> None:
    return None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ScreenAction(Binding):
    """A binding that can be unavailable or refused, or has a button. The screen is passed to its functions."""

    available: Callable[[Any], bool] = _always
    refusal: Callable[[Any], str | None] = _never
    """Why the action cannot be done now, in a sentence, or "" if none is needed; None if it can. Dims it."""
    button: bool | Callable[[Any], str] = False
    """Whether it has a button; or the button's label, empty for none, if it differs from the description."""
    primary: bool | Callable[[Any], bool] = False
    """Whether the button stands out, before the others."""
    spare: bool = False
    """Whether the key bar leaves the action out first when room is short."""

    def __post_init__(self) -> None:
        """Refuse a condition of an action of the app: Textual asks the app, never the screen."""
        conditions = (self.available, self.refusal)
        if self.action.startswith("app.") and conditions != (_always, _never):
            raise ValueError(f"{self.id}: an action of the app has no condition of a screen; give the screen a method")

    @property
    def button_id(self) -> str:
        """The button's widget id: the last part of the binding's id."""
        return (self.id or "").rpartition(".")[2]

    def label(self, screen: Screen[Any]) -> str:
        if isinstance(self.button, bool):
            return self.description if self.button else ""
        return self.button(screen)

    def stands_out(self, screen: Screen[Any]) -> bool:
        return self.primary if isinstance(self.primary, bool) else self.primary(screen)

    def shown(self, screen: Screen[Any]) -> tuple[bool | None, str, bool]:
        """Return the action's state, its button's label, and whether that stands out."""
        state = self.state(screen)
        return (state, self.label(screen), self.stands_out(screen)) if self.button else (state, "", False)

    def state(self, screen: Screen[Any]) -> bool | None:
        """Return whether a screen has the action now; None when it is refused."""
        return self.is_available(screen) and (self.refusal(screen) is None or None)

    def is_available(self, screen: Screen[Any]) -> bool:
        """Return whether a screen has the action now, refused or not."""
        app = screen.app
        assert isinstance(app, BaseApp)
        return self.action not in app.absent and self.available(screen)


@cache
def bindings_of(owner: type[DOMNode]) -> Sequence[Binding]:
    """Return the bindings that a screen or an app and its bases declare, the bases' first."""
    declarations = (each for base in reversed(owner.__mro__) for each in vars(base).get("BINDINGS", ()))
    return [each for each in declarations if isinstance(each, Binding)]


@cache
def declared(screen: type[Screen[Any]]) -> Mapping[ActionParseResult, ScreenAction]:
    """Return the actions that a screen and its bases declare, by Textual's parse of each."""
    return {parse(each.action): each for each in bindings_of(screen) if isinstance(each, ScreenAction)}


def key_shown(app: BaseApp, binding: Binding) -> str:
    """Return the first key of a binding as displayed, the user's own if chosen."""
    own = app.keymap.get(binding.id or "")
    key, *_ = Binding.make_bindings([binding.with_key(own) if own else binding])
    return app.get_key_display(key)


def press(screen: Screen[Any], binding_id: str, does: str) -> str:
    """Return how to do an action of a screen: "Press g to agree"."""
    (binding,) = (each for each in bindings_of(type(screen)) if each.id == binding_id)
    app = screen.app
    assert isinstance(app, BaseApp)
    key = key_shown(app, binding)
    return f"Press {key.capitalize() if len(key) > 1 else key} to {does}"


RULES = ScreenAction(
    "question_mark",
    "app.rules",
    "Rules",
    key_display="?",
    id="screen.rules",
    tooltip="The rules, the author and our readings",
    spare=True,
)

RULES_UNSEEN = replace(RULES, show=False)

FAIRNESS = Binding(
    "f", "app.fairness", "Proof of the dice", id="screen.fairness", show=False, tooltip="Shows that the dice were fair"
)

FAR = 1_000_000_000
"""More rows than any list has."""

MOVE, PAGE, ENDS = Binding.Group("Move"), Binding.Group("Page"), Binding.Group("Top, end")

CURSOR_BINDINGS = (
    Binding("up", "move_cursor(-1)", "Up", id="screen.up", group=MOVE, show=False, tooltip="A line up or down"),
    Binding("down", "move_cursor(1)", "Down", id="screen.down", group=MOVE, show=False),
    Binding("pageup", "page(-1)", "Page up", id="screen.page-up", group=PAGE, show=False, tooltip="A page up or down"),
    Binding("pagedown", "page(1)", "Page down", id="screen.page-down", group=PAGE, show=False),
    Binding(
        "home", f"move_cursor({-FAR})", "Top", id="screen.top", group=ENDS, show=False, tooltip="To the top or the end"
    ),
    Binding("end", f"move_cursor({FAR})", "End", id="screen.end", group=ENDS, show=False),
)
"""The keys that move a screen's cursor or scroll it: ``BaseScreen.cursor_list``."""


def back(*more: str, label: str = "Back") -> Binding:
    """Return the keys that lead back, Escape, q and ``more``."""
    keys = ",".join(("escape", "q", *more))
    return Binding(keys, "back", label, key_display="esc", id="screen.back", tooltip="Back to where you were")


CANCEL = Binding("escape", "back", "Cancel", id="screen.cancel", tooltip="Change nothing")
"""The key that leads back from a dialog with a field, where q is typed."""
