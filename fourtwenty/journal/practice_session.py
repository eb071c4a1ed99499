"""Practice as it goes on: the puzzles in their order, and the first answers to them.

The puzzles are drawn, that of the day, or the own mistakes that are due.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import reduce

from msgspec import Struct, field
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.words import counted
from fourtwenty.journal.entries import KeptExercise, MistakeKind
from fourtwenty.journal.history import History
from fourtwenty.journal.scorecard import FirstAnswer, Scorecard
from fourtwenty.odds import odds_of
from fourtwenty.odds.interface import choice_of
from fourtwenty.play.clock import day_in_words
from fourtwenty.play.match import NotKept
from fourtwenty.play.practice import (
    Answer,
    PracticeOptions,
    Puzzle,
    daily,
    daily_level,
    drawn_puzzle,
    fresh_seed,
    wait_words,
)


class Mine(Struct, frozen=True):
    """The own mistakes to be practised now."""

    game: str
    """The game of the exercises: the one asked for, or another one where that has none."""
    exercises: tuple[KeptExercise, ...] = ()
    due: Mapping[str, int] = field(default_factory=dict)
    """The number of exercises that are due, by key of the game."""
    sentence: str = ""
    """Why there is no exercise."""

    @classmethod
    def of(cls, history: History, name: str, game: str, now: int, kind: MistakeKind | None = None) -> Mine:
        """Return the mistakes of a name that are due at a time, or all of a kind. Raises NotKept."""
        due, unmeasured = history.due(name, now), len(history.unmeasured())
        if not kind and not unmeasured and game not in due:
            game = max(due, key=lambda each: due[each], default=game)
        exercises = history.exercises(name, game, now, kind)
        if exercises:
            sentence = ""
        elif unmeasured:
            sentence = f"Looking for your mistakes in {counted(unmeasured, 'game', 'games')}."
        elif next_due := history.next_due(name, now):
            sentence = f"No mistake is due. The next one comes back {wait_words(next_due, now)}."
        elif any(history.kinds(name, each) for each in GAMES):
            sentence = "Every mistake was put right until it stuck."
        else:
            sentence = NO_MISTAKES.sentence
        return cls(game, exercises, due, sentence)


NO_MISTAKES = Mine("", sentence="No mistakes yet: they come from finished games.")


class KeptAnswers:
    """The first answers of this user: those in the history, and those that are not kept until the program ends."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._kept = Scorecard()
        self._unkept: list[FirstAnswer] = []

    def read(self) -> None:
        """Read what every window has kept, as far as that can be done."""
        with suppress(NotKept):
            if self._history.is_begun():
                self._kept = self._history.scorecard()

    def add(self, answer: FirstAnswer) -> None:
        """Count an answer, which is not kept yet."""
        self._unkept.append(answer)

    def keep(self) -> None:
        """Keep the answers that are not kept yet. Raises NotKept."""
        if self._unkept:
            self._kept = self._history.keep_answers(self._unkept)
            self._unkept = []

    @property
    def scorecard(self) -> Scorecard:
        """The scorecard of all answers."""
        return reduce(Scorecard.after, self._unkept, self._kept)


