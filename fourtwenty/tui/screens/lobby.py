"""The lobby: which matches wait, who sits at the table, who starts. It ends nothing; it asks the app to play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.games.game import Game, State
from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.lineup import COACHING, GUEST, WARNINGS, Lineup, Seat, free_name
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.widgets.coach import points
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.logo import Logo
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import Row, Seats, fit

if TYPE_CHECKING:
    from fourtwenty.journal.history import Entry

Setting = TypeVar("Setting")

SEAT_COMMANDS = ("lobby.person", "lobby.bot", "lobby.edit", "lobby.remove", "lobby.up", "lobby.down")
COACH_SAYS = {
    "off": "The odds are silent.",
    "odds": "The table shows everybody's chances, and those of a selection.",
    "full": "The odds also tell what a choice loses, and h shows them all.",
}


class Lobby(HouseScreen[None]):
    """Sets up a match; the line-up is one immutable value."""

    HELP = """\
## The lobby

Set the table, then play. The arrows choose a seat; the keys under the list change it.

A match that was left waits. It is taken up where it was left, or a new one begins beside it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,p", "play", "Play", key_display="enter", id="lobby.play", tooltip="Start the match"),
        Binding("r", "resume", "Resume", id="lobby.resume", show=False, tooltip="Take up the match played last"),
        Binding("o", "waiting", "Waiting", id="lobby.waiting", show=False, tooltip="All matches that wait"),
        Binding("a", "add_person", "Add person", id="lobby.person", show=False, tooltip="Add a person"),
        Binding("b", "add_bot", "Add bot", id="lobby.bot", show=False, tooltip="Add a bot"),
        Binding(
            "e", "edit", "Change", id="lobby.edit", show=False, tooltip="Rename the seat, or let another sit there"
        ),
        Binding("x,delete", "remove", "Remove", id="lobby.remove", show=False, tooltip="Remove the seat"),
        Binding("k,shift+up", "move(-1)", "Up", id="lobby.up", show=False, tooltip="Move the seat up"),
        Binding("j,shift+down", "move(1)", "Down", id="lobby.down", show=False, tooltip="Move the seat down"),
        Binding("g", "game", "Game", id="lobby.game", show=False, tooltip="Another game"),
        Binding("f", "first", "Starts", id="lobby.first", show=False, tooltip="Let the seat start, or draw lots"),
        Binding("m", "monocolor", "Monocolor", id="lobby.monocolor", show=False, tooltip="Plain white dice"),
        Binding("s", "position", "Position", id="lobby.position", show=False, tooltip="Start from a position"),
        Binding("d", "typed", "Real dice", id="lobby.typed", show=False, tooltip="Roll real dice and type their faces"),
        Binding("t", "animation", "Dice tumble", id="lobby.animation", show=False, tooltip="Dice tumble"),
        Binding("c", "coach", "Coach", id="lobby.coach", show=False, tooltip="How much the odds tell you all"),
        Binding("w", "warning", "Warn", id="lobby.warning", show=False, tooltip="Warn before a choice that loses"),
        Binding("up", "point(-1)", "Seat above", id="lobby.above", show=False),
        Binding("down", "point(1)", "Seat below", id="lobby.below", show=False),
        Binding("pageup", "point(-10)", "Ten seats up", id="lobby.page-up", show=False),
        Binding("pagedown", "point(10)", "Ten seats down", id="lobby.page-down", show=False),
        Binding("home", "point(-1000000)", "First seat", id="lobby.top", show=False),
        Binding("end", "point(1000000)", "Last seat", id="lobby.bottom", show=False),
        Binding("h", "app.history", "History", id="lobby.history", tooltip="Past matches and statistics"),
        Binding("comma", "app.settings", "Settings", key_display=",", id="lobby.settings", tooltip="What you like"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="lobby.rules", tooltip="The rules"),
        Binding("q", "app.quit", "Quit", id="lobby.quit", tooltip="Leave the program"),
    ]

    lineup: var[Lineup] = var(Lineup, init=False)
    """The table as it is set."""

    waiting: var[tuple[Entry, ...]] = var(())
    """The matches that can be taken up again, the one played last first."""

    class Shown(Message):
        """The lobby is to be seen; the matches that wait may now be looked up."""

    class Resume(Message):
        """A match that waits is to go on."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    class Delete(Message):
        """A match that waits is to be deleted."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    class Play(Message):
        """The table is set; the match may start, from a position if one was set up."""

        def __init__(self, lineup: Lineup, start: State | None = None) -> None:
            super().__init__()
            self.lineup = lineup
            self.start = start

    def __init__(self, lineup: Lineup) -> None:
        super().__init__()
        self.set_reactive(Lobby.lineup, lineup)

    @property
    def game(self) -> Game:
        """The game that is set up."""
        return GAMES[self.lineup.game]

    def compose(self) -> ComposeResult:
        """Lay out the title, the seats and what can be done with them."""
        with Horizontal(id="title"):
            yield Logo(self.game.emblem)
            yield Static("", id="name")
        yield CommandRow(id="waiting")
        yield Seats(id="seats")
        yield CommandRow(*map(Command, SEAT_COMMANDS), id="seat-choices")
        yield CommandRow(id="match-choices")
        with Horizontal(id="start"):
            yield MouseButton("Play", id="play", variant="primary")
            yield Static("", id="say", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the line-up that was handed in."""
        self.watch_lineup()

    def on_screen_resume(self) -> None:
        """Say when the lobby has been painted."""
        self.call_after_refresh(self.post_message, self.Shown())

    def on_resize(self) -> None:
        """Say as much of the match that waits as there is room for."""
        self.watch_waiting()

    @property
    def pointed(self) -> int:
        """The seat the keys act on."""
        return self.query_one(Seats).pointed

    def watch_lineup(self) -> None:
        """Show the table as it is now set."""
        lineup = self.lineup
        seats = self.query_one(Seats)
        seats.rows = tuple(self._row(place) for place in range(len(lineup.seats)))
        seats.pointed = min(seats.pointed, len(lineup.seats) - 1)
        seats.coloured = not lineup.monocolor and not self._sides_are_drawn
        drawn = "drawn by lot" if self.game.draws else "rolled for"
        first = drawn if lineup.starting_seat is None else lineup.seats[lineup.starting_seat].name
        coaching = (
            Command("lobby.coach", value=lineup.coach),
            Command("lobby.warning", value=f"from {points(lineup.warning)}" if lineup.warning else "off"),
        )
        self.query_one("#match-choices", CommandRow).commands = (
            Command("lobby.game", value=self.game.name),
            Command("lobby.first", value=fit(first, min(20, cell_len(first)))),
            Command("lobby.monocolor", value=_on_off(lineup.monocolor)),
            Command("lobby.position"),
            Command("lobby.typed", value=_on_off(lineup.typed)),
            *(() if lineup.typed else (Command("lobby.animation", value=_on_off(lineup.animation)),)),
            *coaching,
        )
        self.query_one(Logo).faces = self.game.emblem
        self.query_one("#name", Static).update(self._title)
        self.say(f"{len(lineup.seats)} seats. {self.game.gist}")

    def watch_waiting(self) -> None:
        """Offer the match that was played last, and all that wait."""
        shown = self.query_one("#waiting", CommandRow)
        shown.set_class(bool(self.waiting), "-any")
        if self.waiting:
            others = Command("lobby.waiting", value=str(len(self.waiting)))
            room = self.size.width - 4 - shown.width_of(Command("lobby.resume", value="…"), others)
            news = self.waiting[0].news
            shown.commands = (Command("lobby.resume", value=fit(news, min(room, cell_len(news)))), others)
        else:
            shown.commands = ()

    def say(self, sentence: str) -> None:
        """Show a sentence beside the Play button."""
        self.query_one("#say", Static).update(sentence)

    def action_play(self) -> None:
        """Ask for the match to start."""
        if self._may_start():
            self.post_message(self.Play(self.lineup))

    def action_position(self) -> None:
        """Set up a position and ask for the match to start from it."""
        from fourtwenty.tui.dialogs.position import PositionDialog

        def set_up(start: State | None) -> None:
            if start:
                self.post_message(self.Play(self.lineup, start))

        if self._may_start():
            cleared = self.game.start(len(self.lineup.seats), self.lineup.starting_seat or 0)
            self.app.push_screen(PositionDialog(self.game, cleared), set_up)

    def _may_start(self) -> bool:
        """Whether a match can start; say why not."""
        refusal = self.lineup.check()
        if refusal:
            self.say(refusal)
            self.app.bell()
        return not refusal and self.is_active

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer to resume when a match waits, and to let dice tumble that the program throws."""
        if action == "animation":
            return not self.lineup.typed
        return action not in ("resume", "waiting") or bool(self.waiting)

    def action_resume(self) -> None:
        """Ask for the match played last to go on."""
        if self.is_active:
            self.post_message(self.Resume(self.waiting[0]))

    def action_waiting(self) -> None:
        """Show all matches that wait."""
        from fourtwenty.tui.dialogs.waiting import WaitingMatches

        if self.is_active:
            self.app.push_screen(WaitingMatches(self.waiting), self._answer)

    def _answer(self, answer: tuple[Literal["resume", "delete"], Entry] | None) -> None:
        """Pass on what is to become of a match that waits."""
        if answer:
            todo, entry = answer
            self.post_message(self.Resume(entry) if todo == "resume" else self.Delete(entry))

    @on(MouseButton.Pressed)
    def press_play(self) -> None:
        """Play by mouse."""
        self.action_play()

    @on(Seats.Clicked)
    def point_at(self, event: Seats.Clicked) -> None:
        """Point at the seat that was clicked."""
        self.query_one(Seats).pointed = event.seat

    def action_point(self, step: int) -> None:
        """Move the pointer, no further than the ends."""
        seats = self.query_one(Seats)
        seats.pointed = max(0, min(len(seats.rows) - 1, seats.pointed + step))

    def action_add_person(self) -> None:
        """Ask for a person's name and seat them at the end."""
        self._ask_for(Seat(free_name(GUEST, self.lineup.seats)), None, "Who joins?")

    def action_add_bot(self) -> None:
        """Seat the next bot at the end: the character fewest seats have."""
        seats = self.lineup.seats
        bots = [seat.bot for seat in seats]
        bot = min(CHARACTERS, key=bots.count)
        self._seat(Seat(free_name(bot, seats), bot), None)

    def action_edit(self) -> None:
        """Ask for the pointed seat's new name and kind."""
        self._ask_for(self.lineup.seats[self.pointed], self.pointed, "Who sits here?")

    def _ask_for(self, seat: Seat, place: int | None, heading: str) -> None:
        from fourtwenty.tui.dialogs.seat import SeatDialog

        def answered(chosen: Seat | None) -> None:
            if chosen:
                self._seat(chosen, place)

        if self.is_active:
            others = [other for at, other in enumerate(self.lineup.seats) if at != place]
            self.app.push_screen(SeatDialog(seat, others, heading), answered)

    def _seat(self, seat: Seat, place: int | None) -> None:
        """Put a seat at a place, at the end for None, and point at it."""
        seats = list(self.lineup.seats)
        if place is None:
            place = len(seats)
        seats[place : place + 1] = [seat]
        self.lineup = replace(self.lineup, seats=tuple(seats))
        self.query_one(Seats).pointed = place

    def action_remove(self) -> None:
        """Remove the pointed seat, down to two."""
        if len(self.lineup.seats) == 2:
            self.say("A match needs two seats or more.")
            self.app.bell()
            return
        gone = self.pointed
        first = self.lineup.starting_seat
        if first is not None and first >= gone:
            first = None if first == gone else first - 1
        self.lineup = replace(
            self.lineup, seats=self.lineup.seats[:gone] + self.lineup.seats[gone + 1 :], starting_seat=first
        )

    def action_move(self, step: int) -> None:
        """Swap the pointed seat with its neighbour."""
        here, there = self.pointed, self.pointed + step
        if not 0 <= there < len(self.lineup.seats):
            return
        seats = list(self.lineup.seats)
        seats[here], seats[there] = seats[there], seats[here]
        first = self.lineup.starting_seat
        if first in (here, there):
            first = here + there - first
        self.lineup = replace(self.lineup, seats=tuple(seats), starting_seat=first)
        self.query_one(Seats).pointed = there

    def action_first(self) -> None:
        """Let the pointed seat start; draw lots when it was to start already."""
        self.lineup = replace(
            self.lineup, starting_seat=None if self.lineup.starting_seat == self.pointed else self.pointed
        )

    def action_monocolor(self) -> None:
        """Play with plain white dice, or with each seat's own."""
        self.lineup = replace(self.lineup, monocolor=not self.lineup.monocolor)

    def action_typed(self) -> None:
        """Play with real dice whose faces are typed, or with those of the program."""
        self.lineup = replace(self.lineup, typed=not self.lineup.typed)
        self.say("You all roll real dice and type what they show." if self.lineup.typed else "The dice roll here.")

    def action_animation(self) -> None:
        """Let dice tumble, or lie at once."""
        self.lineup = replace(self.lineup, animation=not self.lineup.animation)

    def action_game(self) -> None:
        """Set the table for the next game."""
        self.lineup = replace(self.lineup, game=_next(tuple(GAMES), self.lineup.game))

    def action_coach(self) -> None:
        """Let the odds tell more, or nothing again."""
        self.lineup = replace(self.lineup, coach=_next(COACHING, self.lineup.coach))
        self.say(COACH_SAYS[self.lineup.coach])

    def action_warning(self) -> None:
        """Warn from the next higher loss, or never again."""
        self.lineup = replace(self.lineup, warning=_next(WARNINGS, self.lineup.warning))
        least = points(self.lineup.warning)
        self.say(f"Asks before a choice stands that loses {least}." if self.lineup.warning else "Nobody is warned.")

    @property
    def _sides_are_drawn(self) -> bool:
        """Whether nobody knows yet who is who of the two sides."""
        return self.game.pair is not None and len(self.lineup.seats) == 2 and self.lineup.starting_seat is None

    @property
    def _title(self) -> Content:
        name = Content.styled(self.game.name, "bold $primary")
        return Content("\n").join([name, Content(self.game.motto), Content.styled(self.game.credit, "$quiet")])

    def _row(self, place: int) -> Row:
        lineup = self.lineup
        seat = lineup.seats[place]
        starts = "starts" if lineup.starting_seat == place else ""
        side = lineup.side(place, lineup.starting_seat)
        return Row(
            colour=lineup.colour(place, lineup.starting_seat),
            name=seat.name,
            detail=f"bot: {CHARACTERS[seat.bot].about}" if seat.bot else "person",
            note=", ".join(filter(None, (side, starts))),
        )


def _next(settings: Sequence[Setting], current: Setting) -> Setting:
    return settings[(settings.index(current) + 1) % len(settings)]


def _on_off(choice: bool) -> str:
    return "on" if choice else "off"
