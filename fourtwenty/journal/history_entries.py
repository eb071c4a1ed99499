"""Values that the history returns: entries, their seats, figures and totals. The queries are in history.py."""

from __future__ import annotations

import re
from datetime import datetime

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.english import is_you, pluralize, possessive, times
from fourtwenty.games.game import Action, State
from fourtwenty.play.clock import day_and_time, local, time_of_day
from fourtwenty.play.format import cost
from fourtwenty.play.practice import Box


class Figures(Struct, frozen=True):
    """Skill and luck of a seat in a match, against best play, or their sums."""

    lost: float
    """Value lost by its choices: 1 is a whole round."""
    decisions: int
    """Number of its choices that were not forced."""
    luck: float
    """Value gained by its dice: 1 is a whole round."""
    drinks: float | None
    """Probability at the start, under best play, that it comes last; None where it is unknown."""


class SeatEntry(Struct, frozen=True):
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


class HistoryEntry(Struct, frozen=True):
    """One match in the history."""

    id: int
    game: str
    started: datetime
    played: datetime
    """Time of the last change."""
    finished: bool
    status_text: str
    """The score, or the result, in one line."""
    seats: tuple[SeatEntry, ...]

    @property
    def _to_act(self) -> str:
        """The name at the end of the news of an unfinished match; empty between two rounds."""
        return max(
            (seat.name for seat in self.seats if self.status_text.endswith(_to_roll(seat.name))), key=len, default=""
        )

    @property
    def turn(self) -> str:
        """The turn of an unfinished match, such as "your roll" or "Ann to roll"; empty between two rounds."""
        name = self._to_act
        return f"{possessive(name)} roll" if is_you(name) else f"{name} to roll" if name else ""

    @property
    def progress(self) -> str:
        """The news without the turn, and without what is drawn on the table only."""
        news = self.status_text.removesuffix(_to_roll(self._to_act))
        return re.sub(r"[●↻↺] ?", "", news).replace("plays ", "").rstrip(" ·")

    def title(self, now: datetime) -> str:
        """Return game, players and local time of the last change of an unfinished match, and whose turn it is."""
        moment = local(self.played)
        when = (time_of_day if moment.date() == local(now).date() else day_and_time)(moment)
        others = [seat.name for seat in self.seats if not is_you(seat.name)]
        players = f" with {', '.join(others)}" if len(others) < len(self.seats) else f": {', '.join(others)}"
        turn = f" – {self.turn}" if self.turn else ""
        return f"{GAMES[self.game].name}{players}, {when}{turn}"


def _to_roll(name: str) -> str:
    return f", {name} to roll"


def unreadable_words(matches: int) -> str:
    """Return the sentence about matches that cannot be read; empty for none."""
    return f"{pluralize(matches, 'game', 'games')} cannot be read: damaged." if matches else ""


class Unfinished(Struct, frozen=True):
    """The unfinished matches: the one played last, and the number of all."""

    latest: HistoryEntry
    number: int


class Totals(Struct, frozen=True):
    """Sums over all finished matches of one name in one game."""

    game: str
    matches: int
    rounds: int
    """Number of rounds won."""
    last: int
    """Number of matches in which the name came last: in 420, drinks bought."""
    measured: int
    with_drinks: int
    """Number of matches with a known probability of coming last."""
    figures: Figures
    """Sums over the measured matches; ``drinks`` over those with a known probability."""


class StoredMistake(Struct, frozen=True):
    """A mistake in a finished match; ``MistakeKind`` has its ``kind``, ``Solver`` its ``alike`` and ``situation``."""

    seat: int
    number: int
    """The index of its event in the match."""
    position: str
    """The state before it, as one line of text."""
    choice_key: str
    kind: str
    situation: str
    loss: float


class MistakeKind(Struct, frozen=True):
    """The mistakes of one name in one game that keep the same dice, where the same others are better."""

    kind: str
    """In words: "keeps 6 6 5 where 6 6 is better"."""
    situation: str
    times: int
    loss: float
    """The sum of their losses."""

    @property
    def cost(self) -> str:
        """Its average loss, in percent."""
        return cost(self.loss / self.times)

    @property
    def words(self) -> str:
        """All of it, without the player's name: "keeps 6 6 5 where 6 6 is better: 7 times, 3.1% each"."""
        situation = f" ({self.situation})" if self.situation else ""
        return f"{self.kind}{situation}: {times(self.times)}, {self.cost}{' each' if self.times > 1 else ''}"


class StoredPuzzle(Struct, frozen=True):
    """A position with a mistake, and its box. Positions that are alike are one."""

    name_key: str
    game: str
    choice_key: str
    state: State
    """The one of these positions in which the mistake cost most."""
    action: Action
    """The mistake."""
    names: tuple[str, ...]
    box: Box
    asked: int
    """The time at which it was taken out of its box, in seconds since 1970."""
