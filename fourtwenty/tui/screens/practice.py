"""Practice without a match: puzzles of a game and a level, the daily one, the own mistakes of all matches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from msgspec.structs import replace
from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from fourtwenty.games import GAMES
from fourtwenty.journal.practice_session import Mine, PracticeSession
from fourtwenty.play.practice import LEVELS, Answer
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.messages import Measured
from fourtwenty.tui.screens.solving import Solving
from fourtwenty.tui.widgets.hand import Hand


class Practice(Solving):
    """Draws puzzle after puzzle; the first answer to each counts."""

    HELP = """\
## Practice

Positions in which the choice matters. **Easy**: the best choice is better by 5% or more; **hard**: by 2% or less.
A wrong answer can be tried again before the choices and their chances are shown; the first answer counts.

The **daily** position of a game is the same for everybody on that date: easy on Mondays, hard at the weekend. The
streak counts the days in a row on which your first answer to it was right; `y` copies the day in one line for others.

**Mine** asks you again what you got wrong in your games, until it sticks: first what cost you most in all. A mistake
answered right comes back after 3, 7, 21 and 60 days; one answered wrong comes back the next day and starts anew
(the learning box of Sebastian Leitner).
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction("l", "level", "Level", id="practice.level", tooltip="Easy, medium or hard", spare=True),
        Binding("g", "game", "Game", id="practice.game", tooltip="Another game"),
        Binding("d", "daily", "Daily", id="practice.daily", tooltip="The position of the day"),
        Binding("m", "mine", "Mine", id="practice.mine", tooltip="Your own mistakes of all games"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="practice.rules", show=False),
        Binding("q", "back", "Back", id="practice.back", tooltip="Leave practice"),
    ]

    class Closed(Message):
        """Posted to leave practice."""

        def __init__(self, summed_up: str) -> None:
            super().__init__()
            self.summed_up = summed_up
            """The sentence about the own mistakes that were answered; empty without any."""

    def __init__(self, session: PracticeSession, find_mine: Callable[[str, bool], Awaitable[Mine]]) -> None:
        """Take the session, and the search for own mistakes that are due in a game, and in new matches if so asked."""
        super().__init__()
        self.session = session
        self.find_mine = find_mine
        self.game = GAMES[session.options.game]
        self.starts_with_mine = session.options.mine and not session.mine.exercises
        """Whether the own mistakes are still to be found."""
        self.looks_for_mine = self.starts_with_mine
        """Whether own mistakes that are found from now on follow."""
        if self.starts_with_mine:
            session.options = replace(session.options, mine=False)
        self.puzzle = session.puzzle()

    async def on_mount(self) -> None:
        if self.starts_with_mine:
            await self.action_mine()  # before Solving.on_mount shows the puzzle: Textual calls both

    @property
    def caption(self) -> str:
        session = self.session
        if session.options.mine:
            mine = f"{self.game.name} · {session.number_of}"
            return "   ".join(filter(None, ("My mistakes", mine, session.scorecard.rate)))
        level = f"daily, {session.day}" if session.options.daily else session.options.level
        if session.options.daily and session.answered_today:
            level += ", answered"
        return "   ".join(
            filter(None, ("Practice", f"{self.game.name} · {level}", session.scorecard.rate, session.streak))
        )

    def copied(self) -> tuple[str, str]:
        """Return the result of the day once there is one, else the position."""
        if self.session.options.daily and self.session.answered_today:
            return "The day in one line", self.session.day_to_send
        return super().copied()

    @property
    def is_last(self) -> bool:
        return self.session.is_last

    def _choose(self, **options: str | bool) -> None:
        self.looks_for_mine = False
        self.session.options = replace(self.session.options, **{"mine": False, **options})

    def go_on(self) -> None:
        if self.session.options.daily:
            self._choose(daily=False)
        self.puzzle = self.session.puzzle()
        if self.looks_for_mine and not self.session.options.mine:
            self.look_for_mine()  # they may have been found while a puzzle was being answered

    def note_answer(self, answer: Answer) -> None:
        if sentence := self.session.note(answer):
            self.notify(sentence)

    def action_level(self) -> None:
        levels = list(LEVELS)
        self._choose(level=levels[(levels.index(self.session.options.level) + 1) % len(levels)])
        self.action_next()

    def action_daily(self) -> None:
        self._choose(daily=True)
        self.puzzle = self.session.puzzle()
        self.ask()

    async def action_game(self) -> None:
        games = list(GAMES)
        following = games[games.index(self.game.key) + 1 :] + games[: games.index(self.game.key)]
        if self.session.options.mine:
            due = [game for game in following if self.session.mine.due.get(game)]
            if due:
                await self._ask_mine(await self.find_mine(due[0], False))
            else:
                self.refuse("No mistakes are due in another game.")
            return
        self._choose(game=following[0])
        await self._lay_out(following[0])
        if self.session.options.daily:
            self.action_daily()
        else:
            self.action_next()

    async def _lay_out(self, game: str) -> None:
        """Put the hand of a game in the place of the one before."""
        if game != self.game.key:
            self.game = GAMES[game]
            await self.hand.remove()
            await self.query_one("#position").mount(Hand(self.game.hand_size), after="#question")

    # -- the own mistakes ------------------------------------------------------------------------------------------

    async def action_mine(self) -> None:
        self.looks_for_mine = True
        mine = await self.find_mine(self.game.key, True)
        if mine.exercises:
            await self._ask_mine(mine)
        else:
            self.notify(mine.sentence, markup=False)

    async def _ask_mine(self, mine: Mine) -> None:
        if mine.exercises and self.is_active:
            self.session.take(mine)
            await self._lay_out(mine.game)
            self.puzzle = self.session.puzzle()
            self.ask()

    @on(Measured)
    @work(exclusive=True, group="mine")
    async def look_for_mine(self) -> None:
        """Ask the own mistakes in matches that have been gone through meanwhile."""
        if self.looks_for_mine:
            mine = await self.find_mine(self.game.key, False)
            if self.session.options.mine:
                self.session.add(mine)
                self.query_one("#caption", Static).update(self.caption)
                self.show_actions()
            elif self.looks_for_mine and not self.first_answer and not self.selection:
                await self._ask_mine(mine)

    def action_back(self) -> None:
        if self.is_active:
            self.app.drop_burst()
            self.post_message(self.Closed(self.session.mine_summed_up if self.session.options.mine else ""))
