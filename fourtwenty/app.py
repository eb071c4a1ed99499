"""The app and its flow, lobby → table → results, readable in one place. The screens are files of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from fourtwenty.games import GAMES
from fourtwenty.lineup import Lineup
from fourtwenty.paths import lineup_file, move_aside
from fourtwenty.screens.lobby import Lobby
from fourtwenty.screens.too_small import TooSmall, too_small
from fourtwenty.themes import SNUG, TERRACE, seat_variables

if TYPE_CHECKING:
    from fourtwenty.dice import Dice
    from fourtwenty.match import Match
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
    ]

    pace = 1.0
    """How long bots and rolls are shown, as a multiple of the usual; 0 shows nothing."""

    def __init__(self, lineup: Lineup | None = None, dice: Dice | None = None) -> None:
        """Open the lobby, or the table at once for a line-up; with these dice in the first match, if given."""
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
        yield SystemCommand("Rules", "The rules, the author and our readings", self.action_rules)
        yield SystemCommand("Keys", "Every key of this screen, and what it does", self.action_keys)
        yield SystemCommand("Theme", "Dark, light and other colours", self.action_change_theme)
        yield SystemCommand("Quit", "Leave the program", self.action_quit)

    def on_mount(self) -> None:
        """Go straight to the table when there is a line-up to play."""
        if self._starts_at_table:
            self.play(self.lineup)

    # -- the flow ----------------------------------------------------------------------------------------------

    @on(Lobby.Play)
    def start(self, event: Lobby.Play) -> None:
        """Keep the line-up for next time and play it."""
        if self._keeps_lineup:
            try:
                event.lineup.save(lineup_file())
            except OSError as error:
                self.notify(f"This line-up is not kept: {error.strerror}.", severity="warning", markup=False)
        self.play(event.lineup)

    @work(exclusive=True, group="match")
    async def play(self, lineup: Lineup) -> None:
        """Play matches until the players go back to the lobby or leave."""
        from fourtwenty.match import Match

        self.lineup = lineup
        match: Match | None = Match(lineup, self._dice)
        self._dice = None
        choice: Next = "lobby"
        while match:
            choice = await self.play_match(match)
            match = match.rematch() if choice == "rematch" else None
        if choice == "quit":
            self.exit()
        elif not isinstance(self.screen, Lobby):
            await self.push_screen(Lobby(lineup))

    async def play_match(self, match: Match) -> Next:
        """Play a match from table to results, round by round, and return what the players do next."""
        from fourtwenty.screens.results import Results
        from fourtwenty.screens.table import Table

        choice: Next
        table = Table(match, self.pace)
        await self._room.wait()
        await self.push_screen(table)
        while await table.play_round():
            choice = await self.push_screen_wait(Results(match))
            if choice != "round":
                break
            match.next_round()
        else:
            choice = "lobby"
        self.pop_screen()
        return choice

    # -- what is on every screen ---------------------------------------------------------------------------------

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
