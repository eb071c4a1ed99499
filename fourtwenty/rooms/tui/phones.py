"""The QR code of a room's page, for those who have nothing but a phone. Nothing is served here."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from fourtwenty.tui.dialogs.ask import Ask


class Phones(Ask[None]):
    """Shows a QR code as large as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,p", "back", "Back", key_display="esc", id="phones.back"),
    ]
