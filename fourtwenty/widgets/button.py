"""A button that is only for the mouse: the key of the same name is the screen's, so Enter always means the same."""

from __future__ import annotations

from textual.widgets import Button


class MouseButton(Button, can_focus=False):
    """Takes no focus and drops no quick clicks."""

    def on_mount(self) -> None:
        """Be ready for the next click at once; Textual's button ignores clicks while it shows the last one."""
        self.active_effect_duration = 0
