"""What the lobby and the table do when they open, to open quickly. What is on them, their own modules say."""

from __future__ import annotations

from textual import on
from textual.events import Compose, ScreenResume
from textual.geometry import Region
from textual.screen import Screen, ScreenResultType
from textual.strip import Strip
from textual.widget import Widget


class SolidBackground(Widget):
    """Mixed into a container or a screen that paints its background alone: no border, opacity or text."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Paint one line, and repeat it."""
        line = Strip.blank(crop.width, self.visual_style.rich_style)
        for line_filter in self.get_line_filters():
            line = line.apply_filter(line_filter, self.background_colors[1])
        return [line] * crop.height


class HouseScreen(SolidBackground, Screen[ScreenResultType]):
    """Styled once when it opens: Textual styles a new screen as it is filled, when shown, and when told its size."""

    opening = False
    """Whether it is not ready yet for keys and clicks, which wait."""
    _shown = False

    @on(Compose)
    def know_size(self) -> None:
        """Know the size before there is anything to lay out."""
        columns, rows = self.app.size
        for size, breakpoints in ((columns, self.app.HORIZONTAL_BREAKPOINTS), (rows, self.app.VERTICAL_BREAKPOINTS)):
            _, fitting = max(each for each in breakpoints or [] if each[0] <= size)
            self.add_class(fitting)

    @on(ScreenResume)
    def keep_styles(self, event: ScreenResume) -> None:
        """Keep the styles that everything has just been given."""
        event.refresh_styles &= self._shown
        self._shown = True
