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
class Choice:
    """One thing to do."""

    key: str
    """The key as shown."""
    label: str
    action: str
    """The Textual action that a click runs, the one the key is bound to."""


class Choices(Widget):
    """Choices side by side; they wrap between one and the next."""

    DEFAULT_CSS = "Choices { height: auto; }"
    COMPONENT_CLASSES = {"choices--key"}  # noqa: RUF012

    choices: reactive[tuple[Choice, ...]] = reactive((), layout=True)
    """What may be done, in reading order."""

    def __init__(self, choices: tuple[Choice, ...] = (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.set_reactive(Choices.choices, choices)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return how many lines the choices take in that width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Show every choice as its key and its label."""
        key_style = self.get_visual_style("choices--key", partial=True)
        return Content("\n").join(
            Content("  ").join(
                Content.assemble((f" {choice.key} ", key_style), f" {choice.label}").stylize(
                    Style.from_meta({"action": choice.action})
                )
                for choice in line
            )
            for line in self._lines(self.content_size.width)
        )

    def _lines(self, width: int) -> list[list[Choice]]:
        """The choices line by line, none of them broken."""
        lines: list[list[Choice]] = []
        used = width
        for choice in self.choices:
            needed = cell_len(f"   {choice.key}  {choice.label}")
            if used + needed > width or not lines:
                lines.append([])
                used = -2
            lines[-1].append(choice)
            used += needed
        return lines

    async def on_click(self, event: Click) -> None:
        """Do what was clicked."""
        action = event.style.meta.get("action")
        if action:
            event.stop()
            await self.run_action(action)
