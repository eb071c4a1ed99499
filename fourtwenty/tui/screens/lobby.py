"""The lobby: the line-up and the unfinished matches. It starts no match; it posts messages to the app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.games.game import Game, State
from fourtwenty.games.words import sentence_case, whose
from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.lineup import GUEST, Lineup, Seat, check_seats, free_name
from fourtwenty.play.options import OPTIONS
from fourtwenty.tui.evenings import lines_beside, rows_beside, tally_of_evenings
from fourtwenty.tui.frame.actions import POINTER, RULES, ScreenAction
from fourtwenty.tui.frame.start import OpeningScreen
from fourtwenty.tui.touch import touched
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.logo import Logo
from fourtwenty.tui.widgets.player_tiles import CARD_HEIGHT, PlayerTiles
from fourtwenty.tui.widgets.seats import Row, Seats, fit

if TYPE_CHECKING:
    from fourtwenty.journal.entries import Entry, Unfinished
    from fourtwenty.play.tally import Played
    from fourtwenty.tui.archive import Archive

PAGE_SEATS = 10
"""The players that a page is."""
SEAT_COMMANDS = ("lobby.person", "lobby.bot", "lobby.edit", "lobby.remove")
ROOMY = 100
"""The width of the screen, in cells, from which there is room beside the seats."""
UPRIGHT = (80, 36)
"""The width of the screen below which, and the height from which, the buttons are below each other: -narrow, -tall."""
STACKED = 8
"""The rows that they take then besides those of one of them."""
WITH_BUTTONS = 10
"""The rows that commands and key bar take besides where they are large buttons."""
BESIDE_SENTENCE = 6
"""The cells of the width that the sentence below the commands does not have."""
ELSEWHERE = 15
"""The rows of the lobby, and the key bar below it, without the seats and what stands beside them."""

hidden = partial(ScreenAction, show=False)
"""Declares an action whose key is not in the key bar."""
to_resume = partial(hidden, there=lambda lobby: bool(lobby.unfinished))
"""Declares an action on unfinished matches."""


class Lobby(OpeningScreen[None]):
    """Edits a line-up, which is one immutable value, and offers unfinished matches."""

    HELP = """\
## The lobby

**Enter** starts a game. The arrows choose a player; the keys below the list change them. Several names at once
(Ann, Ben, Cleo) take the place of the two of a first start.

**o** has the options: the coach, who goes first, real dice, a position to start from, the theme, and more. A game that
you leave is saved: **r** resumes the last one, **u** opens the list of games, which begins with them.

