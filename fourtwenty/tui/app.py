"""The app and its flow: lobby → table → results. The screens and the overrides of Textual are elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from msgspec.structs import replace
from textual import work
from textual.app import ScreenStackError
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen
from textual.worker import get_current_worker

from fourtwenty.games import GAMES
from fourtwenty.journal.settings import PACES, Settings
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.paths import history_file, is_there, lineup_file, practice_file, settings_file
from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.framework import HouseApp
from fourtwenty.tui.messages import Measured
from fourtwenty.tui.screens.too_small import TooSmall, too_small
from fourtwenty.tui.themes import (
    HOUSE,
    SIXTEEN_ON_DARK,
    SIXTEEN_ON_LIGHT,
    SNUG,
    house_variables,
    offered,
    seat_variables,
)
from fourtwenty.tui.widgets.hand import Hand

if TYPE_CHECKING:
    from fourtwenty.games.game import Game, State
    from fourtwenty.journal.entries import Entry
    from fourtwenty.journal.history import History
    from fourtwenty.play.dice import Dice
    from fourtwenty.play.lineup import Seat
    from fourtwenty.play.match import Match
    from fourtwenty.play.practice import PracticeOptions
    from fourtwenty.play.tally import Played
    from fourtwenty.rooms.tui.room_flow import Opening
    from fourtwenty.rooms.wire.opening import Opened
    from fourtwenty.tui.dialogs.seat import SeatDialog
    from fourtwenty.tui.dialogs.settings_dialog import SettingsDialog
    from fourtwenty.tui.screens.finale import Finale
    from fourtwenty.tui.screens.lobby import Lobby
    from fourtwenty.tui.screens.past_matches import PastMatches
    from fourtwenty.tui.screens.practice import Practice
    from fourtwenty.tui.screens.results import Next, Results
    from fourtwenty.tui.screens.table import Table


NOT_IN_PALETTE = {"help_quit", "suspend_process", "command_palette"}
"""Actions of every screen that nobody looks for in the palette: they end or suspend the program, or open it."""

APP_COMMANDS = {
    "history": ("History", "Past and unfinished games"),
    "statistics": ("Statistics", "A player's skill, luck and dice, in charts"),
    "practice": ("Practice", "Positions where the choice matters"),
    "rules": ("Rules", "The rules, the author and our readings"),
    "keys": ("Keys", "Help and every key of this screen"),
    "settings": ("Settings", "Theme, dice, bell"),
    "change_theme": ("Theme", "Dark, light and other colours"),
    "quit": ("Quit", "Leave the program"),
}
"""The title and the help of each command of the palette that works on every screen, by action."""


def style_sheet() -> Path:
    """Return the path of the style sheet: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "screens.tcss"
    return inside if is_there(inside) else package.parent / "screens.tcss"


@runtime_checkable
class OfGame(Protocol):
    """A screen that is about one game."""

    game: Game


@runtime_checkable
class Paced(Protocol):
    """A screen that shows bots and rolls."""

    pace: float


