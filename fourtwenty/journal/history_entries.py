"""Defines the values of the history: entries, their seats, figures and totals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.english import in_another_name, is_you, possessive, times
from fourtwenty.games.game import Action, State
from fourtwenty.play.clock import day_and_time, local, time_of_day
from fourtwenty.play.format import cost
from fourtwenty.play.practice import Box


class Figures(Struct, frozen=True):
    """Skill and luck of a seat in a match, against best play, or their sums."""

    lost: float
    """Value lost by its choices: 1 is a whole round."""
    decisions: int
    """Number of its unforced choices."""
    luck: float
    """Value gained by its dice: 1 is a whole round."""
    drinks: float | None
    """Probability at the start of coming last, with best play; None where unknown."""


class SeatEntry(Struct, frozen=True):
    """One seat of a match in the history."""

    name: str
    bot: str | None
    """Name of the bot; None for a person."""
    place: int | None
    """Finishing place, from 1; None, like the fields below, until the match is finished."""
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
    counted: bool = True
    """Whether it enters statistics and the tally."""

    @property
    def news(self) -> str:
        """The result, or the turn and the progress of an unfinished match, after "not counted:" where that is so."""
        news = self.status_text if self.finished else ", ".join(filter(None, ("unfinished", self.turn, self.progress)))
        return news if self.counted else f"not counted: {news}"

    def renamed(self, names: Sequence[str]) -> HistoryEntry:
        """Return the match with other names of its seats, in its news too."""
        shown = {seat.name: name for seat, name in zip(self.seats, names, strict=True)}
        if all(name == other for name, other in shown.items()):
            return self
        news, to_act = self.status_text, self._to_act
        subject = max((name for name in shown if news.startswith(f"{name} ")), key=len, default="")
        if self.finished and subject:
            news = in_another_name(news, subject, shown[subject])
        elif to_act:
            news = news.removesuffix(_to_roll(to_act)) + _to_roll(shown[to_act])
        seats = tuple(replace(seat, name=shown[seat.name]) for seat in self.seats)
        return replace(self, status_text=news, seats=seats)

    @property
    def _to_act(self) -> str:
        """The last name in an unfinished match's news; empty between two rounds."""
        return max(
            (seat.name for seat in self.seats if self.status_text.endswith(_to_roll(seat.name))), key=len, default=""
        )

    @property
    def turn(self) -> str:
        """An unfinished match's turn, such as "your roll" or "Ann to roll"; empty between two rounds."""
        name = self._to_act
        return f"{possessive(name)} roll" if is_you(name) else f"{name} to roll" if name else ""

    @property
    def progress(self) -> str:
        """The news without the turn and signs only for the table."""
        news = self.status_text.removesuffix(_to_roll(self._to_act))
        return re.sub(r"[●↻↺] ?", "", news).replace("plays ", "").rstrip(" ·")

    def title(self, now: datetime) -> str:
        """Return game, players and local time of an unfinished match's last change, and its turn."""
        moment = local(self.played)
        when = (time_of_day if moment.date() == local(now).date() else day_and_time)(moment)
        others = [seat.name for seat in self.seats if not is_you(seat.name)]
        players = f" with {', '.join(others)}" if len(others) < len(self.seats) else f": {', '.join(others)}"
        turn = f" – {self.turn}" if self.turn else ""
        return f"{GAMES[self.game].name}{players}, {when}{turn}"


def _to_roll(name: str) -> str:
    return f", {name} to roll"


class Totals(Struct, frozen=True):
    """Sums over one name's finished matches in one game."""

    game: str
    matches: int
    rounds: int
    """Number of rounds won."""
    last: int
    """Number of matches in last place: in 420, drinks bought."""
    measured: int
    with_drinks: int
    """Number of matches with a known probability of coming last."""
    figures: Figures
    """Sums over measured matches; ``drinks`` where the probability is known."""


class StoredMistake(Struct, frozen=True):
    """A finished match's mistake; see ``MistakeKind.kind``, ``Solver.choice_key`` and ``situation``."""

    seat: int
    number: int
    """The index of its event in the match."""
    position: str
    """The state before it, as text."""
    choice_key: str
    kind: str
    situation: str
    loss: float


class MistakeKind(Struct, frozen=True):
    """One name's mistakes in one game that keep the same dice and should keep the same others."""

    kind: str
    """In words: "keeps 6 6 5 where 6 6 is better"."""
    situation: str
    times: int
    loss: float
    """The sum of their losses."""

    @property
    def cost(self) -> str:
        """Its average loss, in points."""
        return cost(self.loss / self.times)

    @property
    def words(self) -> str:
        """All of it without the name: "keeps 6 6 5 where 6 6 is better: 7 times, 3.1 points each"."""
        situation = f" ({self.situation})" if self.situation else ""
        return f"{self.kind}{situation}: {times(self.times)}, {self.cost}{' each' if self.times > 1 else ''}"


class StoredPuzzle(Struct, frozen=True):
    """A position with a mistake, and its box. Positions that are alike are one."""

    name_key: str
    game: str
    choice_key: str
    state: State
    """The position with the costliest mistake."""
    action: Action
    """The mistake."""
    names: tuple[str, ...]
    box: Box
    asked: int
    """When it was taken out of its box, in seconds since 1970."""
