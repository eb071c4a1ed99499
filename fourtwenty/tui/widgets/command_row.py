"""A row of clickable commands with their keys: bindings of the screen drawn as a single widget."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct
from textual import getters
from textual.binding import Binding
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from fourtwenty.cells import cell_len
from fourtwenty.tui.textual_base.actions import bindings_of
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.touch import BUTTON_ROWS, button_rows, key_shown, touched

COMMAND_GAP = 2
"""Cells between two commands; half as many between buttons with visible edges."""


class Command(Struct, frozen=True):
    binding: str
    label: str = ""
    """The text beside the key, if it is not the binding's description."""
    value: str = ""


class DrawnCommand(Struct, frozen=True):
    keys: str
    """Empty for a button."""
    label: str
    action: str
    main: bool
    """Whether Enter does it."""

    @property
    def width(self) -> int:
        return cell_len(f" {self.keys}  {self.label}" if self.keys else f"  {self.label}  ")


class CommandRow(Widget):
    """Commands side by side, wrapped between them. Neighbours of one binding group are one command."""

    DEFAULT_CSS = "CommandRow { height: auto; }"
    COMPONENT_CLASSES = {"command-row--key", "command-row--button", "command-row--main"}  # noqa: RUF012

    app = getters.app(BaseApp)
    commands: reactive[tuple[Command, ...]] = reactive((), layout=True)

    def __init__(self, *commands: Command, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.set_reactive(CommandRow.commands, commands)

    @property
    def _gap(self) -> int:
        return COMMAND_GAP // 2 if touched(self.app) else COMMAND_GAP

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        lines = len(self._lines(width))
        return lines * (BUTTON_ROWS + 1) - 1 if lines and touched(self.app) else lines

    def width_of(self, *commands: Command) -> int:
        """Return the width of these commands side by side, in cells."""
        shown = self._shown(commands)
        return sum(each.width for each in shown) + self._gap * (len(shown) - 1)

    def render(self) -> Content:
        if touched(self.app):
            return self._buttons()
        key_style = self.get_visual_style("command-row--key", partial=True)
        return Content("\n").join(
            Content(" " * self._gap).join(
                Content.assemble((f" {shown.keys} ", key_style), f" {shown.label}").stylize(
                    Style.from_meta({"action": shown.action})
                )
                for shown in line
            )
            for line in self._lines(self.content_size.width)
        )

    def _buttons(self) -> Content:
        """Return the commands as buttons, which share the width of their line."""
        rows: list[Content] = []
        for line in self._lines(self.content_size.width):
            spare = self.content_size.width - self._gap * (len(line) - 1) - sum(shown.width for shown in line)
            buttons = []
            for at, shown in enumerate(line):
                width = shown.width + spare // len(line) + (at < spare % len(line))
                name = "command-row--main" if shown.main else "command-row--button"
                style = self.get_visual_style(name) + Style.from_meta({"action": shown.action})
                buttons.append([Content.styled(text.center(width), style) for text in button_rows(shown.label)])
            rows += [Content("")] if rows else []
            rows += [Content(" " * self._gap).join(row) for row in zip(*buttons, strict=True)]
        return Content("\n").join(rows)

    def _shown(self, commands: Sequence[Command]) -> list[DrawnCommand]:
        bindings = {each.id: each for each in bindings_of(type(self.screen))}
        shown: list[DrawnCommand] = []
        for group, members in groupby(commands, lambda command: bindings[command.binding].group):
            own = [self._own(command, bindings[command.binding]) for command in members]
            keys, main = " ".join(each.keys for each in own), any(each.main for each in own)
            shown += [DrawnCommand(keys, group.description, own[-1].action, main)] if group else own
        return shown

    def _own(self, command: Command, binding: Binding) -> DrawnCommand:
        label = command.label or binding.description
        elsewhere = "." in binding.action.partition("(")[0]
        return DrawnCommand(
            "" if touched(self.app) else key_shown(self.app, binding),
            f"{label}: {command.value}" if command.value else label,
            binding.action if elsewhere else f"screen.{binding.action}",
            "enter" in binding.key.split(","),
        )

    def _lines(self, width: int) -> list[list[DrawnCommand]]:
        lines: list[list[DrawnCommand]] = []
        used = 0
        for shown in self._shown(self.commands):
            if not lines or used + self._gap + shown.width > width:
                lines.append([])
                used = -self._gap
            lines[-1].append(shown)
            used += self._gap + shown.width
        return lines

    async def on_click(self, event: Click) -> None:
        action = event.style.meta.get("action")
        if action:
            event.stop()
            await self.run_action(action)
