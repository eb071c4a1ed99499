"""The command ``practice`` in lines of text: puzzles are asked, answers are read, and the scorecard is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import date

from fourtwenty.cli.streams import show_any_name
from fourtwenty.cli.text_table import aloud
from fourtwenty.games.game import Action, InvalidAction, Roll, Stand
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.odds import odds_of
from fourtwenty.paths import move_aside, practice_file
from fourtwenty.play.percent import cost, noticeable, percent
from fourtwenty.play.practice import PracticeOptions, daily, daily_level, drawn, fresh_seed
from fourtwenty.play.puzzle import Answer, Puzzle, kept_dice

COMMANDS = "the dice to roll by their places, as in 1 4; all; stand; why; skip; quit"


class TextPractice:
    """Asks puzzle after puzzle until somebody quits, or the daily one alone."""

    def __init__(
        self,
        options: PracticeOptions,
        scorecard: Scorecard,
        save: Callable[[Scorecard], None],
        today: date,
        seed: str,
        lines: Iterator[str],
        write_line: Callable[[str], None],
    ) -> None:
        """Take how practice begins, the scorecard and where it is saved, and the lines of input and of output."""
        self.options = options
        self.scorecard = scorecard
        self.save = save
        self.today = today
        self.seed = seed
        self.lines = lines
        self._write_line = write_line

    def write(self, text: str) -> None:
        """Write a line of output in words that can be read aloud."""
        self._write_line(aloud(text))

    def run(self) -> None:
        """Ask until the input ends, or somebody quits."""
        game, level = self.options.game, self.options.level
        self.write(f"Type {COMMANDS}.")
        if self.options.daily:
            again = " You have answered it already." if self.scorecard.streak(game).last == self.today else ""
            self.write(f"The daily position of {self.today.isoformat()}, {daily_level(self.today)}.{again}")
            if self.ask(daily(game, self.today)):
                self._sum_up()
            return
        number = 1
        while self.ask(drawn(game, level, f"{self.seed} {number}")):
            number += 1
            self.write("")
        self._sum_up()

    def ask(self, puzzle: Puzzle) -> bool:
        """Ask a puzzle until its choices are shown or it is skipped; return False when somebody quits."""
        self._describe(puzzle)
        first: Answer | None = None
        for line in self.lines:
            word = line.strip().casefold()
            if word and "quit".startswith(word):
                return False
            stands = Stand() in puzzle.state.actions and "stand".startswith(word)
            if word and "skip".startswith(word) and not stands:
                return True
            if word and "why".startswith(word):
                self._explain(first or puzzle.answer(puzzle.choices[0].action), first is not None)
                return True
            answer = self._answer(puzzle, word)
            if answer is None:
                continue
            if first is None:
                self._note(answer)
            if answer.right or first:
                self._explain(answer)
                return True
            first = answer
            self.write(f"{answer.verdict} Try again, or type why.")
        return False

    def _describe(self, puzzle: Puzzle) -> None:
        state = puzzle.state
        self.write(f"{state.caption()}.")
        for seat in range(state.seats):
            standing = state.standing(seat)
            if standing.playing:
                hand = standing.detail or "not rolled yet"
                tally = aloud(standing.tally.replace("·", "0"))
                self.write(f"{puzzle.names[seat]}: {hand}{', ' if tally else ''}{tally}")
        self.write(puzzle.question)

    def _answer(self, puzzle: Puzzle, word: str) -> Answer | None:
        """Return the verdict on a line; None, with the reason written, when it is no legal answer."""
        try:
            action = self._action(puzzle, word)
        except InvalidAction as error:
            self.write(str(error))
            return None
        refusal = puzzle.state.check(action)
        if refusal:
            self.write(refusal)
            return None
        return puzzle.answer(action)

    def _action(self, puzzle: Puzzle, word: str) -> Action:
        if word and "stand".startswith(word):
            return Stand()
        dice = len(puzzle.state.hand(puzzle.seat))
        if word == "all":
            return Roll(tuple(range(1, dice + 1)))
        if not word or not all(die.isascii() and die.isdigit() for die in word.split()):
            raise InvalidAction(f"Type {COMMANDS}.")
        return Roll(tuple(map(int, word.split())))

    def _note(self, answer: Answer) -> None:
        before = self.scorecard
        if self.options.daily:
            self.scorecard = before.after_daily(self.options.game, self.today, answer.right)
        else:
            self.scorecard = before.after(answer.right)
        if self.scorecard is not before:
            self.save(self.scorecard)

    def _explain(self, answer: Answer, answered: bool = True) -> None:
        """Write the verdict, every choice with its chances, and the reason."""
        puzzle = answer.puzzle
        odds = odds_of(puzzle.state)
        if answered:
            self.write(answer.verdict)
        for choice in puzzle.choices:
            loss = puzzle.choices[0].value - choice.value
            told = f"costs {cost(loss, puzzle.about)}" if noticeable(loss, puzzle.about) else "best"
            keep = kept_dice(choice) if isinstance(choice.action, Stand) else f"keep {kept_dice(choice)}"
            chances = "".join(
                f", {label} {percent(chance, puzzle.about)}"
                for label, chance in zip(odds.LABELS, choice.chances, strict=True)
            )
            goal = odds.goal(puzzle.state).chance
            self.write(f"{keep}: {told}{chances}, {goal} {percent(choice.value, puzzle.about)}")
        self.write(answer.reason)

    def _sum_up(self) -> None:
        if self.scorecard.tried:
            self.write(f"In all: {self.scorecard.rate}.")
        streak = self.scorecard.streak(self.options.game).on(self.today)
        if streak:
            self.write(f"Daily streak: {streak} {'day' if streak == 1 else 'days'}.")


def practise_in_lines(options: PracticeOptions) -> None:
    """Practise in lines of text until somebody quits."""
    from datetime import datetime

    def write_line(line: str) -> None:
        print(line, flush=True)

    def save(scorecard: Scorecard) -> None:
        try:
            scorecard.save(practice_file())
        except OSError as error:
            write_line(f"{practice_file().name} is not kept: {error.strerror}.")

    show_any_name()
    today = datetime.now().astimezone().date()
    lines = (line.rstrip("\n") for line in sys.stdin or ())
    TextPractice(options, _scorecard(write_line), save, today, fresh_seed(), lines, write_line).run()


def _scorecard(write_line: Callable[[str], None]) -> Scorecard:
    """Return the scorecard of the file; a new one where there is none. A damaged file is moved aside."""
    path = practice_file()
    try:
        return Scorecard.load(path)
    except (FileNotFoundError, NotADirectoryError):
        return Scorecard()
    except OSError as error:
        write_line(f"{path} cannot be read: {error.strerror}.")
    except ValueError:
        try:
            write_line(f"{path.name} could not be read. The file is now {move_aside(path)}")
        except OSError as error:
            write_line(f"{path} cannot be moved aside: {error.strerror}.")
    return Scorecard()
