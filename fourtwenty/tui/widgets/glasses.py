"""Two glasses that meet once."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive, var
from textual.widget import Widget

LEFT = (
    ("   ", "▄▄▄▄▄▄"),
    (" ╭─", "██████"),
    (" │ ", "██████"),
    (" ╰─", "██████"),
    ("   ", "▀▀▀▀▀▀"),
)
"""The rows of the left glass: its handle, and the foam or the beer. The right one is its mirror image."""
MIRRORED = str.maketrans("╭╰", "╮╯")

SPARKS = "\\ | /"
MEETING_SECONDS = 0.9
FARTHEST = 7
"""Cells by which each glass is away from the middle at first."""
WIDTH = 2 * (len("".join(LEFT[0])) + FARTHEST) + 1


class Glasses(Widget):
    """Two glasses side by side, six rows high."""

    DEFAULT_CSS = f"Glasses {{ width: {WIDTH}; height: {len(LEFT) + 1}; }}"
    COMPONENT_CLASSES = {"glasses--foam", "glasses--beer", "glasses--handle", "glasses--sparks"}  # noqa: RUF012

    apart: reactive[int] = reactive(0)
    """Cells by which each glass is away from the middle."""
    way: var[float] = var(0.0)
    """The part of the way that is left, from 1 down to 0."""

    def on_mount(self) -> None:
        """Let the glasses move together, unless animations are off."""
        if self.app.animation_level != "none":
            self.way = 1.0
            self.animate("way", 0.0, duration=MEETING_SECONDS, easing="in_cubic")

    def watch_way(self, way: float) -> None:
        self.apart = round(way * FARTHEST)

    def render(self) -> Content:
        foam, beer, handle, sparks = (
            self.get_visual_style(f"glasses--{part}", partial=True) for part in ("foam", "beer", "handle", "sparks")
        )
        lines = [Content.styled(("" if self.apart else SPARKS).center(WIDTH), sparks)]
        margin = " " * (FARTHEST - self.apart)
        gap = " " * (2 * self.apart + 1)
        for row, (grip, body) in enumerate(LEFT):
            drink = beer if row else foam
            mirrored = grip[::-1].translate(MIRRORED)
            lines.append(
                Content.assemble(margin, (grip, handle), (body, drink), gap, (body, drink), (mirrored, handle))
            )
        return Content("\n").join(lines)
