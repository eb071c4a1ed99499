"""The first answers of practice, and the scorecard that is counted from them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Self

from msgspec import Struct, field
from msgspec.structs import replace

from fourtwenty.play.format import percent

ONE_DAY = timedelta(days=1)


class FirstAnswer(Struct, frozen=True):
    """The first answer to a puzzle."""

    game: str
    day: date | None
    """The day whose puzzle it is; None for another puzzle."""
    right: bool


class Scorecard(Struct, frozen=True):
    """The numbers of puzzles tried, and right at the first answer, of one user over all games and levels."""

    right: int = 0
    tried: int = 0
    days: Mapping[tuple[str, date], bool] = field(default_factory=dict)
    """Whether the first answer was right, by game and day of the daily puzzles."""

    def after(self, answer: FirstAnswer) -> Self:
        """Return the scorecard after an answer. To the puzzle of a day that was answered before, it changes nothing."""
        days = {}
        if answer.day:
            if (answer.game, answer.day) in self.days:
                return self
            days = {(answer.game, answer.day): answer.right}
        return replace(self, right=self.right + answer.right, tried=self.tried + 1, days={**self.days, **days})

    def streak(self, game: str, today: date) -> int:
        """Return the number of days in a row whose first answer was right; 0 once a day was left out.

        The day ahead counts, for who has flown west. Later ones are of a clock that was wrong.
        """
        answered = (day for day in (today + ONE_DAY, today, today - ONE_DAY) if (game, day) in self.days)
        day, number = next(answered, today), 0
        while self.days.get((game, day)):
            day, number = day - ONE_DAY, number + 1
        return number

    @property
    def rate(self) -> str:
        """The rate in words: "7 of 9 right (78%)"; empty before the first answer."""
        if not self.tried:
            return ""
        return f"{self.right:,} of {self.tried:,} right ({percent(self.right / self.tried, digits=0)})"