class FourTwentyApp(HouseApp):
    """420 in a terminal."""

    TITLE = "420"
    CSS_PATH = style_sheet()
    ALLOW_SELECT = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-medium"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("comma", "settings", "Settings", key_display=",", id="app.settings", show=False, tooltip="Preferences"),
        Binding("ctrl+c", "help_quit", "End", show=False, priority=True, tooltip="Leave the program at once"),
        Binding(
            "ctrl+z", "suspend_process", "Sleep", show=False, priority=True, tooltip="Back to the shell; fg goes on"
        ),
        Binding(
            "f1",
            "keys",
            "Keys",
            id="app.keys",
            show=False,
            priority=True,
            tooltip="Help and every key of this screen",
        ),
        Binding(
            "ctrl+p",
            "command_palette",
            "Palette",
            show=False,
            priority=True,
            tooltip="Search everything you can do here",
        ),
        Binding(
            "colon",
            "command_palette",
            "Palette",
            id="app.palette",
            show=False,
            tooltip="Search everything you can do here",
        ),
    ]

    pace = 1.0
    """Factor on the seconds for which the moves of bots and the rolls are shown, besides the settings; 0 skips them."""
    tips = True
    """Whether newcomers see tips in their first match."""

    def __init__(
        self,
        lineup: Lineup | None = None,
        dice: Dice | None = None,
        start: State | None = None,
        ascii_only: bool = False,
        practice: PracticeOptions | None = None,
        opening: Opening | None = None,
    ) -> None:
        """Open the lobby, the table for a line-up, practice, or a table of several machines by its ``opening``.

        Dice and start are those of the first match.
        """
        super().__init__(ascii_only)
        self._large_enough = asyncio.Event()
        """Set while the terminal is large enough for the screens."""
        self._large_enough.set()
        self._files = UserFiles(partial(self.notify, markup=False), self.warn)
        self.lineup = lineup or self._files.load(Lineup, lineup_file())
        """The line-up of the current match, or of the last one."""
        self._starts_at_table = lineup is not None
        self._practice = practice
        self._opening = opening
        self._dice = dice
        self._start = start
        self._history: History | None = None
        self._lobby: Lobby | None = None
        """The latest lobby, whether it is on the screen stack or not."""
        for theme in HOUSE.values():
            self.register_theme(theme)
        self.settings = self._files.load(Settings, settings_file())
        self._trying_theme = False
        """Whether the theme on the screen is only looked at."""
        self._unkept: dict[Match, Played] = {}
        """The matches that ended without being kept, for the tally of the evening."""
        self.theme = self.settings.theme if self.settings.theme in self.available_themes else SNUG.name
        self.set_class(self.settings.digits, "-digits")
        if self.settings.keys:
            from fourtwenty.tui.keymap import all_bindings, bindings_everywhere, checked

            everywhere = bindings_everywhere(type(self))
            self.keymap, refusals = checked(self.settings.keys, all_bindings(type(self)), everywhere)
            self.set_keymap(self.keymap)
            for sentence in refusals:
                self.warn(f"{settings_file().name}: {sentence}")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the style variables that every theme needs besides Textual's."""
        return house_variables(self.current_theme.dark)

    def get_css_variables(self) -> dict[str, str]:
        """Return the style variables, with seat colours that a terminal of sixteen colours can tell apart."""
        variables = super().get_css_variables()
        if self.console.color_system == "standard":
            variables.update(seat_variables(SIXTEEN_ON_DARK if self.current_theme.dark else SIXTEEN_ON_LIGHT))
        return variables

    def watch_theme(self, theme: str) -> None:
        """Save the theme, whether the settings or the palette have changed it."""
        if theme != self.settings.theme and not self._trying_theme:
            self.settings = replace(self.settings, theme=theme)
            self._files.save(self.settings, settings_file())

    def get_default_screen(self) -> Screen[None]:
        """Return the lobby with the last line-up, or the table or practice that the app was started for."""
        if self._practice:
            return self._practice_screen(self._practice)
        if self._opening:
            from fourtwenty.rooms.tui.gathering import Opening

            self.call_after_refresh(self.enter_room, self._opening)
            return Opening()
        if not self._starts_at_table:
            return self._new_lobby()
        from fourtwenty.tui.screens.table import Table

        return Table(self._match(self.lineup, self._start), self.table_pace, self._newcomer)

    def _new_lobby(self) -> Lobby:
        from fourtwenty.tui.screens.lobby import Lobby

        self._lobby = Lobby(self.lineup, newcomer=self._newcomer)
        return self._lobby

    def on_table_asked(self) -> None:
        """Ring the bell if the settings ask for it."""
        if self.settings.bell:
            self.bell()

    @property
    def table_pace(self) -> float:
        """The pace of the settings, for a table."""
        return self.pace * PACES.get(self.settings.pace, 1)

    @property
    def settle_seconds(self) -> float:
        """The time for which a result has been on the screen before a key passes it; 0 at the pace without waits."""
        return super().settle_seconds if self.table_pace else 0

    @property
    def _newcomer(self) -> bool:
        """Whether nobody has played here yet, so that the first match comes with tips."""
        return self.tips and self.settings.tips and not is_there(history_file())

    def on_table_opened(self, event: Table.Opened) -> None:
        """Start the match when the first screen is a table. Tips are for one match only."""
        if event.table.tips:
            self.settings = replace(self.settings, tips=False)
            self._files.save(self.settings, settings_file())
        if not self._playing:
            self.play_matches(event.table)

    # -- the flow ----------------------------------------------------------------------------------------------

    @property
    def _playing(self) -> bool:
        """Whether a match is being played or is about to start."""
        return any(worker.group == "match" and not worker.is_finished for worker in self.workers)

    def on_lobby_play(self, event: Lobby.Play) -> None:
        """Save the line-up for next time and play it."""
        if self._playing:
            return
        self._files.save(event.lineup, lineup_file())
        self.play(event.lineup, event.start)

    def play(self, lineup: Lineup, start: State | None = None) -> None:
        """Start a match of this line-up, from a position if one is given."""
        self.lineup = lineup
        self.open_table(self._match(lineup, start))

    def _match(self, lineup: Lineup, start: State | None) -> Match:
        """Return a new match; the first one uses the dice that the app was created with."""
        from fourtwenty.play.match import Match

        dice, self._dice = self._dice, None
        return Match.fresh(lineup, None if lineup.typed else dice, start)

    def open_table(self, match: Match) -> None:
        """Open a table for a match and play there."""
        from fourtwenty.tui.screens.table import Table

        self.play_matches(Table(match, self.table_pace, self._newcomer))

    def on_lobby_resume(self, event: Lobby.Resume) -> None:
        """Resume an unfinished match."""
        self.resume(event.entry)

    @work(exclusive=True, group="resume")
    async def resume(self, entry: Entry) -> None:
        """Resume an unfinished match, unless a match is being played."""
        from fourtwenty.play.match import NotKept
        from fourtwenty.tui.keeping import once_free

        try:
            match = await once_free(lambda: self.history.resume(entry.id))
        except (ValueError, NotKept) as why:
            self.warn(f"This game can't be resumed: {why}.")
        else:
            if self._playing:
                return
            if match.shared:
                from fourtwenty.rooms.tui.room_flow import rejoining

                self.enter_room(rejoining(match))
            else:
                self.open_table(match)

    def on_past_matches_resume(self, event: PastMatches.Resume) -> None:
        """Close the history and resume one of its matches, unless a match is being played."""
        from fourtwenty.tui.screens.past_matches import PastMatches

        if self._playing:
            self.notify("Leave the current game first, then resume this one.")
        elif isinstance(self.screen, PastMatches):
            self.pop_screen()
            self.resume(event.entry)

    @work(exclusive=True, group="match")
    async def play_matches(self, table: Table) -> None:
        """Play the match of a table and its rematches, then return to the lobby."""
        from fourtwenty.tui.screens.table import Table

        while await self.play_match(table) == "rematch":
            table = Table(table.match.rematch(), self.table_pace)
        await self._return_to_lobby()

    async def _return_to_lobby(self) -> None:
        if self.screen is not self._lobby:
            await self.push_screen(self._new_lobby())

    async def large_enough(self) -> None:
        """Wait until the terminal is large enough for the screens."""
        await self._large_enough.wait()

    async def play_match(self, table: Table) -> Next:
        """Show a table, play its match and leave it; return the next step of the players."""
        from fourtwenty.play.match import PlayedElsewhere

        match = table.match
        await self._large_enough.wait()
        if table not in self.screen_stack:
            await self.push_screen(table)
        choice: Next = "lobby"
        try:
            choice = await self._play_rounds(table)
        except PlayedElsewhere:
            self.warn("This game is now being played in another window.")
        else:
            match.leave()
            if (match.events or match.lot_drawn) and match.kept and not match.state.outcome:
                self.notify(table.kept)
        if len(self.screen_stack) > 1:
            self.pop_screen()
        return choice

    async def _play_rounds(self, table: Table) -> Next:
        """Play round by round, with the results after each, until the players are done with the match.

        Returns their choice, "lobby" when they leave in a round. Raises PlayedElsewhere.
        """
        match = table.match
        while (not table.keeps or await table.flow.keep(self.history)) and await table.flow.play_round():
            choice = await self.push_screen_wait(self._results(table))
            if choice == "back":
                self._unkept.pop(match, None)
                await table.flow.take_back()
            elif choice == "round":
                match.next_round()
            else:
                return choice
        return "lobby"

    def _results(self, table: Table) -> Results:
        """Return the screen of a round that is over, or of the end of the match."""
        from fourtwenty.tui.screens.results import Results

        match = table.match
        if not match.state.outcome:
            return Results(match)
        from fourtwenty.play.tally import Played
        from fourtwenty.tui.screens.finale import Finale

        if match.kept:
            self.measure()
        elif table.keeps:
            self._unkept[match] = Played.of(match, datetime.now(UTC))
        finale = Finale(match, table.again)
        self.show_tally(finale)
        return finale

    @work(exclusive=True, group="tally")
    async def show_tally(self, finale: Finale) -> None:
        """Show the tally of the evening at the end of a match."""
        from fourtwenty.play.tally import tally_of, tonight

        played = await asyncio.to_thread(self._read_played)
        finale.tally = tally_of(finale.match.lineup, tonight(played, datetime.now(UTC)))

    def _read_played(self) -> tuple[Played, ...]:
        """The latest finished matches, read in a thread; on an error those that are not kept alone."""
        from fourtwenty.journal.history import History
        from fourtwenty.play.match import NotKept

        with suppress(NotKept), closing(History(history_file(), self.warn)) as history:
            if history.is_begun():
                return *history.played(), *self._unkept.values()
        return tuple(self._unkept.values())

    # -- a table of several machines -----------------------------------------------------------------------------

    def on_lobby_host(self, event: Lobby.Host) -> None:
        """Save the line-up for next time, and open a table for the players of this machine and others."""
        from fourtwenty.rooms.tui.room_flow import hosting

        if not self._playing:
            self.lineup = event.lineup
            self._files.save(event.lineup, lineup_file())
            self.enter_room(hosting(event.lineup))

    def on_lobby_join(self, event: Lobby.Join) -> None:
        """Ask for the address of a table, and join it."""
        from fourtwenty.rooms.own_name import named
        from fourtwenty.rooms.tui.join import JoinDialog
        from fourtwenty.rooms.tui.room_flow import joining, opened_by

        lineup = event.lineup

        async def join(table: str, players: tuple[Seat, ...]) -> Opened:
            return await opened_by(joining(table, players, lineup))

        def joined(opened: Opened | None) -> None:
            if opened:
                self.lineup = lineup
                self.stay_in_room(opened)

        if not self._playing:
            people = [seat for seat in lineup.seats if not seat.bot]
            self.push_screen(JoinDialog(named(people), join), joined)

    @work(exclusive=True, group="match")
    async def enter_room(self, opening: Opening) -> None:
        """Open or join a table and stay there; end the program when it was started for this and it fails."""
        from fourtwenty.rooms.tui.room_flow import NotOpened, RoomFlow, opened_by

        try:
            opened = await opened_by(opening)
        except NotOpened as why:
            if self._opening:
                self.exit(return_code=2, message=f"fourtwenty: {why}")
            else:
                self.warn(str(why))
            return
        finally:
            if self._lobby in self.screen_stack:
                self._lobby.show_gist()  # no longer that a table is being opened
        self._opening = None
        await RoomFlow(self, opened).play()
        await self._return_to_lobby()

    @work(exclusive=True, group="match")
    async def stay_in_room(self, opened: Opened) -> None:
        """Gather and play at a table until the people here leave, then return to the lobby."""
        from fourtwenty.rooms.tui.room_flow import RoomFlow

        await RoomFlow(self, opened).play()
        await self._return_to_lobby()

    # -- the history --------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """All matches; the database is opened when it is first needed."""
        from fourtwenty.journal.history import History

        # SQLite waits in the event loop's thread, which would freeze the screen; callers retry instead.
        self._history = self._history or History(history_file(), self.warn, patience=0)
        return self._history

    def on_lobby_shown(self) -> None:
        """Look for unfinished matches once the lobby has been painted."""
        self.show_unfinished()

    @work(exclusive=True, group="unfinished")
    async def show_unfinished(self) -> None:
        """Show the unfinished matches and the evenings in the lobby."""
        lobby = self._lobby
        if lobby and lobby is self.screen:
            unfinished = await asyncio.to_thread(self._read_unfinished)
            if lobby.is_running:
                lobby.unfinished = unfinished
            lobby.played = await asyncio.to_thread(self._read_played)

    def _read_unfinished(self) -> tuple[Entry, ...]:
        """The unfinished matches, read in a thread, so that SQLite may wait; none, with a warning, on an error."""
        from fourtwenty.journal.history import History
        from fourtwenty.play.match import NotKept

        history = History(history_file(), self.warn)
        try:
            return history.unfinished() if history.is_begun() else ()
        except NotKept as why:
            self.warn(f"No game can be resumed: {why}.")
            return ()
        finally:
            history.close()

    @work(exclusive=True, group="people")
    async def on_seat_dialog_opened(self, event: SeatDialog.Opened) -> None:
        """Offer the names of people in the history."""
        event.dialog.regulars = await asyncio.to_thread(self._read_people)

    def _read_people(self) -> tuple[str, ...]:
        """The people in the history, the most frequent first, read in a thread; none on an error."""
        from fourtwenty.play.match import NotKept

        with suppress(NotKept), closing(self.history.reopened()) as history:
            return history.people() if history.is_begun() else ()
        return ()

    def action_unfinished(self) -> None:
        """List the unfinished matches over the lobby, and resume the one that is chosen."""
        from fourtwenty.tui.dialogs.unfinished import UnfinishedMatches

        def chosen(entry: Entry | None) -> None:
            if entry:
                self.resume(entry)

        if self._lobby and self._lobby is self.screen:
            self.push_screen(UnfinishedMatches(self.history, self._lobby.unfinished), chosen)

    @work(thread=True, exclusive=True, group="measuring")
    def measure(self) -> None:
        """Compute the figures of finished matches, and tell the screen after each."""
        from fourtwenty.play.match import NotKept
        from fourtwenty.review.figures import measured

        worker = get_current_worker()
        with suppress(NotKept, ScreenStackError), closing(self.history.reopened()) as history:
            if not history.is_begun():
                return  # creating it here would lock it while the screen reads it
            for kept in measured(history):
                if worker.is_cancelled:
                    return
                if kept is not None:
                    self.screen.post_message(Measured())

    def warn(self, sentence: str) -> None:
        """Show a warning; from any thread."""
        self.notify(sentence, severity="warning", timeout=10, markup=False)

    def on_unmount(self) -> None:
        """Close the history."""
        if self._history:
            self._history.close()

    # -- actions of every screen ---------------------------------------------------------------------------------

    def action_history(self) -> None:
        """Show the past matches."""
        from fourtwenty.tui.screens.past_matches import PastMatches

        if not any(isinstance(screen, PastMatches) for screen in self.screen_stack):
            self.push_screen(PastMatches(self.history))
            self.measure()

    def action_statistics(self) -> None:
        """Show the statistics of the first person in the line-up."""
        from fourtwenty.tui.screens.statistics import Statistics

        if not any(isinstance(screen, Statistics) for screen in self.screen_stack):
            seats = self.lineup.seats
            self.push_screen(Statistics(self.history, min(seats, key=lambda seat: seat.bot is not None).name))
            self.measure()

    def _practice_screen(self, options: PracticeOptions) -> Practice:
        from fourtwenty.journal.scorecard import Scorecard
        from fourtwenty.play.clock import today
        from fourtwenty.tui.screens.practice import Practice

        def save(scorecard: Scorecard) -> None:
            self._files.save(scorecard, practice_file())

        return Practice(options, self._files.load(Scorecard, practice_file()), save, today())

    def action_practice(self) -> None:
        """Practise the game on the screen, or of the line-up."""
        from fourtwenty.play.practice import PracticeOptions
        from fourtwenty.tui.screens.practice import Practice

        if not isinstance(self.screen, Practice):
            game = self.screen.game.key if isinstance(self.screen, OfGame) else self.lineup.game
            self.push_screen(self._practice_screen(PracticeOptions(game)))

    def on_practice_closed(self) -> None:
        """Return to the screen before, or to the lobby."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.push_screen(self._new_lobby())

    def action_command_palette(self) -> None:
        """Open the palette with what this screen can do, and what every screen can."""
        from fourtwenty.tui.dialogs.palette import Palette
        from fourtwenty.tui.screen_keys import EVERYWHERE, MOVING, Offer, main_action, screen_keys

        def run(offer: Offer | None) -> None:
            if offer:
                self.call_later(self.run_action, offer.action, offer.node)

        if isinstance(self.screen, Palette):
            return
        offers = screen_keys(self.screen)
        of_app = {offer.action.removeprefix("app."): offer.keys for offer in offers}
        main = main_action(self.screen)
        elsewhere = {*APP_COMMANDS, *NOT_IN_PALETTE}
        commands = [
            offer
            for offer in sorted(offers, key=lambda offer: offer.action != main)
            if offer.enabled and offer.part != MOVING and offer.action.removeprefix("app.") not in elsewhere
        ]
        for action, (title, about) in APP_COMMANDS.items():
            commands.append(Offer(of_app.get(action, ()), title, about, action, self, True, EVERYWHERE))
        self.push_screen(Palette(commands), run)

    def action_change_theme(self) -> None:
        """Choose a theme, each shown on the whole screen while it is pointed at."""
        from fourtwenty.tui.dialogs.theme_picker import ThemePicker

        def choose(_: str | None) -> None:
            self._trying_theme = False
            self.watch_theme(self.theme)

        if not isinstance(self.screen, ThemePicker):
            self._trying_theme = True
            self.push_screen(ThemePicker(offered(self.available_themes.values(), self.theme), self.theme), choose)

    def action_keys(self) -> None:
        """Show the keys of this screen, or hide them."""
        from fourtwenty.tui.dialogs.key_sheet import KeySheet

        if isinstance(self.screen, KeySheet):
            self.screen.end()
        elif not isinstance(self.screen, TooSmall):
            self.push_screen(KeySheet(self.screen))

    def action_rules(self) -> None:
        """Show the rules of the game on the screen, or of the line-up."""
        from fourtwenty.tui.screens.rules import Rules

        if not isinstance(self.screen, Rules):
            self.push_screen(Rules(self.screen.game if isinstance(self.screen, OfGame) else GAMES[self.lineup.game]))

    def action_settings(self) -> None:
        """Show the settings, with those of the line-up when the lobby is open."""
        from fourtwenty.tui.dialogs.settings_dialog import SettingsDialog

        lobby = self._lobby if self._lobby is self.screen else None
        if not isinstance(self.screen, (SettingsDialog, TooSmall)):
            self.push_screen(
                SettingsDialog(
                    self.settings,
                    lobby.lineup if lobby else None,
                    [theme.name for theme in offered(self.available_themes.values(), self.theme)],
                )
            )

    def on_settings_dialog_changed(self, event: SettingsDialog.Changed) -> None:
        """Apply the settings and save them."""
        self.settings = event.settings
        self.theme = self.settings.theme
        self.set_class(event.settings.digits, "-digits")
        self._files.save(event.settings, settings_file())
        for screen in self.screen_stack:
            if screen is self._lobby and event.lineup:
                self._lobby.lineup = event.lineup
            elif screen.is_mounted:
                screen.query(Hand).refresh()
                if isinstance(screen, Paced):
                    screen.pace = self.table_pace

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Disable the palette while the terminal is too small."""
        return action != "command_palette" or not isinstance(self.screen, TooSmall)

    def on_resize(self, event: Resize) -> None:
        """Cover all screens while the terminal is too small for them."""
        if not too_small(*event.size):
            self._large_enough.set()
            if isinstance(self.screen, TooSmall):
                self.pop_screen()
        elif self._large_enough.is_set():
            self._large_enough.clear()
            self.push_screen(TooSmall())
