"""The two lines below the hand: the coach's advice, a hint or a tip. play/advice.py computes the advice."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content
from textual.widgets import Static

from fourtwenty.cells import cell_len


class Coach(Static):
    """Two lines that stay when there is nothing to show, so that nothing moves when the coach comes."""

    DEFAULT_CSS = "Coach { height: 2; }"

    def __init__(self) -> None:
        super().__init__(markup=False, id="advice")

    def show(self, chances: Mapping[str, str], goal: str, verdict: str) -> None:
        """Show chances and amounts, by name, above goal and verdict."""
        parts = [f"{name}: {chance}" for name, chance in chances.items()]
        while len(parts) > 1 and cell_len("  ".join(parts)) > self.content_size.width:
            parts.pop()  # to keep the goal below
        upper = "  ".join(parts)
        goal = f"{goal}  " if goal else ""
        look = "bold $warning" if verdict.startswith("costs") else "bold"
        self.update(Content.assemble(upper, "\n", goal, (verdict, look)), layout=False)

    def tell(self, sentence: str) -> None:
        """Show a tip or a hint in place of the advice; nothing changes for an empty one."""
        if sentence:
            self.update(Content.styled(sentence, "$accent"), layout=False)

    def clear(self) -> None:
        self.update("", layout=False)
