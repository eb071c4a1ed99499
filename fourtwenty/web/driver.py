"""Textual's driver for the app in a browser's tab. The server that starts the app is in server.py."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus, Resize
from textual.geometry import Size
from textual.message import Message
from textual.messages import ExitApp

PAGE_CLOSED = "page closed"
"""The type of the message by which the server tells an app that nobody sees it any more."""


class PageClosed(Message):
    """The page of the app is closed, and the app goes on."""


class BrowserDriver(WebDriver):
    """Textual's driver for a browser, but the app exits when the server does, has the newest size, and the focus."""

    # Textual 8.2 (screen.py, _on_screen_resume) gives no field the focus while the app has none: a dialog that opened
    # before the page had it took no letters for ever. What is typed or tapped comes from the page alone.
    def start_application_mode(self) -> None:
        super().start_application_mode()
        self._app.call_later(self._app.post_message, AppFocus())

    def run_input_thread(self) -> None:
        """Read the input until the pipe from the server closes, then let the app exit."""
        super().run_input_thread()
        # Textual 8.2 only ends this thread at the end of the pipe: after a kill of the server, the app would run on.
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        match payload:
            case {"type": "resize", "width": int(width), "height": int(height)}:
                # Textual 8.2 posts this by a shorter way than the size at the start, which could then come later and
                # stay: a page that had changed its size while the app started was painted in the old one.
                self._size = (width, height)
                self.send_message(Resize(Size(width, height), Size(width, height)))
            case {"type": "blur"}:
                pass
            case _:
                super().on_meta(packet_type, payload)


class TouchDriver(BrowserDriver):
    """The driver of a guest's page: the app is used by touch, and goes on while the page is closed."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        app.add_class("-touched")  # tui/touch.py

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Tell the app when its page is closed; carry out the other messages of the server."""
        if packet_type == PAGE_CLOSED:
            self._app.post_message(PageClosed())
        else:
            super().on_meta(packet_type, payload)
