"""Lists what can be done on a screen, with its keys: for F1, ctrl+p and the colon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct, structs
from textual.actions import parse
from textual.binding import ActiveBinding, BindingsMap
from textual.dom import DOMNode
from textual.screen import Screen

from fourtwenty.tui.textual_base.actions import bindings_of, declared
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.base_screen import BaseScreen

CURSOR_KEYS = {"up", "down", "left", "right", "pageup", "pagedown", "home", "end"}
THIS_SCREEN, MOVING, EVERYWHERE = range(3)
"""The parts of the list, in order."""
EVERYWHERE_ACTIONS = {
    "history": ("Past games", "The history, with the unfinished ones first"),
    "statistics": ("Statistics", "A player's skill, luck and dice, in charts"),
    "practice": ("Practice", "Positions where the choice matters"),
    "rules": ("Rules", "The rules, the author and our readings"),
    "options": ("Options", "Settings: theme, pace, bell; in the lobby coach, real dice"),
    "quit": ("Quit", "Leave the program"),
}
"""Title and help of the actions of every screen that a screen need not have a key for."""
THIS_LIST, HELP, ENDS = "command_palette", "screen_help", ("help_quit", "suspend_process")


class Offer(Struct, frozen=True):
    """An action of a screen or the app, possible now or not."""

    keys: tuple[str, ...]
    """Its keys as shown, the user's own included; none for an action of the list alone."""
    title: str
    about: str
    """The effect, or the reason why it is refused now."""
    action: str
    node: DOMNode
    """The screen or app that runs the action."""
    part: int


def offers(screen: Screen[object]) -> list[Offer]:
    """Return what can be done on a screen: its actions, the one of Enter first, its help, keys that move, the app's."""
    app = screen.app
    assert isinstance(app, BaseApp)
    found = [each for each in screen_keys(screen) if each.action != THIS_LIST]
    there = {each.action.removeprefix("app.") for each in found}
    for action, (title, about) in EVERYWHERE_ACTIONS.items():
        if action not in there:
            found.append(Offer((), title, about, action, app, EVERYWHERE))
    if isinstance(screen, BaseScreen) and screen.help_text:
        found.append(Offer((), "Help", "How this screen works", HELP, app, THIS_SCREEN))
    of_enter = {binding.action for key, binding in BindingsMap(bindings_of(type(screen))) if key == "enter"}
    main = next((each.action for each in found if each.action in of_enter), "")
    return sorted(found, key=lambda each: (each.part, each.action != main, each.action != HELP, each.action in ENDS))


def screen_keys(screen: Screen[object]) -> list[Offer]:
    """Return the program's keys for a screen, one entry for each action or group of bindings."""
    app = screen.app
    assert isinstance(app, BaseApp)
    found: dict[object, Offer] = {}
    for key, active in _active(screen, app):
        binding = active.binding
        shown = app.get_key_display(replace(binding, key=key, key_display=None))
        name = binding.group or (active.node, binding.action)
        if name in found:
            found[name] = structs.replace(found[name], keys=(*found[name].keys, shown))
        else:
            title = binding.group.description if binding.group else binding.description
            part = EVERYWHERE if active.node is app else MOVING if _moves(active) else THIS_SCREEN
            found[name] = Offer((shown,), title, _about(active), binding.action, active.node, part)
    return list(found.values())


def _active(screen: Screen[object], app: BaseApp) -> Iterator[tuple[str, ActiveBinding]]:
    """Yield active bindings by key, with the app's that Textual leaves out on a modal screen or behind a field."""
    own, of_app = BindingsMap(bindings_of(type(screen))), BindingsMap(app.BINDINGS)
    for bindings in (own, of_app):
        bindings.apply_keymap({**app.keymap})
    of_screen = {key: ActiveBinding(screen, binding, True, binding.tooltip) for key, binding in own}
    found = {
        key: each if each.node in (screen, app) else of_screen.get(key, each)
        for key, each in screen.active_bindings.items()
    }
    found |= {key: ActiveBinding(app, binding, True, binding.tooltip) for key, binding in of_app if binding.priority}
    of_program = [binding for _, binding in BindingsMap(type(app).BINDINGS)]
    for key, active in found.items():
        binding = active.binding
        ours = bool(binding.id) or (active.node is app and binding in of_program)
        if ours and (active.node is not app or binding.action not in app.absent):
            yield key, active


def _about(active: ActiveBinding) -> str:
    node, binding = active.node, active.binding
    action = declared(type(node)).get(parse(binding.action)) if isinstance(node, Screen) else None
    refusal = action.refusal(node) if action and not active.enabled else None
    return refusal or active.tooltip or ""


def _moves(active: ActiveBinding) -> bool:
    keys = {each.strip() for each in active.binding.key.split(",")}
    return not active.binding.show and keys <= CURSOR_KEYS
