"""A row of things one may do, each with its key, each to be clicked: many commands in a single widget."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
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

    def render(self) -> Content:
        """Show every choice as its key and its label, in one piece."""
        key_style = self.get_visual_style("choices--key", partial=True)
        return Content("  ").join(
            Content.assemble(
                (_unbroken(f" {choice.key} "), key_style),
                _unbroken(f" {choice.label}"),
            ).stylize(Style.from_meta({"action": choice.action}))
            for choice in self.choices
        )

    async def on_click(self, event: Click) -> None:
        """Do what was clicked."""
        action = event.style.meta.get("action")
        if action:
            event.stop()
            await self.run_action(action)


def _unbroken(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")
