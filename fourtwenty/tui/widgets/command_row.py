"""A row of things one may do, each with its key, each to be clicked: many commands in a single widget."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do."""

    key: str
    """The key as shown."""
    label: str
    action: str
    """The Textual action that a click runs, the one the key is bound to."""


class CommandRow(Widget):
    """Commands side by side; they wrap between one and the next."""

    DEFAULT_CSS = "CommandRow { height: auto; }"
    COMPONENT_CLASSES = {"command-row--key"}  # noqa: RUF012

    commands: reactive[tuple[Command, ...]] = reactive((), layout=True)
    """What may be done, in reading order."""

    def __init__(self, commands: tuple[Command, ...] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.set_reactive(CommandRow.commands, commands)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return how many lines the commands take in that width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Show every command as its key and its label."""
        key_style = self.get_visual_style("command-row--key", partial=True)
        return Content("\n").join(
            Content("  ").join(
                Content.assemble((f" {command.key} ", key_style), f" {command.label}").stylize(
                    Style.from_meta({"action": command.action})
                )
                for command in line
            )
            for line in self._lines(self.content_size.width)
        )

    def _lines(self, width: int) -> list[list[Command]]:
        """The commands line by line, none of them broken."""
        lines: list[list[Command]] = []
        used = width
        for command in self.commands:
            needed = cell_len(f"   {command.key}  {command.label}")
            if used + needed > width or not lines:
                lines.append([])
                used = -2
            lines[-1].append(command)
            used += needed
        return lines

    async def on_click(self, event: Click) -> None:
        """Do what was clicked."""
        action = event.style.meta.get("action")
        if action:
            event.stop()
            await self.run_action(action)
