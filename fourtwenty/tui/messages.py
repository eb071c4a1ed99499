"""Messages that more than one screen handles; any other message is nested in the class that sends it."""

from __future__ import annotations

from textual.message import Message


class Measured(Message):
    """The figures and mistakes of finished matches have been added to the history."""
