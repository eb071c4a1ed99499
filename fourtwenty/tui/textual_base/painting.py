"""Overrides of painting: one layout, no more output than has changed, no control characters from text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.console import strip_controls

RegionAndClip = tuple[Region, Region]
"""The region of a widget on the screen, and its clip."""


# Textual 8.2 (widget.py, _size_updated) lays out and paints everything once more when a layout has resized a widget,
# because it sets ``virtual_size``, which asks for both. Scrollbars ask elsewhere for the second layout that they need.
# Without this, showing or hiding a tip takes two layouts, and a coached roll writes 4 to 5 kB more. It can go when
# Textual sets the size without asking.
def lay_out_once() -> None:
    """Have no widget ask for another layout because a layout has resized it."""
    update = Widget._size_updated

    def _size_updated(
        self: Widget,
        size: Size,
        virtual_size: Size,
        container_size: Size,
        layout: bool = True,  # noqa: ARG001
    ) -> bool:
        return update(self, size, virtual_size, container_size, layout=False)

    Widget._size_updated = _size_updated  # type: ignore[method-assign]


# Textual 8.2 (_compositor.py, ChopsUpdate.render_segments) writes the line of a widget from its left edge for every
# changed part: the chance at the end of a line takes the whole line, and three of them take it twice. Without this, a
# coached roll at a table of 12 writes 24 kB and not 12. It can go when Textual crops both ends ("TODO").
def paint_changes_only() -> None:
    """Have a picture write nothing to the left of a change."""

    def render_segments(self: ChopsUpdate, console: Console) -> str:
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

    ChopsUpdate.render_segments = render_segments  # type: ignore[method-assign]

    # Textual 8.2 (_compositor.py, _get_renders) renders every widget of the screen for every change: it asks whether
    # the widget's clip meets the changes, and that is mostly the screen without regard to covering widgets. Without
    # this, a key on a die takes 20 % more function calls. It can go when Textual stops at what covers a change.
    update = Compositor.render_partial_update

    def render_partial_update(self: Compositor) -> ChopsUpdate | None:
        everything = self.visible_widgets
        if self._dirty_regions and self.cuts:  # the cuts of all widgets, found now
            self._visible_widgets = _seen_in(self._dirty_regions, everything)
        try:
            return update(self)
        finally:
            self._visible_widgets = everything

    Compositor.render_partial_update = render_partial_update  # type: ignore[method-assign]


# Textual 8.2 (content.py, _strip_control_codes) removes five control characters, but keeps escape sequences, C1 and
# bidirectional controls: text could control the terminal. This stays: it covers every widget.
def paint_text_only() -> None:
    """Remove harmful characters, which take no cell, from all text."""
    render = Strip.render

    def render_text(self: Strip, console: Console) -> str:
        if self._render_cache is None and not self.text.isprintable():
            self._segments = [
                Segment(strip_controls(text, ""), style, control) for text, style, control in self._segments
            ]
        return render(self, console)

    Strip.render = render_text  # type: ignore[method-assign]


def _seen_in(changes: Iterable[Region], widgets: Mapping[Widget, RegionAndClip]) -> dict[Widget, RegionAndClip]:
    """Return the visible widgets at the changes, front to back."""
    seen = {}
    for widget, (region, clip) in widgets.items():
        part = region.intersection(clip)
        if any(map(part.overlaps, changes)):
            seen[widget] = region, clip
            changes = [change for change in changes if not part.contains_region(change)]
            if not changes:
                break
    return seen
