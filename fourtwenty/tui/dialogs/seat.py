"""The dialog that adds or changes one seat of a line-up: its name, and a person or a bot."""

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
    """A radio button whose shape shows the choice too.

    Textual 8.2 tells a chosen button from the others by colour alone.
    """

    def render(self) -> Content:
        """Draw a filled or an empty ring."""
        self.BUTTON_INNER = "◉" if self.value else "○"
        return super().render()


class SeatDialog(Dialog[Seat | None]):
    """Dismissed with the seat, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Sit down", id="seat.accept", priority=True),
        Binding("escape", "cancel", "Cancel", id="seat.cancel"),
        Binding("up", "kind(-1)", "Kind above", id="seat.above", group=PERSON_OR_BOT, priority=True),
        Binding("down", "kind(1)", "Kind below", id="seat.below", group=PERSON_OR_BOT, priority=True),
    ]
    KINDS: ClassVar[tuple[str | None, ...]] = (None, *CHARACTERS)

    def __init__(self, seat: Seat, others: Sequence[Seat], heading: str) -> None:
        """Edit a seat, whose name must differ from those of the others, below a heading."""
        super().__init__()
        self.seat = seat
        self.others = others
        self.heading = heading
        self._offered: str | None = seat.name if seat.name == self._name_for(seat.bot) else None
        """The name offered for the kind of player; None if the seat came with another name."""

    def compose(self) -> ComposeResult:
        """Lay out the name, the kinds of player and the commands."""
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
        """Offer a name for the new kind of player, unless another has been typed."""
        field = self.query_one(Input)
        if field.value == self._offered:
            self._offered = field.value = self._name_for(self.KINDS[event.index])

    def action_accept(self) -> None:
        """End with the seat, or show why its name is refused."""
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
        """End with None."""
        self.end()

    def action_kind(self, step: int) -> None:
        """Choose the kind of player a number of lines below or above."""
        kinds = self.query_one(RadioSet)
        kinds.query(Kind)[(kinds.pressed_index + step) % len(self.KINDS)].value = True
