"""Shows a room before a match and between two: its code, its participants, and the next match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize, ScreenResume
from textual.widgets import Static

from fourtwenty.cells import cell_len
from fourtwenty.games.english import join_words, minutes
from fourtwenty.play.lineup import Seat
from fourtwenty.play.options import OPTIONS, NamedOption
from fourtwenty.rooms.room import PATIENCE_CHOICES, Participant, dice_sentence
from fourtwenty.rooms.tui.dialogs import (
    CloseTableDialog,
    JoinDialog,
    OwnPlayersDialog,
    PageCodeDialog,
    ReactionDialog,
    qr_lines,
)
from fourtwenty.tui.screens.too_small import TooSmall
from fourtwenty.tui.textual_base.actions import RULES, ScreenAction, press
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.big_letters import letter_rows
from fourtwenty.tui.widgets.command_row import Command, CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.room_session import RoomSession
    from fourtwenty.rooms.wire.view import RoomView

PATIENCE_OPTION = NamedOption(
    "patience",
    "If someone drops out",
    {seconds: f"carry on after {minutes(seconds)}" if seconds else "wait" for seconds in PATIENCE_CHOICES},
)
TERMS = {
    "game": ("g", "Game", OPTIONS["game"], "Another game"),
    "first-to": ("n", "Limit", OPTIONS["first_to"], "Start the tally again at a number"),
    "patience": ("t", "Patience", PATIENCE_OPTION, "How long to wait for somebody who is away"),
}
"""The terms of a match, by their bindings' names: key, description, option, tooltip."""
LARGE_CODE = 24
"""Least rows of the screen for a code in large letters; below, it has small ones."""
FEW_MACHINES = 2
"""Machines with room below large letters on so many rows; each more takes a row."""
MAX_TYPED_LINK = 80
"""The longest link that is shown as text; the link of a table in this network has some 50 characters."""
MIN_COLUMNS_BESIDE_QR = 52
"""The least width beside a QR code, in cells."""


class Connecting(BaseScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "app.quit", "Quit", id="opening.quit")]
    CSS_PATH = "gathering.tcss"

    def compose(self) -> ComposeResult:
        yield Static("Connecting…", id="say", markup=False)
        yield KeyBar()


