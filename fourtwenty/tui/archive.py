"""The history for the screens: one connection for the event loop, and one for every thread that reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from fourtwenty.journal.entries import KeptExercise, MistakeKind, Unfinished
from fourtwenty.journal.history import History
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.paths import history_file
from fourtwenty.play.clock import seconds, today
from fourtwenty.play.match import Match, NotKept
from fourtwenty.play.tally import Played

if TYPE_CHECKING:
    from fourtwenty.journal.sources import KeptAnswers, OwnMistakes

Found = TypeVar("Found")

MEASURED_SECONDS = 1.0
"""The least time between two calls that matches have been measured: thousands may be, one after the other."""


async def run_query(history: History, query: Callable[[History], Found], none: Found) -> Found:
    """Return the result of a query, which runs in a thread, so that SQLite may wait; ``none`` before the first match.

    Raises NotKept when the history cannot be read.
    """

    def run() -> Found:
        with closing(history.reopened()) as own:
            return query(own) if own.is_begun() else none

    return await asyncio.to_thread(run)


class Archive:
    def __init__(self, warn: Callable[[str], object]) -> None:
        """Take the function that shows a warning; it is called from any thread."""
        self._warn = warn
        # SQLite waits in the event loop's thread, which would freeze the screen; callers retry instead.
        self.history = History(history_file(), warn, timeout=0)
        """The matches that are kept; the database is opened when it is first needed."""
        self.unkept: dict[Match, Played] = {}
        """The matches that ended without being kept, for the tally of the evening."""
        self._answers: KeptAnswers | None = None

    @property
    def answers(self) -> KeptAnswers:
        """The first answers of practice."""
        from fourtwenty.journal.sources import KeptAnswers

        self._answers = self._answers or KeptAnswers(self.history)
        return self._answers

    def close(self) -> None:
        """Close the history, after a last try to keep the answers that are not kept yet."""
        with suppress(NotKept):
            if self._answers:
                self._answers.keep()
        self.history.close()

    async def unfinished(self) -> Unfinished | None:
        """Return what the lobby shows of the unfinished matches; None, with a warning, on an error."""
        try:
            return await run_query(self.history, History.latest_unfinished, None)
        except NotKept as why:
            self._warn(f"No game can be resumed: {why}.")
            return None

    async def played(self) -> tuple[Played, ...]:
        """Return the latest finished matches with those that are not kept; on an error those alone."""
        kept: tuple[Played, ...] = ()
        with suppress(NotKept):
            kept = await run_query(self.history, History.played, ())
        return *kept, *self.unkept.values()

    async def due(self, name: str) -> dict[str, int]:
        """Return how many mistakes of a name are due, by key of the game; none on an error."""
        with suppress(NotKept):
            return await run_query(self.history, lambda own: own.due(name, seconds()), {})
        return {}

    async def answered_today(self) -> frozenset[str]:
        """Return the keys of the games whose puzzle of the day is answered; on an error, those of this program."""
        kept = Scorecard()
        with suppress(NotKept):
            kept = await run_query(self.history, History.scorecard, kept)
        own = self._answers.scorecard if self._answers else Scorecard()
        return frozenset(game for game, day in (*kept.days, *own.days) if day == today())

    async def mine(self, name: str, game: str, kind: MistakeKind | None, searching: bool) -> OwnMistakes:
        """Return the mistakes of a name that are due, or all of a kind; none, with the reason, on an error."""
        from fourtwenty.journal.sources import NO_MISTAKES, OwnMistakes

        def find(own: History) -> OwnMistakes:
            return OwnMistakes.of(own, name, game, seconds(), kind, searching)

        try:
            return await run_query(self.history, find, NO_MISTAKES)
        except NotKept as why:
            return OwnMistakes(game, sentence=f"Can't open the history: {why}.")

    async def answered(self, exercise: KeptExercise, right: bool) -> None:
        """Move an exercise to the box that follows from an answer; warn on an error."""

        def write() -> None:
            with closing(self.history.reopened()) as own:
                own.answered(exercise, right, seconds())

        try:
            await asyncio.to_thread(write)
        except NotKept as why:
            self._warn(f"This answer is not kept: {why}.")

    def measure(self, quietly: bool, tell: Callable[[], object]) -> Iterator[None]:
        """Find the figures and mistakes of finished matches, and call ``tell`` now and then, and at the end.

        Unless ``quietly``, say how many matches are left out, and look at these no more. A caller may stop anywhere.
        """
        from fourtwenty.review.figures import left_out_words, measured

        with suppress(NotKept), closing(self.history.reopened()) as history:
            if not history.is_begun():
                return  # creating it here would lock it while the screen reads it
            told_at, pending = -inf, False
            left_out: list[int] = []
            for kept in measured(history, None if quietly else left_out.append):
                pending = pending or kept is not None
                yield
                if pending and monotonic() - told_at >= MEASURED_SECONDS:
                    told_at, pending = monotonic(), False
                    tell()
            if pending or left_out:
                tell()
            if left_out:
                self._warn(left_out_words(len(left_out)))

    async def people(self) -> tuple[str, ...]:
        """Return the people in the history, the most frequent first; none on an error."""
        with suppress(NotKept):
            return await run_query(self.history, History.people, ())
        return ()
