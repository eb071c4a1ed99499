"""Practice without a match: puzzles of a game and a level, the daily one, and the scorecard in the caption."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.message import Message

from fourtwenty.games import GAMES
from fourtwenty.journal.practice_session import PracticeSession
from fourtwenty.play.practice import LEVELS
from fourtwenty.play.puzzle import Answer
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
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "level", "Level", id="practice.level", tooltip="Easy, medium or hard"),
        Binding("g", "game", "Game", id="practice.game", tooltip="Another game"),
        Binding("d", "daily", "Daily", id="practice.daily", tooltip="The position of the day"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="practice.rules", show=False),
        Binding("q", "back", "Back", id="practice.back", tooltip="Leave practice"),
    ]

    class Closed(Message):
        """Posted to leave practice."""

    def __init__(self, session: PracticeSession) -> None:
        super().__init__()
        self.session = session
        self.game = GAMES[session.options.game]
        self.puzzle = session.puzzle()

    @property
    def caption(self) -> str:
        session = self.session
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

    def _choose(self, **options: str | bool) -> None:
        self.session.options = replace(self.session.options, **options)

    def go_on(self) -> None:
        self._choose(daily=False)
        self.puzzle = self.session.puzzle()

    def note_answer(self, answer: Answer) -> None:
        self.session.note(answer)

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
        self.game = GAMES[games[(games.index(self.game.key) + 1) % len(games)]]
        self._choose(game=self.game.key)
        await self.hand.remove()
        await self.query_one("#position").mount(Hand(self.game.hand_size), after="#question")
        if self.session.options.daily:
            self.action_daily()
        else:
            self.action_next()

    def action_back(self) -> None:
        if self.is_active:
            self.app.drop_burst()
            self.post_message(self.Closed())
