"""The highlights of a match under review."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from fourtwenty.play.match import Match
from fourtwenty.play.practice import Puzzle, kept_dice
from fourtwenty.review.analysis import ReviewedEvent, Round

MAX_PUZZLES = 10
"""The most mistakes of a match in one player's puzzles."""


class Highlight(Struct, frozen=True):
    """A moment of a match."""

    round_index: int
    step: int
    """The number of its event in the round, from 1."""
    moment: ReviewedEvent

    @property
    def seat(self) -> int:
        return self.moment.event.seat


def _moments(rounds: Sequence[Round]) -> Iterator[Highlight]:
    for index, each in enumerate(rounds):
        for step, moment in enumerate(each.moments, 1):
            yield Highlight(index, step, moment)


def learners(match: Match) -> tuple[int, ...]:
    """Return the seats with mistakes to learn from: people, or all seats if only bots play."""
    seats = match.lineup.seats
    return tuple(seat for seat, player in enumerate(seats) if not player.bot) or tuple(range(len(seats)))


def costliest(rounds: Sequence[Round], seats: Collection[int], most: int = MAX_PUZZLES) -> tuple[Highlight, ...]:
    mistakes = [each for each in _moments(rounds) if each.moment.mistake and each.seat in seats]
    return tuple(sorted(mistakes, key=lambda each: -each.moment.loss)[:most])


def luckiest(rounds: Sequence[Round]) -> Highlight | None:
    """Return the luckiest roll; None where no roll was lucky."""
    found = max(_moments(rounds), key=lambda each: each.moment.luck, default=None)
    return found if found and found.moment.luck > 0 else None


def past_tense(moment: ReviewedEvent) -> str:
    """Return a choice in the past tense: "stood", "kept 6 5"."""
    kept = kept_dice(moment.choice)
    return "stood" if kept == "stand" else f"kept {kept}"


def puzzle_of(match: Match, moment: ReviewedEvent) -> Puzzle:
    return Puzzle(moment.before, match.names, moment.choices, moment.choice)
