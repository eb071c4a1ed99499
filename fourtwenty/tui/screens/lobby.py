"""The lobby: the line-up and the unfinished matches. It starts no match; it posts messages to the app."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.games.game import Game, State
from fourtwenty.games.words import name_and_verb
from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.clock import local
from fourtwenty.play.lineup import GUEST, Lineup, Seat, check_seats, free_name
from fourtwenty.play.options import OPTIONS
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.framework import OpeningScreen
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.logo import Logo
from fourtwenty.tui.widgets.player_tiles import CARD_HEIGHT, PlayerTiles
from fourtwenty.tui.widgets.seats import Row, Seats, fit

if TYPE_CHECKING:
    from fourtwenty.journal.entries import Entry
    from fourtwenty.play.tally import Played

SEAT_COMMANDS = ("lobby.person", "lobby.bot", "lobby.edit", "lobby.remove", "lobby.up", "lobby.down")
ROOMY = 100
"""The width of the screen, in cells, from which there is room beside the seats."""
ASIDE_WIDTH = 50
ELSEWHERE = 18
"""The rows of the screen that are not beside the seats, about."""
EVENINGS = 5
"""The greatest number of past evenings that are listed."""


class Lobby(OpeningScreen[None]):
    """Edits a line-up, which is one immutable value, and offers unfinished matches."""

    HELP = """\
## The lobby

**Enter** starts a game. The arrows choose a player; the keys below the list change them.

A game that you leave is saved: **r** resumes the last one, **o** lists them all. **First to** ends the tally of an
evening when somebody has bought so many times, and starts it again.