**w** plays with others at machines of their own: you host a table, with the players of this list, or join one.
"""
    CSS_PATH = "lobby.tcss"
    KEY_PARTS: ClassVar[dict[str, tuple[str, ...]]] = {
        "Players": (*SEAT_COMMANDS, "lobby.up", "lobby.down"),
        "The game": ("lobby.game", "lobby.options"),
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction("enter", "play", "Play", id="lobby.play", tooltip="Start the game", button=True, primary=True),
        hidden("p", "practice", "Practice", id="lobby.practice", tooltip="Positions where it matters", button=True),
        hidden("w", "friends", "With friends", id="lobby.friends", tooltip="Others at their machines", button=True),
        to_resume("r", "resume", "Resume", id="lobby.resume", tooltip="Resume the game played last"),
        to_resume("u", "unfinished", "Unfinished", id="lobby.waiting", tooltip="All unfinished games"),
        hidden("a", "add_person", "Add people", id="lobby.person", tooltip="Seat a person, or several"),
        hidden("b", "add_bot", "Add a bot", id="lobby.bot", tooltip="Seat another bot"),
        hidden("e", "edit", "Change", id="lobby.edit", tooltip="Another name, a person or a bot"),
        hidden("x,delete", "remove", "Remove", id="lobby.remove", tooltip="Remove the player"),
        hidden("k,shift+up", "move(-1)", "Up", id="lobby.up", tooltip="Move the player up"),
        hidden("j,shift+down", "move(1)", "Down", id="lobby.down", tooltip="Move the player down"),
        hidden("g", "game", "Game", id="lobby.game", tooltip="Another game"),
        hidden("o", "app.options", "Options", id="lobby.options", tooltip="Coach, who goes first and more"),
        *POINTER,
        Binding("h", "app.history", "History", id="lobby.history", tooltip="Past games and statistics"),
        RULES,
        Binding("q", "app.quit", "Quit", id="lobby.quit", tooltip="Leave the program"),
    ]

    lineup: var[Lineup] = var(Lineup, init=False)

    unfinished: var[Unfinished | None] = var(None)
    """The unfinished matches; None while none are known."""

    played: var[tuple[Played, ...]] = var(())
    """The matches that were finished last, in any order."""

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

    class Host(Message):
        """Posted to open a table for others, on machines of their own."""

        def __init__(self, lineup: Lineup) -> None:
            super().__init__()
            self.lineup = lineup

    class Join(Host):
        """Posted to join the table of another machine."""

    def __init__(
        self,
        lineup: Lineup,
        find_archive: Callable[[], Awaitable[Archive | None]],
        newcomer: bool = False,
        remembers: bool = False,
    ) -> None:
        """Offer a line-up; a newcomer is told how to start. Past evenings get rows where there may be some.

        ``find_archive`` returns all matches, None before there are any.
        """
        super().__init__()
        self.find_archive = find_archive
        self.remembers = remembers
        self.sentence = "Press Enter to play." if newcomer else ""
        """The sentence below the commands."""
        self.reminder = ""
        """The sentence about mistakes that are due, shown where there is no other."""
        self.set_reactive(Lobby.lineup, lineup)

    @property
    def game(self) -> Game:
        return GAMES[self.lineup.game]

    def compose(self) -> ComposeResult:
        """Lay out the title, the players and the commands, each as it is shown: a change would lay them out again."""
        logo, seats = Logo(), PlayerTiles(id="seats")
        logo.set_reactive(Logo.game, self.game)
        seats.set_reactive(Seats.rows, self._rows)
        seats.set_reactive(Seats.coloured, self._coloured)
        seats.roomy = self._roomy
        self.set_class(self._roomy, "-roomy")
        with Vertical(id="lobby") as lobby:
            lines = self._lines_beside("", []) if self._roomy else []
            lobby.styles.max_height = self._height
            yield logo
            yield CommandRow(id="unfinished")
            with Horizontal(id="middle"):
                yield seats
                if self._roomy:
                    yield Static(Content("\n").join(lines), id="aside")
            yield CommandRow(*map(Command, SEAT_COMMANDS), id="seat-commands")
            yield CommandRow(*self._match_commands, id="match-commands")
            yield Static(self.sentence, id="say", markup=False)
            with Horizontal(id="start"):
                yield from self.buttons()
        yield KeyBar()

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self.read_past)

    @work(exclusive=True, group="past")
    async def read_past(self) -> None:
        """Show the unfinished matches, the evenings and the mistakes that are due, once the lobby has been painted."""
        archive = await self.find_archive() if self.is_active else None  # the app may have ended
        if archive:
            self.unfinished, self.played = await archive.unfinished(), await archive.played()
            name = self.lineup.first_person
            self.remind(name, await archive.due(name))

    async def people(self) -> tuple[str, ...]:
        """Return the people who have played here, the most frequent first."""
        archive = await self.find_archive()
        return await archive.people() if archive else ()

    def on_resize(self) -> None:
        if not self.query(Seats):  # the app ends, and has removed them
            return
        if self._roomy != self.has_class("-roomy"):
            self.set_class(self._roomy, "-roomy")
            self.query_one(PlayerTiles).roomy = self._roomy
            if self._roomy:
                self.query_one("#middle").mount(Static("", id="aside", markup=False))
            else:
                self.query("#aside").remove()
        self.watch_unfinished()
        self.show_tally()

    @property
    def _roomy(self) -> bool:
        return self.app.size.width >= ROOMY

    @property
    def pointed(self) -> int:
        """The seat at the pointer, on which the keys act."""
        return self.query_one(Seats).pointed

    def watch_lineup(self) -> None:
        seats = self.query_one(Seats)
        seats.rows = self._rows
        seats.pointed = min(seats.pointed, len(seats.rows) - 1)
        seats.coloured = self._coloured
        self.query_one("#match-commands", CommandRow).commands = self._match_commands
        self.query_one(Logo).game = self.game
        self.show_sentence()
        self.show_tally()

    @property
    def _rows(self) -> tuple[Row, ...]:
        return tuple(self._row(seat) for seat in range(len(self.lineup.seats)))

    @property
    def _coloured(self) -> bool:
        return not self.lineup.monocolor and not self._sides_are_drawn

    @property
    def _match_commands(self) -> tuple[Command, ...]:
        """The commands that change the game."""
        return Command("lobby.game", value=self.game.name), Command("lobby.options")

    # -- the evening ----------------------------------------------------------------------------------------------

    def watch_played(self) -> None:
        self.show_tally()

    def show_tally(self) -> None:
        """Show the tally over the seats, or beside them with the game and the past evenings."""
        if not self.is_mounted or not self.query(Seats):
            return
        tonight, past = tally_of_evenings(self.played, self.lineup)
        roomy = self.has_class("-roomy")
        seats, title = self.query_one(Seats), None if roomy or not tonight else f"Tonight: {tonight}"
        if seats.border_title != title:
            seats.border_title = title
        text = Content("\n").join(self._lines_beside(tonight, past))
        for aside in self.query("#aside").results(Static):
            if aside.content != text:  # at a start it is the same again
                aside.update(text, layout=False)
        self.query_one("#lobby").styles.max_height = self._height

    def _lines_beside(self, tonight: str, past: Sequence[str]) -> list[Content]:
        return lines_beside(self.game, tonight, past, self._rows_beside)

    @property
    def _rows_beside(self) -> int:
        """The rows of the texts beside the seats, those that are read later included: nothing moves when they come."""
        return min(rows_beside(self.game, self.remembers), self.app.size.height - ELSEWHERE - self._gap)

    @property
    def _gap(self) -> int:
        """The rows between the unfinished matches and the players."""
        return 1 if self._roomy and not self.has_class("-short") else 0

    @property
    def _height(self) -> int:
        """The height that the lobby needs."""
        players = len(self.lineup.seats)
        own = max(self._rows_beside, CARD_HEIGHT * players) if self._roomy else players + 2
        upright = self.app.size.width < UPRIGHT[0] and self.app.size.height >= UPRIGHT[1]
        return ELSEWHERE + self._gap + own + (STACKED if upright else 0) + (WITH_BUTTONS if touched(self.app) else 0)

    def watch_unfinished(self) -> None:
        if not self.query(Seats):
            return
        row = self.query_one("#unfinished", CommandRow)
        grows = self.has_class("-short") or touched(self.app)  # elsewhere it has a row anyway
        row.set_class(bool(self.unfinished), "-some", update=grows)
        commands: tuple[Command, ...] = ()
        if self.unfinished:
            others = Command("lobby.waiting", value=str(self.unfinished.number))
            room = self.size.width - 4 - row.width_of(Command("lobby.resume", value="…"), others)
            news = self.unfinished.latest.title(datetime.now(UTC))
            commands = Command("lobby.resume", value=fit(news, min(room, cell_len(news)))), others
        if row.commands != commands:
            row.set_reactive(CommandRow.commands, commands)  # one row, whatever is in it: nothing is laid out again
            row.refresh()

    def show_sentence(self, sentence: str = "") -> None:
        """Show a sentence, or without one how many mistakes are due."""
        self.sentence = sentence
        self.query_one("#say", Static).update(sentence or self.reminder, layout=False)

    def remind(self, name: str, due: Mapping[str, int]) -> None:
        """Tell how many mistakes of a name are due, by key of the game, or in all where there is little room."""
        from fourtwenty.play.practice import due_words

        if not due and not self.reminder:
            return
        whole = f"{sentence_case(whose(name))} mistakes due: "
        by_game = f"{whole}{due_words(due)}."
        fits = cell_len(by_game) <= self.app.size.width - BESIDE_SENTENCE
        self.reminder = (by_game if fits else f"{whole}{sum(due.values()):,}.") if due else ""
        self.show_sentence(self.sentence)

    def action_play(self) -> None:
        if self._may_start():
            self.show_sentence()  # who comes back is no newcomer
            self.post_message(self.Play(self.lineup))

    def action_host(self) -> None:
        refusal = check_seats(self.lineup.seats)
        if refusal:
            self.show_sentence(refusal)
            self.app.bell()
        elif self.is_active:
            self.post_message(self.Host(self.lineup))

    def action_join(self) -> None:
        if self.is_active:
            self.post_message(self.Join(self.lineup))

    def action_friends(self) -> None:
        from fourtwenty.tui.dialogs.ask import WithFriends

        def answered(answer: str | None) -> None:
            if answer == "host":
                self.action_host()
            elif answer == "join":
                self.action_join()

        if self.is_active:
            self.app.push_screen(WithFriends(), answered)

    async def action_practice(self) -> None:
        await self.run_action("app.practice")

    def action_position(self) -> None:
        from fourtwenty.tui.dialogs.position import PositionDialog

        def play_from(start: State | None) -> None:
            if start:
                self.post_message(self.Play(self.lineup, start))

        if self._may_start():
            self.app.push_screen(PositionDialog(self.lineup), play_from)

    def _may_start(self) -> bool:
        """Return whether a match can start; show the reason if not."""
        refusal = self.lineup.check()
        if refusal:
            self.show_sentence(refusal)
            self.app.bell()
        return not refusal and self.is_active

    def action_resume(self) -> None:
        if self.is_active and self.unfinished:
            self.post_message(self.Resume(self.unfinished.latest))

    async def action_unfinished(self) -> None:
        """Open the list of all games, which begins with them."""
        await self.run_action("app.history")

    @on(PlayerTiles.Clicked)
    def point_at(self, event: PlayerTiles.Clicked) -> None:
        self.query_one(Seats).pointed = event.seat

    def action_point(self, rows: int) -> None:
        seats = self.query_one(Seats)
        seats.pointed = max(0, min(len(seats.rows) - 1, seats.pointed + rows))

    def action_page(self, pages: int) -> None:
        self.action_point(PAGE_SEATS * pages)

    def action_add_person(self) -> None:
        self._ask_for_seat(None, Seat(free_name(GUEST, self.lineup.seats)), "Who joins?")

    def action_add_bot(self) -> None:
        """Add a bot's seat at the end, with the character that is the least frequent so far."""
        seats = self.lineup.seats
        bots = [seat.bot for seat in seats]
        bot = min(CHARACTERS, key=bots.count)
        self._set_seats(None, Seat(free_name(bot, seats), bot))

    def action_edit(self) -> None:
        self._ask_for_seat(self.pointed, self.lineup.seats[self.pointed], "Who sits here?")

    def _ask_for_seat(self, index: int | None, offered: Seat, heading: str) -> None:
        """Ask in a dialog for a seat or several, beginning with the offered one, then call ``_set_seats``."""
        from fourtwenty.tui.dialogs.seat import SeatDialog

        instead = index is None and self.lineup.is_untouched

        def answered(seats: tuple[Seat, ...] | None) -> None:
            if seats and instead and len(seats) > 1 and not seats[0].bot:
                self.lineup = replace(self.lineup, seats=seats, starting_seat=None)
            elif seats:
                self._set_seats(index, *seats)

        if self.is_active:
            others = [other for at, other in enumerate(self.lineup.seats) if at != index]
            self.app.push_screen(SeatDialog(offered, others, heading, self.people, instead), answered)

    def _set_seats(self, index: int | None, *added: Seat) -> None:
        """Replace the seat at an index, or add seats at the end for None, and move the pointer to the last of them."""
        if index is None:
            index = len(self.lineup.seats)
        self.lineup = self.lineup.with_seats(index, *added)
        self.query_one(Seats).pointed = index + len(added) - 1

    def action_remove(self) -> None:
        if len(self.lineup.seats) == 2:
            self.show_sentence("You need at least two players.")
            self.app.bell()
        else:
            self.lineup = self.lineup.without(self.pointed)

    def action_move(self, step: int) -> None:
        here, there = self.pointed, self.pointed + step
        if 0 <= there < len(self.lineup.seats):
            self.lineup = self.lineup.swapped(here, there)
            self.query_one(Seats).pointed = there

    def action_game(self) -> None:
        self.lineup = OPTIONS["game"].turned(self.lineup)
        self.show_sentence(self.game.gist)

    @property
    def _sides_are_drawn(self) -> bool:
        """Whether the lot will decide which of two seats plays which side."""
        return self.game.pair is not None and len(self.lineup.seats) == 2 and self.lineup.starting_seat is None

    def _row(self, seat: int) -> Row:
        lineup = self.lineup
        player = lineup.seats[seat]
        first = "goes first" if lineup.starting_seat == seat else ""
        side = "" if lineup.starting_seat is None else lineup.side(seat, lineup.starting_seat)
        return Row(
            colour=lineup.colour(seat, lineup.starting_seat),
            name=player.name,
            detail=f"bot: {CHARACTERS[player.bot].about}" if player.bot else "",
            note=", ".join(filter(None, (side, first))),
        )
