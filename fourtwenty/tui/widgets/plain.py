"""An area that is nothing but a colour, with others lying on it; Textual paints it as if it had something to say."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Plain(Widget):
    """Mixed into a container or a screen: its background is all that is painted, no border, opacity or words."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint one line, and it again."""
        line = Strip.blank(crop.width, self.visual_style.rich_style)
        for line_filter in self.get_line_filters():
            line = line.apply_filter(line_filter, self.background_colors[1])
        return [line] * crop.height
