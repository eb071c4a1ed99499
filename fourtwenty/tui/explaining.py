"""A screen that says why a dimmed key does nothing."""

from __future__ import annotations

from textual.events import Key
from textual.screen import ScreenResultType

from fourtwenty.tui.framework import HouseScreen


class ExplainingScreen(HouseScreen[ScreenResultType]):
    """A screen whose dimmed keys are explained when they are pressed or clicked."""

    def why_dimmed(self, action: str) -> str:
        """Return in one sentence why an action, named without its parameters, has nothing to do now."""
        raise NotImplementedError

    def on_key(self, event: Key) -> None:
        """Explain a dimmed key."""
        active = self.active_bindings.get(event.key)
        if active and not active.enabled and self.is_active:
            event.stop()
            self.app.bell()
            self.notify(self.why_dimmed(active.binding.action.partition("(")[0]), markup=False)
