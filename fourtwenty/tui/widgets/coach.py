"""What the odds say of a selection, in two lines; who asks them, and how much they may say, is the table's business."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content
from textual.widgets import Static

LAMP_ON, LAMP_OFF = "◉", "○"
"""Whether the other hands matter to a choice."""


def percent(chance: float) -> str:
    """Return a chance from 0 to 1 in percent: "16.7 %"; certainties without decimals."""
    return f"{100 * chance:.0f} %" if chance in (0, 1) else f"{100 * chance:.1f} %"


def points(number: float) -> str:
    """Return points in words: "1 point", "2.5 points"."""
    return f"{number:g} {'point' if number == 1 else 'points'}"


class Coach(Static):
    """Two lines under the hand: the chances, and what the choice loses."""

    DEFAULT_CSS = "Coach { height: 2; }"

    def __init__(self) -> None:
        super().__init__(markup=False, id="coach")

    def show(self, chances: Mapping[str, str], goal: str = "", verdict: str = "", lamp: bool | None = None) -> None:
        """Show chances and amounts by name over the goal, the lamp unless it is None, and a verdict."""
        upper = "  ".join(f"{name}: {chance}" for name, chance in chances.items())
        goal = f"{goal}  " if goal else ""
        light = "" if lamp is None else f"{LAMP_ON} " if lamp else f"{LAMP_OFF} "
        self.update(
            Content.assemble(upper, "\n", goal, (light, "$accent bold" if lamp else "$quiet"), (verdict, "$quiet")),
            layout=False,
        )
