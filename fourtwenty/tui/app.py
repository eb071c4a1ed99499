"""The app: lobby → table → results, settings, looks, and the actions of every screen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from textual import work
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from fourtwenty.file_storage import (
    history_file,
    is_absent,
    is_there,
    lineup_file,
    settings_file,
    style_sheet,
    write_new,
)
from fourtwenty.games import GAMES
from fourtwenty.games.english import pluralize
from fourtwenty.journal.settings import PACES, Settings
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.terminal_features import takes_f1
from fourtwenty.tui.textual_base.base_app import BaseApp, is_too_small
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.themes import ON_256, THEMES_BY_NAME, ansi_variables, default_variables

if TYPE_CHECKING:
    from fourtwenty.games.game import Game, State
    from fourtwenty.journal.history_entries import HistoryEntry, MistakeKind
    from fourtwenty.play.dice import Dice
    from fourtwenty.play.flow import AfterRound
    from fourtwenty.play.match import Match
    from fourtwenty.play.practice import PracticeOptions
    from fourtwenty.tui.past_games.history_service import HistoryService
    from fourtwenty.tui.past_games.practice_screen import Practice, ScreenPracticeSession
    from fourtwenty.tui.screen_keys import Offer
    from fourtwenty.tui.screens.lobby import Lobby
    from fourtwenty.tui.screens.results import NextStep, Results
    from fourtwenty.tui.screens.table import Table
    from fourtwenty.tui.tips import MatchTips

StayAtTable = Callable[[], Awaitable[None]]
"""Gathers and plays at an open table of several machines until the people here leave."""

EVERYTHING = "Everything you can do here, its keys, and help"
hidden = partial(Binding, show=False)

MAX_REFUSALS = 3
"""Number of refused entries under ``keys`` that a message explains; it counts the others."""

LEAVING_SECONDS = 1.0
"""The longest wait, in seconds, for the match to be left when the program ends."""


class TableNotOpenedError(Exception):
    """A table was neither opened nor joined. The message says why in a sentence."""


class RoomsPlugin(Protocol):
    """Tables of several machines (``rooms/``, a layer above), with the members that the app uses."""

    @property
    def pending_table(self) -> object:
        """The function that opens the table the program was started for; None if there is none."""

    def first_screen(self) -> Screen[None]:
        """The screen shown while that table is opened."""

    async def enter(self, app: FourTwentyApp) -> StayAtTable:
        """Open that table. Raises TableNotOpenedError."""

    async def host(self, app: FourTwentyApp, lineup: Lineup) -> StayAtTable:
        """Open a table here for the players of a line-up. Raises TableNotOpenedError."""

    async def rejoin(self, app: FourTwentyApp, match: Match) -> StayAtTable:
        """Come back to the table of an unfinished match. Raises TableNotOpenedError."""

    def join(self, app: FourTwentyApp, lineup: Lineup, refusal: str) -> None:
        """Say why no table was opened, ask for the address of another one and the players here, and stay there."""


class FourTwentyApp(BaseApp):
    TITLE = "420"
    CSS_PATH = style_sheet()
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-medium"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        hidden("comma", "options", "Options", key_display=",", id="app.options", tooltip="Theme, pace, bell, tips"),
        hidden("ctrl+c", "help_quit", "Quit now", priority=True, tooltip="End at once; every roll is saved"),
        hidden("ctrl+z", "suspend_process", "Suspend", priority=True, tooltip="Back to the shell (fg returns)"),
        hidden("f1", "command_palette", "Keys", key_display="F1", id="app.keys", priority=True, tooltip=EVERYTHING),
        hidden("ctrl+p", "command_palette", "Palette", priority=True, tooltip=EVERYTHING),
        hidden("colon", "command_palette", "Palette", id="app.palette", tooltip=EVERYTHING),
    ]

    pace = 1.0
    """Factor on the seconds that bots' moves and rolls are shown, besides the settings; 0 skips them."""
    tips = True

    def __init__(
        self,
        lineup: Lineup | None = None,
        dice: Dice | None = None,
        start: State | None = None,
        ascii_only: bool = False,
        practice: PracticeOptions | None = None,
        rooms: RoomsPlugin | None = None,
    ) -> None:
        """Open the lobby, a table, practice, or the table of a plugin; dice and start are for the first match."""
        super().__init__(ascii_only)
        self.large_enough = asyncio.Event()
        self.large_enough.set()
        self._files = UserFiles(partial(self.notify, markup=False), self.warn)
        self._lobby: Lobby | None = None
        """The latest lobby, even if it isn't on the screen stack."""
        for theme in THEMES_BY_NAME.values():
            self.register_theme(theme)
        self.settings = self._files.load(Settings, settings_file())
        self._follow_settings()
        if takes_f1(os.environ):
            self.keymap = {"app.keys": "ctrl+t,f1"}
            self.set_keymap(self.keymap)
        if self.settings.keys:
            from fourtwenty.tui.keymap import all_bindings, bindings_everywhere, checked

            everywhere = bindings_everywhere(type(self))
            changed = {**self.keymap, **self.settings.keys}
            self.keymap, refusals = checked(changed, all_bindings(type(self)), everywhere)
            self.set_keymap(self.keymap)
            if refusals:
                more = pluralize(len(refusals) - MAX_REFUSALS, "more entry is", "more entries are")
                last = [f"{more} refused."] if len(refusals) > MAX_REFUSALS else []
                self.warn("\n".join([f"{settings_file().name}:", *refusals[:MAX_REFUSALS], *last]))
        self.lineup = lineup or self._files.load(Lineup, lineup_file())
        self._starts_at_table = lineup is not None
        self._practice = practice
        self._practice_session: ScreenPracticeSession | None = None
        self._first_practice: Practice | None = None
        """The first screen, if the program starts with practice."""
        self._rooms = rooms
        self._dice = dice
        self._start = start
        self._history_service: HistoryService | None = None
        self._parting = ""
        """The lobby's next sentence, about a match that people have left."""

    # -- settings and looks -------------------------------------------------------------------------------------------

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return default_variables(self.current_theme.dark)

    def get_css_variables(self) -> dict[str, str]:
        # Textual 8.2 (app.py, __init__) asks for the colours of its own theme, although nothing is drawn before ours is
        # set. It can go when the first theme can be chosen.
        if not hasattr(self, "settings"):
            return {}
        variables = super().get_css_variables()
        if self.console.color_system == "standard":
            variables.update(ansi_variables(self.current_theme.dark))
        elif self.console.color_system == "256":
            variables.update(ON_256.get(self.theme, {}))
        return variables

    def _follow_settings(self) -> None:
        self.theme = self.settings.theme
        self.set_class(not self.settings.guide, "-no-guide")

    def save_settings(self, settings: Settings) -> None:
        self.settings = settings
        self._files.save(settings, settings_file())

    def ring(self) -> None:
        if self.settings.bell:
            super().ring()

    @property
    def table_pace(self) -> float:
        return self.pace * PACES[self.settings.pace]

    @property
    def settle_seconds(self) -> float:
        """Seconds that a result is shown before a key or a click continues; 0 at pace 0."""
        return super().settle_seconds if self.table_pace else 0

    @property
    def newcomer(self) -> bool:
        settings = self.settings
        return self.tips and not settings.learnt and not self._has_matches()

    def _has_matches(self) -> bool:
        """Whether the history has a match, not only answers of practice; True if it cannot be read."""
        if not is_there(history_file()):
            return False
        from fourtwenty.journal.history import History
        from fourtwenty.play.match import SaveError

        with suppress(SaveError), closing(History(history_file(), self.warn, read_only=True)) as history:
            return bool(history.page(limit=1))
        return True

    def tips_for(self, game: Game) -> MatchTips:
        """Return a match's tips: none for people who began without tips."""
        from fourtwenty.tui.tips import START, MatchTips

        begun = START in self.settings.learnt
        wanted = self.tips and (begun or self.newcomer)
        return MatchTips(game, self.settings.learnt, self._keep_learnt if wanted else None)

    def _keep_learnt(self, names: frozenset[str]) -> None:
        self.save_settings(self.settings.with_dismissed(names))

    def change_settings(self, settings: Settings) -> None:
        self.save_settings(settings)
        self._follow_settings()
        for screen in self.screen_stack:
            if screen.is_mounted:
                screen.query("Hand").refresh()
                if hasattr(screen, "pace"):
                    screen.pace = self.table_pace

    @property
    def _game(self) -> Game:
        return getattr(self.screen, "game", GAMES[self.lineup.game])

    # -- its size -----------------------------------------------------------------------------------------------------

    def on_resize(self, event: Resize) -> None:
        """Cover all screens while the terminal is too small."""
        too_small = is_too_small(event.size)
        if too_small != self.large_enough.is_set():
            return
        from fourtwenty.tui.screens.too_small import TooSmall

        if too_small:
            self.large_enough.clear()
            self.push_screen(TooSmall())
        else:
            self.large_enough.set()
            if isinstance(self.screen, TooSmall):
                self.pop_screen()

    # -- the first screen ---------------------------------------------------------------------------------------------

    async def on_load(self) -> None:
        """Find the first puzzle of practice before there is a screen."""
        if self._practice:
            practising = self._practising(self._practice.name)
            self._first_practice = await practising.screen(await practising.source(self._practice))

    def get_default_screen(self) -> Screen[None]:
        screen = self._first_screen()
        self._load_screen_css(screen)  # type: ignore[arg-type]  # Textual 8.2 (app.py, _init_mode) does not
        return screen

    def _first_screen(self) -> Screen[None]:
        if self._first_practice:
            return self._first_practice
        if self._rooms and self._rooms.pending_table:
            self.call_after_refresh(self.enter_room, partial(self._rooms.enter, self), self._end_because)
            return self._rooms.first_screen()
        if not self._starts_at_table:
            return self._new_lobby()
        table = self._table(self._match(self.lineup, self._start))
        self.call_later(self.play_matches, table)
        return table

    def _new_lobby(self) -> Lobby:
        from fourtwenty.tui.screens.lobby import Lobby

        self._lobby = Lobby(self.lineup, self.find_history_service, self.play, self.newcomer)
        return self._lobby

    # -- the flow ----------------------------------------------------------------------------------------------

    @property
    def _playing(self) -> bool:
        """Whether a match is running or about to start."""
        return any(worker.group == "match" and not worker.is_finished for worker in self.workers)

    def play(self, lineup: Lineup, start: State | None = None) -> None:
        """Start a match, from a position if one is given, unless one is running."""
        if not self._playing:
            self.lineup = lineup
            self._files.save(lineup, lineup_file())
            self.play_matches(self._table(self._match(lineup, start)))

    def _match(self, lineup: Lineup, start: State | None) -> Match:
        """Return a new match; the first one uses the dice given to the app."""
        from fourtwenty.play.match import Match

        dice, self._dice = self._dice, None
        return Match.fresh(lineup, None if lineup.typed else dice, start)

    def _table(self, match: Match) -> Table:
        from fourtwenty.tui.screens.table import Table

        return Table(match, self.table_pace, self.tips_for(match.game))

    @work(exclusive=True, group="resume")
    async def action_resume(self, id: int) -> None:  # noqa: A002
        from fourtwenty.play.flow import retry_while_locked
        from fourtwenty.play.match import SaveError

        try:
            match = await retry_while_locked(lambda: self.history_service.history.resume(id), asyncio.sleep)
        except (ValueError, SaveError) as why:
            self.refuse(f"This game can't be resumed: {why}.")
        else:
            if self._playing:
                return
            if not match.dice.shared:
                self.play_matches(self._table(match))
            elif rooms := self.require_rooms():
                self.enter_room(partial(rooms.rejoin, self, match))

    def export(self, name: str, record: str) -> str:
        """Write a record to a new file beside the history; return where it is. May raise ValueError."""
        path = history_file().with_name(name)
        try:
            write_new(path, record)
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror}") from error
        return f"The record is in {path}"

    @work(exclusive=True, group="match")
    async def play_matches(self, table: Table) -> None:
        while await self.play_match(table) == "rematch":
            table = self._table(table.match.rematch())
        await self._return_to_lobby()

    async def _return_to_lobby(self) -> None:
        if self.screen is not self._lobby:
            await self.push_screen(self._new_lobby())
        if self._parting and self._lobby:
            self._lobby.say(self._parting)
            self._parting = ""

    async def play_match(self, table: Table) -> NextStep:
        """Show a table and play its match; return the players' next step, "lobby" when they leave in a round."""
        from fourtwenty.play.match import PlayedElsewhereError

        match = table.match
        await self.large_enough.wait()
        if table not in self.screen_stack:
            await self.push_screen(table)
        await table.uncovered()
        choice: NextStep = "lobby"

        async def after_round() -> AfterRound:
            nonlocal choice
            choice = await self.push_screen_wait(self._results(table))
            if choice == "back":
                self.history_service.unsaved.pop(match, None)
            return choice if choice in ("round", "back") else "end"

        journal = self.history_service.history.journal() if table.saves else None
        try:
            finished = await table.flow.play(journal, after_round)
        except PlayedElsewhereError:
            finished = False
            self.warn("This game is now being played in another window.")
        else:
            if (match.events or match.start_drawn) and match.saved and not match.state.outcome:
                if match.dice.shared:
                    self.notify(table.parting_sentence)  # the waiting room comes first
                else:
                    self._parting = table.parting_sentence
        if len(self.screen_stack) > 1:
            self.pop_screen()
        return choice if finished else "lobby"

    def _results(self, table: Table) -> Results:
        from fourtwenty.play.tally import Played
        from fourtwenty.tui.screens.results import Results

        match = table.match
        results = Results(match, table.again, table.leave_question)
        if results.ended:
            if match.saved:
                self.history_service.measure(quietly=True)
            elif table.saves:
                self.history_service.unsaved[match] = Played.of(match, datetime.now(UTC))
            self.show_tally(results)
        return results

    @work(exclusive=True, group="tally")
    async def show_tally(self, results: Results) -> None:
        from fourtwenty.play.tally import tally_of, tonight

        played = await self.history_service.played()
        results.tally = tally_of(results.match.lineup, tonight(played, datetime.now(UTC)))

    # -- a table of several machines -----------------------------------------------------------------------------

    def _end_because(self, why: str) -> None:
        self.exit(return_code=2, message=f"fourtwenty: {why}")

    def require_rooms(self) -> RoomsPlugin | None:
        """Return the plugin; None without the packages for it, after saying how to install them."""
        if self._rooms is None:
            from fourtwenty.tui.dialogs.question_dialogs import InstallDialog

            self.push_screen(InstallDialog())
        return self._rooms

    def action_host(self) -> None:
        """Open a table for the players in the lobby; if that fails, they can still join another one."""
        if self._lobby and not self._playing and (rooms := self.require_rooms()):
            self._lobby.say("Opening a table…")
            self.lineup = lineup = self._lobby.lineup
            self._files.save(lineup, lineup_file())
            self.enter_room(partial(rooms.host, self, lineup), partial(rooms.join, self, lineup))

    @work(exclusive=True, group="match")
    async def enter_room(
        self, enter: Callable[[], Awaitable[StayAtTable]], failed: Callable[[str], object] | None = None
    ) -> None:
        """Open or join a table and stay there; on failure say why, unless ``failed`` does."""
        stay, why = None, ""
        try:
            stay = await enter()
        except TableNotOpenedError as error:
            why = str(error)
        if self._lobby in self.screen_stack:
            self._lobby.say("")  # it said that a table is being opened
        if stay:
            await stay()
            await self._return_to_lobby()
        else:
            (failed or self.refuse)(why)

    # -- the history --------------------------------------------------------------------------------------------------

    @property
    def history_service(self) -> HistoryService:
        """The history, imported when first needed."""
        from fourtwenty.tui.past_games.history_service import HistoryService

        self._history_service = self._history_service or HistoryService(self)
        return self._history_service

    async def find_history_service(self) -> HistoryService | None:
        """Return the history; None before there is one, so that a first start imports nothing."""
        if self._history_service is None and is_absent(history_file()):
            return None
        await asyncio.to_thread(
            import_module, "fourtwenty.tui.past_games.history_service"
        )  # the first keys would wait for it
        return self.history_service

    async def on_unmount(self) -> None:
        for worker in [*self.workers]:
            if worker.group == "match":  # it leaves its match, and opens the history again
                worker.cancel()
                with suppress(Exception):  # its cancellation, too
                    await asyncio.wait_for(worker.wait(), LEAVING_SECONDS)
        if self._history_service:
            self._history_service.close()

    def refuse(self, sentence: str) -> None:
        """Show on the top screen why an action failed."""
        assert isinstance(self.screen, BaseScreen)
        self.screen.say(sentence, refused=True)

    # -- actions of every screen --------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return (self.large_enough.is_set() or action != "command_palette") and action not in self.absent

    def action_command_palette(self) -> None:
        """Open the list of everything that can be done here, or close it."""
        from fourtwenty.tui.dialogs.picker import PaletteDialog
        from fourtwenty.tui.screen_keys import offers

        def run(offer: Offer | None) -> None:
            if offer:
                self.call_later(self.run_action, offer.action, offer.node)

        if isinstance(self.screen, PaletteDialog):
            self.screen.end()
        else:
            self.push_screen(PaletteDialog(offers(self.screen)), run)

    def action_options(self) -> None:
        """Open the settings, in the lobby below its game's options."""
        from fourtwenty.tui.dialogs.options_dialog import OptionsDialog

        if isinstance(self.screen, OptionsDialog) or not self.large_enough.is_set():
            return
        lobby = self._lobby if self._lobby is self.screen else None

        def changed(values: Lineup | Settings) -> None:
            if isinstance(values, Settings):
                self.change_settings(values)
            elif lobby:
                lobby.lineup = values

        def ended(position: bool | None) -> None:
            if position and lobby:
                lobby.action_position()

        self.push_screen(OptionsDialog(self.settings, changed, lobby.lineup if lobby else None), ended)

    def action_history(self) -> None:
        from fourtwenty.tui.past_games.history_screen import HistoryScreen

        def ended(entry: HistoryEntry | None) -> None:
            if entry:
                self.action_resume(entry.id)

        if not any(isinstance(screen, HistoryScreen) for screen in self.screen_stack):
            self.push_screen(
                HistoryScreen(self.history_service.history, self._playing, self.export, self.show_statistics), ended
            )
            self.history_service.measure(quietly=True)

    def action_statistics(self) -> None:
        from fourtwenty.tui.past_games.statistics_screen import Statistics

        if not any(isinstance(screen, Statistics) for screen in self.screen_stack):
            self.show_statistics(self.lineup.first_person)
            self.history_service.measure()

    def show_statistics(self, name: str) -> None:
        from fourtwenty.tui.past_games.statistics_screen import Statistics

        self.push_screen(Statistics(self.history_service.history, name, self.practise_kind))

    def _practising(self, name: str = "") -> ScreenPracticeSession:
        from fourtwenty.tui.past_games.practice_screen import ScreenPracticeSession

        if self._practice_session is None:
            self._practice_session = ScreenPracticeSession(self.history_service, self._leave_practice)
        self._practice_session.begin(name or self.lineup.first_person)
        return self._practice_session

    @work(exclusive=True, group="practice")
    async def practise_kind(self, name: str, game: str, kind: MistakeKind) -> None:
        from fourtwenty.journal.practice_sources import Mine
        from fourtwenty.tui.past_games.statistics_screen import Statistics

        practising = self._practising(name)
        practice = await practising.screen(Mine(practising, game, kind))
        if isinstance(self.screen, Statistics):
            self.push_screen(practice)

    async def action_practice(self, first: Literal["", "daily", "mine"] = "") -> None:
        from fourtwenty.play.practice import PracticeOptions
        from fourtwenty.tui.past_games.practice_screen import Practice

        if not isinstance(self.screen, Practice):
            practising = self._practising()
            options = PracticeOptions(self._game.key, daily=first == "daily", mine=first == "mine")
            self.push_screen(await practising.screen(await practising.source(options)))

    def _leave_practice(self, ending: str) -> None:
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.push_screen(self._new_lobby())
        if ending and isinstance(self.screen, BaseScreen):
            self.screen.say(ending)

    def show_to_mark(self, text: str) -> None:
        from fourtwenty.tui.dialogs.question_dialogs import MarkDialog

        self.push_screen(MarkDialog(text))

    def action_fairness(self) -> None:
        from fourtwenty.tui.dialogs.fairness import FairnessDialog

        if hasattr(self.screen, "match") and not isinstance(self.screen, FairnessDialog):
            self.push_screen(FairnessDialog(self.screen.match))

    def action_rules(self) -> None:
        self._read(self._game.rules)

    def action_screen_help(self) -> None:
        assert isinstance(self.screen, BaseScreen)
        self._read(self.screen.help_text)

    def _read(self, markdown: str) -> None:
        from fourtwenty.tui.screens.markdown_screen import MarkdownScreen

        if not isinstance(self.screen, MarkdownScreen):
            self.push_screen(MarkdownScreen(markdown))
