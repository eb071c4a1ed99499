"""The one place that knows whether touch or keys are used, with the words and the least size for both.

The app in a phone's browser (browser_app.py) is used by touch: key bars and rows of commands are large buttons without
keys, and tips name the button. The style sheets define the looks, under the app's class ``-touched``.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size

from fourtwenty.tui.textual_base.actions import TOUCHED, ScreenAction, bindings_of
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.base_screen import BaseScreen

MIN_COLUMNS, MIN_ROWS = 60, 20
"""The size of the smallest terminal with room for all screens, in cells."""
TOUCHED_COLUMNS = 54
"""Columns of the narrowest page, legible on a phone (page.js)."""
BUTTON_ROWS = 3
"""Rows of a button for a thumb: 9 mm on a phone."""
KEYBOARD = "\x1b]420;{}\x07"
"""Tells the page whether text can be typed, 1 or 0: only then it shows the phone's keyboard (touch.js)."""


def touched(app: App[Any]) -> bool:
    return app.has_class(TOUCHED)


def min_columns(app: App[Any]) -> int:
    return TOUCHED_COLUMNS if touched(app) else MIN_COLUMNS


def too_small(app: App[Any], size: Size) -> bool:
    """Return whether a terminal of this size has no room for the screens."""
    return size.width < min_columns(app) or size.height < MIN_ROWS


def button_rows(label: str) -> tuple[str, ...]:
    return tuple(label if row == BUTTON_ROWS // 2 else "" for row in range(BUTTON_ROWS))


def in_reach(app: App[Any], option: Content | str) -> Content | str:
    """Return a line to select or tap, by touch as high as a button."""
    return Content.assemble("\n  ", option, "\n") if touched(app) else option


def for_touch(app: App[Any], sentence: str) -> str:
    """Return a sentence about possible selections, in words for touch or keys."""
    return sentence.replace("Select ", "Tap ", 1) if touched(app) else sentence


def key_shown(app: BaseApp, binding: Binding) -> str:
    """Return the first key of a binding as displayed, the user's own if chosen."""
    own = app.keymap.get(binding.id or "")
    key, *_ = Binding.make_bindings([binding.with_key(own) if own else binding])
    return app.get_key_display(key)


def press(screen: BaseScreen[Any], binding_id: str, does: str) -> str:
    """Return how to do an action of a screen: "Press g to agree", or "Tap Carry on" for its button."""
    (binding,) = (each for each in bindings_of(type(screen)) if each.id == binding_id)
    if touched(screen.app):
        label = binding.label(screen) if isinstance(binding, ScreenAction) else ""
        return f"Tap {label or binding.description}"
    assert isinstance(screen.app, BaseApp)
    key = key_shown(screen.app, binding)
    return f"Press {key.capitalize() if len(key) > 1 else key} to {does}"


def any_key(app: App[Any]) -> str:
    return "a tap" if touched(app) else "any key"


def offer_keyboard(app: App[Any], offered: bool) -> bool:
    """Show the phone's keyboard while a field has the focus; return whether it does. ``offered``: last result."""
    from textual.widgets import Input  # a start by keys does without

    wanted = bool(app.screen_stack) and isinstance(app.focused, Input)
    if wanted != offered and app._driver:
        app._driver.write(KEYBOARD.format(int(wanted)))
    return wanted
