"""The app and its flow, lobby → table → results, readable in one place. The screens are files of their own."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import work
from textual.actions import ActionParseResult
from textual.app import App, ScreenStackError, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.events import Event, InputEvent, Key, Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import get_current_worker

from fourtwenty.games import GAMES
from fourtwenty.journal.settings import Settings
from fourtwenty.paths import history_file, lineup_file, move_aside, settings_file
from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.screens.too_small import TooSmall, too_small
from fourtwenty.tui.themes import HOUSE, SIXTEEN_ON_DARK, SIXTEEN_ON_LIGHT, SNUG, house_variables, seat_variables
from fourtwenty.tui.widgets.hand import Hand

if TYPE_CHECKING:
    from textual.filter import LineFilter

    from fourtwenty.games.game import State
    from fourtwenty.journal.history import Entry, History
    from fourtwenty.play.dice import Dice
    from fourtwenty.play.match import Match
    from fourtwenty.tui.dialogs.settings_dialog import SettingsScreen
    from fourtwenty.tui.screens.lobby import Lobby
    from fourtwenty.tui.screens.past_matches import PastMatches
    from fourtwenty.tui.screens.results import Next
    from fourtwenty.tui.screens.table import Table


Keepable = TypeVar("Keepable", Lineup, Settings)


def style_sheet() -> Path:
    """Return where the style sheet lies: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "screens.tcss"
    return inside if inside.exists() else package.parent / "screens.tcss"


