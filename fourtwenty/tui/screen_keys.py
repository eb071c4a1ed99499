"""The current actions of a screen and the app, with their keys: for the sheet of F1 and the palette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import Struct, structs
from textual.binding import ActiveBinding, BindingsMap
from textual.dom import DOMNode
from textual.screen import Screen

from fourtwenty.tui.textual_base.actions import bindings_of
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.base_screen import BaseScreen

CURSOR_KEYS = {"up", "down", "left", "right", "pageup", "pagedown", "home", "end"}
THIS_SCREEN, MOVING, EVERYWHERE = "This screen", "Moving around", "Everywhere"
"""Titles of the parts of every screen, besides ``BaseScreen.KEY_PARTS``."""


class Offer(Struct, frozen=True):
    """An available action of a screen or the app."""

    keys: tuple[str, ...]
    """Its keys as shown, the user's own included; none for an action of the palette alone."""
    title: str
    about: str
    action: str
    node: DOMNode
    """The screen or app that runs the action."""
    enabled: bool
    part: str

    @property
    def key(self) -> str:
        """The first of its keys; empty for none."""
        return next(iter(self.keys), "")


def screen_keys(screen: Screen[object]) -> list[Offer]:
    """Return the program's keys for a screen, one entry for each action or group of bindings."""
    app = screen.app
    assert isinstance(app, BaseApp)
    own = [binding for _, binding in BindingsMap(type(app).BINDINGS)]
    found: dict[object, Offer] = {}
    for key, active in _active(screen, app).items():
        binding = active.binding
        if not binding.id and (active.node is not app or binding not in own):
            continue
        shown = app.get_key_display(replace(binding, key=key, key_display=None))
        name = binding.group or (active.node, binding.action)
        if name in found:
            found[name] = structs.replace(found[name], keys=(*found[name].keys, shown))
        else:
            title = binding.group.description if binding.group else binding.description
            about = active.tooltip or binding.description
            part = EVERYWHERE if active.node is app else _part(screen, active)
            found[name] = Offer((shown,), title, about, binding.action, active.node, active.enabled, part)
    return list(found.values())


def _active(screen: Screen[object], app: BaseApp) -> dict[str, ActiveBinding]:
    """Return active bindings by key, with the app's that Textual leaves out on a modal screen or behind a field."""
    own = BindingsMap(bindings_of(type(screen)))
    own.apply_keymap({**app.keymap})
    of_screen = {key: ActiveBinding(screen, binding, True, binding.tooltip) for key, binding in own}
    of_app = BindingsMap(app.BINDINGS)
    of_app.apply_keymap({**app.keymap})
    active = {key: ActiveBinding(app, binding, True, binding.tooltip) for key, binding in of_app if binding.priority}
    active = {key: each for key, each in active.items() if each.binding.action not in app.absent}
    found = {
        key: each if each.node in (screen, app) else of_screen.get(key, each)
        for key, each in screen.active_bindings.items()
    }
    return {**found, **active}


def _part(screen: Screen[object], active: ActiveBinding) -> str:
    binding = active.binding
    parts = screen.KEY_PARTS if isinstance(screen, BaseScreen) else {}
    moves = not binding.show and {each.strip() for each in binding.key.split(",")} <= CURSOR_KEYS
    own = next((title for title, ids in parts.items() if binding.id in ids), THIS_SCREEN)
    return MOVING if moves else own


def main_action(screen: Screen[object]) -> str | None:
    """Return the action of Enter on a screen, whatever key the user has chosen; None if it has none."""
    of_enter = {binding.action for key, binding in BindingsMap(bindings_of(type(screen))) if key == "enter"}
    enabled = (active.binding.action for active in screen.active_bindings.values() if active.enabled)
    return next((action for action in enabled if action in of_enter), None)


def in_parts(keys: Sequence[Offer]) -> dict[str, list[Offer]]:
    """Return keys by the title of their part: the screen, moving around, everywhere."""
    last = (MOVING, EVERYWHERE)
    titles = dict.fromkeys([THIS_SCREEN, *(key.part for key in keys if key.part not in last), *last])
    parts = {title: [key for key in keys if key.part == title] for title in titles}
    return {title: found for title, found in parts.items() if found}
