"""Deleted matches that can be brought back as long as their list is open, for the history and the unfinished games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fourtwenty.journal.entries import Deleted, Entry
from fourtwenty.journal.history import History
from fourtwenty.play.flow import once_free
from fourtwenty.play.match import NotKept
from fourtwenty.tui.dialogs.ask import Confirm
from fourtwenty.tui.framework import HouseScreen

QUESTION = "Delete this game? Until you leave this list, u brings it back."


class Deletions:
    """The deleted matches of one list, in the order of deletion."""

    def __init__(
        self,
        screen: HouseScreen[Any],
        history: History,
        load: Callable[[int], object],
        warn: Callable[[str, NotKept], object],
    ) -> None:
        """Take the screen of the list, its history, and two functions.

        ``load`` reads the list again and points to a row; ``warn`` says why a match can't be "deleted", or
        "brought back".
        """
        self._screen = screen
        self._history = history
        self._load = load
        self._warn = warn
        self._deleted: list[tuple[Deleted, int]] = []
        """The rows of each match, and its row in the list."""

    def __bool__(self) -> bool:
        """Whether a match can be brought back."""
        return bool(self._deleted)

    def delete(self, entry: Entry, about: str, row: int) -> None:
        """Delete a match that the list has in this row, after a question with words about it."""

        def answered(sure: bool | None) -> None:
            if sure:
                self._screen.run_worker(self._delete(entry, row))

        if self._screen.is_active:
            question = Confirm(f"{about}\n\n{QUESTION}", no="Keep it", yes="Delete")
            self._screen.app.push_screen(question, answered)

    def undo(self, row: int = 0) -> None:
        """Bring back the match that was deleted last; while that fails, point to a row."""
        if self._deleted:
            self._screen.run_worker(self._undo(row))

    async def _delete(self, entry: Entry, row: int) -> None:
        try:
            self._deleted.append((await once_free(lambda: self._history.delete(entry.id), asyncio.sleep), row))
        except NotKept as why:
            self._warn("deleted", why)
        self._load(row)

    async def _undo(self, row: int) -> None:
        deleted, before = self._deleted.pop()
        try:
            await once_free(lambda: self._history.restore(deleted), asyncio.sleep)
            row = before
        except NotKept as why:
            self._deleted.append((deleted, before))
            self._warn("brought back", why)
        self._load(row)
