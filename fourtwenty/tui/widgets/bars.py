"""Bars side by side with a mark across all of them: what there is beside what was to be expected."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Bar:
    """One line."""

    label: str
    number: int
    said: str
    """What is said beside it."""


class Bars(Widget):
    """As long as the largest number allows, drawn so that they read without colour too."""

    DEFAULT_CSS = "Bars { height: auto; }"

    COMPONENT_CLASSES = {"bars--quiet", "bars--bar", "bars--mark"}  # noqa: RUF012

    bars: reactive[tuple[Bar, ...]] = reactive((), layout=True)
    """From the top down."""
    mark: reactive[float] = reactive(0.0)
    """The number at which the mark is."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return a line a bar."""
        return len(self.bars)

    def render(self) -> Content:
        """Draw every bar after its label, and what is said of it at the end."""
        most = max([self.mark, *(bar.number for bar in self.bars)]) or 1
        label = max((len(bar.label) for bar in self.bars), default=0)
        said = max((len(bar.said) for bar in self.bars), default=0)
        room = max(1, self.content_size.width - label - said - 3)
        at = round((room - 1) * self.mark / most)
        quiet, full, mark = (self.get_visual_style(f"bars--{part}", partial=True) for part in ("quiet", "bar", "mark"))
        lines = []
        for bar in self.bars:
            long = round(room * bar.number / most)
            drawn = ("━" * long).ljust(room)
            lines.append(
                Content.assemble(
                    (bar.label.rjust(label) + " ", quiet),
                    (drawn[:at], full),
                    ("╋" if long > at else "┃", mark),
                    (drawn[at + 1 :], full),
                    "  " + bar.said.rjust(said),
                )
            )
        return Content("\n").join(lines)
