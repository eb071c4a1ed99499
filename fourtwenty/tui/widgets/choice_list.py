"""A list of choices with the cursor of the other lists; the dialog knows their meaning."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import OptionList


# Textual 8.2 (widgets/_option_list.py) shows the cursor by a colour alone: invisible without colours. Its own
# SelectionList draws before the options in the same way. It can go when OptionList has a sign for the cursor.
class ChoiceList(OptionList):
    # Textual 8.2 (content.py, get_height) raises ValueError for an option without a cell, in a very narrow terminal.
    DEFAULT_CSS = "ChoiceList { min-width: 12; }"

    def _get_left_gutter_width(self) -> int:
        return 2

    def render_line(self, y: int) -> Strip:
        line = super().render_line(y)
        row = self.scroll_offset.y + y
        if row >= len(self._lines):
            return line
        option, part = self._lines[row]
        style = next((segment.style for segment in line), None)
        return Strip([Segment("▶ " if option == self.highlighted and not part else "  ", style), *line])
