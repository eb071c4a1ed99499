"""The advice of the coach in two lines. It is computed in play/advice.py, and the table decides how much to show."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

LAMP_ON, LAMP_OFF = "◉", "○"
"""The lamp: on where the best choice depends on the other hands."""


class Coach(Static):
    """Two lines under the hand: the chances of a choice; its goal, the lamp and a verdict."""

    DEFAULT_CSS = "Coach { height: 2; }"

    def __init__(self) -> None:
        super().__init__(markup=False, id="coach")

    def show(self, chances: Mapping[str, str], goal: str = "", verdict: str = "", lamp: bool | None = None) -> None:
        """Show the chances and amounts, by name, above the goal and the verdict. No lamp is shown if it is None."""
        parts = [f"{name}: {chance}" for name, chance in chances.items()]
        while len(parts) > 1 and cell_len("  ".join(parts)) > self.content_size.width:
            parts.pop()  # rather than lose the goal below
        upper = "  ".join(parts)
        goal = f"{goal}  " if goal else ""
        light = "" if lamp is None else f"{LAMP_ON} " if lamp else f"{LAMP_OFF} "
        look = "bold $warning" if verdict.startswith("costs") else "bold"
        self.update(
            Content.assemble(upper, "\n", goal, (light, "$accent bold" if lamp else "$quiet"), (verdict, look)),
            layout=False,
        )
