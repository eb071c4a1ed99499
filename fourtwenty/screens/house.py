"""What every screen of the house does when it opens. What is on it, and what it is for, its own module says."""

from __future__ import annotations

from textual import on
from textual.events import Compose, ScreenResume
from textual.screen import Screen, ScreenResultType

from fourtwenty.widgets.plain import Plain


class HouseScreen(Plain, Screen[ScreenResultType]):
    """Styled once when it opens: Textual styles a new screen as it is filled, when shown, and when told its size."""

    _shown = False

    @on(Compose)
    def know_size(self) -> None:
        """Know the size before there is anything to lay out."""
        columns, rows = self.app.size
        wide = self._get_breakpoint_classes(columns, self.app.HORIZONTAL_BREAKPOINTS or [])
        high = self._get_breakpoint_classes(rows, self.app.VERTICAL_BREAKPOINTS or [])
        self.add_class(*wide, *high)

    @on(ScreenResume)
    def keep_styles(self, event: ScreenResume) -> None:
        """Keep the styles that everything has just been given."""
        event.refresh_styles &= self._shown
        self._shown = True
