"""The coach's advice in two lines. play/advice.py computes it, and the table decides how much to show."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content
from textual.widgets import Static

from fourtwenty.cells import cell_len


class Coach(Static):
    """Two lines under the hand: the chances of a choice; its goal and a verdict."""

    DEFAULT_CSS = "Coach { height: 2; }"

    def __init__(self) -> None:
        super().__init__(markup=False, id="coach")

    def show(self, chances: Mapping[str, str], goal: str = "", verdict: str = "") -> None:
        """Show chances and amounts, by name, above goal and verdict."""
        parts = [f"{name}: {chance}" for name, chance in chances.items()]
        while len(parts) > 1 and cell_len("  ".join(parts)) > self.content_size.width:
            parts.pop()  # to keep the goal below
        upper = "  ".join(parts)
        goal = f"{goal}  " if goal else ""
        look = "bold $warning" if verdict.startswith("costs") else "bold"
        self.update(Content.assemble(upper, "\n", goal, (verdict, look)), layout=False)
