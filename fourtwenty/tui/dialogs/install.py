"""The dialog where packages of an extra are missing: the command that installs them, to be copied."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from fourtwenty.extra import install_command
from fourtwenty.tui.dialogs.ask import Ask


class Install(Ask[None]):
    """Shows the command."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", id="install.copy", tooltip="Copy the command"),
        Binding("escape,enter,q", "back", "Back", key_display="esc", id="install.back"),
    ]

    def __init__(self, feature: str, *requirements: str) -> None:
        """Say what needs the packages of these requirements: "Playing on several machines"."""
        self.command = install_command(*requirements)
        super().__init__(f"{feature} needs extra packages", "Leave the game, and install it with:", self.command)

    def copied(self) -> tuple[str, str]:
        return "The command", self.command
