"""A horizontal bar chart with a mark at one value, to compare counts with an expected count."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget


class Bar(Struct, frozen=True):
    """A line of the chart."""

    label: str
    count: int
    caption: str
    """The text after the bar."""


class Bars(Widget):
    """Bars from the top down; the longest fills its line. The mark can be told from the bars without colour."""

    DEFAULT_CSS = "Bars { height: auto; }"

    COMPONENT_CLASSES = {"bars--quiet", "bars--bar", "bars--mark"}  # noqa: RUF012

    bars: reactive[tuple[Bar, ...]] = reactive((), layout=True)
    """The bars in the order of the lines."""
    mark: reactive[float] = reactive(0.0)
    """The value that is marked."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(self.bars)

    def render(self) -> Content:
        most = max([self.mark, *(bar.count for bar in self.bars)]) or 1
        label_width = max((len(bar.label) for bar in self.bars), default=0)
        caption_width = max((len(bar.caption) for bar in self.bars), default=0)
        room = max(1, self.content_size.width - label_width - caption_width - 3)
        at = round((room - 1) * self.mark / most)
        quiet, full, mark = (self.get_visual_style(f"bars--{part}", partial=True) for part in ("quiet", "bar", "mark"))
        lines = []
        for bar in self.bars:
            length = round(room * bar.count / most)
            drawn = ("━" * length).ljust(room)
            lines.append(
                Content.assemble(
                    (bar.label.rjust(label_width) + " ", quiet),
                    (drawn[:at], full),
                    ("╋" if length > at else "┃", mark),
                    (drawn[at + 1 :], full),
                    "  " + bar.caption.rjust(caption_width),
                )
            )
        return Content("\n").join(lines)
