"""Textual's driver for the app in a browser's tab. The server that starts the app is in server.py."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver
from textual.events import Resize
from textual.geometry import Size
from textual.messages import ExitApp


class BrowserDriver(WebDriver):
    """Textual's driver for a browser, but the app exits when the server does, and has the newest size."""

    def run_input_thread(self) -> None:
        """Read the input until the pipe from the server closes, then let the app exit."""
        super().run_input_thread()
        # Textual 8.2 only ends this thread at the end of the pipe: after a kill of the server, the app would run on.
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Carry out a message of the server."""
        match payload:
            case {"type": "resize", "width": int(width), "height": int(height)}:
                # Textual 8.2 posts this by a shorter way than the size at the start, which could then come later and
                # stay: a page that had changed its size while the app started was painted in the old one.
                self._size = (width, height)
                self.send_message(Resize(Size(width, height), Size(width, height)))
            case _:
                super().on_meta(packet_type, payload)
