"""Values that the history returns: entries, their seats, figures and totals. The queries are in history.py."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Figures:
    """Skill and luck of one seat in a finished match, measured against best play, or their sums over many matches."""

    lost: float
    """Value lost by its choices: 1 is a whole round."""
    decisions: int
    """Number of its choices that were not forced."""
    luck: float
    """Value gained by its dice: 1 is a whole round."""
    drinks: float | None
    """Probability at the start, under best play, that it comes last; None where it is unknown."""


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """One seat of a match in the history."""

    name: str
    bot: str | None
    """Name of the bot's character; None for a person."""
    place: int | None
    """Finishing place, from 1. Until the match is finished this field and those below are None."""
    rounds: int | None
    """Number of rounds won."""
    figures: Figures | None
    """None also until the match has been measured."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One match in the history."""

    id: int
    game: str
    """Key of the game."""
    started: datetime
    played: datetime
    """Time of the last change."""
    finished: bool
    news: str
    """The score, or the result, in one line."""
    seats: tuple[SeatEntry, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over all finished matches of one name in one game."""

    game: str
    """Key of the game."""
    matches: int
    rounds: int
    """Number of rounds won."""
    last: int
    """Number of matches in which the name came last: in 420, drinks bought."""
    measured: int
    """Number of matches that have been measured."""
    foreseen: int
    """Number of matches with a known probability of coming last."""
    last_foreseen: int
    """Number of those matches in which the name came last."""
    figures: Figures
    """Sums over the measured matches; ``drinks`` over those with a known probability."""
    faces: dict[str, tuple[int, ...]]
    """Counts of the faces rolled, by kind of dice: ``[kind][face - 1]``."""


Deleted = dict[str, list[tuple[Any, ...]]]
"""The rows of a deleted match by table, from which ``History.restore`` brings it back."""


def local(moment: datetime) -> datetime:
    """Return a time in the local time zone; unchanged if it is out of range there (years 1 and 9999)."""
    try:
        return moment.astimezone()
    except (OverflowError, OSError):
        return moment
