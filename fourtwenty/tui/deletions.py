"""Deleted matches that can be brought back as long as their list is open, for the history and the unfinished games."""

from __future__ import annotations

import asyncio

from fourtwenty.journal.entries import Deleted, Entry
from fourtwenty.journal.history import History
from fourtwenty.play.flow import once_free

QUESTION = "Delete this game? Until you leave this list, u brings it back."


class Deletions:
    """The deleted matches of one list, in the order of deletion."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._deleted: list[tuple[Deleted, int]] = []
        """The rows of each match, and its row in the list."""

    def __bool__(self) -> bool:
        """Whether a match can be brought back."""
        return bool(self._deleted)

    async def delete(self, entry: Entry, row: int) -> None:
        """Delete a match that the list has in this row. Raises NotKept."""
        self._deleted.append((await once_free(lambda: self._history.delete(entry.id), asyncio.sleep), row))

    async def restore(self) -> int:
        """Bring back the match that was deleted last, and return its row. Raises NotKept."""
        deleted, row = self._deleted.pop()
        try:
            await once_free(lambda: self._history.restore(deleted), asyncio.sleep)
        except BaseException:
            self._deleted.append((deleted, row))
            raise
        return row
