"""The statistics of a name: by game, its matches, skill and luck in numbers and charts, dice and mistakes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.games.english import is_you, name_and_verb, pluralize
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import MistakeKind, Totals
from fourtwenty.play.flow import retry_while_locked
from fourtwenty.play.format import signed
from fourtwenty.play.match import SaveError
from fourtwenty.review.analysis import SKILL_LEGEND, skill_cell, skill_points
from fourtwenty.review.dice_test import dice_lines
from fourtwenty.review.figures import SMOOTH, skill_over_time
from fourtwenty.tui.past_games.history_service import HistoryService, QueryResult, run_query
from fourtwenty.tui.past_games.line_chart import LineChart
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, RULES_UNSEEN, ScreenAction, back
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.caption import Caption
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.row_list import Column, RowList

GAME_COLUMNS = (
    Column(max(len(game.name) for game in GAMES.values()), "game"),
    Column(7, "games", align_right=True),
    Column(6, "rounds", align_right=True, min_list_width=70),
    Column(7, "last", align_right=True),
    Column(8, "expected", align_right=True, min_list_width=70),
    Column(14, "points lost"),
    Column(7, "luck", align_right=True, min_list_width=70),
)
KIND_COLUMNS = (
    Column(36, "mistake"),
    Column(None, "when", min_list_width=70),
    Column(5, "times", align_right=True),
    Column(10, "costs", align_right=True),
)
MIN_CHARTED = 10
"""The measured games needed for a chart: fewer show only chance."""

of_several = partial(ScreenAction, refusal=lambda screen: None if len(screen.totals) > 1 else "")
of_kinds = partial(ScreenAction, available=lambda screen: screen.shows_mistakes)


def no_kinds(screen: Statistics) -> str | None:
    """Return a sentence if no mistakes of the name are saved in the game, else None."""
    if screen.kinds or not screen.totals:
        return None if screen.kinds else ""
    game = GAMES[screen.totals[screen.games.cursor].game].name
    return f"No mistakes of {'yours' if is_you(screen.name_shown) else screen.name_shown} are known in {game}."


class Statistics(BaseScreen[None]):
    CSS_PATH = "statistics_screen.tcss"
    games = getters.query_one("#games", RowList)
    kind_list = getters.query_one("#kinds", RowList)

    HELP = """\
The arrows choose a game. **Skill** is the chance that a choice costs on average: less is better. **Luck** is what a
player's own dice gave, summed up game by game. **Last** is how often the player came last, beside how often that was
**expected** if everybody had played best. Only finished games count, and none that is marked so in the list of past
games.

**Mistakes** lists the dice you kept, the better ones, and what the difference costs on average, with the highest total
cost first. **Enter** practises the selected one.