class Gathering(BaseScreen["str | RoomSession"]):
    """Shows a room; dismissed with "play" once a match runs, with "leave", or with another table."""

    CSS_PATH = "gathering.tcss"
    CONTINUE_ACTIONS = ("start",)  # a second Enter on the page of an end would start the next game without the others
    HELP = """\
Others join with the line below the code, on machines of their own. Everybody who has the code can sit down or watch.

The first player still here chooses and starts each game; after the table's waiting time, anyone may. Once a game runs,
nobody has any power over it: all machines throw the dice together, phones too, and the game goes on as long as the
table is there.

A phone needs the link only: scan the code, or open the address after "Phones open".
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "enter",
            "start",
            "Start",
            id="gathering.start",
            tooltip="Start the game",
            available=lambda screen: screen.view.may_start,
            refusal=lambda screen: None if screen.view.seats > 1 and screen.view.connected else screen.resting_sentence,
            button=True,
            primary=True,
            spare=True,
        ),
        ScreenAction(
            "g",
            "carry_on",
            "Give this game up",
            id="gathering.carry-on",
            tooltip="Carry on without players who stay away",
            available=lambda screen: bool(screen.view.may_be_left),
            button=True,
        ),
        ScreenAction(
            "a",
            "players",
            "My players",
            id="gathering.players",
            tooltip="Change the players at this machine",
            refusal=lambda screen: screen.resting_sentence if screen.view.playing or screen.session.second else None,
            button=lambda screen: screen.players_label,
            primary=lambda screen: not screen.view.mine,
            spare=True,
        ),
        *(
            ScreenAction(
                key,
                f"next('{name}')",
                description,
                id=f"gathering.{name}",
                show=False,
                tooltip=tooltip,
                available=lambda screen: screen.view.starts_next,
            )
            for name, (key, description, _, tooltip) in TERMS.items()
        ),
        ScreenAction(
            "p",
            "phones",
            "Phones",
            id="gathering.phones",
            tooltip="The link to the page for phones, and its QR code",
            available=lambda screen: bool(screen.session.page),
        ),
        Binding("e", "react", "React", id="gathering.react", tooltip="Show the others one of eight reactions"),
        ScreenAction("y", "copy", "Copy", id="gathering.copy", tooltip="Copy the line that the others type"),
        RULES,
        ScreenAction(
            "j",
            "join",
            "Join another",
            id="gathering.join",
            tooltip="Go to the table of another machine",
            available=lambda screen: screen.client.has_broker and not screen.others,
            button=True,
        ),
        ScreenAction(
            "q,escape", "leave", "Leave", id="gathering.leave", tooltip="Leave the table", button=True, spare=True
        ),
    ]

    def __init__(self, session: RoomSession) -> None:
        super().__init__()
        self.session = session
        self.client = session.client

    @property
    def view(self) -> RoomView:
        return self.client.view

    @property
    def players_label(self) -> str:
        return "My players" if self.view.mine else "Sit down"

    # -- layout ------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        with Horizontal(id="gathering"):
            with Vertical(id="table"):
                yield Static("", id="code", markup=False)
                yield Static("", id="how")
                with VerticalScroll(id="machines", can_focus=False) as machines:
                    machines.border_title = "At the table"
                    yield Static("", id="machine-list", markup=False)
                yield CommandRow(id="terms")
                yield Static("", id="agreed", markup=False)
                yield Static("", id="dice", markup=False)
                yield Sentence("say")
                with Horizontal(id="actions"):
                    yield from self.buttons()
            yield Static("", id="qr", markup=False)
        yield KeyBar()

    @property
    def _qr(self) -> Sequence[str]:
        return qr_lines(self.session.page) if self.session.page else ()

    @property
    def _beside(self) -> bool:
        columns, rows = self.app.size
        return bool(self._qr) and columns >= len(self._qr[0]) + MIN_COLUMNS_BESIDE_QR and rows > len(self._qr) + 1

    def _draw_code(self) -> None:
        """Show the code as large as possible, and the ways to the table."""
        ways = {"Others type": self.session.command, "Phones open": self.session.page}
        if len(self.session.page) > MAX_TYPED_LINK:
            ways["Phones open"] = f"a link. {press(self, 'gathering.phones', 'see it')}"
        lines = [Content.assemble((f"{lead}  ", "$quiet"), (way, "bold")) for lead, way in ways.items() if way]
        self.query_one("#how", Static).update(Content("\n").join(lines))
        self.query_one("#qr", Static).update("\n".join(self._qr))
        self.set_class(self._beside, "-beside")
        columns, rows = self.app.size
        room = columns - (len(self._qr[0]) if self._beside else 0) - 6
        code = self.session.code
        crowd = max(0, len(self.view.participants) - FEW_MACHINES)
        sizes = {True: rows >= LARGE_CODE + crowd, False: not self.app.ascii_only}
        letters = (letter_rows(code, large) for large, fits in sizes.items() if fits)
        fitting = (rows_of for rows_of in letters if rows_of and cell_len(rows_of[0]) <= room)
        self.query_one("#code", Static).update("\n".join(next(fitting, (f"Table {code}",))))

    # -- the room ----------------------------------------------------------------------------------------------

    @on(ScreenResume)
    @on(Resize)
    def follow(self) -> None:
        """Show the current participants; end once a match can be played."""
        if self.is_gone or not self.is_mounted or not self.query("#machine-list"):
            return
        view = self.view
        self._draw_code()
        self.query_one("#machine-list", Static).update(Content("\n").join(self._lines()))
        terms = [
            (name, option.title(view.starter.game), option.shown(view.starter))
            for name, (_, _, option, _) in TERMS.items()
            if view.starter
        ]
        row, agreed = self.query_one("#terms", CommandRow), self.query_one("#agreed", Static)
        row.display, agreed.display = view.starts_next, not view.starts_next and bool(terms)
        row.commands = tuple(Command(f"gathering.{name}", title, value) for name, title, value in terms)
        agreed.update(" · ".join(f"{title}: {value}" for _, title, value in terms))
        self.query_one("#dice", Static).update(dice_sentence(view.here))
        self.show_actions()
        if view.begun:
            self._make_way()

    def _make_way(self) -> None:
        screens = self.app.screen_stack
        if self not in screens or any(isinstance(screen, TooSmall) for screen in screens):
            return
        while self.app.screen is not self:
            self.app.pop_screen()
        self.dismiss("play")

    def _lines(self) -> Iterator[Content]:
        """Yield a line for each machine, and one for spectators."""
        yield from map(self._line, self.view.participants)
        if not self.view.participants:
            yield Content.styled("Nobody sits here.", "$quiet")
        watching = self.view.spectators if self.view.mine else ("you", *self.view.spectators)
        if watching:
            yield Content.styled(f"Watching: {join_words(watching)}", "$quiet")

    def _line(self, participant: Participant) -> Content:
        notes = ["you"] if participant == self.view.mine else []
        if participant.page:
            notes.append("on a phone" if notes else "phone")
        away = participant.author in self.view.away
        names = ", ".join(seat.label for seat in participant.players)
        return Content.assemble(
            ("○ " if away else "● ", "$quiet" if away else "$primary"),
            (names, "$quiet" if away else "bold"),
            (f"  {', '.join(notes)}" if notes else "", "$quiet"),
            ("  away" if away else "", "$warning"),
        )

    @property
    def resting_sentence(self) -> str:
        if not self.view.connected:
            return self.view.no_connection
        own = self.client.machine.public
        return self.view.before_match(
            lambda name, does: press(self, f"gathering.{name}", does),
            may_sit=not self.session.second,
            gave_up=not self.view.mine and any(each.author == own for each in self.view.played),
        )

    @property
    def others(self) -> bool:
        """Whether somebody else is or was at the table."""
        view = self.view
        machines = {each.author for each in (*view.participants, *view.match_participants, *view.undecided)}
        return bool(machines - {self.client.machine.public} or view.spectators)

    # -- actions -----------------------------------------------------------------------------------------------

    def action_join(self) -> None:
        self.open_over(JoinDialog(self.client.seat_request), self.dismiss)

    def action_start(self) -> None:
        self.client.start()

    def action_players(self) -> None:
        def answered(players: tuple[Seat, ...]) -> None:
            if players:
                self.client.sit(replace(self.client.next_seat_request, players=players))
            elif self.view.mine:
                self.client.get_up()

        self.open_over(OwnPlayersDialog(self.client), answered)

    def action_next(self, term: str) -> None:
        _, _, option, _ = TERMS[term]
        self.client.sit(option.cycled(self.client.next_seat_request))

    def action_carry_on(self) -> None:
        """Abandon the draw with machines that stay away; the others sit down again."""
        self.client.carry_on_without(self.view.may_be_left)

    def action_phones(self) -> None:
        self.open_over(PageCodeDialog(self.session.page))

    def action_react(self) -> None:
        self.open_over(ReactionDialog(), self.client.react)

    def text_to_copy(self) -> str:
        return self.session.invitation

    def action_leave(self) -> None:
        if self.client.has_broker and self.others:
            self.open_over(CloseTableDialog(), lambda _: self._leave())
        else:
            self._leave()

    def _leave(self) -> None:
        if self.is_active:
            if self.view.mine:
                self.client.get_up()
            self.dismiss("leave")
