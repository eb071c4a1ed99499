"""The QR code of a room's page, for those who have nothing but a phone. Nothing is served here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.tui.dialogs.dialog import Dialog


class Phones(Dialog[None]):
    """Shows a QR code as large as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,p", "back", "Back", key_display="esc", id="phones.back"),
    ]

    def __init__(self, rows: Sequence[str]) -> None:
        super().__init__()
        self.rows = rows

    def contents(self) -> Iterator[Widget]:
        yield Static("\n".join(self.rows), id="qr", markup=False)