class FourTwentyApp(App[None]):
    """420 in a terminal."""

    TITLE = "420"
    CSS_PATH = style_sheet()
    ALLOW_SELECT = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-medium"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "comma", "settings", "Settings", key_display=",", id="app.settings", show=False, tooltip="What you like"
        ),
        Binding("ctrl+c", "help_quit", "End", show=False, priority=True, tooltip="Leave the program at once"),
        Binding(
            "ctrl+z", "suspend_process", "Sleep", show=False, priority=True, tooltip="Back to the shell; fg goes on"
        ),
        Binding("f1", "keys", "Keys", id="app.keys", show=False, tooltip="Every key of this screen"),
        Binding("ctrl+p", "command_palette", "Palette", show=False, priority=True, tooltip="Search what can be done"),
        Binding("colon", "command_palette", "Palette", id="app.palette", show=False, tooltip="Search what can be done"),
    ]

    pace = 1.0
    """How long bots and rolls are shown, as a multiple of the usual; 0 shows nothing."""

    def __init__(
        self,
        lineup: Lineup | None = None,
        dice: Dice | None = None,
        start: State | None = None,
        ascii_only: bool = False,
    ) -> None:
        """Open the lobby, or the table at once for a line-up; the first match may be given its dice and its start."""
        super().__init__()
        self._line_filters: list[LineFilter] = []
        if self.no_color:
            from fourtwenty.tui.monochrome import Monochrome

            self._line_filters.append(Monochrome(self))
        if ascii_only:
            from fourtwenty.tui.ascii import Ascii

            self._line_filters.append(Ascii())
        self._room = asyncio.Event()
        """Set while the terminal is large enough to play in."""
        self._room.set()
        self._left_alone: set[Path] = set()
        """Files that could not be read, nor moved aside; they are never written over."""
        self.lineup = lineup or self._kept(Lineup, lineup_file())
        """The line-up that is played, or was last."""
        self._starts_at_table = lineup is not None
        self.ended_by = 0
        """The signal that ended the program; 0 while none has."""
        self._begun = False
        """Whether the first screen has been laid out; Textual cannot end before without a traceback."""
        self._dice = dice
        self._start = start
        self._history: History | None = None
        self._lobby: Lobby | None = None
        """The lobby opened last, on the stack of screens or not."""
        for theme in HOUSE.values():
            self.register_theme(theme)
        self.settings = self._kept(Settings, settings_file())
        """How the program looks and sounds."""
        self.theme = self.settings.theme if self.settings.theme in self.available_themes else SNUG.name
        self.set_class(self.settings.digits, "-digits")
        self._colours = self.get_css_variables()
        """What the style sheets have been parsed with."""
        self.stylesheet.set_variables(self._colours)

    def on_mount(self) -> None:
        """Paint everything again when the program has slept, and at the size that the terminal has in the end."""
        if self._driver and self._driver.can_suspend:
            from fourtwenty.tui.process_signals import when_resized, when_woken

            when_woken(self._driver, lambda: self.call_later(self.refresh, repaint=True, layout=True))
            when_resized(asyncio.get_running_loop())

    def _handle_exception(self, error: Exception) -> None:
        """Ignore what goes wrong on the way out.

        Textual 8.2 takes the widgets of a screen that is still opening away under its ``on_mount`` when the app ends
        (app.py, ``_close_all``); without this, a signal at that moment prints a traceback.
        """
        if not self._exit:
            super()._handle_exception(error)

    def on_ready(self) -> None:
        """Look for garbage from now on, but not among what is there since the start: that makes keys wait."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._begun = True
        if self.ended_by:
            self.exit()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give every theme the felt, the tints of the seats and what is quiet, dimmed or gone."""
        return house_variables(self.current_theme.dark)

    def get_key_display(self, binding: Binding) -> str:
        """Call Enter and Backspace by their names: few fonts have Textual's signs for them."""
        return super().get_key_display(binding).replace("⏎", "enter").replace("⌫", "bksp")

    def get_css_variables(self) -> dict[str, str]:
        """Give the seats tints that stay six on a terminal of sixteen colours, in every theme."""
        variables = super().get_css_variables()
        if self.console.color_system == "standard":
            variables.update(seat_variables(SIXTEEN_ON_DARK if self.current_theme.dark else SIXTEEN_ON_LIGHT))
        return variables

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Do without colours, or anything but ASCII, where asked to. Textual's own are not needed: no dim, no ANSI."""
        return self._line_filters

    def refresh_css(self, animate: bool = True) -> None:
        """Parse the style sheets again when the colours have changed.

        Textual does so for its first theme too, with all the sheets just parsed: a tenth of the time to start.
        """
        colours = self.get_css_variables()
        if colours != self._colours:
            self._colours = colours
            super().refresh_css(animate)

    def watch_theme(self, theme: str) -> None:
        """Remember the colours, however they were chosen."""
        if theme != self.settings.theme:
            self.settings = replace(self.settings, theme=theme)
            self._keep(self.settings, settings_file())

    def get_default_screen(self) -> Screen[None]:
        """Open with the lobby and the line-up last used, or at the table of a match that starts at once."""
        if not self._starts_at_table:
            return self._new_lobby()
        from fourtwenty.tui.screens.table import Table

        return Table(self._match(self.lineup, self._start), self.pace)

    def _new_lobby(self) -> Lobby:
        from fourtwenty.tui.screens.lobby import Lobby

        self._lobby = Lobby(self.lineup)
        return self._lobby

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """Offer what works on every screen."""
        yield SystemCommand("History", "The matches of the past, and those that wait", self.action_history)
        yield SystemCommand("Statistics", "Skill, luck and dice of a name, as pictures", self.action_statistics)
        yield SystemCommand("Rules", "The rules, the author and our readings", self.action_rules)
        yield SystemCommand("Keys", "Every key of this screen, and what it does", self.action_keys)
        yield SystemCommand("Settings", "Colours, dice, bell", self.action_settings)
        yield SystemCommand("Theme", "Dark, light and other colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave the program", self.action_quit)

    def on_table_asked(self) -> None:
        """Ring for those who want it."""
        if self.settings.bell:
            self.bell()

    def on_table_opened(self, event: Table.Opened) -> None:
        """Play at once when the first screen is a table."""
        if not self._playing:
            self.play_on(event.table)

    # -- the flow ----------------------------------------------------------------------------------------------

    @property
    def _playing(self) -> bool:
        """Whether a match goes on, or is about to."""
        return any(worker.group == "match" and not worker.is_finished for worker in self.workers)

    def on_lobby_play(self, event: Lobby.Play) -> None:
        """Keep the line-up for next time and play it."""
        if self._playing:
            return
        self._keep(event.lineup, lineup_file())
        self.play(event.lineup, event.start)

    def play(self, lineup: Lineup, start: State | None = None) -> None:
        """Begin a match of this line-up, from a position if one is given."""
        self.lineup = lineup
        self.take_seats(self._match(lineup, start))

    def _match(self, lineup: Lineup, start: State | None) -> Match:
        """A new match; the first one has the dice that the app was given."""
        from fourtwenty.play.match import Match

        dice, self._dice = self._dice, None
        return Match.fresh(lineup, None if lineup.typed else dice, start)

    def take_seats(self, match: Match) -> None:
        """Play a match at a table of its own."""
        from fourtwenty.tui.screens.table import Table

        self.play_on(Table(match, self.pace))

    def on_lobby_resume(self, event: Lobby.Resume) -> None:
        """Take up a match that waits."""
        self.resume(event.entry)

    @work(exclusive=True, group="resume")
    async def resume(self, entry: Entry) -> None:
        """Take up a match, unless one is being played."""
        from fourtwenty.play.match import NotKept
        from fourtwenty.tui.patience import patiently

        try:
            match = await patiently(lambda: self.history.resume(entry.id))
        except (ValueError, NotKept) as why:
            self.warn(f"This match cannot be taken up: {why}.")
        else:
            if not self._playing:
                self.take_seats(match)

    def on_past_matches_resume(self, event: PastMatches.Resume) -> None:
        """Take up a match of the history, unless one is being played."""
        from fourtwenty.tui.screens.past_matches import PastMatches

        if self._playing:
            self.notify("A match is being played. Leave it first; then this one can be taken up.")
        elif isinstance(self.screen, PastMatches):
            self.pop_screen()
            self.resume(event.entry)

    @work(exclusive=True, group="match")
    async def play_on(self, table: Table) -> None:
        """Play the table's match, and others after it, until the players go back to the lobby or leave."""
        from fourtwenty.tui.screens.table import Table

        while (choice := await self.play_match(table)) == "rematch":
            table = Table(table.match.rematch(), self.pace)
        if choice == "quit":
            self.exit()
        elif self.screen is not self._lobby:
            await self.push_screen(self._new_lobby())

    async def play_match(self, table: Table) -> Next:
        """Play a match from table to results, round by round, and return what the players do next."""
        from fourtwenty.play.match import PlayedElsewhere

        choice: Next
        match = table.match
        await self._room.wait()
        if table not in self.screen_stack:
            await self.push_screen(table)
        try:
            while await table.keep(self.history) and await table.play_round():
                from fourtwenty.tui.screens.results import Results

                if match.state.outcome and match.kept:
                    self.measure()
                choice = await self.push_screen_wait(Results(match))
                if choice == "back":
                    await table.take_back()
                elif choice == "round":
                    match.next_round()
                else:
                    break
            else:
                choice = "lobby"
        except PlayedElsewhere:
            self.warn("This match has been taken up at another table, and goes on there.")
            choice = "lobby"
        else:
            match.put_down()
            if (match.events or match.lot_drawn) and match.kept and not match.state.outcome:
                self.notify("This match is kept: r takes it up again.")
        if len(self.screen_stack) > 1:
            self.pop_screen()
        return choice

    # -- what is kept --------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """What keeps the matches; its file is opened when the first of them begins."""
        from fourtwenty.journal.history import History

        # SQLite's own waiting would freeze the screen, so this hold has no patience; whoever needs some tries again.
        self._history = self._history or History(history_file(), self.warn, patience=0)
        return self._history

    def on_lobby_shown(self) -> None:
        """Look for the matches that wait, now that the lobby is there itself."""
        self.look_for_waiting()

    @work(exclusive=True, group="waiting")
    async def look_for_waiting(self) -> None:
        """Show in the lobby which matches wait to be taken up."""
        lobby = self._lobby
        if lobby and lobby is self.screen:
            waiting = await asyncio.to_thread(self._waiting)
            if lobby.is_running:
                lobby.waiting = waiting

    def _waiting(self) -> tuple[Entry, ...]:
        from fourtwenty.journal.history import History
        from fourtwenty.play.match import NotKept

        history = History(history_file(), self.warn)
        try:
            return history.waiting() if history.exists() else ()
        except NotKept as why:
            self.warn(f"No match can be taken up: {why}.")
            return ()
        finally:
            history.close()

    @work
    async def on_lobby_delete(self, event: Lobby.Delete) -> None:
        """Delete a match that waits."""
        from fourtwenty.play.match import NotKept
        from fourtwenty.tui.patience import patiently

        try:
            await patiently(lambda: self.history.delete(event.entry.id))
        except NotKept as why:
            self.warn(f"This match cannot be deleted: {why}.")
        self.look_for_waiting()

    @work(thread=True, exclusive=True, group="measuring")
    def measure(self) -> None:
        """Measure the matches that are over, and tell the screen that may show one of them."""
        from fourtwenty.play.match import NotKept
        from fourtwenty.review.figures import measured
        from fourtwenty.tui.screens.past_matches import PastMatches

        worker = get_current_worker()
        with suppress(NotKept, ScreenStackError), closing(self.history.another()) as history:
            for kept in measured(history):
                if worker.is_cancelled:
                    return
                if kept is not None:
                    self.screen.post_message(PastMatches.Measured())

    def warn(self, sentence: str) -> None:
        """Tell the players what has become of what was to be kept; from any thread."""
        self.notify(sentence, severity="warning", timeout=10, markup=False)

    def on_unmount(self) -> None:
        """Let go of the history."""
        if self._history:
            self._history.close()

    # -- what is on every screen ---------------------------------------------------------------------------------

    def end_by(self, number: int) -> None:
        """End because of a signal, once there is something to end."""
        self.ended_by = number
        if self._begun:
            self.exit()

    def action_help_quit(self) -> None:
        """End by ctrl+c wherever one is, everything being kept; but in a browser, where it copies."""
        if not self.is_web:
            self.end_by(signal.SIGINT)

    def action_history(self) -> None:
        """Show the matches of the past."""
        from fourtwenty.tui.screens.past_matches import PastMatches

        if not any(isinstance(screen, PastMatches) for screen in self.screen_stack):
            self.push_screen(PastMatches(self.history))
            self.measure()

    def action_statistics(self) -> None:
        """Show what the matches of the first person in the line-up add up to."""
        from fourtwenty.tui.screens.statistics import Statistics

        if not any(isinstance(screen, Statistics) for screen in self.screen_stack):
            seats = self.lineup.seats
            self.push_screen(Statistics(self.history, min(seats, key=lambda seat: seat.bot is not None).name))
            self.measure()

    def action_command_palette(self) -> None:
        """Offer what works on every screen."""
        self._offer("What would you like to do?", self.get_system_commands(self.screen))

    def action_change_theme(self) -> None:
        """Offer all the colours there are."""
        about = {False: "light", True: "dark"}
        self._offer(
            "Which colours?",
            (
                SystemCommand(name, about[theme.dark], partial(setattr, self, "theme", name))
                for name, theme in self.available_themes.items()
            ),
        )

    def _offer(self, heading: str, commands: Iterable[SystemCommand]) -> None:
        """Do what they choose; one palette at a time."""
        from fourtwenty.tui.dialogs.palette import Palette

        def chosen(command: SystemCommand | None) -> None:
            if command:
                self.call_later(command.callback)

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(heading, list(commands)), chosen)

    def action_rules(self) -> None:
        """Show the rules of the game."""
        from fourtwenty.tui.screens.rules import Rules

        if not isinstance(self.screen, Rules):
            self.push_screen(Rules(getattr(self.screen, "game", GAMES[self.lineup.game])))

    def action_keys(self) -> None:
        """Show the keys of this screen, or put them away."""
        if self.screen.query("HelpPanel"):
            self.action_hide_help_panel()
        elif self.screen.is_mounted and self.screen.is_attached:
            self.action_show_help_panel()

    def action_settings(self) -> None:
        """Show what can be set."""
        from fourtwenty.tui.dialogs.settings_dialog import SettingsScreen

        lobby = self._lobby if self._lobby in self.screen_stack else None
        if not isinstance(self.screen, (SettingsScreen, TooSmall)):
            self.push_screen(SettingsScreen(self.settings, lobby.lineup if lobby else None, tuple(HOUSE)))

    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        """Let what was set be so, and remember it."""
        self.settings = event.settings
        self.theme = self.settings.theme
        self.set_class(event.settings.digits, "-digits")
        self._keep(event.settings, settings_file())
        for screen in self.screen_stack:
            if screen is self._lobby and event.lineup:
                self._lobby.lineup = event.lineup
            elif screen.is_mounted:
                screen.query(Hand).refresh()

    async def on_event(self, event: Event) -> None:
        """Let keys and clicks wait for a screen that is opening; once the last has gone, they mean nothing.

        Enter that was typed before Textual took the terminal arrives as a newline, as terminals have it until then.
        """
        if isinstance(event, Key) and event.key == "ctrl+j":
            event = Key("enter", "\r")
        if isinstance(event, InputEvent):
            while self.screen_stack and not self.screen.is_mounted:
                await asyncio.sleep(0)
            if self.screen_stack and isinstance(self.screen, HouseScreen) and self.screen.opening:
                self.post_message(event)  # behind what opens it
                await asyncio.sleep(0)
                return
        if self.screen_stack or not isinstance(event, InputEvent):
            await super().on_event(event)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key or a click means, but not where another screen lies by now, or what has no place yet."""
        node = default_namespace
        if isinstance(node, Widget) and not isinstance(node, Screen) and not node.size:
            return False
        if isinstance(node, Widget) and self.screen not in node.ancestors_with_self:
            return False
        return await super().run_action(action, default_namespace, namespaces)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Keep the palette away from a terminal too small to play in."""
        return action != "command_palette" or not isinstance(self.screen, TooSmall)

    def on_resize(self, event: Resize) -> None:
        """Cover everything while the terminal is too small to play in."""
        if not too_small(*event.size):
            self._room.set()
            if isinstance(self.screen, TooSmall):
                self.pop_screen()
        elif self._room.is_set():
            self._room.clear()
            self.push_screen(TooSmall())

    def _kept(self, kind: type[Keepable], path: Path) -> Keepable:
        """What was kept in a file last time, or what it is at first."""
        try:
            return kind.load(path)
        except (FileNotFoundError, NotADirectoryError):
            return kind()
        except OSError as error:
            self._left_alone.add(path)
            self.notify(f"{path} cannot be read and is left alone: {error.strerror}.", markup=False)
            return kind()
        except ValueError:
            pass
        try:
            self.notify(f"{path.name} could not be read. The file is now {move_aside(path)}", markup=False)
        except OSError:
            self._left_alone.add(path)
        return kind()

    def _keep(self, value: Lineup | Settings, path: Path) -> None:
        """Keep something for next time."""
        if path not in self._left_alone:
            try:
                value.save(path)
            except OSError as error:
                self.warn(f"{path.name} is not kept: {error.strerror}.")
