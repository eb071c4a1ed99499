"""The start: a screen that is shown first is styled once and painted once."""

from __future__ import annotations

from math import inf

from textual import on
from textual.events import Compose, ScreenResume
from textual.message import Message
from textual.messages import Layout, Update
from textual.screen import ScreenResultType
from textual.widget import Widget

from fourtwenty.tui.frame.screen import HouseScreen


class OpeningScreen(HouseScreen[ScreenResultType]):
    """A screen that is shown at the start: it is styled once and painted once."""

    _shown = False
    _first_picture_at = inf
    """The time of the first layout, which is the answer to all that was asked before it."""

    # Textual 8.2 styles every widget of a new screen three times: when it is added (app.py, _register), when the screen
    # learns its size and gets the classes of the breakpoints (screen.py, _screen_resized), and when it is shown
    # (screen.py, _on_screen_resume). Once is enough: the classes are set before there are widgets, and the third pass
    # is skipped. Without, a start takes longer. Both can go when ScreenResume does not restyle a new screen.
    @on(Compose)
    def set_breakpoint_classes(self) -> None:
        """Set the classes for the size of the terminal before there are widgets."""
        columns, rows = self.app.size
        for size, breakpoints in ((columns, self.app.HORIZONTAL_BREAKPOINTS), (rows, self.app.VERTICAL_BREAKPOINTS)):
            _, fitting = max(each for each in breakpoints or [] if each[0] <= size)
            self.add_class(fitting)

    @on(ScreenResume)
    def skip_first_restyling(self, event: ScreenResume) -> None:
        """Keep the styles that all widgets have just been given."""
        event.refresh_styles &= self._shown
        self._shown = True

    # Textual 8.2 (screen.py, _on_screen_resume) lays out a new screen and paints it, and then once more, because every
    # widget has asked for both when it was mounted and when it got its first size; some of these messages are still on
    # their way. Without, a start takes longer. It can go when a new widget asks for nothing.
    async def _dispatch_message(self, message: Message) -> None:
        if isinstance(message, (Layout, Update)) and message.time < self._first_picture_at:
            return
        first = not self._shown
        await super()._dispatch_message(message)
        if first and self._shown:
            for widget in self.walk_children(Widget, with_self=True):
                widget._layout_required = widget._repaint_required = False
            self._first_picture_at = Message().time
            self._dirty_widgets.add(self)  # beside its widgets: their changes are painted with it, and not again
            self._update_timer.resume()

    # Textual 8.2 (screen.py, _refresh_layout) paints a new screen before its widgets have heard of their sizes, and so
    # most of them once more: the table when it asks for the first roll. Without, a start of the table takes
    # longer. It can go when a screen is first painted after its Resize events.
    def _compositor_refresh(self) -> None:
        if self._first_picture_at < inf:
            super()._compositor_refresh()
