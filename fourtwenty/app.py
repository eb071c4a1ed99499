"""The app and its flow, lobby → table → results, readable in one place. The screens are files of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen
from textual.worker import get_current_worker

from fourtwenty.games import GAMES
from fourtwenty.lineup import Lineup
from fourtwenty.paths import history_file, lineup_file, move_aside
from fourtwenty.screens.lobby import Lobby
from fourtwenty.screens.too_small import TooSmall, too_small
from fourtwenty.themes import SNUG, TERRACE, seat_variables

if TYPE_CHECKING:
    from fourtwenty.dice import Dice
    from fourtwenty.games.game import State
    from fourtwenty.history import Entry, History
    from fourtwenty.match import Match
    from fourtwenty.screens.history import PastMatches
    from fourtwenty.screens.results import Next


def style_sheet() -> Path:
    """Return where the style sheet lies: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parent
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
        Binding("f1", "keys", "Keys", id="app.keys", show=False, tooltip="Every key of this screen"),
        Binding("ctrl+p", "command_palette", "Palette", show=False, priority=True, tooltip="Search what can be done"),
        Binding("colon", "command_palette", "Palette", id="app.palette", show=False, tooltip="Search what can be done"),
    ]

    pace = 1.0
    """How long bots and rolls are shown, as a multiple of the usual; 0 shows nothing."""

    def __init__(self, lineup: Lineup | None = None, dice: Dice | None = None, start: State | None = None) -> None:
        """Open the lobby, or the table at once for a line-up; the first match may be given its dice and its start."""
        super().__init__()
        self._room = asyncio.Event()
        """Set while the terminal is large enough to play in."""
        self._room.set()
        self._keeps_lineup = True
        """Whether the file of the last line-up may be written: never over one that could not be read."""
        self.lineup = lineup or self._kept_lineup(lineup_file())
        """The line-up that is played, or was last."""
        self._starts_at_table = lineup is not None
        self._dice = dice
        self._start = start
        self._history: History | None = None
        self.register_theme(SNUG)
        self.register_theme(TERRACE)
        self.theme = SNUG.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give every theme the felt and the tints of the seats."""
        return seat_variables(self.current_theme.dark)

    def get_default_screen(self) -> Screen[None]:
        """Open with the lobby and the line-up last used, unless a match is to start at once."""
        return Screen() if self._starts_at_table else Lobby(self.lineup)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """Offer what works on every screen."""
        yield SystemCommand("History", "The matches of the past, and those that wait", self.action_history)
        yield SystemCommand("Statistics", "Skill, luck and dice of a name, as pictures", self.action_statistics)
        yield SystemCommand("Rules", "The rules, the author and our readings", self.action_rules)
        yield SystemCommand("Keys", "Every key of this screen, and what it does", self.action_keys)
        yield SystemCommand("Theme", "Dark, light and other colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave the program", self.action_quit)

    def on_mount(self) -> None:
        """Go straight to the table when there is a line-up to play."""
        if self._starts_at_table:
            self.play(self.lineup)

    # -- the flow ----------------------------------------------------------------------------------------------

    @property
    def _playing(self) -> bool:
        """Whether a match goes on, or is about to."""
        return any(worker.group == "match" and not worker.is_finished for worker in self.workers)

    @on(Lobby.Play)
    def start(self, event: Lobby.Play) -> None:
        """Keep the line-up for next time and play it."""
        if self._playing:
            return
        if self._keeps_lineup:
            try:
                event.lineup.save(lineup_file())
            except OSError as error:
                self.notify(f"This line-up is not kept: {error.strerror}.", severity="warning", markup=False)
        self.play(event.lineup)

    def play(self, lineup: Lineup) -> None:
        """Begin a match of this line-up."""
        from fourtwenty.match import Match

        self.lineup = lineup
        self.play_on(Match(lineup, self._dice, self._start, self.history.journal()))
        self._dice = self._start = None

    @on(Lobby.Resume)
    def resume(self, event: Lobby.Resume) -> None:
        """Take up a match that waits."""
        from fourtwenty.history import NotKept

        if self._playing:
            return
        try:
            match = self.history.resume(event.entry.id)
        except (ValueError, NotKept) as why:
            self.warn(f"This match cannot be taken up: {why}.")
        else:
            self.play_on(match)

    def on_past_matches_resume(self, event: PastMatches.Resume) -> None:
        """Take up a match of the history, unless one is being played."""
        if self._playing:
            self.notify("A match is being played. Leave it first; then this one can be taken up.")
        else:
            self.pop_screen()
            self.post_message(Lobby.Resume(event.entry))

    @work(exclusive=True, group="match")
    async def play_on(self, match: Match) -> None:
        """Play a match, and others after it, until the players go back to the lobby or leave."""
        while (choice := await self.play_match(match)) == "rematch":
            match = match.rematch(self.history.journal())
        if choice == "quit":
            self.exit()
        elif not isinstance(self.screen, Lobby):
            await self.push_screen(Lobby(self.lineup))

    async def play_match(self, match: Match) -> Next:
        """Play a match from table to results, round by round, and return what the players do next."""
        from fourtwenty.match import PlayedElsewhere
        from fourtwenty.screens.results import Results
        from fourtwenty.screens.table import Table

        choice: Next
        table = Table(match, self.pace)
        await self._room.wait()
        await self.push_screen(table)
        try:
            while await table.play_round():
                if match.state.outcome and match.kept:
                    self.measure()
                choice = await self.push_screen_wait(Results(match))
                if choice == "back":
                    table.take_back()
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
            if match.events and match.kept and not match.state.outcome:
                self.notify("This match is kept: r takes it up again.")
        self.pop_screen()
        return choice

    # -- what is kept --------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """What keeps the matches; its file is opened when the first of them begins."""
        from fourtwenty.history import History

        self._history = self._history or History(history_file(), self.warn)
        return self._history

    @on(Lobby.Shown)
    @work(exclusive=True, group="waiting")
    async def look_for_waiting(self) -> None:
        """Show in the lobby which matches wait to be taken up, once it is there itself."""
        lobby = self.screen
        if isinstance(lobby, Lobby) and history_file().exists():
            lobby.waiting = await asyncio.to_thread(self._waiting)

    def _waiting(self) -> tuple[Entry, ...]:
        from fourtwenty.history import History, NotKept

        history = History(history_file(), self.warn)
        try:
            return history.waiting()
        except NotKept as why:
            self.warn(f"No match can be taken up: {why}.")
            return ()
        finally:
            history.close()

    @on(Lobby.Delete)
    def delete(self, event: Lobby.Delete) -> None:
        """Delete a match that waits."""
        from fourtwenty.history import NotKept

        try:
            self.history.delete(event.entry.id)
        except NotKept as why:
            self.warn(f"This match cannot be deleted: {why}.")
        self.look_for_waiting()

    @work(thread=True, exclusive=True, group="measuring")
    def measure(self) -> None:
        """Measure the matches that are over, and tell the screen that may show one of them."""
        from fourtwenty.figures import measured
        from fourtwenty.history import NotKept
        from fourtwenty.screens.history import PastMatches

        worker = get_current_worker()
        with suppress(NotKept), closing(self.history.another()) as history:
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

    def action_history(self) -> None:
        """Show the matches of the past."""
        from fourtwenty.screens.history import PastMatches

        if not any(isinstance(screen, PastMatches) for screen in self.screen_stack):
            self.push_screen(PastMatches(self.history))
            self.measure()

    def action_statistics(self) -> None:
        """Show what the matches of the first person in the line-up add up to."""
        from fourtwenty.screens.statistics import Statistics

        if not any(isinstance(screen, Statistics) for screen in self.screen_stack):
            seats = self.lineup.seats
            self.push_screen(Statistics(self.history, min(seats, key=lambda seat: seat.bot is not None).name))
            self.measure()

    def action_rules(self) -> None:
        """Show the rules of the game."""
        from fourtwenty.screens.rules import Rules

        if not isinstance(self.screen, Rules):
            self.push_screen(Rules(getattr(self.screen, "game", GAMES[self.lineup.game])))

    def action_keys(self) -> None:
        """Show the keys of this screen, or put them away."""
        if self.screen.query("HelpPanel"):
            self.action_hide_help_panel()
        elif self.screen.is_mounted:
            self.action_show_help_panel()

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

    def _kept_lineup(self, path: Path) -> Lineup:
        """The line-up last used, or you against one bot when there is none."""
        try:
            return Lineup.load(path)
        except FileNotFoundError:
            return Lineup()
        except OSError as error:
            self._keeps_lineup = False
            self.notify(f"{path} cannot be read and is left alone: {error.strerror}.", markup=False)
            return Lineup()
        except ValueError:
            pass
        try:
            aside = move_aside(path)
            self.notify(f"The last line-up could not be read. Its file is now {aside}", markup=False)
        except OSError:
            self._keeps_lineup = False
        return Lineup()
