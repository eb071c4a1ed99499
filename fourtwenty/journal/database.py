"""The SQLite file that keeps the matches: opened, brought to the newest version, and moved aside when it is damaged.

What is in it is asked in history.py and written in match_journal.py.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from fourtwenty.paths import make_private, move_aside
from fourtwenty.play.match import Busy, NotKept
from fourtwenty.play.text import harmless

APPLICATION_ID = int.from_bytes(b"420!")
"""Marks a SQLite file as this program's."""

BUSY_SECONDS = 5.0
"""How long to wait for another copy of the program; its transactions take milliseconds."""

READING_SECONDS = 0.1
"""How long to wait at least before reading; in WAL mode, only another copy that ends just then is in the way."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE match (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL,
            started TEXT NOT NULL,
            played TEXT NOT NULL,
            finished INTEGER NOT NULL DEFAULT 0,
            measured INTEGER NOT NULL DEFAULT 0,
            news TEXT NOT NULL,
            names TEXT NOT NULL,
            claim TEXT NOT NULL,
            dice TEXT NOT NULL,
            chance BLOB NOT NULL,
            position TEXT,
            lineup TEXT NOT NULL
        )
        """,
        "CREATE INDEX match_names ON match (id, names)",
        "CREATE INDEX match_waiting ON match (played) WHERE NOT finished",
        "CREATE INDEX match_unmeasured ON match (id) WHERE finished AND NOT measured",
        """
        CREATE TABLE event (
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            number INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            roll TEXT,
            faces TEXT NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE hint (
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            number INTEGER NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID
        """,
        # By name first: statistics read all the matches of one name in a game.
        """
        CREATE TABLE seat (
            folded TEXT NOT NULL,
            game TEXT NOT NULL,
            match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            name TEXT NOT NULL,
            bot TEXT,
            dice TEXT NOT NULL,
            place INTEGER,
            last INTEGER,
            rounds INTEGER,
            ones INTEGER, twos INTEGER, threes INTEGER, fours INTEGER, fives INTEGER, sixes INTEGER,
            lost REAL,
            decisions INTEGER,
            luck REAL,
            drinks REAL,
            PRIMARY KEY (folded, game, match)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX seat_match ON seat (match, seat)",
    ),
    # Whether the last roll is taken back; its events go when it is typed again.
    ("ALTER TABLE match ADD COLUMN taken_back INTEGER NOT NULL DEFAULT 0",),
    # How many events a match has: a damaged file can lose some of them without SQLite noticing. Its identifier, the
    # words that players added as JSON (NULL while they may), and whether a player gave the seed.
    (
        "ALTER TABLE match ADD COLUMN events INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE match ADD COLUMN identifier TEXT",
        "ALTER TABLE match ADD COLUMN words TEXT",
        "ALTER TABLE match ADD COLUMN given INTEGER NOT NULL DEFAULT 0",
        "UPDATE match SET events = (SELECT count(*) FROM event WHERE event.match = match.id)",
    ),
)
"""The statements that lead from each version of the file to the next; the version is how many of them it has seen."""

FAILURES = sqlite3.Error, UnicodeDecodeError
"""The errors that SQLite raises; the second when its own message quotes bytes of a damaged file."""


class Foreign(sqlite3.DatabaseError):
    """The file is another program's."""


class Unreadable(sqlite3.DatabaseError):
    """The file is no database that this SQLite can read."""


