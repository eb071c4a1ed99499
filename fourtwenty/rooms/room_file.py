"""Stores one room on this machine: the secret of its seat, and the known part of the log.

One window holds the file at a time. Only this module has the SQL of rooms; the history has the matches.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct

from fourtwenty.console import strip_controls
from fourtwenty.file_storage import make_private, rooms_folder, status
from fourtwenty.journal.database import SQLITE_ERRORS, RowType, checked_row, is_busy, is_damaged
from fourtwenty.play.match import SaveError
from fourtwenty.rooms.local_machine import OpenedKey

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS room (code TEXT NOT NULL, address TEXT NOT NULL, secret BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS entry (number INTEGER PRIMARY KEY, data BLOB NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS place (sequence INTEGER NOT NULL, data BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS opened (tip BLOB PRIMARY KEY, step INTEGER NOT NULL, act BLOB NOT NULL)",
)
KNOWN = "SELECT code, address, user_version FROM room, pragma_user_version WHERE EXISTS (SELECT 1 FROM entry)"


class RoomInUseError(Exception):
    """Another window on this machine has the room, and its seat, open."""


class KnownRoom(Struct, frozen=True):
    """A room that this machine has been in."""

    path: Path
    code: str
    address: str
    """Its broker's last address."""
    last_opened: int
    """The number of its last opening, over all rooms of this machine."""


class RoomFile:
    """The open file of a room. Every method raises SaveError when the file cannot be read or written."""

    def __init__(self, room: str, code: str, address: str, folder: Path | None = None) -> None:
        """Open or create the file of a room, by its id of 16 hexadecimal digits. Raises RoomInUseError, SaveError."""
        self.path = (folder or rooms_folder()) / f"{room}.sqlite"
        number = 1 + max((known.last_opened for known in known_rooms(folder)), default=0)
        try:
            make_private(self.path.parent)
            self.path.touch(mode=0o600)
            self._sql = sqlite3.connect(self.path, isolation_level=None, timeout=0)
        except (OSError, *SQLITE_ERRORS) as error:
            raise _save_error(error) from error
        try:
            self._sql.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._sql.execute("PRAGMA journal_mode = WAL")
            # So entries survive kill -9; a power cut costs at worst the last ones, but none with an opened key.
            self._sql.execute("PRAGMA synchronous = NORMAL")
            self._sql.execute("BEGIN IMMEDIATE")
            for statement in SCHEMA:
                self._sql.execute(statement)
            if self._sql.execute("SELECT 1 FROM room").fetchone() is None:
                self._sql.execute("INSERT INTO room VALUES (?, ?, ?)", (code, address, secrets.token_bytes(32)))
            self._sql.execute("UPDATE room SET code = ?, address = ?", (code, address))
            self._sql.execute(f"PRAGMA user_version = {number}")
            self._sql.execute("COMMIT")
            (self.secret,) = checked_row(self._sql.execute("SELECT secret FROM room").fetchone(), tuple[bytes])
        except (*SQLITE_ERRORS, ValueError) as error:
            self._sql.close()
            if is_busy(error, self.path):
                raise RoomInUseError from error
            raise _save_error(error) from error

    def entries(self) -> Iterator[bytes]:
        """Yield all entries, encrypted, in their order."""
        for (data,) in self._rows("SELECT data FROM entry ORDER BY number", tuple[bytes]):
            yield data

    @property
    def last_entry(self) -> tuple[int, bytes] | None:
        """The last entry's sequence in the broker's log, and its bytes; None before the first."""
        return next(self._rows("SELECT sequence, data FROM place", tuple[int, bytes]), None)

    def save_entries(self, entries: Sequence[tuple[int, bytes]]) -> None:
        """Store entries and the broker's sequences, each once; no entries clear ``last_entry``. Raises SaveError."""
        try:
            with self._sql:  # all or nothing
                self._sql.execute("BEGIN")
                self._sql.execute("DELETE FROM place")
                self._sql.executemany("INSERT OR IGNORE INTO entry (data) VALUES (?)", [(data,) for _, data in entries])
                self._sql.executemany("INSERT INTO place VALUES (?, ?)", entries[-1:])
        except (*SQLITE_ERRORS, OverflowError) as error:  # a broker's number may be too large
            raise _save_error(error) from error

    def opened_keys(self) -> Iterator[OpenedKey]:
        """Yield the deepest opened key of each chain, and its action."""
        for row in self._rows("SELECT tip, step, act FROM opened", tuple[bytes, int, bytes]):
            yield OpenedKey(*row)

    def save_opened_key(self, key: OpenedKey) -> None:
        """Store an opened key and its action, and force all to the disk. Raises SaveError."""
        try:
            self._sql.execute("PRAGMA synchronous = FULL")
            self._sql.execute("INSERT OR REPLACE INTO opened VALUES (?, ?, ?)", (key.anchor, key.step, key.act))
            self._sql.execute("PRAGMA synchronous = NORMAL")
        except SQLITE_ERRORS as error:
            raise _save_error(error) from error

    def close(self) -> None:
        """Close the file, so that another window can open it."""
        self._sql.close()

    def _rows(self, query: str, kind: type[RowType]) -> Iterator[RowType]:
        try:
            for row in self._sql.execute(query):
                yield checked_row(row, kind)
        except (*SQLITE_ERRORS, ValueError) as error:
            raise _save_error(error) from error


def _save_error(error: Exception) -> SaveError:
    return SaveError("the file of this table is damaged" if is_damaged(error) else str(error))


def known_rooms(folder: Path | None = None) -> list[KnownRoom]:
    """Return the rooms of this machine that no window has open, the one opened last first.

    A code that led to no table has a file without entries, and is none of them.
    """
    rooms = []
    for path in sorted((folder or rooms_folder()).glob("*.sqlite")):
        found = status(path)
        if found is None or not S_ISREG(found.st_mode):
            continue  # opening a pipe would wait for a writer
        try:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)) as sql:
                row = sql.execute(KNOWN).fetchone()
                if row is None:
                    continue
                code, address, last_opened = checked_row(row, tuple[str, str, int])
                rooms.append(KnownRoom(path, strip_controls(code), strip_controls(address), last_opened))
        except (*SQLITE_ERRORS, ValueError):
            continue  # open in another window, or damaged
    return sorted(rooms, key=lambda room: -room.last_opened)
