"""Counts first answers in practice in a scorecard."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Self

from msgspec import Struct, field
from msgspec.structs import replace

from fourtwenty.games.english import pluralize
from fourtwenty.play.card import MARKS, Marks
from fourtwenty.play.format import percent

ONE_DAY = timedelta(days=1)


class FirstAnswer(Struct, frozen=True):
    """The first answer to a puzzle."""

    game: str
    day: date | None
    """The day of its puzzle; None for another."""
    right: bool


class Scorecard(Struct, frozen=True):
    """A user's numbers of puzzles tried, and right at first, over all games and levels."""

    right: int = 0
    tried: int = 0
    days: Mapping[tuple[str, date], bool] = field(default_factory=dict)
    """Whether first answers to daily puzzles were right, by game and day."""

    def after(self, answer: FirstAnswer) -> Self:
        """Return the scorecard after an answer; only the first to a day's puzzle counts."""
        days = {}
        if answer.day:
            if (answer.game, answer.day) in self.days:
                return self
            days = {(answer.game, answer.day): answer.right}
        return replace(self, right=self.right + answer.right, tried=self.tried + 1, days={**self.days, **days})

    def week_words(self, game: str, day: date, marks: Marks = MARKS) -> str:
        """Return a mark for each of the seven days up to this one, and the days in a row with a right answer.

        Empty without any answer.

        >>> days = {("420", date(2026, 11, day)): right for day, right in ((19, False), (20, True), (21, True))}
        >>> Scorecard(days=days).week_words("420", date(2026, 11, 22), ("+", "x", ".", "?"))
        '...x++? 2 days in a row'
        """
        week = [self.days.get((game, day - ago * ONE_DAY)) for ago in range(6, -1, -1)]
        if {*week} == {None}:
            return ""
        right, wrong, unanswered, is_open = marks
        shown = "".join({True: right, False: wrong, None: unanswered}[each] for each in week[:-1])
        shown += {True: right, False: wrong, None: is_open}[week[-1]]
        run = self.streak(game, day)
        return f"{shown} {pluralize(run, 'day', 'days')} in a row" if run > 1 else shown.rstrip()

    def streak(self, game: str, today: date) -> int:
        """Return the days in a row with a right first answer; 0 after a gap.

        Tomorrow counts, for travel west; later days come from a wrong clock.
        """
        answered = (day for day in (today + ONE_DAY, today, today - ONE_DAY) if (game, day) in self.days)
        day, number = next(answered, today), 0
        while self.days.get((game, day)):
            day, number = day - ONE_DAY, number + 1
        return number

    @property
    def rate(self) -> str:
        """The rate: "7 of 9 right (78%)"; empty before the first answer."""
        if not self.tried:
            return ""
        return f"{self.right:,} of {self.tried:,} right ({percent(self.right / self.tried, digits=0)})"
