"""The lobby: the line-up and the unfinished matches. It starts no match; it posts messages to the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

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
from fourtwenty.tui.framework import OpeningScreen
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.logo import Logo
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import Row, Seats, fit

if TYPE_CHECKING:
    from fourtwenty.journal.entries import Entry

Setting = TypeVar("Setting")

SEAT_COMMANDS = ("lobby.person", "lobby.bot", "lobby.edit", "lobby.remove", "lobby.up", "lobby.down")
COACH_SENTENCES = {
    "off": "The odds are silent.",
    "odds": "The table shows everybody's chances, and those of a selection.",
    "full": "The odds also tell what a choice loses, and h shows them all.",
}
"""Sentences that explain the levels of the coach, by level."""


class Lobby(OpeningScreen[None]):
    """Edits a line-up, which is one immutable value, and offers unfinished matches."""

    HELP = """\
## The lobby

Set the table, then play. The arrows choose a seat; the keys under the list change it.

A match that was left waits. It is taken up where it was left, or a new one begins beside it.
"""
    KEY_PARTS: ClassVar[dict[str, tuple[str, ...]]] = {
        "Players": SEAT_COMMANDS,
        "The game": (
            "lobby.game",
            "lobby.first",
            "lobby.monocolor",
            "lobby.position",
            "lobby.typed",
            "lobby.animation",
            "lobby.coach",
            "lobby.warning",
        ),
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", "Play", key_display="enter", id="lobby.play", tooltip="Start the match"),
        Binding("r", "resume", "Resume", id="lobby.resume", show=False, tooltip="Take up the match played last"),
        Binding("o", "unfinished", "Waiting", id="lobby.waiting", show=False, tooltip="All matches that wait"),
        Binding("a", "add_person", "Add person", id="lobby.person", show=False),
        Binding("b", "add_bot", "Add bot", id="lobby.bot", show=False),
        Binding(
            "e", "edit", "Change", id="lobby.edit", show=False, tooltip="Rename the seat, or let another sit there"
        ),
        Binding("x,delete", "remove", "Remove", id="lobby.remove", show=False, tooltip="Remove the seat"),
        Binding("k,shift+up", "move(-1)", "Up", id="lobby.up", show=False, tooltip="Move the seat up"),
        Binding("j,shift+down", "move(1)", "Down", id="lobby.down", show=False, tooltip="Move the seat down"),
        Binding("g", "game", "Game", id="lobby.game", show=False, tooltip="Another game"),
        Binding(
            "f", "starting_seat", "Starts", id="lobby.first", show=False, tooltip="Let the seat start, or draw lots"
        ),
        Binding("m", "monocolor", "Monocolor", id="lobby.monocolor", show=False, tooltip="Plain white dice"),
        Binding("s", "position", "Position", id="lobby.position", show=False, tooltip="Start from a position"),
        Binding("d", "typed", "Real dice", id="lobby.typed", show=False, tooltip="Roll real dice and type their faces"),
        Binding("t", "animation", "Dice tumble", id="lobby.animation", show=False),
        Binding("c", "coach", "Coach", id="lobby.coach", show=False, tooltip="How much the odds tell you all"),
        Binding("w", "warning", "Warn", id="lobby.warning", show=False, tooltip="Warn before a choice that loses"),
        Binding("up", "point(-1)", "Seat above", id="lobby.above", show=False),
        Binding("down", "point(1)", "Seat below", id="lobby.below", show=False),
        Binding("pageup", "point(-10)", "Ten seats up", id="lobby.page-up", show=False),
        Binding("pagedown", "point(10)", "Ten seats down", id="lobby.page-down", show=False),
        Binding("home", "point(-1000000)", "First seat", id="lobby.top", show=False),
        Binding("end", "point(1000000)", "Last seat", id="lobby.bottom", show=False),
        Binding("p", "app.practice", "Practice", id="lobby.practice", tooltip="Positions where the choice matters"),
        Binding("h", "app.history", "History", id="lobby.history", tooltip="Past matches and statistics"),
        Binding("comma", "app.settings", "Settings", key_display=",", id="lobby.settings", tooltip="What you like"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="lobby.rules", tooltip="The rules"),
        Binding("q", "app.quit", "Quit", id="lobby.quit", tooltip="Leave the program"),
    ]

    lineup: var[Lineup] = var(Lineup, init=False)
    """The line-up as it is set up."""

    unfinished: var[tuple[Entry, ...]] = var(())
    """The unfinished matches, latest first."""

    class Shown(Message):
        """Posted when the lobby has been painted; the unfinished matches may now be read."""

    class Resume(Message):
        """Posted to resume an unfinished match."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    class Play(Message):
        """Posted to start a match, from a position if one was set up."""

        def __init__(self, lineup: Lineup, start: State | None = None) -> None:
            super().__init__()
            self.lineup = lineup
            self.start = start

    def __init__(self, lineup: Lineup) -> None:
        super().__init__()
        self.set_reactive(Lobby.lineup, lineup)

    @property
    def game(self) -> Game:
        """The game of the line-up."""
        return GAMES[self.lineup.game]

    def compose(self) -> ComposeResult:
        """Lay out the title, the seats and the commands."""
        with Horizontal(id="title"):
            yield Logo(self.game.emblem)
            yield Static("", id="name")
        yield CommandRow(id="unfinished")
        yield Seats(id="seats")
        yield CommandRow(*map(Command, SEAT_COMMANDS), id="seat-commands")
        yield CommandRow(id="match-commands")
        with Horizontal(id="start"):
            yield MouseButton("Play", id="play", variant="primary")
            yield Static("", id="say", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the line-up."""
        self.watch_lineup()

    def on_screen_resume(self) -> None:
        """Post ``Shown`` once the lobby has been painted."""
        self.call_after_refresh(self.post_message, self.Shown())

    def on_resize(self) -> None:
        """Cut the news of the unfinished match to the new width."""
        self.watch_unfinished()

    @property
    def pointed(self) -> int:
        """The seat at the pointer, on which the keys act."""
        return self.query_one(Seats).pointed

    def watch_lineup(self) -> None:
        """Show the line-up."""
        lineup = self.lineup
        seats = self.query_one(Seats)
        seats.rows = tuple(self._row(seat) for seat in range(len(lineup.seats)))
        seats.pointed = min(seats.pointed, len(lineup.seats) - 1)
        seats.coloured = not lineup.monocolor and not self._sides_are_drawn
        self.query_one("#match-commands", CommandRow).commands = self._match_commands
        self.query_one(Logo).faces = self.game.emblem
        self.query_one("#name", Static).update(self._title)
        self.show_sentence(f"{len(lineup.seats)} seats. {self.game.gist}")

    @property
    def _match_commands(self) -> tuple[Command, ...]:
        """The commands that change the options of the match, each with its present value."""
        lineup = self.lineup
        starts = "drawn by lot" if self.game.draws else "rolled for"
        if lineup.starting_seat is not None:
            starts = lineup.seats[lineup.starting_seat].name
        return (
            Command("lobby.game", value=self.game.name),
            Command("lobby.first", value=fit(starts, min(20, cell_len(starts)))),
            Command("lobby.monocolor", value=_on_off(lineup.monocolor)),
            Command("lobby.position"),
            Command("lobby.typed", value=_on_off(lineup.typed)),
            *(() if lineup.typed else (Command("lobby.animation", value=_on_off(lineup.animation)),)),
            Command("lobby.coach", value=lineup.coach),
            Command("lobby.warning", value=f"from {lineup.warning}%" if lineup.warning else "off"),
        )

    def watch_unfinished(self) -> None:
        """Offer to resume the match played last, and to list all unfinished matches."""
        shown = self.query_one("#unfinished", CommandRow)
        shown.set_class(bool(self.unfinished), "-any")
        if self.unfinished:
            others = Command("lobby.waiting", value=str(len(self.unfinished)))
            room = self.size.width - 4 - shown.width_of(Command("lobby.resume", value="…"), others)
            news = self.unfinished[0].news
            shown.commands = (Command("lobby.resume", value=fit(news, min(room, cell_len(news)))), others)
        else:
            shown.commands = ()

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence beside the Play button."""
        self.query_one("#say", Static).update(sentence)

    def action_play(self) -> None:
        """Post ``Play`` if the line-up can start."""
        if self._may_start():
            self.post_message(self.Play(self.lineup))

    def action_position(self) -> None:
        """Open the position dialog; post ``Play`` with its position."""
        from fourtwenty.tui.dialogs.position import PositionDialog

        def play_from(start: State | None) -> None:
            if start:
                self.post_message(self.Play(self.lineup, start))

        if self._may_start():
            cleared = self.game.start(len(self.lineup.seats), self.lineup.starting_seat or 0)
            names = [seat.name for seat in self.lineup.seats]
            self.app.push_screen(PositionDialog(self.game, cleared, names), play_from)

    def _may_start(self) -> bool:
        """Return whether a match can start; show the reason if not."""
        refusal = self.lineup.check()
        if refusal:
            self.show_sentence(refusal)
            self.app.bell()
        return not refusal and self.is_active

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide resuming while no match is unfinished, and the animation of dice while faces are typed."""
        if action == "animation":
            return not self.lineup.typed
        return action not in ("resume", "unfinished") or bool(self.unfinished)

    def action_resume(self) -> None:
        """Post ``Resume`` for the match played last."""
        if self.is_active:
            self.post_message(self.Resume(self.unfinished[0]))

    async def action_unfinished(self) -> None:
        """Open the dialog of all unfinished matches, which the app has."""
        await self.run_action("app.unfinished")

    @on(MouseButton.Pressed)
    def press_play(self) -> None:
        """Start the match, as the key does."""
        self.action_play()

    @on(Seats.Clicked)
    def point_at(self, event: Seats.Clicked) -> None:
        """Move the pointer to the seat that was clicked."""
        self.query_one(Seats).pointed = event.seat

    def action_point(self, step: int) -> None:
        """Move the pointer by a number of seats, but not past the first or the last."""
        seats = self.query_one(Seats)
        seats.pointed = max(0, min(len(seats.rows) - 1, seats.pointed + step))

    def action_add_person(self) -> None:
        """Ask for a person's name and add their seat at the end."""
        self._ask_for_seat(None, Seat(free_name(GUEST, self.lineup.seats)), "Who joins?")

    def action_add_bot(self) -> None:
        """Add a bot's seat at the end, with the character that is the least frequent so far."""
        seats = self.lineup.seats
        bots = [seat.bot for seat in seats]
        bot = min(CHARACTERS, key=bots.count)
        self._set_seats(None, Seat(free_name(bot, seats), bot))

    def action_edit(self) -> None:
        """Ask for a new name and kind of player of the seat at the pointer."""
        self._ask_for_seat(self.pointed, self.lineup.seats[self.pointed], "Who sits here?")

    def _ask_for_seat(self, index: int | None, offered: Seat, heading: str) -> None:
        """Ask in a dialog for a seat or several, beginning with the offered one, then call ``_set_seats``."""
        from fourtwenty.tui.dialogs.seat import SeatDialog

        def answered(seats: tuple[Seat, ...] | None) -> None:
            if seats:
                self._set_seats(index, *seats)

        if self.is_active:
            others = [other for at, other in enumerate(self.lineup.seats) if at != index]
            self.app.push_screen(SeatDialog(offered, others, heading), answered)

    def _set_seats(self, index: int | None, *added: Seat) -> None:
        """Replace the seat at an index, or add seats at the end for None, and move the pointer to the last of them."""
        seats = list(self.lineup.seats)
        if index is None:
            index = len(seats)
        seats[index : index + 1] = added
        starting = self.lineup.starting_seat
        if starting is not None and starting > index:
            starting += len(added) - 1
        self.lineup = replace(self.lineup, seats=tuple(seats), starting_seat=starting)
        self.query_one(Seats).pointed = index + len(added) - 1

    def action_remove(self) -> None:
        """Remove the seat at the pointer; two seats always remain."""
        if len(self.lineup.seats) == 2:
            self.show_sentence("A match needs two seats or more.")
            self.app.bell()
            return
        removed = self.pointed
        starting = self.lineup.starting_seat
        if starting is not None and starting >= removed:
            starting = None if starting == removed else starting - 1
        seats = self.lineup.seats[:removed] + self.lineup.seats[removed + 1 :]
        self.lineup = replace(self.lineup, seats=seats, starting_seat=starting)

    def action_move(self, step: int) -> None:
        """Swap the seat at the pointer with its neighbour."""
        here, there = self.pointed, self.pointed + step
        if not 0 <= there < len(self.lineup.seats):
            return
        seats = list(self.lineup.seats)
        seats[here], seats[there] = seats[there], seats[here]
        starting = self.lineup.starting_seat
        if starting in (here, there):
            starting = here + there - starting
        self.lineup = replace(self.lineup, seats=tuple(seats), starting_seat=starting)
        self.query_one(Seats).pointed = there

    def action_starting_seat(self) -> None:
        """Make the seat at the pointer the starting seat; if it already is, let the lot decide."""
        self.lineup = replace(
            self.lineup, starting_seat=None if self.lineup.starting_seat == self.pointed else self.pointed
        )

    def action_monocolor(self) -> None:
        """Switch between plain white dice and dice in the tints of the seats."""
        self.lineup = replace(self.lineup, monocolor=not self.lineup.monocolor)

    def action_typed(self) -> None:
        """Switch between typed dice and the dice of the program."""
        self.lineup = replace(self.lineup, typed=not self.lineup.typed)
        self.show_sentence(
            "You all roll real dice and type what they show." if self.lineup.typed else "The dice roll here."
        )

    def action_animation(self) -> None:
        """Switch the animation of the dice on or off."""
        self.lineup = replace(self.lineup, animation=not self.lineup.animation)

    def action_game(self) -> None:
        """Change to the next of the games."""
        self.lineup = replace(self.lineup, game=_next(tuple(GAMES), self.lineup.game))

    def action_coach(self) -> None:
        """Change to the next level of the coach."""
        self.lineup = replace(self.lineup, coach=_next(COACHING, self.lineup.coach))
        self.show_sentence(COACH_SENTENCES[self.lineup.coach])

    def action_warning(self) -> None:
        """Change to the next threshold of the warning."""
        self.lineup = replace(self.lineup, warning=_next(WARNINGS, self.lineup.warning))
        least = self.lineup.warning
        self.show_sentence(f"Warns you before a choice that costs {least}% or more." if least else "No warnings.")

    @property
    def _sides_are_drawn(self) -> bool:
        """Whether the lot will decide which of two seats plays which side."""
        return self.game.pair is not None and len(self.lineup.seats) == 2 and self.lineup.starting_seat is None

    @property
    def _title(self) -> Content:
        name = Content.styled(self.game.name, "bold $primary")
        return Content("\n").join([name, Content(self.game.motto), Content.styled(self.game.credit, "$quiet")])

    def _row(self, seat: int) -> Row:
        lineup = self.lineup
        player = lineup.seats[seat]
        starts = "starts" if lineup.starting_seat == seat else ""
        side = lineup.side(seat, lineup.starting_seat)
        return Row(
            colour=lineup.colour(seat, lineup.starting_seat),
            name=player.name,
            detail=f"bot: {CHARACTERS[player.bot].about}" if player.bot else "person",
            note=", ".join(filter(None, (side, starts))),
        )


def _next(settings: Sequence[Setting], current: Setting) -> Setting:
    return settings[(settings.index(current) + 1) % len(settings)]


def _on_off(choice: bool) -> str:
    return "on" if choice else "off"
