"""The history for the screens: a connection for the event loop, and one for each reading or measuring thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from math import inf
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

from textual.app import ScreenStackError
from textual.message import Message
from textual.worker import Worker, get_current_worker

from fourtwenty.file_storage import history_file
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import HistoryEntry
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.play.clock import seconds
from fourtwenty.play.match import Match, SaveError
from fourtwenty.play.tally import Played
from fourtwenty.tui.textual_base.base_app import BaseApp

if TYPE_CHECKING:
    from fourtwenty.journal.practice_sources import PracticeSession

QueryResult = TypeVar("QueryResult")

MEASURED_SECONDS = 1.0
"""The least time between two Measured messages: thousands of matches may follow each other."""

PAUSE_SECONDS = 0.001
"""Seconds after each measured round: a busy thread yields only every 5 ms, on a busy machine much later."""


async def run_query(history: History, query: Callable[[History], QueryResult], none: QueryResult) -> QueryResult:
    """Return the result of a query in a thread, where SQLite may wait; ``none`` before a match. Raises SaveError."""

    def run() -> QueryResult:
        with closing(history.reopened()) as own:
            return query(own) if own.is_begun() else none

    return await asyncio.to_thread(run)


class HistoryService:
    class Measured(Message):
        """New figures and mistakes of finished matches are in the history."""

    def __init__(self, app: BaseApp) -> None:
        self.app = app
        # SQLite would wait in the event loop's thread and freeze the screen; callers retry instead.
        self.history = History(history_file(), app.warn, timeout=0)
        """The saved matches; the database is opened when first needed."""
        self.unsaved: dict[Match, Played] = {}
        """The matches that ended unsaved, for the tally of the evening."""
        self.practice: PracticeSession | None = None
        """The practice of this program, once there is any: it may have unsaved answers."""

    def close(self) -> None:
        """Close the history, after a last attempt to save pending answers."""
        with suppress(SaveError):
            if self.practice:
                self.practice.save()
        self.history.close()

    async def unfinished(self) -> HistoryEntry | None:
        """Return the unfinished match played last; None, with a warning, on an error."""
        try:
            return await run_query(self.history, History.latest_unfinished, None)
        except SaveError as why:
            self.app.warn(f"No game can be resumed: {why}.")
            return None

    async def played(self) -> tuple[Played, ...]:
        """Return the latest finished matches and the unsaved ones; only the latter on an error."""
        kept: tuple[Played, ...] = ()
        with suppress(SaveError):
            kept = await run_query(self.history, History.played, ())
        return *kept, *self.unsaved.values()

    async def due(self, name: str) -> dict[str, int]:
        """Return how many of a name's mistakes are due, by key of the game; none on an error."""
        with suppress(SaveError):
            return await run_query(self.history, lambda own: own.due(name, seconds()), {})
        return {}

    async def scorecard(self) -> Scorecard:
        """Return this user's first answers in practice, unsaved ones too; on an error, only those that are known."""
        with suppress(SaveError):
            saved = await run_query(self.history, History.scorecard, Scorecard())
            return self.practice.with_unsaved(saved) if self.practice else saved
        return self.practice.scorecard if self.practice else Scorecard()

    async def people(self) -> tuple[str, ...]:
        """Return the people in the history, most frequent first; none on an error."""
        with suppress(SaveError):
            return await run_query(self.history, History.people, ())
        return ()

    # -- figures and mistakes of finished matches ----------------------------------------------------------------------

    @property
    def measuring(self) -> Worker[None] | None:
        workers = self.app.workers
        return next((each for each in workers if each.group == "measuring" and not each.is_finished), None)

    def measure(self, quietly: bool = False) -> Worker[None]:
        """Measure finished matches in a thread, else between keys; unless ``quietly``, say how many are left out."""

        def in_thread() -> None:
            worker = get_current_worker()
            with closing(self._measured_rounds(quietly)) as rounds:  # its connection belongs to that thread
                for _ in rounds:
                    if worker.is_cancelled:
                        return
                    sleep(PAUSE_SECONDS)

        async def between_keys() -> None:
            with closing(self._measured_rounds(quietly)) as rounds:
                for _ in rounds:
                    await asyncio.sleep(0)

        threads = self.app.has_threads
        work = in_thread if threads else between_keys
        return self.app.run_worker(work, group="measuring", exclusive=True, thread=threads)

    def _measured_rounds(self, quietly: bool) -> Generator[None, None, None]:
        """Measure a round at each step; notify the screen now and then, and at the end."""
        from fourtwenty.review.figures import left_out_words, measured

        with suppress(SaveError), closing(self.history.reopened()) as history:
            if not history.is_begun():
                return  # creating it here would lock it while the screen reads
            posted_at, pending = -inf, False
            left_out: list[int] = []
            for kept in measured(history, None if quietly else left_out.append):
                pending = pending or kept is not None
                yield
                if pending and monotonic() - posted_at >= MEASURED_SECONDS:
                    posted_at, pending = monotonic(), False
                    self._post_measured()
            if pending or left_out:
                self._post_measured()
            if left_out:
                self.app.warn(left_out_words(len(left_out)))

    def _post_measured(self) -> None:
        """Notify the screen, from any thread, that matches have been measured."""
        with suppress(ScreenStackError):  # the app has ended
            self.app.screen.post_message(self.Measured())
