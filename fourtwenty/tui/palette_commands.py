"""The commands of the palette: the keys of the current screen, and the actions of every screen."""

from __future__ import annotations

from fourtwenty.tui.screen_keys import EVERYWHERE, MOVING, Offer, main_action, screen_keys
from fourtwenty.tui.textual_base.base_app import BaseApp

NOT_IN_PALETTE = {"help_quit", "suspend_process", "command_palette", "move(-1)", "move(1)"}
"""Actions not searched for in the palette: ending, suspending, opening it, and keys that are held down."""

APP_COMMANDS = {
    "history": ("Past games", "The history, with the unfinished ones first"),
    "statistics": ("Statistics", "A player's skill, luck and dice, in charts"),
    "practice": ("Practice", "Positions where the choice matters"),
    "rules": ("Rules", "The rules, the author and our readings"),
    "keys": ("Keys", "Help and every key of this screen"),
    "options": ("Options", "Settings: theme, pace, bell; in the lobby coach, real dice"),
    "quit": ("Quit", "Leave the program"),
}
"""Title and help of the palette's commands on every screen, by action."""


def palette_commands(app: BaseApp) -> list[Offer]:
    """Return the screen's actions, that of Enter first, then those of every screen."""
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
