"""The commands of the palette: the keys that work on the screen now, and the actions of every screen."""

from __future__ import annotations

from fourtwenty.tui.screen_keys import EVERYWHERE, MOVING, Offer, main_action, screen_keys
from fourtwenty.tui.textual_base.base_app import BaseApp

NOT_IN_PALETTE = {"help_quit", "suspend_process", "command_palette", "move(-1)", "move(1)"}
"""Actions that nobody looks for in the palette: they end or suspend the program, open it, or are keys to hold down."""

APP_COMMANDS = {
    "history": ("Past games", "The history, with the unfinished ones first"),
    "statistics": ("Statistics", "A player's skill, luck and dice, in charts"),
    "practice": ("Practice", "Positions where the choice matters"),
    "rules": ("Rules", "The rules, the author and our readings"),
    "keys": ("Keys", "Help and every key of this screen"),
    "options": ("Options", "Settings: theme, pace, bell; in the lobby coach, real dice"),
    "quit": ("Quit", "Leave the program"),
}
"""The title and the help of each command of the palette that works on every screen, by action."""


def palette_commands(app: BaseApp) -> list[Offer]:
    """Return what the screen can do, the action of Enter first, and then what every screen can."""
    offers = screen_keys(app.screen)
    of_app = {offer.action.removeprefix("app."): offer.keys for offer in offers}
    main = main_action(app.screen)
    elsewhere = {*APP_COMMANDS, *NOT_IN_PALETTE}
    commands = [
        offer
        for offer in sorted(offers, key=lambda offer: offer.action != main)
        if offer.enabled and offer.part != MOVING and offer.action.removeprefix("app.") not in elsewhere
    ]
    for action, (title, about) in APP_COMMANDS.items():
        commands.append(Offer(of_app.get(action, ()), title, about, action, app, True, EVERYWHERE))
    return commands
