"""Practice as it goes on: the puzzles in their order, and the scorecard that every first answer changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from msgspec import Struct, field

from fourtwenty.games import GAMES
from fourtwenty.games.words import counted
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.play.clock import day_in_words
from fourtwenty.play.practice import PracticeOptions, daily, daily_level, drawn_puzzle, fresh_seed
from fourtwenty.play.puzzle import Answer, Puzzle


class PracticeSession(Struct):
    """Practice of one user, from its first puzzle on. A front end asks the puzzles, and may change the options."""

    options: PracticeOptions
    """The options of the next puzzle."""
    scorecard: Scorecard
    save: Callable[[Scorecard], None]
    """Called with every new scorecard."""
    today: date
    seed: str = field(default_factory=fresh_seed)
    """The puzzles follow from it."""
    number: int = 0
    """The number of puzzles drawn, without those of the day."""

    def puzzle(self) -> Puzzle:
        """Return the puzzle of the day, or draw the next one."""
        if self.options.daily:
            return daily(self.options.game, self.today)
        self.number += 1
        return drawn_puzzle(self.options.game, self.options.level, f"{self.seed} {self.number}")

    def note(self, answer: Answer) -> None:
        """Write the first answer into the scorecard."""
        before, game = self.scorecard, self.options.game
        self.scorecard = (
            before.after_daily(game, self.today, answer.right) if self.options.daily else before.after(answer.right)
        )
        if self.scorecard is not before:
            self.save(self.scorecard)

    @property
    def day(self) -> str:
        """The date of the daily puzzle and its level: "2026-11-22, hard"."""
        return f"{self.today.isoformat()}, {daily_level(self.today)}"

    @property
    def answered_today(self) -> bool:
        """Whether the daily puzzle of the game has been answered."""
        return self.scorecard.streak(self.options.game).last == self.today

    @property
    def day_to_send(self) -> str:
        """The result of the daily puzzle in one line, for others, and the command that asks the same puzzle.

        It is that of the first answer: "420 daily, 22 Nov 2026, hard: right at the first try, 4 days in a row."
        """
        game = self.options.game
        days = self.scorecard.streak(game).on(self.today)
        right = "right" if days else "wrong"
        row = f", {days:,} days in a row" if days > 1 else ""
        daily = f"{GAMES[game].name} daily, {day_in_words(self.today)}, {daily_level(self.today)}"
        return f"{daily}: {right} at the first try{row}.\nfourtwenty practice {game} --daily"

    @property
    def streak(self) -> str:
        """The daily streak of the game in words: "Daily streak: 2 days"; empty for none."""
        days = self.scorecard.streak(self.options.game).on(self.today)
        return f"Daily streak: {counted(days, 'day', 'days')}" if days else ""
