"""The app without its flow: settings and theme, palette and keys, and a cover while the terminal is too small."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.reactive import var

from fourtwenty.journal.settings import PACES, Settings
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.paths import history_file, is_there, settings_file, style_sheet
from fourtwenty.tui.frame.app import HouseApp
from fourtwenty.tui.screens.too_small import TooSmall, too_small
from fourtwenty.tui.themes import HOUSE, SNUG, house_variables, sixteen_variables
from fourtwenty.tui.tips import START, Tips
from fourtwenty.tui.touch import offer_keyboard, touched
from fourtwenty.tui.widgets.hand import Hand

if TYPE_CHECKING:
    from fourtwenty.games.game import Game
    from fourtwenty.play.lineup import Lineup
    from fourtwenty.tui.screen_keys import Offer
    from fourtwenty.tui.screens.lobby import Lobby
    from fourtwenty.tui.screens.match_view import MatchView


@runtime_checkable
class Paced(Protocol):
    """A screen with a pace, at which it shows bots and rolls."""

    pace: float


class EverywhereApp(HouseApp):
    CSS_PATH = style_sheet()
    ALLOW_SELECT = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-medium"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "comma", "options", "Options", key_display=",", id="app.options", show=False, tooltip="Theme, pace, bell"
        ),
        Binding("ctrl+c", "help_quit", "Quit now", show=False, priority=True, tooltip="Quit now"),
        Binding(
            "ctrl+z", "suspend_process", "Suspend", show=False, priority=True, tooltip="Back to the shell (fg returns)"
        ),
        Binding(
            "f1",
            "keys",
            "Keys",
            key_display="F1",
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

    seen: var[bool] = var(True)
    """Whether somebody can see the app: not once its page is closed and it goes on (``TouchDriver``)."""
    pace = 1.0
    """Factor on the seconds for which the moves of bots and the rolls are shown, besides the settings; 0 skips them."""
    tips = True

    def __init__(self, ascii_only: bool = False) -> None:
        super().__init__(ascii_only)
        self._large_enough = asyncio.Event()
        self._large_enough.set()
        self._keyboard_offered = False
        self._files = UserFiles(partial(self.notify, markup=False), self.warn)
        self._lobby: Lobby | None = None
        """The latest lobby, whether it is on the screen stack or not."""
        for theme in HOUSE.values():
            self.register_theme(theme)
        self.settings = self._files.load(Settings, settings_file())
        self._follow_settings()
        if self.settings.keys:
            from fourtwenty.tui.keymap import all_bindings, bindings_everywhere, checked

            everywhere = bindings_everywhere(type(self))
            self.keymap, refusals = checked(self.settings.keys, all_bindings(type(self)), everywhere)
            self.set_keymap(self.keymap)
            for sentence in refusals:
                self.warn(f"{settings_file().name}: {sentence}")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return house_variables(self.current_theme.dark)

    def get_css_variables(self) -> dict[str, str]:
        """Return the style variables, with colours that a terminal of sixteen can tell apart."""
        variables = super().get_css_variables()
        if self.console.color_system == "standard":
            variables.update(sixteen_variables(self.current_theme.dark))
        return variables

    def _follow_settings(self) -> None:
        """Set the theme, and the classes that say how all screens look."""
        self.theme = self.settings.theme if self.settings.theme in HOUSE else SNUG.name
        self.set_class(self.settings.digits, "-digits")
        self.set_class(not self.settings.guide, "-no-guide")

    def keep(self, settings: Settings) -> None:
        """Change the settings and save them."""
        self.settings = settings
        self._files.save(settings, settings_file())

    def on_page_closed(self) -> None:
        self.seen = False

    def on_table_asked(self) -> None:
        if self.settings.bell:
            self.bell()

    @property
    def table_pace(self) -> float:
        return self.pace * PACES.get(self.settings.pace, 1)

    @property
    def settle_seconds(self) -> float:
        """The time for which a result has been on the screen before a key passes it; 0 at the pace without waits."""
        return super().settle_seconds if self.table_pace else 0

    @property
    def newcomer(self) -> bool:
        """Whether nobody has played here yet."""
        settings = self.settings
        return self.tips and not settings.learnt and not self._has_matches()

    def _has_matches(self) -> bool:
        """Whether the history has a match, and not only answers of practice; True if it cannot be read."""
        if not is_there(history_file()):
            return False
        from fourtwenty.journal.history import History
        from fourtwenty.play.match import NotKept

        with suppress(NotKept), closing(History(history_file(), self.warn, read_only=True)) as history:
            return bool(history.page(limit=1))
        return True

    def tips_for(self, game: Game, shared: bool = False) -> Tips:
        """Return the tips of a match of a game: for people who have begun with them, and who share no table."""
        begun = START in self.settings.learnt
        wanted = self.tips and not shared and (begun or self.newcomer)
        return Tips(game, self.settings.learnt, wanted, touched(self))

    def on_table_learnt(self, event: MatchView.Learnt) -> None:
        self.keep(self.settings.having_learnt(event.names))

    async def large_enough(self) -> None:
        await self._large_enough.wait()

    def action_command_palette(self) -> None:
        from fourtwenty.tui.dialogs.picker import Palette
        from fourtwenty.tui.palette_commands import palette_commands

        def run(offer: Offer | None) -> None:
            if offer:
                self.call_later(self.run_action, offer.action, offer.node)

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(palette_commands(self)), run)

    def action_suspend_process(self) -> None:
        """Sleep, where a shell can wake the program up.

        A shell gives each of its jobs a group of its own. A program that ssh, a window or tmux has started is in the
        group that leads its session; Textual 8.2 (linux_driver.py) stops it all the same, for ever.
        """
        if sys.platform == "win32" or not hasattr(os, "getsid") or os.getpgrp() != os.getsid(0):
            super().action_suspend_process()

    def action_keys(self) -> None:
        from fourtwenty.tui.dialogs.key_sheet import KeySheet

        if isinstance(self.screen, KeySheet):
            self.screen.end()
        elif not isinstance(self.screen, TooSmall):
            self.push_screen(KeySheet(self.screen))

    def action_options(self) -> None:
        """Open the settings, and in the lobby above them the options of its game."""
        from fourtwenty.tui.dialogs.options import Options

        if isinstance(self.screen, (Options, TooSmall)):
            return
        lobby = self._lobby if self._lobby is self.screen else None

        def changed(values: Lineup | Settings) -> None:
            if isinstance(values, Settings):
                self.change_settings(values)
            elif lobby:
                lobby.lineup = values

        def ended(wish: str | None) -> None:
            if wish and lobby:
                lobby.action_position()

        self.push_screen(Options(self.settings, changed, lobby.lineup if lobby else None), ended)

    def change_settings(self, settings: Settings) -> None:
        """Keep settings, and show all screens by them."""
        self.keep(settings)
        self._follow_settings()
        for screen in self.screen_stack:
            if screen.is_mounted:
                screen.query(Hand).refresh()
                if isinstance(screen, Paced):
                    screen.pace = self.table_pace

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        covered = action == "command_palette" and isinstance(self.screen, TooSmall)
        return not covered and action not in self.absent

    def post_display_hook(self) -> None:
        """Show the keyboard of a phone once a field that has the focus is painted."""
        if touched(self):
            self._keyboard_offered = offer_keyboard(self, self._keyboard_offered)

    def on_resize(self, event: Resize) -> None:
        """Cover all screens while the terminal is too small for them."""
        if not too_small(*event.size, touched(self)):
            self._large_enough.set()
            if isinstance(self.screen, TooSmall):
                self.pop_screen()
        elif self._large_enough.is_set():
            self._large_enough.clear()
            self.push_screen(TooSmall())
