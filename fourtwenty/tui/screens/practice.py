"""Practice without a match: puzzles of a game and a level, the daily one, and the scorecard in the caption."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from fourtwenty.games import GAMES
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.play.practice import LEVELS, PracticeOptions, daily, daily_level, drawn_puzzle, fresh_seed
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
streak counts the days in a row on which your first answer to it was right.
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

    def __init__(
        self,
        options: PracticeOptions,
        scorecard: Scorecard,
        save: Callable[[Scorecard], None],
        today: date,
        seed: str | None = None,
    ) -> None:
        """Begin as the options say; ``save`` is called with every new scorecard.

        The puzzles follow from the seed, which is drawn if none is given.
        """
        super().__init__()
        self.game = GAMES[options.game]
        self.level = options.level
        self.scorecard = scorecard
        self.save = save
        self.today = today
        self.is_daily = options.daily
        """Whether the puzzle of the day is shown."""
        self.seed = seed or fresh_seed()
        self.number = 0
        """The number of puzzles drawn, without those of the day."""
        if options.daily:
            self.puzzle = daily(options.game, today)
        else:
            self.go_on()

    @property
    def caption(self) -> str:
        """The game, the level and the scorecard."""
        key = self.game.key
        level = f"daily, {self.today.isoformat()}, {daily_level(self.today)}" if self.is_daily else self.level
        if self.is_daily and self.scorecard.streak(key).last == self.today:
            level += ", answered"
        days = self.scorecard.streak(key).on(self.today)
        streak = f"   Daily streak: {days} {'day' if days == 1 else 'days'}" if days else ""
        rate = f"   {self.scorecard.rate}" if self.scorecard.tried else ""
        return f"Practice   {self.game.name} · {level}{rate}{streak}"

    def go_on(self) -> None:
        """Draw the next puzzle."""
        self.is_daily = False
        self.number += 1
        self.puzzle = drawn_puzzle(self.game.key, self.level, f"{self.seed} {self.number}")

    def note_answer(self, answer: Answer) -> None:
        """Write the first answer into the scorecard."""
        before = self.scorecard
        if self.is_daily:
            self.scorecard = before.after_daily(self.game.key, self.today, answer.right)
        else:
            self.scorecard = before.after(answer.right)
        if self.scorecard is not before:
            self.save(self.scorecard)

    def action_level(self) -> None:
        levels = list(LEVELS)
        self.level = levels[(levels.index(self.level) + 1) % len(levels)]
        self.action_next()

    def action_daily(self) -> None:
        self.is_daily = True
        self.puzzle = daily(self.game.key, self.today)
        self.ask()

    async def action_game(self) -> None:
        """Practise the next game, whose hand may have another number of dice."""
        games = list(GAMES)
        self.game = GAMES[games[(games.index(self.game.key) + 1) % len(games)]]
        await self.hand.remove()
        await self.query_one("#position").mount(Hand(self.game.hand_size), after="#question")
        if self.is_daily:
            self.action_daily()
        else:
            self.action_next()

    def action_back(self) -> None:
        if self.is_active:
            self.app.drop_burst()
            self.post_message(self.Closed())
