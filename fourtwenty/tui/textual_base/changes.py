"""A compositor that writes no more of a line than has changed."""

from __future__ import annotations

from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate, Compositor


# Textual 8.2 (_compositor.py, ChopsUpdate.render_segments) writes the line of a widget from its left edge for every
# changed part: the chance at the end of a line takes the whole line, and three of them take it twice. Without this, a
# coached roll at a table of 12 writes 17 kB and not 12. It can go when Textual crops both ends ("TODO").
class Changes(ChopsUpdate):
    def render_segments(self, console: Console) -> str:
        written: list[str] = []
        for y, left, right in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is not None and x < right and end > left:
                    start = max(x, left)
                    written += (
                        Control.move_to(start, y).segment.text,
                        strip.crop(start - x, min(end, right) - x).render(console),
                    )
        return "".join(written)


class ChangesCompositor(Compositor):
    """The compositor of ``ShownScreen``."""

    def render_partial_update(self) -> Changes | None:
        update = super().render_partial_update()
        return Changes(update.chops, update.spans, update.chop_ends) if update else None
