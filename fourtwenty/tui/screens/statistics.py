"""The statistics of one name: by game, its matches, skill, luck and dice, as numbers and charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.games.words import counted, name_and_verb, sentence_case
from fourtwenty.journal.entries import Totals
from fourtwenty.journal.history import History
from fourtwenty.play.match import NotKept
from fourtwenty.play.percent import signed
from fourtwenty.review.analysis import SKILL_LEGEND
from fourtwenty.review.dice_test import verdict
from fourtwenty.review.figures import SMOOTH, skill_over_time, skill_words
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.archive import Found, run_query
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.messages import Measured
from fourtwenty.tui.widgets.bars import Bar, Bars
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.line_chart import LineChart
from fourtwenty.tui.widgets.row_list import Column, RowList

GAME_COLUMNS = (
    Column(max(len(game.name) for game in GAMES.values()), "game"),
    Column(7, "games", right=True),
    Column(6, "rounds", right=True, room=70),
    Column(7, "last", right=True),
    Column(8, "expected", right=True, room=70),
    Column(14, "skill"),
    Column(7, "luck", right=True, room=70),
)
DICE_KINDS = {"fair": "Dice rolled by the computer", "typed": "Real dice, typed in", "shared": "Dice by all machines"}
"""Titles of the charts of faces, by kind of dice."""

of_several = partial(ScreenAction, refusal=lambda screen: None if len(screen.totals) > 1 else "")
"""Declares an action that needs several games."""


class Statistics(HouseScreen[None]):
    """A list of games, and the charts of the game at the pointer."""

    CSS_PATH = "statistics.tcss"

    HELP = """\
## Statistics

The arrows choose a game. **Skill** is the chance that a choice costs on average: less is better. **Luck** is what a
player's own dice gave, summed up game by game. **Last** is how often the player came last, beside how
often that was **expected** if everybody had played best. Only finished games count.

