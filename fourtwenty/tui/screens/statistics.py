"""What the matches of one name add up to, the games told apart: skill, luck and dice as pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import ClassVar, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.games.words import says
from fourtwenty.journal.history import History, Totals
from fourtwenty.play.match import NotKept
from fourtwenty.review.analysis import signed
from fourtwenty.review.dice_test import verdict
from fourtwenty.review.figures import SMOOTH, skill_over_time, skill_words
from fourtwenty.tui.messages import Measured
from fourtwenty.tui.widgets.bars import Bar, Bars
from fourtwenty.tui.widgets.curve import Curve
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.row_list import Column, RowList

Answer = TypeVar("Answer")

GAME = (
    Column(max(len(game.name) for game in GAMES.values()), "game"),
    Column(7, "matches", right=True),
    Column(6, "rounds", right=True, room=70),
    Column(7, "last", right=True),
    Column(8, "expected", right=True, room=70),
    Column(13, "skill"),
    Column(7, "luck", right=True, room=70),
)
DICE = {"fair": "Dice thrown by the program", "typed": "Real dice, typed in"}
"""What the kinds of dice are called."""


class Statistics(Screen[None]):
    """A line a game, and pictures of the one that is pointed at."""

    CSS_PATH = "statistics.tcss"

    HELP = """\
## Statistics

The arrows choose a game. **Skill** is how many points a choice lost on average: less is better. **Luck** is what a
player's own dice gave, in points, summed up match by match. **Last** is how often the player came last, beside how
often that was to be **expected** if everybody had played best. All of it counts finished matches only.

