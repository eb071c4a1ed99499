"""A button for the mouse alone: Textual's (8.2) takes the focus and so Enter, and drops quick clicks."""

from __future__ import annotations

from rich.segment import Segment
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive

from fourtwenty.cells import cell_len
from fourtwenty.tui.textual_base.drawn import DrawnWidget


class MouseButton(DrawnWidget):
    # No line-pad, unlike Textual's Button: Textual 8.2 (content.py, get_height) raises ValueError at two columns.
    DEFAULT_CSS = """
    MouseButton {
        width: auto;
        height: 3;
        padding: 0 1;
        pointer: pointer;
    }
    """

    label: reactive[str] = reactive("")

    class Pressed(Message):
        def __init__(self, button: MouseButton) -> None:
            super().__init__()
            self.button = button

    def __init__(self, label: str, *, id: str, variant: str = "default") -> None:  # noqa: A002
        super().__init__(id=id, classes=f"-{variant}")
        self.set_reactive(MouseButton.label, label)

    def watch_label(self) -> None:
        """Lay the screen out again if the width depends on the label."""
        if self.styles.width is None or self.styles.width.is_auto:
            self.refresh(layout=True)

    def render(self) -> str:
        return self.label

    def draw_line(self, y: int, width: int) -> list[Segment]:
        label = self.label if y == self.content_size.height // 2 else ""
        return [Segment(" " * ((width - cell_len(label)) // 2) + label, self.style_of())]

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Pressed(self))
