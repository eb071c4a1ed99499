"""The scorecard of practice, and its file: how many first answers were right, and the streaks of daily puzzles."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Self

from msgspec import Meta, Struct, ValidationError, convert, field, to_builtins
from msgspec.structs import replace

from fourtwenty.paths import read_object, write_whole

Count = Annotated[int, Meta(ge=0)]
"""A number of days or of puzzles."""


class Streak(Struct, frozen=True):
    """The daily puzzles of a game that were solved at the first answer, day after day."""

    last: date | None = None
    """The day of the last answer; None before the first."""
    days: Count = 0
    """The number of days in a row, up to the last answer."""
    best: Count = 0
    """The longest streak so far."""

    def after(self, day: date, right: bool) -> Streak:
        """Return the streak after the first answer of a day; later answers of that day change nothing."""
        if self.last and day <= self.last:
            return self
        days = (self.days if self.last == day - timedelta(days=1) else 0) + 1 if right else 0
        return Streak(day, days, max(days, self.best))

    def on(self, day: date) -> int:
        """Return the number of days in a row as it stands on a day: 0 once a day was left out."""
        return self.days if self.last and day - self.last <= timedelta(days=1) else 0


class Scorecard(Struct, frozen=True):
    """The results of one user, over all games and levels."""

    right: Count = 0
    """The number of puzzles whose first answer was right."""
    tried: Count = 0
    """The number of puzzles that were answered."""
    streaks: Mapping[str, Streak] = field(default_factory=dict)
    """The streaks of daily puzzles, by key of the game."""

    def streak(self, game: str) -> Streak:
        """Return the streak of a game."""
        return self.streaks.get(game, Streak())

    def after(self, right: bool) -> Self:
        """Return the scorecard after the first answer to a puzzle."""
        return replace(self, right=self.right + right, tried=self.tried + 1)

    def after_daily(self, game: str, day: date, right: bool) -> Self:
        """Return the scorecard after an answer to the puzzle of a day, of which only the first counts."""
        before = self.streak(game)
        streak = before.after(day, right)
        return self if streak is before else replace(self.after(right), streaks={**self.streaks, game: streak})

    @property
    def rate(self) -> str:
        """The rate in words: "7 of 9 right (78%)"; empty before the first answer."""
        return f"{self.right:,} of {self.tried:,} right ({self.right / self.tried:.0%})" if self.tried else ""

    def save(self, path: Path) -> None:
        write_whole(path, json.dumps(to_builtins(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> Self:
        """A streak that is damaged is left out."""
        found = read_object(path)
        streaks = found.get("streaks")
        try:
            card = convert({name: found.get(name) for name in ("right", "tried")}, cls)
        except ValidationError as error:
            raise ValueError(f"{path} holds no scorecard") from error
        if card.right > card.tried:
            raise ValueError(f"{path} holds no scorecard")
        read = {game: _streak(values) for game, values in streaks.items()} if isinstance(streaks, dict) else {}
        return replace(card, streaks={game: streak for game, streak in read.items() if streak})


def _streak(values: object) -> Streak | None:
    """Return the streak of a JSON value; None when it is none."""
    try:
        streak = convert(values, Streak)
    except (ValidationError, ValueError):  # the second for a text that is no Unicode
        return None
    return streak if streak.last and streak.days <= streak.best else None