class Database:
    """One hold of the file, opened when it is first asked for something; for one thread.

    Whatever is asked of it raises NotKept when the file cannot be read or written.
    """

    def __init__(
        self,
        path: Path,
        tell: Callable[[str], object],
        patience: float = BUSY_SECONDS,
        read_only: bool = False,
    ) -> None:
        """Open a file at a path when needed; tell people in a sentence when a damaged one has been moved aside.

        Patience is how many seconds to wait for another program that is writing. Read-only, nothing is ever made,
        moved or changed.
        """
        self.path = path
        self.tell = tell
        self.patience = patience
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        """The device and the inode of the open file."""

    def exists(self) -> bool:
        """Return whether the file is there. Raises NotKept when nobody can tell."""
        try:
            self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise NotKept(_no_folder(self.path, error)) from error
        return True

    def close(self) -> None:
        """Let go of the file, until something is asked again."""
        if self._connection:
            self._connection.close()
            self._connection = None

    @contextmanager
    def transaction(self, write: bool = True) -> Iterator[sqlite3.Connection]:
        """One short transaction: at the end of the block it is on the disk.

        Raises NotKept when it is not; then nothing of it is.
        """
        try:
            sql = self._open()
            try:
                patience = self.patience if write else max(self.patience, READING_SECONDS)
                sql.execute(f"PRAGMA busy_timeout = {1000 * patience:.0f}")
                sql.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                yield sql
                sql.execute("COMMIT")
            except FAILURES as error:
                if _damaged(error) and not self.read_only:
                    self.close()
                    self._set_aside()
                raise
            finally:
                if self._connection and sql.in_transaction:
                    sql.execute("ROLLBACK")
        except FAILURES as error:
            busy = _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            raise (Busy if busy else NotKept)(_reason(error, self.path)) from error
        except OSError as error:
            raise NotKept(_no_folder(self.path, error)) from error

    def _open(self) -> sqlite3.Connection:
        """The connection, to the file that lies at the path now: it may have been replaced."""
        if self._connection and self._file != _identity(self.path):
            self.close()
        if not self._connection:
            self._connection = self._connected()
            self._file = _identity(self.path)
        return self._connection

    def _connected(self) -> sqlite3.Connection:
        """A connection to a file that is sound as far as one can see at once, in the newest version."""
        if self.read_only:
            return _read(self.path, self.patience)
        make_private(self.path.parent)
        try:
            return _connect(self.path, self.patience)
        except FAILURES as error:
            if not _damaged(error):
                raise
        self._set_aside()
        return _connect(self.path, self.patience)

    def _set_aside(self) -> None:
        """Give the file another name and say so, unless a second look, all through it, finds nothing wrong.

        Another copy of the program may have done so first, and begun a new file.
        """
        try:
            with closing(_connect(self.path, self.patience)) as sql:
                sound = sql.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
        except FAILURES as error:
            if not _damaged(error):
                raise
            sound = False
        if not sound:
            self.tell(f"The history could not be read. Its file is now {move_aside(self.path)}")


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and the inode of a file; None when there is none."""
    with suppress(OSError):
        stat = path.stat()
        return stat.st_dev, stat.st_ino
    return None


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    """A connection to a file of the newest version, made or brought to it if need be.

    Raises sqlite3.Error, and NotKept for a version that is newer still.
    """
    if path.is_dir():
        raise Foreign
    with suppress(OSError):  # SQLite has its own words for a file that cannot be made
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o600)  # who can read the seed of a running match knows all its dice
    sql = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        _distrust(sql)
        sql.execute("PRAGMA foreign_keys = ON")
        _check_ours(sql, path)
        sql.execute("PRAGMA journal_mode = WAL")
        sql.execute("PRAGMA synchronous = FULL")
        _migrate(sql)
    except BaseException:
        sql.close()
        raise
    return sql


def _read(path: Path, patience: float) -> sqlite3.Connection:
    """A connection that changes nothing: to the file, or to a copy in memory when the file is of an older version.

    Raises sqlite3.Error, and NotKept for a version that is newer.
    """
    # A file in WAL mode cannot be opened in a folder that cannot be written, unless it is declared immutable; which
    # it is as long as no journal lies beside it (sqlite.org/wal.html, "Read-Only Databases").
    journal = path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.absolute().as_uri()}?mode=ro{'' if journal else '&immutable=1'}"
    sql = sqlite3.connect(uri, timeout=max(patience, READING_SECONDS), isolation_level=None, uri=True)
    try:
        _distrust(sql)
        _check_ours(sql, path)
        if _pragma(sql, "user_version") < len(MIGRATIONS):
            with closing(sql) as older:
                sql = sqlite3.connect(":memory:", isolation_level=None)
                older.backup(sql)
            _distrust(sql)
            _migrate(sql)
    except BaseException:
        sql.close()
        raise
    return sql


def _distrust(sql: sqlite3.Connection) -> None:
    """Let nothing in the file run code or reach a terminal: it may come from somebody else.

    See sqlite.org/security.html, "Untrusted SQLite Database Files".
    """
    sql.text_factory = lambda text: harmless(text.decode(errors="replace"))
    sql.execute("PRAGMA trusted_schema = OFF")
    sql.execute("PRAGMA cell_size_check = ON")


@contextmanager
def unfiltered(sql: sqlite3.Connection) -> Iterator[None]:
    """Read texts as they were written, to be written back and never shown."""
    filtered, sql.text_factory = sql.text_factory, lambda text: text.decode(errors="replace")
    try:
        yield
    finally:
        sql.text_factory = filtered


def _check_ours(sql: sqlite3.Connection, path: Path) -> None:
    """Raise Foreign, Unreadable or NotKept, unless the file is empty or of a version that is known."""
    try:
        empty = not sql.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.OperationalError as error:
        if _code(error) == sqlite3.SQLITE_ERROR:  # the header says what no SQLite can read
            raise Unreadable from error
        raise
    if not empty and _pragma(sql, "application_id") != APPLICATION_ID:
        raise Foreign
    if _pragma(sql, "user_version") > len(MIGRATIONS):
        raise NotKept(f"{path} is of a newer version of this program")


def _migrate(sql: sqlite3.Connection) -> None:
    """Bring the file to the newest version, whole or not at all."""
    if _pragma(sql, "user_version") == len(MIGRATIONS):
        return
    sql.execute("BEGIN IMMEDIATE")
    for statements in MIGRATIONS[_pragma(sql, "user_version") :]:
        for statement in statements:
            sql.execute(statement)
    sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    sql.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    sql.execute("COMMIT")


def _pragma(sql: sqlite3.Connection, name: str) -> int:
    return int(sql.execute(f"PRAGMA {name}").fetchone()[0])


def _damaged(error: Exception) -> bool:
    damage = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB
    return isinstance(error, (Unreadable, UnicodeDecodeError)) or _code(error) in damage


def _code(error: Exception) -> int:
    """The error's primary code; 0 where there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: Exception, path: Path) -> str:
    """Say why nothing can be read or written, to come after a colon."""
    code = _code(error)
    if isinstance(error, Foreign):
        return f"{path} belongs to another program; choose another folder with --data-dir"
    if _damaged(error):
        return "the history is damaged"
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path.parent} cannot be written"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another program is using {path}"
    return f"{path}: {error}"


def _no_folder(path: Path, error: OSError) -> str:
    return f"{path.parent}: {error.strerror}"