**H** hosts a table for others at machines of their own, with the players of this list; **J** joins one.
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
        ScreenAction("enter", "play", "Play", id="lobby.play", tooltip="Start the game", button=True, primary=True),
        ScreenAction(
            "H",
            "host",
            "Host",
            id="lobby.host",
            show=False,
            tooltip="Play with others at machines of their own",
            button=True,
        ),
        ScreenAction(
            "J", "join", "Join", id="lobby.join", show=False, tooltip="Join the table of another machine", button=True
        ),
        ScreenAction(
            "r",
            "resume",
            "Resume",
            id="lobby.resume",
            show=False,
            tooltip="Resume the game played last",
            there=lambda lobby: bool(lobby.unfinished),
        ),
        ScreenAction(
            "o",
            "unfinished",
            "Unfinished",
            id="lobby.waiting",
            show=False,
            tooltip="All unfinished games",
            there=lambda lobby: bool(lobby.unfinished),
        ),
        Binding("a", "add_person", "Add person", id="lobby.person", show=False, tooltip="Seat another person"),
        Binding("b", "add_bot", "Add bot", id="lobby.bot", show=False, tooltip="Seat another bot"),
        Binding("e", "edit", "Change", id="lobby.edit", show=False, tooltip="Another name, a person or a bot"),
        Binding("x,delete", "remove", "Remove", id="lobby.remove", show=False, tooltip="Remove the player"),
        Binding("k,shift+up", "move(-1)", "Up", id="lobby.up", show=False, tooltip="Move the player up"),
        Binding("j,shift+down", "move(1)", "Down", id="lobby.down", show=False, tooltip="Move the player down"),
        Binding("g", "turn('game')", "Game", id="lobby.game", show=False, tooltip="Another game"),
        Binding("c", "turn('coach')", "Coach", id="lobby.coach", show=False, tooltip="Choose how much the coach shows"),
        Binding(
            "w",
            "turn('warning')",
            "Warn",
            id="lobby.warning",
            show=False,
            tooltip="Warn before a choice that costs much",
        ),
        Binding("f", "starting_seat", "First", id="lobby.first", show=False, tooltip="Choose who goes first"),
        Binding(
            "d",
            "turn('typed')",
            "Real dice",
            id="lobby.typed",
            show=False,
            tooltip="Roll real dice and type their faces",
        ),
        Binding(
            "n",
            "turn('first_to')",
            "First to",
            id="lobby.first-to",
            show=False,
            tooltip="Start the tally again at a number",
        ),
        ScreenAction(
            "t",
            "turn('animation')",
            "Dice tumble",
            id="lobby.animation",
            show=False,
            tooltip="Show how the dice roll",
            there=lambda lobby: not lobby.lineup.typed,
        ),
        Binding(
            "m", "turn('monocolor')", "White dice", id="lobby.monocolor", show=False, tooltip="White dice for everyone"
        ),
        Binding(
            "s", "position", "Set up a position…", id="lobby.position", show=False, tooltip="Start from a position"
        ),
        Binding("up", "point(-1)", "Player above", id="lobby.above", show=False),
        Binding("down", "point(1)", "Player below", id="lobby.below", show=False),
        Binding("pageup", "point(-10)", "Ten players up", id="lobby.page-up", show=False),
        Binding("pagedown", "point(10)", "Ten players down", id="lobby.page-down", show=False),
        Binding("home", "point(-1000000)", "First player", id="lobby.top", show=False),
        Binding("end", "point(1000000)", "Last player", id="lobby.bottom", show=False),
        Binding("p", "app.practice", "Practice", id="lobby.practice", tooltip="Positions where the choice matters"),
        Binding("h", "app.history", "History", id="lobby.history", tooltip="Past games and statistics"),
        Binding("comma", "app.settings", "Settings", key_display=",", id="lobby.settings", tooltip="Preferences"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="lobby.rules", tooltip="The rules"),
        Binding("q", "app.quit", "Quit", id="lobby.quit", tooltip="Leave the program"),
    ]

    lineup: var[Lineup] = var(Lineup, init=False)
    """The line-up as it is set up."""

    unfinished: var[tuple[Entry, ...]] = var(())
    """The unfinished matches, latest first."""

    played: var[tuple[Played, ...]] = var(())
    """The matches that were finished last, in any order."""

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

    class Host(Message):
        """Posted to open a table for others, on machines of their own."""

        def __init__(self, lineup: Lineup) -> None:
            super().__init__()
            self.lineup = lineup

    class Join(Host):
        """Posted to join the table of another machine."""

    def __init__(self, lineup: Lineup, newcomer: bool = False) -> None:
        """Offer a line-up; a newcomer is told how to start."""
        super().__init__()
        self.newcomer = newcomer
        self.set_reactive(Lobby.lineup, lineup)

    @property
    def game(self) -> Game:
        """The game of the line-up."""
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
            yield logo
            yield CommandRow(id="unfinished")
            with Horizontal(id="middle"):
                yield seats
                if self._roomy:
                    lines = self._lines_beside("", [])
                    lobby.styles.max_height = self._height_with(lines)
                    yield Static(Content("\n").join(lines), id="aside")
            yield CommandRow(*map(Command, SEAT_COMMANDS), id="seat-commands")
            yield CommandRow(*self._match_commands, id="match-commands")
            yield CommandRow(*self._more_commands, id="more-commands")
            with Horizontal(id="start"):
                yield from self.buttons()
                first = "Press Enter to start your first game. ? explains the rules."
                yield Static(first if self.newcomer else self._sentence, id="say", markup=False)
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Post ``Shown`` once the lobby has been painted."""
        self.call_after_refresh(self.post_message, self.Shown())

    def on_resize(self) -> None:
        """Use the new room."""
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
        """Whether there is room beside the seats."""
        return self.app.size.width >= ROOMY

    @property
    def pointed(self) -> int:
        """The seat at the pointer, on which the keys act."""
        return self.query_one(Seats).pointed

    def watch_lineup(self) -> None:
        """Show the line-up."""
        seats = self.query_one(Seats)
        seats.rows = self._rows
        seats.pointed = min(seats.pointed, len(seats.rows) - 1)
        seats.coloured = self._coloured
        self.query_one("#match-commands", CommandRow).commands = self._match_commands
        self.query_one("#more-commands", CommandRow).commands = self._more_commands
        self.query_one(Logo).game = self.game
        self.show_sentence(self._sentence)
        self.show_tally()

    @property
    def _rows(self) -> tuple[Row, ...]:
        return tuple(self._row(seat) for seat in range(len(self.lineup.seats)))

    @property
    def _coloured(self) -> bool:
        """Whether every seat has its colour already."""
        return not self.lineup.monocolor and not self._sides_are_drawn

    @property
    def _sentence(self) -> str:
        return f"{len(self.lineup.seats)} players. {self.game.gist}"

    @property
    def _match_commands(self) -> tuple[Command, ...]:
        """The commands that change the game, the coach and who goes first, each with its present value."""
        lineup = self.lineup
        first = "random" if self.game.draws else "roll-off"
        if lineup.starting_seat is not None:
            first = lineup.seats[lineup.starting_seat].name
        return (
            Command("lobby.game", value=OPTIONS["game"].shown(lineup)),
            Command("lobby.coach", value=OPTIONS["coach"].shown(lineup)),
            Command("lobby.warning", value=OPTIONS["warning"].shown(lineup)),
            Command("lobby.first", value=fit(first, min(20, cell_len(first)))),
        )

    @property
    def _more_commands(self) -> tuple[Command, ...]:
        """The commands for less frequent changes, each with its present value."""
        lineup = self.lineup
        return (
            Command("lobby.typed", value=OPTIONS["typed"].shown(lineup)),
            Command("lobby.first-to", value=OPTIONS["first_to"].shown(lineup)),
            *(() if lineup.typed else (Command("lobby.animation", value=OPTIONS["animation"].shown(lineup)),)),
            Command("lobby.monocolor", value=OPTIONS["monocolor"].shown(lineup)),
            Command("lobby.position"),
        )

    # -- the evening ----------------------------------------------------------------------------------------------

    def watch_played(self) -> None:
        """Show the tally of the evening."""
        self.show_tally()

    def show_tally(self) -> None:
        """Show the tally over the seats, or beside them with the game and the past evenings."""
        if not self.is_mounted or not self.query(Seats):
            return
        tonight, past = self._evenings()
        roomy = self.has_class("-roomy")
        self.query_one(Seats).border_title = None if roomy or not tonight else f"Tonight: {tonight}"
        lines = self._lines_beside(tonight, past)
        for aside in self.query("#aside").results(Static):
            aside.update(Content("\n").join(lines), layout=False)
        self.query_one("#lobby").styles.max_height = self._height_with(lines) if roomy else None

    def _lines_beside(self, tonight: str, past: Sequence[str]) -> list[Content]:
        """Return as many parts of what stands beside the seats as there is room for."""
        game = self.game
        parts = [_part(f"{game.name} in five lines", game.brief)]
        parts += [_part("Tonight", [tonight])] if tonight else []
        parts += [_part("Past evenings", past)] if past else []
        parts += [_part(game.guide.heading, _columns(game.guide.rows))]
        lines: list[Content] = []
        for part in parts:
            if len(lines) + len(part) <= self.app.size.height - ELSEWHERE + 1:
                lines += part
        return lines

    def _height_with(self, lines: Sequence[Content]) -> int:
        """Return the height of the lobby with these lines beside the seats."""
        return ELSEWHERE + max(len(lines), CARD_HEIGHT * len(self.lineup.seats))

    def _evenings(self) -> tuple[str, list[str]]:
        """Return the tally of the evening, and a line about each evening before, latest first."""
        if not self.played:
            return "", []
        from fourtwenty.play.tally import evenings, tally_of, tonight

        evening = tonight(self.played, datetime.now(UTC))
        past = [each for each in evenings(self.played) if each != evening][-EVENINGS:]
        return tally_of(self.lineup, evening).sentence, [_evening(each) for each in reversed(past)]

    def watch_unfinished(self) -> None:
        """Offer to resume the match played last, and to list all unfinished matches."""
        if not self.query(Seats):
            return
        shown = self.query_one("#unfinished", CommandRow)
        shown.set_class(bool(self.unfinished), "-any")
        if self.unfinished:
            others = Command("lobby.waiting", value=str(len(self.unfinished)))
            room = self.size.width - 4 - shown.width_of(Command("lobby.resume", value="…"), others)
            news = self.unfinished[0].title(datetime.now(UTC))
            shown.commands = (Command("lobby.resume", value=fit(news, min(room, cell_len(news)))), others)
        else:
            shown.commands = ()

    def show_gist(self) -> None:
        """Show the game in a sentence beside the Play button, as at first."""
        self.show_sentence(self._sentence)

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence beside the Play button."""
        self.query_one("#say", Static).update(sentence)

    def action_play(self) -> None:
        """Post ``Play`` if the line-up can start."""
        if self._may_start():
            self.show_sentence(self._sentence)  # who comes back is no newcomer
            self.post_message(self.Play(self.lineup))

    def action_host(self) -> None:
        """Post ``Host`` if the names of the line-up can be seated."""
        refusal = check_seats(self.lineup.seats)
        if refusal:
            self.show_sentence(refusal)
            self.app.bell()
        elif self.is_active:
            self.show_sentence("Opening a table…")
            self.post_message(self.Host(self.lineup))

    def action_join(self) -> None:
        """Post ``Join``."""
        if self.is_active:
            self.post_message(self.Join(self.lineup))

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

    def action_resume(self) -> None:
        """Post ``Resume`` for the match played last."""
        if self.is_active:
            self.post_message(self.Resume(self.unfinished[0]))

    async def action_unfinished(self) -> None:
        """Open the dialog of all unfinished matches, which the app has."""
        await self.run_action("app.unfinished")

    @on(PlayerTiles.Clicked)
    def point_at(self, event: PlayerTiles.Clicked) -> None:
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
            self.show_sentence("You need at least two players.")
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
        """Make the seat at the pointer the starting seat; if it already is, leave it to chance."""
        seat = None if self.lineup.starting_seat == self.pointed else self.pointed
        self.lineup = replace(self.lineup, starting_seat=seat)
        if seat is not None:
            self.show_sentence(f"{name_and_verb(self.lineup.seats[seat].name, 'goes', 'go')} first.")
        else:
            self.show_sentence(
                "The first player is random." if self.game.draws else "A roll-off decides who goes first."
            )

    def action_turn(self, name: str) -> None:
        """Change an option of the line-up to its next value."""
        option = OPTIONS[name]
        self.lineup = option.turned(self.lineup)
        self.show_sentence(option.sentence(self.lineup) or self._sentence)

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
            detail=f"bot: {CHARACTERS[player.bot].about}" if player.bot else "person",
            note=", ".join(filter(None, (side, first))),
        )


def _part(heading: str, lines: Sequence[str]) -> list[Content]:
    """Return a part of the texts beside the seats: a heading, lines, and a blank one."""
    texts = (Content(fit(line, ASIDE_WIDTH).rstrip()) for line in lines)
    return [Content.styled(heading, "bold $primary"), *texts, Content()]


def _columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    widest = max(cell_len(label) for label, _ in rows)
    return [f"{fit(label, widest)}   {value}" for label, value in rows]


def _evening(evening: Sequence[Played]) -> str:
    """Return the day of an evening, its number of matches, and who was counted how often, most first."""
    counts = Counter(name for match in evening for name in match.counted)
    standings = ", ".join(f"{name} {count}" for name, count in counts.most_common(3))
    games = f"{len(evening)} {'game' if len(evening) == 1 else 'games'}"
    return f"{local(evening[0].ended):%Y-%m-%d}  {games}: {standings}"
