"""The command ``practice`` in lines of text: it draws puzzles and keeps the scorecard. text_puzzles.py asks them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from fourtwenty.cli.text_puzzles import PUZZLE_COMMANDS, TextPuzzles
from fourtwenty.cli.typed_lines import TypedLines, run, standard_input
from fourtwenty.games.words import counted
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.paths import practice_file
from fourtwenty.play.clock import today
from fourtwenty.play.practice import PracticeOptions, daily, daily_level, drawn_puzzle, fresh_seed
from fourtwenty.play.puzzle import Answer
from fourtwenty.streams import show_any_name


class TextPractice:
    """Asks puzzle after puzzle until somebody quits, or the daily one alone."""

    def __init__(
        self,
        options: PracticeOptions,
        scorecard: Scorecard,
        save: Callable[[Scorecard], None],
        today: date,
        seed: str,
        puzzles: TextPuzzles,
    ) -> None:
        """Take the options, the scorecard and the function that saves it, the date, a seed, and who asks."""
        self.options = options
        self.scorecard = scorecard
        self.save = save
        self.today = today
        self.seed = seed
        self.puzzles = puzzles

    async def run(self) -> None:
        """Ask until the input ends, or somebody quits."""
        game, level = self.options.game, self.options.level
        write = self.puzzles.write
        write(f"Type {PUZZLE_COMMANDS}.")
        if self.options.daily:
            again = " You have answered it already." if self.scorecard.streak(game).last == self.today else ""
            write(f"The daily position of {self.today.isoformat()}, {daily_level(self.today)}.{again}")
            if await self.puzzles.ask(daily(game, self.today), self._note):
                self._sum_up()
            return
        number = 1
        while await self.puzzles.ask(drawn_puzzle(game, level, f"{self.seed} {number}"), self._note):
            number += 1
            write("")
        self._sum_up()

    def _note(self, answer: Answer) -> None:
        before = self.scorecard
        if self.options.daily:
            self.scorecard = before.after_daily(self.options.game, self.today, answer.right)
        else:
            self.scorecard = before.after(answer.right)
        if self.scorecard is not before:
            self.save(self.scorecard)

    def _sum_up(self) -> None:
        if self.scorecard.tried:
            self.puzzles.write(f"In all: {self.scorecard.rate}.")
        streak = self.scorecard.streak(self.options.game).on(self.today)
        if streak:
            self.puzzles.write(f"Daily streak: {counted(streak, 'day', 'days')}.")


def practise_in_lines(options: PracticeOptions) -> None:
    """Practise in lines of text until somebody quits."""

    def write_line(line: str) -> None:
        print(line, flush=True)

    show_any_name()
    kept = UserFiles(write_line, write_line)
    scorecard = kept.load(Scorecard, practice_file())
    lines = standard_input()

    async def practise() -> None:
        puzzles = TextPuzzles(TypedLines(lines), write_line)
        await TextPractice(
            options, scorecard, lambda changed: kept.save(changed, practice_file()), today(), fresh_seed(), puzzles
        ).run()

    run(practise())
