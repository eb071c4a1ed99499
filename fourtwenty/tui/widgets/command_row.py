"""A row of clickable commands with their keys: bindings of the screen drawn as a single widget."""

from __future__ import annotations

from itertools import groupby

from msgspec import Struct
from textual import getters
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from fourtwenty.tui.textual_base.actions import bindings_of, key_shown
from fourtwenty.tui.textual_base.base_app import BaseApp

COMMAND_GAP = 2
"""Cells between two commands."""


class Command(Struct, frozen=True):
    binding: str
    label: str = ""
    """The text beside the key, if it is not the binding's description."""
    value: str = ""


class CommandRow(Widget):
    """Commands side by side, wrapped between them. Neighbours of one binding group are one command."""

    DEFAULT_CSS = "CommandRow { height: auto; }"

    app = getters.app(BaseApp)
    commands: reactive[tuple[Command, ...]] = reactive((), layout=True)

    def __init__(self, *commands: Command, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.set_reactive(CommandRow.commands, commands)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self._lines(width))

    def render(self) -> Content:
        gap = Content(" " * COMMAND_GAP)
        return Content("\n").join(gap.join(line) for line in self._lines(self.content_size.width))

    def _drawn(self) -> list[Content]:
        bindings = {each.id: each for each in bindings_of(type(self.screen))}
        drawn: list[Content] = []
        for group, members in groupby(self.commands, lambda command: bindings[command.binding].group):
            own = [(command, bindings[command.binding]) for command in members]
            if group:
                drawn.append(self._draw(group.description, *(binding for _, binding in own)))
                continue
            for command, binding in own:
                label = command.label or binding.description
                drawn.append(self._draw(f"{label}: {command.value}" if command.value else label, binding))
        return drawn

    def _draw(self, label: str, *bindings: Binding) -> Content:
        """Return the keys of bindings and their label; a click does the last one's action."""
        keys = " ".join(key_shown(self.app, each) for each in bindings)
        drawn = Content.assemble((f" {keys} ", "bold $accent on $panel"), f" {label}")
        return drawn.stylize(Style.from_meta({"action": bindings[-1].action}))

    def _lines(self, width: int) -> list[list[Content]]:
        lines: list[list[Content]] = []
        used = 0
        for drawn in self._drawn():
            if not lines or used + COMMAND_GAP + drawn.cell_length > width:
                lines.append([])
                used = -COMMAND_GAP
            lines[-1].append(drawn)
            used += COMMAND_GAP + drawn.cell_length
        return lines
