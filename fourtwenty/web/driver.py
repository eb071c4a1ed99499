"""What the app of a browser's tab sees and hears by. The page, and who may have it, is in serve.py."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp


class Tab(WebDriver):
    """Textual's driver for a browser, and the app ends with what serves it, however that ended."""

    def run_input_thread(self) -> None:
        """Hand on what is typed and clicked, until nobody can any more."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())