class PracticeSession(Struct):
    """Practice of one user, from its first puzzle on. A front end asks the puzzles, and may change the options."""

    options: PracticeOptions
    """The options of the next puzzle."""
    answers: KeptAnswers
    keep: Callable[[], object]
    """Called after every first answer, to keep it."""
    today: date
    seed: str = field(default_factory=fresh_seed)
    """The puzzles follow from it."""
    number: int = 0
    """The number of puzzles drawn, without those of the day."""
    record: Callable[[KeptExercise, bool], object] = lambda _exercise, _right: None
    """Called with every own mistake that is answered, and whether the first answer was right."""

    mine: Mine = NO_MISTAKES
    """The own mistakes that were taken out of the boxes."""
    asked: int = 0
    """The number of these that have been asked."""
    results: list[bool] = field(default_factory=list)
    """Whether the first answer was right, for each that has been answered."""

    def take(self, mine: Mine) -> None:
        """Ask these mistakes next; without any, go on with puzzles that are drawn."""
        self.mine, self.asked, self.results = mine, 0, []
        self.options = replace(self.options, mine=bool(mine.exercises))
        if mine.exercises:
            self.options = replace(self.options, game=mine.game, daily=False)

    def add(self, mine: Mine) -> None:
        """Ask these mistakes after the others, if they are of the same game; those that are among them count once."""
        before = {exercise.alike for exercise in self.mine.exercises}
        more = [each for each in mine.exercises if each.game == self.mine.game and each.alike not in before]
        self.mine = replace(mine, game=self.mine.game, exercises=(*self.mine.exercises, *more))

    def puzzle(self) -> Puzzle:
        """Return the next mistake, which ``is_last`` says is there, or the puzzle of the day, or draw the next one."""
        if self.options.mine:
            self.asked += 1
            return _puzzle_of(self.mine.exercises[self.asked - 1])
        if self.options.daily:
            return daily(self.options.game, self.today)
        self.number += 1
        return drawn_puzzle(self.options.game, self.options.level, f"{self.seed} {self.number}")

    @property
    def is_last(self) -> bool:
        """Whether no puzzle follows: the own mistakes come to an end, drawn puzzles do not."""
        return self.options.mine and self.asked == len(self.mine.exercises)

    @property
    def scorecard(self) -> Scorecard:
        """The results so far."""
        return self.answers.scorecard

    def note(self, answer: Answer) -> str:
        """Keep the first answer, and record that to a mistake.

        Returns a sentence where another answer to the puzzle of the day counts; else empty text.
        """
        game, day = self.options.game, self.today if self.options.daily else None
        self.answers.add(FirstAnswer(game, day, answer.right))
        self.keep()
        if self.options.mine:
            self.results.append(answer.right)
            self.record(self.mine.exercises[self.asked - 1], answer.right)
        if not day or self.is_right_today == answer.right:
            return ""
        return f"The first answer of the day counts: it was {self._right_or_wrong}."

    @property
    def number_of(self) -> str:
        """The number of the mistake that is asked: "3 of 12"."""
        return f"{self.asked} of {len(self.mine.exercises)}"

    @property
    def mine_summed_up(self) -> str:
        """The result of the own mistakes: "4 of 5 right at the first try."; empty before the first answer."""
        return f"{sum(self.results)} of {len(self.results)} right at the first try." if self.results else ""

    @property
    def day(self) -> str:
        """The date of the daily puzzle and its level: "2026-11-22, hard"."""
        return f"{self.today.isoformat()}, {daily_level(self.today)}"

    @property
    def is_right_today(self) -> bool | None:
        """Whether the first answer to the daily puzzle of the game was right; None before it."""
        return self.scorecard.days.get((self.options.game, self.today))

    @property
    def answered_today(self) -> bool:
        """Whether the daily puzzle of the game has been answered."""
        return self.is_right_today is not None

    @property
    def _right_or_wrong(self) -> str:
        return "right" if self.is_right_today else "wrong"

    @property
    def day_to_send(self) -> str:
        """The result of the daily puzzle in one line, for others, and the command that asks the same puzzle.

        It is that of the first answer: "420 daily, 22 Nov 2026, hard: right at the first try, 4 days in a row."
        """
        game = self.options.game
        days = self.scorecard.streak(game, self.today)
        row = f", {days:,} days in a row" if self.is_right_today and days > 1 else ""
        daily = f"{GAMES[game].name} daily, {day_in_words(self.today)}, {daily_level(self.today)}"
        return f"{daily}: {self._right_or_wrong} at the first try{row}.\nfourtwenty practice {game} --daily"

    @property
    def streak(self) -> str:
        """The daily streak of the game in words: "Daily streak: 2 days"; empty for none."""
        days = self.scorecard.streak(self.options.game, self.today)
        return f"Daily streak: {counted(days, 'day', 'days')}" if days else ""


def _puzzle_of(exercise: KeptExercise) -> Puzzle:
    choices = odds_of(exercise.state).choices(exercise.state)
    return Puzzle(exercise.state, exercise.names, choices, choice_of(choices, exercise.state, exercise.action))