The bars show how often each face was rolled, the line across them how often it was expected. Even fair dice are never
quite even: p is the chance that they come out as uneven as this, or more so.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "name", "Another player", key_display="n", id="statistics.name", tooltip="Choose a player"),
        of_several(
            "g,down,tab", "game(1)", "Next game", key_display="g", id="statistics.game", tooltip="The next game"
        ),
        of_several("up", "game(-1)", "Game before", id="statistics.game-before", show=False),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="statistics.rules", show=False),
        Binding("escape,q", "back", "Back", key_display="esc", id="statistics.back", tooltip="Back to where you were"),
    ]

    def __init__(self, history: History, name: str) -> None:
        super().__init__()
        self.history = history
        self.name_shown = name
        self.totals: tuple[Totals, ...] = ()
        """The totals of each game that the name has played, in the order of all games."""

    def compose(self) -> ComposeResult:
        yield Static("", id="caption", markup=False)
        with Vertical(id="sheet"):
            yield RowList(GAME_COLUMNS, self._game, id="games")
            yield Static(SKILL_LEGEND, id="legend", markup=False)
            yield Static("", id="sentence", markup=False)
            with Horizontal(id="curves"):
                yield LineChart(lambda lost: f"{lost:.2f}%", least_top=1, id="skill")
                yield LineChart(_luck, least_top=0.1, id="luck")
            with Horizontal(id="dice"):
                for kind in DICE_KINDS:
                    with Vertical(id=kind):
                        yield Bars()
                        yield Static("", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#luck").border_title = "Luck: running total"
        for kind, title in DICE_KINDS.items():
            self.query_one(f"#{kind}").border_title = title
        self.load(self.name_shown)

    def on_resize(self) -> None:
        average = "average loss, " if self.app.size.width >= 80 else ""
        self.query_one("#skill").border_title = f"Skill: {average}last {SMOOTH} games"

    @property
    def games(self) -> RowList:
        return self.query_one("#games", RowList)

    # -- the history --------------------------------------------------------------------------------------------

    async def _query(self, query: Callable[[History], tuple[Found, ...]]) -> tuple[Found, ...]:
        """Return the results of a query; an empty tuple, with a warning, if the history cannot be read."""
        try:
            return await run_query(self.history, query, ())
        except NotKept as error:
            self.notify(f"Can't open the history: {error}.", severity="warning", markup=False)
            return ()

    @work(exclusive=True, group="totals")
    async def load(self, name: str) -> None:
        totals = await self._query(lambda history: history.statistics(name))
        if not self.is_running:
            return
        self.name_shown = name
        order = list(GAMES)
        self.totals = tuple(sorted(totals, key=lambda total: order.index(total.game)))
        self.set_class(not totals, "-empty")
        if not totals:
            sentence = name_and_verb(name, "has not finished a game yet.", "have not finished a game yet.")
            self.query_one("#sentence", Static).update(sentence)
        matches = sum(total.matches for total in totals)
        finished = counted(matches, "finished game", "finished games")
        self.query_one("#caption", Static).update(f"Statistics   {name}: {finished}")
        self.games.styles.height = 1 + max(1, len(totals))
        most = max(range(len(totals)), key=lambda row: self.totals[row].matches, default=0)
        self.games.show(len(totals), most)
        self.show_game()

    @on(RowList.Pointed, "#games")
    def show_game(self) -> None:
        if self.totals:
            total = self.totals[self.games.pointed]
            self.query_one("#sentence", Static).update(_last_sentence(total))
            thrown = {kind: total.faces[kind] for kind in DICE_KINDS if any(total.faces.get(kind, ()))}
            for kind in DICE_KINDS:
                panel = self.query_one(f"#{kind}")
                panel.display = kind in thrown
                if panel.display:
                    self._show_dice(panel, thrown[kind], "\n" if len(thrown) > 1 else " ")
            self.show_curves(total.game)

    def _show_dice(self, panel: Widget, faces: Sequence[int], before_p: str) -> None:
        dice = sum(faces)
        panel.query_one(Static).update(verdict(faces).replace(" (p", f"{before_p}(p"))
        bars = panel.query_one(Bars)
        bars.mark = dice / len(faces)
        bars.bars = tuple(
            Bar(str(face), count, f"{count:,} {100 * count / dice:5.1f}%") for face, count in enumerate(faces, 1)
        )

    @work(exclusive=True, group="curves")
    async def show_curves(self, game: str) -> None:
        name = self.name_shown
        cumulative = await self._query(lambda history: history.cumulative_figures(name, game))
        if not self.is_running:
            return
        luck = tuple(sums.luck for _, sums in cumulative)
        for chart, values in (("#skill", skill_over_time(cumulative)), ("#luck", luck)):
            shown = self.query_one(chart, LineChart)
            shown.values = values
            shown.ends = ("game 1", f"game {cumulative[-1][0]:,}" if cumulative else "")

    @on(Measured)
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
            f"{total.figures.drinks:,.1f}" if total.foreseen == total.matches else "",
            skill_words(total.figures) if total.measured else "",
            _luck(total.figures.luck) if total.measured else "",
        )

    # -- actions ------------------------------------------------------------------------------------------------

    def action_game(self, step: int) -> None:
        self.games.pointed = (self.games.pointed + step) % len(self.totals)

    def action_name(self) -> None:
        from fourtwenty.tui.dialogs.names import Names

        def show(found: tuple[str, int] | None) -> None:
            if found is not None:
                self.load(found[0])

        if self.is_active:
            self.app.push_screen(Names(self._names), show)


def _last_sentence(total: Totals) -> str:
    """Return a sentence with how often the name came last and how often best play would have, in words of the game."""
    sentence = f"{sentence_case(GAMES[total.game].ended_last)} {_times(total.last)} in {_games(total.matches)}"
    expected = f"({total.figures.drinks:,.1f} expected)"
    if total.foreseen == total.matches:
        return f"{sentence} {expected}."
    if total.foreseen:
        return f"{sentence}; {_times(total.last_foreseen)} in the {total.foreseen:,} with known chances {expected}."
    return f"{sentence}; the chances are not known."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _games(count: int) -> str:
    return "one game" if count == 1 else f"{count:,} games"


def _luck(luck: float) -> str:
    """Return a sum of luck in percent of a round, from 1,000% without decimals."""
    return signed(luck) if abs(luck) < 10 else f"{luck:+,.0%}".replace("-", "−")
