"""Defines the small dialogs of a room: reactions, its only chat, leaving it, and its page's QR code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.content import Content

from fourtwenty.rooms.wire.presence import REACTIONS
from fourtwenty.tui.dialogs.question_dialogs import ChoiceDialog, ConfirmDialog, QuestionDialog
from fourtwenty.tui.textual_base.actions import back

BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""A cell by its upper and lower module, 1 for dark."""
QUIET_ZONE = 4
"""Light modules on each side (ISO/IEC 18004, 6.3.8)."""


class ReactionDialog(ChoiceDialog):
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{number}", f"answer({number - 1})", f"Reaction {number}", id=f"reactions.{number}", show=False)
            for number in range(1, len(REACTIONS) + 1)
        ),
        Binding("enter", "choose", "Show", id="reactions.show", tooltip="Show the others this reaction"),
        back("e"),
    ]

    def __init__(self) -> None:
        lines = [Content.assemble((f"{number} ", "$accent bold"), text) for number, text in enumerate(REACTIONS, 1)]
        super().__init__("To everybody at the table", lines)


class LeaveTableDialog(QuestionDialog[Literal["leave", "give up"]]):
    """The question before players leave a match: save their seat, or give it up. Ends with None to play on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,n,escape", "back", "Play on", id="leave-table.back", tooltip="Stay at the table"),
        Binding("q,y", "answer('leave')", "Leave, keep my seat", id="leave-table.leave", tooltip="You can come back"),
        Binding("g", "answer('give up')", "Give up my seat", id="leave-table.give-up", tooltip="You come last"),
    ]

    def __init__(self, hosted: bool, closed: str = "") -> None:
        """``hosted``: the others lose the table with this program. ``closed``: the sentence on one closed already."""
        kept = "Your seat is kept, and the others wait: r in the lobby brings you back to it. "
        if hosted:
            kept = "The table closes for everybody, and your seat is kept: r in the lobby opens it again for all. "
        elif closed:
            kept = f"{closed} Once it is open again, r in the lobby brings you back to it. "
        super().__init__("Leave the table?", f"{kept}Or give up your seat: the others carry on, and you come last.")


class CloseTableDialog(ConfirmDialog):
    """The question before a host leaves a table that others lose with this program."""

    def __init__(self) -> None:
        question = "Leave? The table closes for everybody, but it is kept on this machine."
        super().__init__(question, no="Stay", yes="Leave")


@cache
def qr_lines(text: str) -> Sequence[str]:
    """Return the QR code of a text as lines of equal width, for dark letters on a light ground.

    A line is two rows of modules in half blocks, the quiet zone included. The code is the smallest one, at error level
    L. Raises ValueError when the text is too long for a code.
    """
    import segno

    rows = [*segno.make_qr(text, error="l", boost_error=False).matrix_iter(border=QUIET_ZONE)]
    rows.append(bytes(len(rows)))  # a code has an odd number of them
    return ["".join(BLOCKS[pair] for pair in zip(*rows[top : top + 2], strict=True)) for top in range(0, len(rows), 2)]


class PageCodeDialog(QuestionDialog[None]):
    """Shows the link of the page for phones as a QR code in its full size, and copies it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy the link", id="page.copy", tooltip="Copy the link, for a chat"),
        back("enter", "p"),
    ]

    def __init__(self, link: str) -> None:
        rows, size = qr_lines(link), self.app.size
        fits = size.width >= len(rows[0]) and size.height >= len(rows)
        super().__init__("", "\n".join(rows) if fits else "The QR code needs a larger window: press y for the link.")
        self.link = link
        self.set_class(fits, "-code")

    def text_to_copy(self) -> str:
        return self.link
