"""Practice on the screen: mistakes are looked for beside it, and answers are kept while the next puzzle is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from textual.worker import WorkerError

from fourtwenty.journal.entries import KeptExercise, MistakeKind
from fourtwenty.journal.sources import Drawn, OwnMistakes, Practising, Source
from fourtwenty.play.match import Busy, NotKept
from fourtwenty.tui.past.archive import Archive
from fourtwenty.tui.screens.practice import Practice

LOOKING_SECONDS = 0.3
"""The longest time for which own mistakes are looked for before the first is asked; those found later follow it."""

BUSY_PAUSE = 0.1
"""Time in seconds after which answers are tried to be kept again, while another program writes to the history."""


class PractisingOnScreen(Practising):
    """The practice of this user, whose answers are kept in the archive."""

    def __init__(self, archive: Archive, name: str) -> None:
        super().__init__(archive.answers, name)
        self._archive = archive
        self._app = archive.app

    def keep(self) -> None:
        """Keep the answers that are not kept yet; while another program writes, try again later."""
        try:
            self.answers.keep()
        except Busy:
            self._app.set_timer(BUSY_PAUSE, self.keep)
        except NotKept as why:
            self._app.warn(f"This answer is not kept: {why}.")

    async def look(self) -> None:
        """Go through the matches in the background; wait for that no longer than it may take."""
        worker = self._archive.measuring or self._archive.measure()
        with suppress(TimeoutError, WorkerError):
            await asyncio.wait_for(asyncio.shield(worker.wait()), LOOKING_SECONDS)

    async def find(self, game: str, kind: MistakeKind | None) -> OwnMistakes:
        return await self._archive.mine(self.name, game, kind)

    def record(self, exercise: KeptExercise, right: bool) -> None:
        self._app.run_worker(self._archive.answered(exercise, right), group="answers")

    async def screen(self, source: Source, leave: Callable[[str], object]) -> Practice:
        """Return the screen that begins with a source; where that has no puzzle, with one that is drawn."""
        puzzle = await source.next()
        if puzzle is None:
            self._app.notify(source.ending, markup=False)
            source = drawn = Drawn(self, source.game)
            puzzle = await drawn.next()
        return Practice(source, puzzle, self, leave)
