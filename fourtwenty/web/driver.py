"""Textual's driver for the app in a browser's tab. The server that starts the app is in server.py."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp


class BrowserDriver(WebDriver):
    """Textual's driver for a browser, but the app exits when the server does."""

    def run_input_thread(self) -> None:
        """Read the input until the pipe from the server closes, then let the app exit."""
        super().run_input_thread()
        # Textual 8.2 only ends this thread at the end of the pipe: after a kill of the server, the app would run on.
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())