The last lines say whether the dice are even, by all games of everybody, counted or not. **1 in 250 by chance**: of 250
histories with even dice, one at most ever gets as uneven as this. From 1 in 1,000 on the dice are called uneven; real
dice have the figure alone.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        of_kinds("enter", "practise", "Practise", id="statistics.practise", tooltip="Try this mistake again"),
        ScreenAction(
            "m,enter",
            "show_mistakes(True)",
            "Mistakes",
            key_display="m",
            id="statistics.mistakes",
            tooltip="The mistakes that cost most",
            available=lambda screen: not screen.shows_mistakes,
            refusal=no_kinds,
        ),
        of_kinds("m", "show_mistakes(False)", "Charts", id="statistics.charts", tooltip="Skill, luck and dice"),
        ScreenAction("n", "name", "Another player", id="statistics.name", tooltip="Choose a player", spare=True),
        ScreenAction("r", "rename", "Rename", id="statistics.rename", tooltip="Or make two players one", spare=True),
        of_several("g,tab", "game(1)", "Next game", key_display="g", id="statistics.game", tooltip="The next game"),
        *CURSOR_BINDINGS,
        RULES_UNSEEN,
        back(),
    ]

    def __init__(self, history: History, name: str, practise: Callable[[str, str, MistakeKind], object]) -> None:
        super().__init__()
        self.practise = practise
        self.history = history
        self.name_shown = name
        self.totals: tuple[Totals, ...] = ()
        """The totals of each game that the name has played, in the order of all games."""
        self.kinds: tuple[MistakeKind, ...] = ()

    def compose(self) -> ComposeResult:
        yield Caption()
        with Vertical(id="sheet"):
            yield RowList(GAME_COLUMNS, self._game, id="games")
            yield Static(SKILL_LEGEND, id="legend", markup=False)
            yield Sentence()
            with Horizontal(id="curves"):
                yield LineChart(skill_points, least_top=1, id="skill")
                yield LineChart(signed, least_top=0.1, id="luck")
            yield RowList(KIND_COLUMNS, self._kind, id="kinds")
            yield Static("", id="dice", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#luck").border_title = "Luck: running total"
        self.kind_list.border_title = "Mistakes, highest total cost first"
        self.load(self.name_shown)

    def on_resize(self) -> None:
        average = "average loss, " if self.app.size.width >= 80 else ""
        self.query_one("#skill").border_title = f"Skill: {average}last {SMOOTH} games"

    @property
    def cursor_list(self) -> RowList:
        return self.kind_list if self.shows_mistakes else self.games

    @property
    def resting_sentence(self) -> str:
        if not self.has_class("-empty"):
            return ""
        return name_and_verb(self.name_shown, "has no finished games that count.", "have no finished games that count.")

    @property
    def shows_mistakes(self) -> bool:
        return self.has_class("-mistakes")

    # -- the history --------------------------------------------------------------------------------------------

    async def _query(self, query: Callable[[History], tuple[QueryResult, ...]]) -> tuple[QueryResult, ...]:
        """Return the results of a query; an empty tuple, with a warning, if the history cannot be read."""
        try:
            return await run_query(self.history, query, ())
        except SaveError as error:
            self.say(f"Can't open the history: {error}.", refused=True)
            return ()

    @work(exclusive=True, group="totals")
    async def load(self, name: str) -> None:
        totals = await self._query(lambda history: history.statistics(name))
        if not self.is_running:
            return
        shown = self.totals[self.games.cursor].game if self.totals and name == self.name_shown else ""
        self.name_shown = name
        order = list(GAMES)
        self.totals = tuple(sorted(totals, key=lambda total: order.index(total.game)))
        self.set_class(not totals, "-empty")
        if not totals:
            self._show_kinds(())
        self.show_actions()
        matches = sum(total.matches for total in totals)
        finished = pluralize(matches, "finished game", "finished games")
        self.query_one(Caption).update(f"Statistics   {name}: {finished}")
        self.games.styles.height = 1 + max(1, len(totals))
        # the game shown before, or the one with most matches
        ranks = [(total.game == shown, total.matches) for total in self.totals]
        most = max(range(len(totals)), key=ranks.__getitem__, default=0)
        self.games.show(len(totals), most)
        self.show_game()
        faces = await self._query(History.faces)
        if self.is_running:
            self.query_one("#dice", Static).update("\n".join(dice_lines(dict(faces))))

    @on(RowList.CursorMoved, "#games")
    def show_game(self) -> None:
        if self.totals:
            self.show_curves(self.totals[self.games.cursor].game)

    @work(exclusive=True, group="curves")
    async def show_curves(self, game: str) -> None:
        name = self.name_shown
        cumulative = await self._query(lambda history: history.cumulative_figures(name, game))
        kinds = await self._query(lambda history: history.kinds(name, game))
        if not self.is_running:
            return
        self._show_kinds(kinds)
        luck = tuple(sums.luck for _, sums in cumulative)
        for chart, values in (("#skill", skill_over_time(cumulative)), ("#luck", luck)):
            shown = self.query_one(chart, LineChart)
            shown.values = values
            shown.ends = ("game 1", f"game {cumulative[-1][0]:,}" if cumulative else "")
            shown.display = len(values) >= MIN_CHARTED
        self.set_class(not any(chart.display for chart in self.query(LineChart)), "-few")

    def _show_kinds(self, kinds: tuple[MistakeKind, ...]) -> None:
        """Show the kinds of mistakes; the cursor stays for the same name and game."""
        selected = self.kinds[self.kind_list.cursor] if self.kinds else None
        self.kinds = kinds
        same = (
            row
            for row, each in enumerate(kinds)
            if selected and (each.kind, each.situation) == (selected.kind, selected.situation)
        )
        self.kind_list.show(len(kinds), next(same, 0))
        self.action_show_mistakes(self.shows_mistakes and bool(kinds))

    @on(HistoryService.Measured)
    def reload(self) -> None:
        self.load(self.name_shown)

    async def _names(self, search: str) -> tuple[tuple[str, int], ...]:
        return await self._query(lambda history: history.names(search))

    # -- display ------------------------------------------------------------------------------------------------

    def _game(self, row: int) -> tuple[str, ...]:
        total = self.totals[row]
        return (
            GAMES[total.game].name,
            f"{total.matches:,}",
            f"{total.rounds:,}",
            f"{total.last:,}",
            f"{total.figures.drinks:,.1f}" if total.with_drinks == total.matches else "",
            skill_cell(total.figures.lost, total.figures.decisions) if total.measured else "",
            signed(total.figures.luck).removesuffix(" points") if total.measured else "",
        )

    def _kind(self, row: int) -> tuple[str, ...]:
        kind = self.kinds[row]
        return kind.kind, kind.situation, f"{kind.times:,}", kind.cost

    # -- actions ------------------------------------------------------------------------------------------------

    def action_game(self, step: int) -> None:
        self.games.cursor = (self.games.cursor + step) % len(self.totals)

    def action_show_mistakes(self, shown: bool) -> None:
        self.set_class(shown, "-mistakes")
        self.show_actions()

    @on(RowList.DoubleClicked, "#kinds")
    def action_practise(self) -> None:
        if self.is_active and self.shows_mistakes:
            game = self.totals[self.games.cursor].game
            self.practise(self.name_shown, game, self.kinds[self.kind_list.cursor])

    def action_back(self) -> None:
        if self.shows_mistakes:
            self.action_show_mistakes(False)
        else:
            super().action_back()

    def action_name(self) -> None:
        from fourtwenty.tui.dialogs.picker import NamesDialog

        self.open_over(NamesDialog(self._names), lambda found: self.load(found[0]))

    def action_rename(self) -> None:
        from fourtwenty.tui.dialogs.line_dialogs import RenameDialog

        self.open_over(RenameDialog(self.name_shown), self._rename)

    @work
    async def _rename(self, other: str) -> None:
        name = self.name_shown
        try:
            self.load(await retry_while_locked(lambda: self.history.rename(name, other), asyncio.sleep))
        except (SaveError, ValueError) as why:
            self.say(f"No name is changed: {why}.", refused=True)
