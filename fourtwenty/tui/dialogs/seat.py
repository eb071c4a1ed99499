"""The dialog that adds seats to a line-up or changes one: names, and a person or a bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, Static

from fourtwenty.play.bots import BOTS, OFFERED
from fourtwenty.play.format import name_key
from fourtwenty.play.lineup import GUEST, Seat, check_seats, free_name, parse_seats
from fourtwenty.tui.dialogs.dialog import FieldDialog, NamesField
from fourtwenty.tui.textual_base.actions import CANCEL
from fourtwenty.tui.widgets.command_row import Command
from fourtwenty.tui.widgets.row_list import Column, RowList

MAX_REGULARS = 8

PERSON_OR_BOT = Binding.Group("Person or bot")


def take_all_seats(seats: Sequence[Seat]) -> bool:
    """Return whether new seats replace the players of a first start: several, with a person among them."""
    return len(seats) > 1 and any(not seat.bot for seat in seats)


class Regulars(Static):
    """Names to click; Tab takes the first."""

    def show(self, names: Sequence[str]) -> None:
        links = [Content(name).stylize(Style.from_meta({"action": f"use_name({name!r})"})) for name in names]
        tab = Content.styled("tab ", "$accent bold").stylize(Style.from_meta({"action": "regular"}))
        shown = Content.assemble(tab, Content(" · ").join(links)) if links else ""
        self.update(shown, layout=False)


class SeatDialog(FieldDialog[tuple[Seat, ...]]):
    """Ends with the seat, with several for comma-separated names, or with None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Sit down", id="seat.accept", tooltip="Seat these players"),
        CANCEL,
        Binding("up", "kind(-1)", "Kind above", id="seat.above", group=PERSON_OR_BOT, tooltip="A person or a bot"),
        Binding("down", "kind(1)", "Kind below", id="seat.below", group=PERSON_OR_BOT),
        Binding("tab", "regular", "Next regular", id="seat.regular", tooltip="Use a frequent player's name"),
    ]
    regulars: Sequence[str] = ()
    """The people in the history, most frequent first."""

    def __init__(
        self,
        seat: Seat,
        others: Sequence[Seat],
        heading: str,
        people: Callable[[], Awaitable[tuple[str, ...]]],
        instead: bool = False,
    ) -> None:
        """Edit a seat whose name must differ from the others' names.

        ``people`` finds the people in the history, most frequent first. With ``instead``, several people replace the
        others, and may have their names.
        """
        super().__init__()
        self.people = people
        self.instead = instead
        self.seat = seat
        own = () if seat.bot in (None, *OFFERED) else (seat.bot,)
        self.kinds: tuple[str | None, ...] = (None, *OFFERED, *own)
        self.others = others
        self.heading = heading
        self._offered: str | None = seat.name if seat.name == self._name_for(seat.bot) else None
        """The name offered for the kind of player; None if the seat came with another name."""
        self._kinds = RowList((Column(max(map(len, BOTS))), Column(quiet=True)), self._kind_row, id="kind")
        self._kinds.can_focus = False  # the field keeps the focus, so that keys come in the order typed

    def contents(self) -> Iterator[Widget]:
        yield NamesField(self.seat.name, id="name")
        yield Regulars("", id="regulars", markup=False)
        yield self._kinds

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The commands without the regulars' own key, Back last."""
        return Command("seat.accept"), Command("seat.above"), Command("seat.below"), Command("screen.cancel")

    def _kind_row(self, row: int) -> tuple[str, ...]:
        kind = self.kinds[row]
        return (kind, f"bot, {BOTS[kind].about}") if kind else ("Person", "")

    def on_mount(self) -> None:
        self._kinds.show(len(self.kinds), self.kinds.index(self.seat.bot))
        self.read_regulars()

    @work
    async def read_regulars(self) -> None:
        self.regulars = await self.people()
        self.show_regulars()

    @property
    def _kind(self) -> str | None:
        return self.kinds[self._kinds.cursor]

    @on(RowList.CursorMoved)
    def offer_name(self) -> None:
        """Offer a name for the new kind of player, unless another has been typed."""
        if self.line.value == self._offered:
            self._offered = self.line.value = self._name_for(self._kind)
            # Textual 8.2 (widgets/_input.py) keeps the selection of the old value: typing would leave the last letters
            # of a longer name.
            self.line.select_all()
        self.show_regulars()

    def read(self) -> tuple[Seat, ...]:
        text = self.line.value.strip().strip(",")
        seats, others = self._seats(text, self.others), self.others
        if self.instead and take_all_seats(seats):
            seats, others = self._seats(text), ()
        if refusal := check_seats(seats, others):
            raise ValueError(refusal)
        return seats

    def _seats(self, text: str, others: Sequence[Seat] = ()) -> tuple[Seat, ...]:
        return tuple([seat if seat.bot else Seat(seat.name, self._kind) for seat in parse_seats(text, others)])

    def _name_for(self, kind: str | None) -> str:
        return free_name(kind or GUEST, self.others)

    def action_kind(self, step: int) -> None:
        self._kinds.cursor = (self._kinds.cursor + step) % len(self.kinds)

    # -- those who play often ----------------------------------------------------------------------------------

    @property
    def _before(self) -> str:
        """The field's text up to the last comma and the space after it."""
        names, comma, _ = self.line.value.rpartition(",")
        return f"{names}{comma} " if comma else ""

    @on(Input.Changed)
    def show_regulars(self) -> None:
        self.query_one(Regulars).show([*islice(self._candidates, MAX_REGULARS)])

    @property
    def _candidates(self) -> Iterator[str]:
        """Yield regulars not seated whose names begin with the text after the last comma; none for a bot."""
        if self._kind is not None:
            return
        last = self.line.value.rpartition(",")[2].strip()
        typed = "" if self.line.value == self._offered else name_key(last)
        seated = {name_key(seat.name) for seat in self.others} | {name_key(name) for name in self._before.split(",")}
        free = [name for name in self.regulars if name_key(name) not in seated]
        if last in free:  # taken already: continue with the next one
            yield from (*free[free.index(last) + 1 :], *free[: free.index(last)])
        else:
            yield from (name for name in free if name_key(name).startswith(typed))

    def action_regular(self) -> None:
        name = next(self._candidates, None)
        if name:
            self.action_use_name(name)

    def action_use_name(self, name: str) -> None:
        self.line.value = f"{self._before}{name}"
        self.line.cursor_position = len(self.line.value)
