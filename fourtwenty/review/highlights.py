"""The highlights of a match under review: the costliest choices, as puzzles too, and the luckiest roll."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from fourtwenty.play.match import Match
from fourtwenty.play.practice import Puzzle
from fourtwenty.review.analysis import Moment, Round

MOST_PUZZLES = 10
"""The most mistakes of a match that one player is asked about."""


class Highlight(Struct, frozen=True):
    """A moment of a match, with its place."""

    round_index: int
    step: int
    """The number of its event in the round, from 1."""
    moment: Moment

    @property
    def seat(self) -> int:
        """The seat that acted."""
        return self.moment.event.seat


def _moments(rounds: Sequence[Round]) -> Iterator[Highlight]:
    for index, each in enumerate(rounds):
        for step, moment in enumerate(each.moments, 1):
            yield Highlight(index, step, moment)


def learners(match: Match) -> tuple[int, ...]:
    """Return the seats whose mistakes are worth learning from: those of people; in a match of bots, every seat."""
    seats = match.lineup.seats
    return tuple(seat for seat, player in enumerate(seats) if not player.bot) or tuple(range(len(seats)))


def costliest(rounds: Sequence[Round], seats: Collection[int], most: int = MOST_PUZZLES) -> tuple[Highlight, ...]:
    """Return the mistakes of some seats, the costliest first."""
    mistakes = [each for each in _moments(rounds) if each.moment.mistake and each.seat in seats]
    return tuple(sorted(mistakes, key=lambda each: -each.moment.loss)[:most])


def luckiest(rounds: Sequence[Round]) -> Highlight | None:
    """Return the roll of the greatest luck; None where no roll was lucky."""
    found = max(_moments(rounds), key=lambda each: each.moment.luck, default=None)
    return found if found and found.moment.luck > 0 else None


def puzzle_of(match: Match, moment: Moment) -> Puzzle:
    colours = tuple(map(match.colour, range(moment.before.seats)))
    return Puzzle(moment.before, match.names, moment.choices, moment.choice, colours)
