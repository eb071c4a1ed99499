"""The lobby: the line-up and the unfinished matches. The app starts the matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Click
from textual.reactive import var
from textual.style import Style
from textual.widgets import Static

from fourtwenty.cells import cell_len
from fourtwenty.games import GAMES
from fourtwenty.games.english import is_you, join_words, possessive
from fourtwenty.games.game import Game, State
from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import GUEST, Lineup, Seat, check_seats, free_name
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, RULES, ScreenAction, bindings_of, key_shown
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.logo import Logo
from fourtwenty.tui.widgets.seats import Row, Seats, cut

if TYPE_CHECKING:
    from fourtwenty.journal.history_entries import HistoryEntry
    from fourtwenty.journal.scorecard import Scorecard
    from fourtwenty.play.tally import Played, Tally
    from fourtwenty.tui.past_games.history_service import HistoryService

SEAT_COMMANDS = ("lobby.person", "lobby.edit", "lobby.remove")
BESIDE_LINE = 8
"""The cells of the width that the text below the buttons lacks, besides its key."""
BORDER = 2
MAX_COLUMNS = 130
"""The most columns of the lobby, as in its style sheet."""
BESIDE_TITLE = 10
"""The cells of the width that the title of the players lacks."""
MIN_TALLY_NAME = 4
"""The cells of a name that stay before numbers replace the glasses of the tally."""

hidden = partial(ScreenAction, show=False)


def _tally_title(tally: Tally, width: int) -> str:
    """Return the tally in a width: first the longest names are cut, then numbers replace glasses, then cut more."""
    longest = max(cell_len(name) for name, _ in tally.counts)
    forms = [(most, False) for most in range(longest, min(longest, MIN_TALLY_NAME) - 1, -1)]
    title = ""
    for most, in_digits in [*forms, *((most, True) for most in range(longest, 0, -1))]:
        counts = tuple((cut(name, most), count) for name, count in tally.counts)
        title = f"Tonight: {', '.join(replace(tally, counts=counts, in_digits=in_digits).standings)}"
        if cell_len(title) <= width:
            break
    return title


class Players(Seats):
    page = 10

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset(self)
        seat = self.seat_at(at.x, at.y) if at else None
        if seat is not None:
            self.cursor = seat

    def move_cursor(self, step: int) -> None:
        self.cursor = max(0, min(len(self.rows) - 1, self.cursor + step))


class Lobby(BaseScreen[None]):
    """Edits a line-up, an immutable value, and offers unfinished matches."""

    CSS_PATH = "lobby.tcss"
    cursor_list = getters.query_one(Players)
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction("enter", "play", "Play", id="lobby.play", tooltip="Start the game", button=True, primary=True),
        hidden("p", "practice", "Practice", id="lobby.practice", tooltip="Positions that matter", button=True),
        hidden("w", "friends", "With friends", id="lobby.friends", tooltip="Others at their own machines", button=True),
        hidden(
            "r",
            "resume",
            "Resume",
            id="lobby.resume",
            tooltip="Resume the game played last",
            available=lambda lobby: bool(lobby.unfinished),
        ),
        hidden("d", "daily", "Today's puzzle", id="lobby.daily", tooltip="One position a day, the same for everybody"),
        hidden("a", "add", "Add a player", id="lobby.person", tooltip="Seat people, or a bot"),
        hidden("e", "edit", "Change", id="lobby.edit", tooltip="Another name, a person or a bot"),
        hidden("x,delete", "remove", "Remove", id="lobby.remove", tooltip="Remove the player"),
        hidden("k,shift+up", "move(-1)", "Up", id="lobby.up", tooltip="Move the player up"),
        hidden("j,shift+down", "move(1)", "Down", id="lobby.down", tooltip="Move the player down"),
        Binding("g", "game", "Game", id="lobby.game", tooltip="Choose another game"),
        Binding("o", "app.options", "Options", id="lobby.options", tooltip="Coach, real dice, theme and more"),
        *CURSOR_BINDINGS,
        Binding("h", "app.history", "Past games", id="lobby.history", tooltip="The history, and statistics"),
        RULES,
        Binding("q", "app.quit", "Quit", id="lobby.quit", tooltip="Leave the program"),
    ]

    lineup: var[Lineup] = var(Lineup, init=False)

    def __init__(
        self,
        lineup: Lineup,
        find_history_service: Callable[[], Awaitable[HistoryService | None]],
        play: Callable[[Lineup, State | None], None],
        newcomer: bool = False,
    ) -> None:
        """``find_history_service`` returns None before there are matches; ``play`` takes a position if one is given."""
        super().__init__()
        self.find_history_service = find_history_service
        self.play = play
        self.newcomer = newcomer
        self.sentence = ""
        """The sentence below the buttons, in place of the offers."""
        self.unfinished: HistoryEntry | None = None
        """The unfinished match played last; None while none is known."""
        self.played: tuple[Played, ...] = ()
        """The latest finished matches, in any order."""
        self.due: Mapping[str, int] = {}
        """How many mistakes of the first person are due, by key of the game."""
        self.scorecard: Scorecard | None = None
        """The first answers in practice; None while none is known."""
        self.set_reactive(Lobby.lineup, lineup)

    @property
    def game(self) -> Game:
        return GAMES[self.lineup.game]

    def compose(self) -> ComposeResult:
        """Compose the title, the players and the commands in their final state: a change would need another layout."""
        logo, seats = Logo(), Players(id="seats")
        logo.set_reactive(Logo.game, self.game)
        seats.set_reactive(Seats.rows, self._rows)
        seats.set_reactive(Seats.coloured, not self.lineup.monocolor)
        seats.styles.max_height = len(self._rows) + BORDER
        with Vertical(id="lobby"):
            yield logo
            yield seats
            yield CommandRow(*map(Command, SEAT_COMMANDS), id="seat-commands")
            with Horizontal(id="start"):
                yield from self.buttons()
            yield Static(self._below, id="below")
        yield KeyBar()

    def on_resize(self) -> None:
        self.show_tally()

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.read_past)

    @work(exclusive=True, group="past")
    async def read_past(self) -> None:
        """Show the tally and the offers below the buttons, once the lobby has been painted."""
        service = await self.find_history_service() if self.is_active else None  # the app may have ended
        if service:
            unfinished, played = await service.unfinished(), await service.played()
            due, scorecard = await service.due(self.lineup.first_person), await service.scorecard()
            self.unfinished, self.played, self.due, self.scorecard = unfinished, played, due, scorecard
        self.show_tally()
        self.say(self.sentence)

    async def people(self) -> tuple[str, ...]:
        service = await self.find_history_service()
        return await service.people() if service else ()

    def watch_lineup(self) -> None:
        seats = self.cursor_list
        seats.rows = self._rows
        seats.styles.max_height = len(seats.rows) + BORDER
        seats.cursor = min(seats.cursor, len(seats.rows) - 1)
        seats.coloured = not self.lineup.monocolor
        self.query_one(Logo).game = self.game
        self.say("")
        self.show_tally()

    @property
    def _rows(self) -> tuple[Row, ...]:
        return tuple(
            Row(
                colour=seat,
                name=player.name,
                detail=f"bot, {BOTS[player.bot].about}" if player.bot else "",
                note="goes first" if self.lineup.starting_seat == seat else "",
            )
            for seat, player in enumerate(self.lineup.seats)
        )

    # -- the evening ----------------------------------------------------------------------------------------------

    def show_tally(self) -> None:
        title = None
        if self.played and self.lineup.is_counted:
            from fourtwenty.play.tally import tally_of, tonight

            tally = tally_of(self.lineup, tonight(self.played, datetime.now(UTC)))
            title = (
                _tally_title(tally, min(MAX_COLUMNS, self.app.size.width) - BESIDE_TITLE) if tally.standings else None
            )
        for seats in self.query(Seats):
            if seats.border_title != title:
                seats.border_title = title

    # -- the two lines below the buttons -----------------------------------------------------------------------------

    def show_sentence(self, sentence: str, refused: bool) -> None:  # noqa: ARG002
        """Show a sentence below the puzzle of the day; for an empty one, the most useful offer with its key."""
        self.sentence = sentence
        for shown in self.query("#below").results(Static):
            if shown.content != (below := self._below):
                shown.update(below, layout=False)

    def be_quiet(self) -> None:
        if self.sentence:
            self.say("")

    @property
    def _below(self) -> Content:
        return Content("\n").join([self._today, self._line])

    @property
    def _line(self) -> Content:
        if self.sentence:
            return Content(self.sentence)
        due = sum(self.due.values())
        if self.unfinished:
            return self._offer("lobby.resume", f"Resume {self.unfinished.title(datetime.now(UTC))}")
        if due:
            are = "is" if due == 1 else "are"
            whose = possessive(self.lineup.first_person)
            return self._offer("lobby.practice", f"{due:,} of {whose} mistakes {are} due")
        if self.newcomer:
            return Content("Press Enter to play.")
        return Content()

    @property
    def _today(self) -> Content:
        """The puzzle of the day, with its key and the last seven days, if one of them has an answer."""
        offer = self._offer("lobby.daily", "Today's puzzle")
        if self.scorecard is None:
            return offer
        from fourtwenty.play.clock import today

        week = self.scorecard.week_words(self.game.key, today())
        return Content.assemble(offer, "   ", week) if week else offer

    def _offer(self, name: str, words: str) -> Content:
        """Return an offer of a binding with its key, to be clicked."""
        (binding,) = (each for each in bindings_of(type(self)) if each.id == name)
        key = key_shown(self.app, binding)
        room = self.app.size.width - BESIDE_LINE - cell_len(key)
        shown = Content.assemble(cut(words, room), ": ", (key, "bold $accent"))
        return shown.stylize(Style.from_meta({"action": binding.action}))

    def action_play(self) -> None:
        if self._may_start():
            self.newcomer = False
            self.say("")
            self.play(self.lineup, None)

    async def action_friends(self) -> None:
        if refusal := check_seats(self.lineup.seats):
            self.say(refusal, refused=True)
        elif self.is_active:
            await self.run_action("app.host")

    async def action_practice(self) -> None:
        await self.run_action("app.practice('mine')" if self.due else "app.practice")

    async def action_daily(self) -> None:
        await self.run_action("app.practice('daily')")

    def action_position(self) -> None:
        from fourtwenty.tui.dialogs.line_dialogs import PositionDialog

        if self._may_start():
            self.open_over(PositionDialog(self.lineup), lambda start: self.play(self.lineup, start))

    def _may_start(self) -> bool:
        refusal = self.lineup.check()
        if refusal:
            self.say(refusal, refused=True)
        return not refusal and self.is_active

    async def action_resume(self) -> None:
        if self.is_active and self.unfinished:
            await self.run_action(f"app.resume({self.unfinished.id})")

    def action_add(self) -> None:
        self._ask_for_seat(None, Seat(free_name(GUEST, self.lineup.seats)), "Who joins?")

    def action_edit(self) -> None:
        self._ask_for_seat(self.cursor_list.cursor, self.lineup.seats[self.cursor_list.cursor], "Who sits here?")

    def _ask_for_seat(self, index: int | None, offered: Seat, heading: str) -> None:
        """Ask for one or more seats in a dialog and seat them; then ask "You" for a name, if another person joined."""
        from fourtwenty.tui.dialogs.seat import SeatDialog, take_all_seats

        instead = index is None and self.lineup.is_untouched
        only_you = index is None and self.lineup.people == 1 and is_you(self.lineup.first_person)

        def answered(seats: tuple[Seat, ...]) -> None:
            if instead and take_all_seats(seats):
                gone = [seat.name for seat in self.lineup.seats if seat not in seats]
                self.lineup = replace(self.lineup, seats=seats, starting_seat=None)
                if gone:
                    self.say(f"{join_words(gone)} made room for them.")
            else:
                self._set_seats(index, *seats)
                if only_you and not seats[0].bot and seats != (offered,):
                    you = next(at for at, seat in enumerate(self.lineup.seats) if is_you(seat.name))
                    self._ask_for_seat(you, self.lineup.seats[you], "And your name?")

        others = [other for at, other in enumerate(self.lineup.seats) if at != index]
        self.open_over(SeatDialog(offered, others, heading, self.people, instead), answered)

    def _set_seats(self, index: int | None, *added: Seat) -> None:
        """Replace a seat, or append seats if the index is None; the cursor moves to the last of them."""
        if index is None:
            index = len(self.lineup.seats)
        self.lineup = self.lineup.with_seats(index, *added)
        self.cursor_list.cursor = index + len(added) - 1

    def action_remove(self) -> None:
        if len(self.lineup.seats) == 2:
            self.say("You need at least two players.", refused=True)
        else:
            self.lineup = self.lineup.without(self.cursor_list.cursor)

    def action_move(self, step: int) -> None:
        here, there = self.cursor_list.cursor, self.cursor_list.cursor + step
        if 0 <= there < len(self.lineup.seats):
            self.lineup = self.lineup.swapped(here, there)
            self.cursor_list.cursor = there

    def action_game(self) -> None:
        from fourtwenty.play.options import OPTIONS

        self.lineup = OPTIONS["game"].cycled(self.lineup)
        self.say(self.game.summary)
