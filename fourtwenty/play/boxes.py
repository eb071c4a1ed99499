"""The five boxes in which mistakes wait until they stick, and when each is due. Nothing is stored here, no clock asked.

They are the learning box of Sebastian Leitner (So lernt man lernen, 1972) as en.wikipedia.org/wiki/Leitner_system
describes it: a right answer moves a card to the next box, a wrong one to the first. He let the size of a box say when
its cards come again; here it is a number of days.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.words import listed

DAYS = (1, 3, 7, 21, 60)
"""``[box - 1]``: the days after which a position is due again."""

DAY = 24 * 60 * 60
"""Seconds. A day is always as long: neither time zones nor dates count."""

EARLY = 6 * 60 * 60
"""The seconds before its time from which a position counts as due: who practises in the evening finds it the next
evening, even at an earlier hour."""


class Box(Struct, frozen=True):
    """The place of a position among the boxes."""

    number: int = 1
    """From 1."""
    due: int | None = 0
    """The time at which it is due, in seconds since 1970; 0 for at once, None for never: it has stuck."""

    def is_due(self, now: int) -> bool:
        """Return whether the position is due at a time, in seconds since 1970."""
        first, last = waiting(now)
        return self.due is not None and not first <= self.due <= last

    def after(self, right: bool, asked: int, now: int) -> Box:
        """Return the place after an answer at the time ``now`` to a position that was taken out at the time ``asked``.

        A right answer to a position that was not due yet changes nothing.
        """
        if not right:
            return Box(1, now + DAYS[0] * DAY)
        if not self.is_due(asked):
            return self
        if self.number == len(DAYS):
            return Box(self.number, None)
        return Box(self.number + 1, now + DAYS[self.number] * DAY)


def waiting(now: int) -> tuple[int, int]:
    """Return the first and the last time at which a position that still waits at the time ``now`` can be due.

    No box is for longer than 60 days. Of a later time the clock was wrong: the position is due at once.
    """
    return now + EARLY + 1, now + EARLY + DAYS[-1] * DAY


def due_words(due: Mapping[str, int]) -> str:
    """Return how many mistakes are due, by key of the game, in words; empty for none.

    >>> due_words({"420": 4, "421": 1, "ten-rounds": 0}), due_words({})
    ('4 in 420 and 1 in 421', '')
    """
    counts = [f"{due[key]:,} in {game.name}" for key, game in GAMES.items() if due.get(key)]
    return listed(counts) if counts else ""


def wait_words(due: int, now: int) -> str:
    """Return the time until a position is due, in words.

    >>> wait_words(due=3 * DAY, now=0), wait_words(due=DAY, now=0)
    ('in 3 days', 'within a day')
    """
    days = -(-(due - EARLY - now) // DAY)
    return "within a day" if days <= 1 else f"in {days} days"
