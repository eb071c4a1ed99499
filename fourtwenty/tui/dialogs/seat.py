"""The dialog that adds or changes one seat: its name, and whether a person or which bot sits there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label, RadioButton, RadioSet

from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.lineup import GUEST, Seat, check_name, free_name
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow

PERSON_OR_BOT = Binding.Group("Person or bot")


class Kind(RadioButton):
    """Shows by its shape too, not by colour alone, whether it is chosen."""

    def render(self) -> Content:
        """Fill the ring or leave it empty."""
        self.BUTTON_INNER = "◉" if self.value else "○"
        return super().render()


class SeatDialog(Dialog[Seat | None]):
    """Ends with the seat as it shall be, or None when it was thought better of."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Sit down", id="seat.accept", priority=True),
        Binding("escape", "cancel", "Cancel", id="seat.cancel"),
        Binding("up", "kind(-1)", "Kind above", id="seat.above", group=PERSON_OR_BOT, priority=True),
        Binding("down", "kind(1)", "Kind below", id="seat.below", group=PERSON_OR_BOT, priority=True),
    ]
    KINDS: ClassVar[tuple[str | None, ...]] = (None, *CHARACTERS)

    def __init__(self, seat: Seat, others: Sequence[Seat], heading: str) -> None:
        """Offer this seat, next to these others, under a heading."""
        super().__init__()
        self.seat = seat
        self.others = others
        self.heading = heading
        self._offered: str | None = seat.name if seat.name == self._name_for(seat.bot) else None
        """The name that goes with the kind of seat; None once somebody has chosen another."""

    def compose(self) -> ComposeResult:
        """Lay out the name, the kinds and what to do."""
        with Vertical(classes="dialog"):
            yield Label(self.heading, id="heading")
            field = Input(self.seat.name, id="name", select_on_focus=True)
            field.cursor_blink = False
            yield field
            with RadioSet(id="kind"):
                for kind in self.KINDS:
                    label = f"{kind}: {CHARACTERS[kind].about}" if kind else "a person"
                    yield Kind(label, value=kind == self.seat.bot)
            yield Label("", id="refusal", markup=False)
            yield CommandRow(
                Command("seat.accept"), Command("seat.above"), Command("seat.below"), Command("seat.cancel")
            )

    @on(RadioSet.Changed)
    def offer_name(self, event: RadioSet.Changed) -> None:
        """Give a seat nobody has named yet the name of the bot that now sits there."""
        field = self.query_one(Input)
        if field.value == self._offered:
            self._offered = field.value = self._name_for(self.KINDS[event.index])

    def action_accept(self) -> None:
        """End with the seat, or say why it cannot be."""
        name = self.query_one(Input).value.strip()
        refusal = check_name(name, self.others)
        if refusal:
            self.query_one("#refusal", Label).update(refusal)
            self.app.bell()
        else:
            self.end(Seat(name, self.KINDS[self.query_one(RadioSet).pressed_index]))

    def _name_for(self, kind: str | None) -> str:
        return free_name(kind or GUEST, self.others)

    def action_cancel(self) -> None:
        """End without a seat."""
        self.end()

    def action_kind(self, step: int) -> None:
        """Choose the kind above or below."""
        kinds = self.query_one(RadioSet)
        kinds.query(Kind)[(kinds.pressed_index + step) % len(self.KINDS)].value = True