The bars show how often each face was rolled, the line across them how often it was to be expected. Even fair dice are
never quite even: p is the chance that they come out as uneven as this, or more so.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "name", "Another name", key_display="n", id="statistics.name", tooltip="Choose a name"),
        Binding("g,down,tab", "game(1)", "Next game", key_display="g", id="statistics.game", tooltip="The next game"),
        Binding("up", "game(-1)", "Game before", id="statistics.game-before", show=False),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="statistics.rules", show=False),
        Binding("escape,q", "back", "Back", key_display="esc", id="statistics.back", tooltip="Back to where you were"),
    ]

    def __init__(self, history: History, name: str) -> None:
        """Show what this name's matches in the history add up to."""
        super().__init__()
        self.history = history
        self.name_shown = name
        self.totals: tuple[Totals, ...] = ()
        """By game, in the order of all games."""

    def compose(self) -> ComposeResult:
        """Lay out the games, two curves, and the dice."""
        yield Static("", id="caption", markup=False)
        yield RowList(GAME, self._game, id="games")
        yield Static("", id="said", markup=False)
        with Horizontal(id="curves"):
            yield Curve(lambda lost: f"{lost:.2f}", id="skill")
            yield Curve(_points, id="luck")
        with Horizontal(id="dice"):
            for kind in DICE:
                with Vertical(id=kind):
                    yield Bars()
                    yield Static("", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Say what the pictures are of."""
        self.query_one("#skill").border_title = f"Skill: points lost a choice, over {SMOOTH} matches"
        self.query_one("#luck").border_title = "Luck: points from own dice, summed up"
        for kind, name in DICE.items():
            self.query_one(f"#{kind}").border_title = name
        self.look(self.name_shown)

    @property
    def games(self) -> RowList:
        """The games the name has played."""
        return self.query_one("#games", RowList)

    # -- what is kept ------------------------------------------------------------------------------------------

    async def _asked(self, question: Callable[[History], tuple[Answer, ...]]) -> tuple[Answer, ...]:
        """What the history answers, in a thread of its own; nothing when it cannot be read."""

        def ask() -> tuple[Answer, ...]:
            with closing(self.history.another()) as history:
                return question(history)

        try:
            return await asyncio.to_thread(ask)
        except NotKept as why:
            self.notify(f"The history is not to be had: {why}.", severity="warning", markup=False)
            return ()

    @work(exclusive=True, group="totals")
    async def look(self, name: str) -> None:
        """Show what the matches of a name add up to."""
        totals = await self._asked(lambda history: history.statistics(name))
        if not self.is_running:
            return
        self.name_shown = name
        order = list(GAMES)
        self.totals = tuple(sorted(totals, key=lambda total: order.index(total.game)))
        self.set_class(not totals, "-empty")
        if not totals:
            told = says(name, "has finished no match yet.", "have finished no match yet.")
            self.query_one("#said", Static).update(told)
        matches = sum(total.matches for total in totals)
        finished = "1 finished match" if matches == 1 else f"{matches:,} finished matches"
        self.query_one("#caption", Static).update(f"Statistics   {name}: {finished}")
        self.games.styles.height = 1 + max(1, len(totals))
        most = max(range(len(totals)), key=lambda row: self.totals[row].matches, default=0)
        self.games.show(len(totals), most)
        self.show_game()

    @on(RowList.Pointed, "#games")
    def show_game(self) -> None:
        """Show the game that is pointed at."""
        if self.totals:
            total = self.totals[self.games.pointed]
            self.query_one("#said", Static).update(_told(total))
            thrown = {kind: total.faces[kind] for kind in DICE if any(total.faces.get(kind, ()))}
            for kind in DICE:
                panel = self.query_one(f"#{kind}")
                panel.display = kind in thrown
                if panel.display:
                    self._show_dice(panel, thrown[kind], "\n" if len(thrown) > 1 else " ")
            self.follow(total.game)

    def _show_dice(self, panel: Widget, faces: Sequence[int], before_p: str) -> None:
        dice = sum(faces)
        panel.query_one(Static).update(verdict(faces).replace(" (p", f"{before_p}(p"))
        bars = panel.query_one(Bars)
        bars.mark = dice / len(faces)
        bars.bars = tuple(
            Bar(str(face), count, f"{count:,} {100 * count / dice:5.1f} %") for face, count in enumerate(faces, 1)
        )

    @work(exclusive=True, group="course")
    async def follow(self, game: str) -> None:
        """Draw how skill and luck went in a game."""
        name = self.name_shown
        course = await self._asked(lambda history: history.course(name, game))
        if not self.is_running:
            return
        self.query_one("#skill", Curve).values = skill_over_time(course)
        self.query_one("#luck", Curve).values = tuple(sums.luck for _, sums in course)

    @on(Measured)
    def look_again(self) -> None:
        """Count the figures that were not there before."""
        self.look(self.name_shown)

    async def _names(self, search: str) -> tuple[tuple[str, int], ...]:
        return await self._asked(lambda history: history.names(search))

    # -- what it looks like ------------------------------------------------------------------------------------

    def _game(self, row: int) -> tuple[str, ...]:
        total = self.totals[row]
        return (
            GAMES[total.game].name,
            f"{total.matches:,}",
            f"{total.rounds:,}",
            f"{total.last:,}",
            f"{total.figures.drinks:,.1f}" if total.foreseen == total.matches else "",
            skill_words(total.figures) if total.measured else "",
            _points(total.figures.luck) if total.measured else "",
        )

    # -- what the players do -----------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Dim what leads nowhere."""
        return action != "game" or len(self.totals) > 1 or None

    def action_game(self, step: int) -> None:
        """Point at another game, after the last one at the first."""
        self.games.pointed = (self.games.pointed + step) % len(self.totals)

    def action_name(self) -> None:
        """Choose another name."""
        from fourtwenty.tui.dialogs.names import Names

        def answered(found: tuple[str, int] | None) -> None:
            if found is not None:
                self.look(found[0])

        if self.is_active:
            self.app.push_screen(Names(self._names), answered)

    def action_back(self) -> None:
        """Go back to where the statistics were asked for."""
        if self.is_active:
            self.dismiss()


def _told(total: Totals) -> str:
    """How often the name came last beside how often that was to be expected, in the words of the game."""
    last = GAMES[total.game].ends[1]
    told = f"{last[0].upper()}{last[1:]} {_times(total.last)} in {_matches(total.matches)}"
    expected = f"{total.figures.drinks:,.1f} expected"
    if total.foreseen == total.matches:
        return f"{told}, {expected}."
    if total.foreseen:
        return f"{told}; {_times(total.last_foreseen)} in the {total.foreseen:,} with known chances, {expected}."
    return f"{told}; nobody knows how many to expect."


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _matches(number: int) -> str:
    return "one match" if number == 1 else f"{number:,} matches"


def _points(luck: float) -> str:
    """A share of rounds in points, without decimals where there are many."""
    return signed(luck) if abs(luck) < 10 else f"{100 * luck:+,.0f}".replace("-", "−")
