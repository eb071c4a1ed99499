"""The app and its flow, lobby → table → results, readable in one place. The screens are files of their own."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
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
        Binding("f1", "show_help_panel", "Keys", id="app.keys", show=False, tooltip="Every key of this screen"),
    ]

    pace = 1.0
    """How long bots and rolls are shown, as a multiple of the usual; 0 shows nothing."""

    def __init__(self, lineup: Lineup | None = None, dice: Dice | None = None) -> None:
        """Open the lobby, or the table at once for a line-up; with these dice in the first match, if given."""
        super().__init__()
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

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer the rules beside Textual's own commands."""
        yield SystemCommand("Rules", "The rules, the author and our readings", self.action_rules)
        yield from super().get_system_commands(screen)

    def on_mount(self) -> None:
        """Go straight to the table when there is a line-up to play."""
        if self._starts_at_table:
            self.play(self.lineup)

    # -- the flow ----------------------------------------------------------------------------------------------

    @on(Lobby.Play)
    def start(self, event: Lobby.Play) -> None:
        """Keep the line-up for next time and play it."""
        try:
            event.lineup.save(lineup_file())
        except OSError as error:
            self.notify(f"This line-up is not kept: {error.strerror}.", severity="warning")
        self.play(event.lineup)

    @work(exclusive=True, group="match")
    async def play(self, lineup: Lineup) -> None:
        """Play matches from table to results until the players go back to the lobby or leave."""
        from fourtwenty.match import Match
        from fourtwenty.screens.results import Results
        from fourtwenty.screens.table import Table

        self.lineup = lineup
        match: Match | None = Match(lineup, self._dice)
        self._dice = None
        while match:
            table = Table(match, self.pace)
            self.push_screen(table)
            choice: Next = "round"
            while choice == "round":
                await table.play_round()
                choice = await self.push_screen_wait(Results(match))
                if choice == "round":
                    match.next_round()
            self.pop_screen()
            match = match.rematch() if choice == "rematch" else None
        if choice == "lobby":
            self.back_to_lobby()
        else:
            self.exit()

    def on_table_left(self) -> None:
        """Go back to the lobby in the middle of a match."""
        self.workers.cancel_group(self, "match")
        self.pop_screen()
        self.back_to_lobby()

    def back_to_lobby(self) -> None:
        """Show the lobby: the one the evening began in, or a first one with this line-up."""
        if not isinstance(self.screen, Lobby):
            self.push_screen(Lobby(self.lineup))

    # -- what is on every screen ---------------------------------------------------------------------------------

    def action_rules(self) -> None:
        """Show the rules of the game."""
        from fourtwenty.screens.rules import Rules

        if not isinstance(self.screen, Rules):
            self.push_screen(Rules(GAMES[self.lineup.game]))

    def on_resize(self, event: Resize) -> None:
        """Cover everything while the terminal is too small to play in."""
        small, covered = too_small(*event.size), isinstance(self.screen, TooSmall)
        if small and not covered:
            self.push_screen(TooSmall())
        elif covered and not small:
            self.pop_screen()

    def _kept_lineup(self, path: Path) -> Lineup:
        """The line-up last used, or you against one bot when there is none."""
        with suppress(OSError):
            try:
                return Lineup.load(path)
            except ValueError:
                aside = move_aside(path)
                self.notify(f"The last line-up could not be read. Its file is now {aside}", markup=False)
        return Lineup()
