"""Opens the SQLite file of the history: connections, schema and damaged files."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from time import monotonic, sleep
from typing import TypeVar

from msgspec import ValidationError, convert

from fourtwenty import file_storage
from fourtwenty.console import strip_controls
from fourtwenty.file_storage import has_locks, is_private, make_private, move_aside, save_folder, status
from fourtwenty.play.match import JournalLockedError, SaveError, SavePendingError

APPLICATION_ID = int.from_bytes(b"420.")

BUSY_SECONDS = 5.0
"""Default seconds of waiting for another copy's lock; its transactions take milliseconds."""

REOPEN_PAUSE_SECONDS = 0.02

READING_SECONDS = 0.1
"""Least timeout of a read, and of opening the file."""

VERSION = 4
"""The ``user_version`` of the file. Others are neither read nor written."""

SCHEMA = (
    # measured: the version of the solution (odds.SOLUTIONS) of its figures and mistakes; 0 for none. written: the
    # number of the write, over all matches, that last changed its events: the order of play, also with a wrong clock.
    # events: their number, because a damaged file can lose some without an SQLite error. taken_back: set while the last
    # roll is taken back; its event is deleted when its faces are typed again. coaching: JSON of [number of events
    # before the change, level]. bets: JSON of [seat of the person, seat bet on].
    """
    CREATE TABLE match (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game TEXT NOT NULL,
        started TEXT NOT NULL,
        played TEXT NOT NULL,
        written INTEGER NOT NULL,
        finished INTEGER NOT NULL DEFAULT 0,
        measured INTEGER NOT NULL DEFAULT 0,
        status_text TEXT NOT NULL,
        names TEXT NOT NULL,
        claim TEXT NOT NULL,
        dice TEXT NOT NULL,
        dice_source BLOB NOT NULL,
        seed_chosen INTEGER NOT NULL,
        identifier TEXT,
        position TEXT NOT NULL,
        lineup TEXT NOT NULL,
        events INTEGER NOT NULL,
        taken_back INTEGER NOT NULL,
        coaching TEXT NOT NULL,
        bets TEXT NOT NULL
    )
    """,
    "CREATE INDEX match_names ON match (id, names)",
    "CREATE INDEX match_written ON match (written)",
    "CREATE INDEX match_waiting ON match (written) WHERE NOT finished",
    "CREATE INDEX match_measured ON match (game, measured) WHERE finished",
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
    # By name first: statistics read all matches of a name in a game.
    """
    CREATE TABLE seat (
        name_key TEXT NOT NULL,
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
        PRIMARY KEY (name_key, game, match)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX seat_match ON seat (match, seat)",
    # People's mistakes in finished matches, and the boxes of their positions (play/practice.py), by name first.
    """
    CREATE TABLE mistake (
        name_key TEXT NOT NULL,
        game TEXT NOT NULL,
        choice_key TEXT NOT NULL,
        match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE,
        number INTEGER NOT NULL,
        position TEXT NOT NULL,
        kind TEXT NOT NULL,
        situation TEXT NOT NULL,
        loss REAL NOT NULL,
        PRIMARY KEY (name_key, game, choice_key, match, number)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX mistake_match ON mistake (match)",
    # last_match: the newest match at the last answer; a mistake in a later one is made again.
    """
    CREATE TABLE box (
        name_key TEXT NOT NULL,
        game TEXT NOT NULL,
        choice_key TEXT NOT NULL,
        number INTEGER NOT NULL,
        due INTEGER,
        last_match INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (name_key, game, choice_key)
    ) WITHOUT ROWID
    """,
    # First answers to puzzles: one a day and game. Other puzzles have no day, and NULLs are not equal.
    "CREATE TABLE answer (game TEXT NOT NULL, day TEXT, right INTEGER NOT NULL, UNIQUE (game, day))",
    # All names of each renamed player, the one that is shown among them. A name leads to its player in one step, so
    # that no chain and no circle can be read.
    """
    CREATE TABLE alias (
        name_key TEXT PRIMARY KEY,
        player_key TEXT NOT NULL,
        shown TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX alias_player ON alias (player_key)",
    # Matches that are listed, and enter no statistics.
    "CREATE TABLE uncounted (match INTEGER PRIMARY KEY REFERENCES match ON DELETE CASCADE)",
)
"""The statements for an empty file's tables and indexes, for missing indexes and for ``LATER_TABLES``."""

LATER_TABLES = ("alias", "uncounted")
"""The tables that a file of this version may lack. Programs that do not know them leave them as they are."""

_creating = Lock()
"""Held while a thread creates and closes the file, so that no other has it open."""

UNWRITABLE = (
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
)
"""The result codes of a file that may be readable but not writable.

On a full disk the -shm file, needed for reading, has no room: an IOERR.
"""

LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
"""The result codes of an unavailable lock; PROTOCOL: programs open the WAL at once."""

ELSEWHERE = "choose another folder with --data-dir"

SQLITE_ERRORS = sqlite3.Error, UnicodeDecodeError
"""The errors of sqlite3, the second when SQLite's message quotes bytes of a damaged file."""


class ForeignFileError(sqlite3.DatabaseError):
    """The file belongs to another program."""


class UnreadableFileError(sqlite3.DatabaseError):
    """An impossible header: an unknown schema format, or a ``user_version`` without its tables."""


class Database:
    """A connection to the file for one thread, opened by its first transaction."""

    def __init__(
        self,
        path: Path,
        tell: Callable[[str], object],
        timeout: float = BUSY_SECONDS,
        read_only: bool = False,
    ) -> None:
        """``tell`` gets the message of a damaged file moved aside; ``read_only`` moves none."""
        self.path = path
        self.tell = tell
        self.timeout = timeout
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def is_begun(self) -> bool:
        """Return whether the file exists. Raises SaveError for an unreadable folder."""
        try:
            return status(self.path) is not None
        except OSError as error:
            raise SaveError(_no_folder(self.path, error)) from error

    def close(self) -> None:
        """Close the connection; the next transaction opens a new one."""
        if self._connection:
            self._connection.close()
            self._connection = None

    @contextmanager
    def transaction(self, write: bool = True) -> Iterator[sqlite3.Connection]:
        """Run the block in one transaction, saved or undone. Raises SaveError, or JournalLockedError if locked."""
        reading: sqlite3.Connection | None = None
        try:
            try:
                sql = self._current_connection_once_free()
            except SQLITE_ERRORS as error:
                if write or _result_code(error) not in UNWRITABLE:
                    raise
                sql = reading = _connect_read_only(self.path, self.timeout)
            try:
                timeout = self.timeout if write else max(self.timeout, READING_SECONDS)
                sql.execute(f"PRAGMA busy_timeout = {1000 * timeout:.0f}")
                sql.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                _check_version(sql, self.path)  # another version may have changed it since it was opened
                yield sql
                sql.execute("COMMIT")
                if write:
                    save_folder()
            except SQLITE_ERRORS as error:
                if is_damaged(error) and not self.read_only:
                    self.close()
                    self._set_aside()
                raise
            finally:
                if reading:
                    reading.close()
                elif self._connection and sql.in_transaction:
                    sql.execute("ROLLBACK")
        except SQLITE_ERRORS as error:
            if is_busy(error, self.path):
                raise JournalLockedError(f"another program is using {self.path}") from error
            if _result_code(error) in LOCKED:
                self.timeout = 0  # files cannot be locked here: another wait would not help
            raise SaveError(_reason(error, self.path, write)) from error
        except OSError as error:
            raise SaveError(_no_folder(self.path, error)) from error

    def check_saved(self) -> None:
        """Raise SavePendingError while a browser is saving a change, SaveError when it failed."""
        refusal = file_storage.storage and file_storage.storage.refusal()
        if refusal:
            save_folder()
            raise SaveError(refusal)
        if refusal is not None:
            raise SavePendingError("it is being saved")

    def _current_connection_once_free(self) -> sqlite3.Connection:
        """The connection, retried while the file is busy or moved: SQLite does not always wait itself."""
        began = monotonic()
        while True:
            file = _identity(self.path)
            try:
                sql = self._current_connection()
            except SQLITE_ERRORS as error:
                if not is_busy(error, self.path) and _identity(self.path) == file:
                    raise
                if monotonic() - began >= self.timeout:
                    raise
            else:
                if file in (None, _identity(self.path)):
                    return sql
                # Another copy may have moved the opened file aside: SQLite opens a WAL by its name, now the new file's.
                # Closing changes neither, as SQLite sees that its file has moved.
                self.close()
            sleep(REOPEN_PAUSE_SECONDS)

    def _current_connection(self) -> sqlite3.Connection:
        if self._connection and self._file != _identity(self.path):
            self.close()
        if not self._connection:
            self._connection = self._new_connection()
            self._file = _identity(self.path)
        return self._connection

    def _new_connection(self) -> sqlite3.Connection:
        if self.read_only:
            return _connect_read_only(self.path, self.timeout)
        make_private(self.path.parent)
        try:
            return _connect(self.path, self.timeout)
        except SQLITE_ERRORS as error:
            if not is_damaged(error):
                raise
        self._set_aside()
        return _connect(self.path, self.timeout)

    def _set_aside(self) -> None:
        """Move the file aside and notify the user, unless it passes a full integrity check.

        It passes when another copy has just replaced the damaged file. One copy at a time checks and moves, or one
        would move the new file of another. A damaged file cannot hold the lock.
        """
        with file_lock(self.path, max(self.timeout, READING_SECONDS)):
            try:
                with closing(_connect(self.path, self.timeout)) as sql:
                    valid_rows = sql.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            except SQLITE_ERRORS as error:
                if not is_damaged(error):
                    raise
                valid_rows = False
            if not valid_rows:
                self.tell(f"The history could not be read. Its file is now {move_aside(self.path)}")


@contextmanager
def file_lock(path: Path, timeout: float = BUSY_SECONDS) -> Iterator[None]:
    """Hold an exclusive lock on this path, in an existing folder. Raises sqlite3.Error when it is unavailable.

    The lock is SQLite's on a file beside it, and ends with the program.
    """
    lock = path.with_name(f"{path.name}.lock")
    _create_private(lock)
    with closing(sqlite3.connect(lock, timeout=timeout)) as sql:
        sql.execute("BEGIN EXCLUSIVE")
        yield


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of a file; None without one."""
    with suppress(OSError):
        if found := status(path):
            return found.st_dev, found.st_ino
    return None


def _connect(path: Path, timeout: float) -> sqlite3.Connection:
    """Return a read-write connection; the file is created if missing. Raises SaveError.

    It waits at least as long as a read: the first connections of two threads create the file.
    """
    _check_ordinary(path)
    _create_private(path)
    sql = sqlite3.connect(path, timeout=max(timeout, READING_SECONDS), isolation_level=None)
    try:
        _distrust(sql)
        sql.execute("PRAGMA foreign_keys = ON")
        with sql:  # in one transaction: another program may create the tables meanwhile
            sql.execute("BEGIN")
            missing = _missing(sql, path)
        _keep_private(path)
        sql.execute("PRAGMA journal_mode = WAL")
        sql.execute("PRAGMA synchronous = FULL")
        if missing:
            _create(sql, path)
    except BaseException:
        sql.close()
        raise
    return sql


def _create_private(path: Path) -> None:
    """Create a missing file that only its user may read. SQLite repeats an error."""
    # An existing file must not be opened: closing it would release all locks of this process on it, and another
    # program would delete the WAL of its open connections (sqlite.org/howtocorrupt.html, "Posix advisory locks
    # canceled by a separate thread doing close()").
    with suppress(OSError), _creating:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _keep_private(path: Path) -> None:
    """Let only its user read a file known to be ours: a link may lead elsewhere."""
    real = path.resolve()  # SQLite's other files are beside it, with its permissions
    for end in ("", "-wal", "-shm"):
        file = real.with_name(real.name + end)
        with suppress(OSError):
            if not is_private(file):
                file.chmod(0o600)  # the seed of an unfinished match gives all its dice


def _check_ordinary(path: Path) -> None:
    """Raise ForeignFileError for what is not a file: opening a pipe would wait for a writer."""
    if (found := status(path)) and not S_ISREG(found.st_mode):
        raise ForeignFileError


def _connect_read_only(path: Path, timeout: float) -> sqlite3.Connection:
    """A read-only connection; to an empty history in memory while the file has no tables."""
    _check_ordinary(path)
    # In a read-only folder SQLite opens a file in WAL mode only if it is declared immutable. That is safe while
    # nothing is in a WAL file (sqlite.org/wal.html, "Read-Only Databases"). An empty one is left by a program that
    # found no room for the -shm file.
    wal = status(path.with_name(f"{path.name}-wal"))
    uri = f"{path.absolute().as_uri()}?mode=ro{'' if wal and wal.st_size else '&immutable=1'}"
    sql = sqlite3.connect(uri, timeout=max(timeout, READING_SECONDS), isolation_level=None, uri=True)
    try:
        _distrust(sql)
        with sql:
            sql.execute("BEGIN")
            missing = _missing(sql, path)
        if len(missing) == len(SCHEMA):
            sql.close()
            sql = sqlite3.connect(":memory:", isolation_level=None)
            _create(sql, path)
        elif missing:
            for statement in missing:
                if _creates_table(statement):
                    sql.execute(statement.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    except BaseException:
        sql.close()
        raise
    return sql


def _distrust(sql: sqlite3.Connection) -> None:
    """Allow no code in the schema, no control characters (sqlite.org/security.html, "Untrusted")."""
    sql.text_factory = lambda text: strip_controls(text.decode(errors="replace"))
    sql.execute("PRAGMA trusted_schema = OFF")
    sql.execute("PRAGMA cell_size_check = ON")


def _missing(sql: sqlite3.Connection, path: Path) -> list[str]:
    """Return the statements of SCHEMA for missing tables or indexes. Raises if the file is not ours."""
    try:
        names = {name for (name,) in sql.execute("SELECT name FROM sqlite_master")}
    except sqlite3.OperationalError as error:
        # SQLite has no own code for an unknown schema format in the header.
        if _result_code(error) == sqlite3.SQLITE_ERROR:
            raise UnreadableFileError from error
        raise
    owner = _pragma(sql, "application_id")
    if owner != APPLICATION_ID and (names or owner):
        raise ForeignFileError
    if not names and _pragma(sql, "user_version") == 0:
        return [*SCHEMA]
    _check_version(sql, path)
    missing = [statement for statement in SCHEMA if statement.split()[2] not in names]
    if any(_creates_table(statement) and statement.split()[2] not in LATER_TABLES for statement in missing):
        raise UnreadableFileError
    return missing


def _creates_table(statement: str) -> bool:
    return statement.split()[1] == "TABLE"


def _check_version(sql: sqlite3.Connection, path: Path) -> None:
    """Raise SaveError for another version and leave its file unchanged; UnreadableFileError for a negative one."""
    version = _pragma(sql, "user_version")
    if version < 0:
        raise UnreadableFileError
    if version != VERSION:
        raise SaveError(
            f"{path} has format {version}, and this version of fourtwenty has format {VERSION}; "
            f"play with the version that wrote it, or {ELSEWHERE}"
        )


def _create(sql: sqlite3.Connection, path: Path) -> None:
    """Create what is missing, in one transaction, unless another program has done so."""
    sql.execute("BEGIN IMMEDIATE")
    for statement in _missing(sql, path):
        sql.execute(statement)
    sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    sql.execute(f"PRAGMA user_version = {VERSION}")
    sql.execute("COMMIT")


def _pragma(sql: sqlite3.Connection, name: str) -> int:
    return int(sql.execute(f"PRAGMA {name}").fetchone()[0])


RowType = TypeVar("RowType")


def checked_row(values: object, kind: type[RowType]) -> RowType:
    """Return stored values with the types of ``kind``. Raises ValueError for others."""
    try:
        return convert(values, kind)
    except ValidationError as error:  # not a ValueError in msgspec 0.20
        raise ValueError(str(error)) from error


def valid_rows(rows: Iterable[object], kind: type[RowType]) -> Iterator[RowType]:
    """Yield rows with the types of ``kind``, a tuple: SQLite stores any type in any column."""
    for row in rows:
        try:
            read = checked_row(row, kind)
        except ValueError:
            continue
        yield read


def is_damaged(error: Exception) -> bool:
    """Return whether a file is damaged, not a database, or has values of a wrong type or encoding."""
    damage = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB
    return isinstance(error, (UnreadableFileError, ValueError)) or _result_code(error) in damage


def is_busy(error: Exception, path: Path) -> bool:
    """Return whether another program locks a file; False where files cannot be locked."""
    return _result_code(error) in LOCKED and has_locks(path.parent)


def _result_code(error: Exception) -> int:
    """SQLite's primary result code (sqlite.org/rescode.html); 0 for other errors."""
    # Only errors of the SQLite library have the attribute; errors of Python's module do not.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: Exception, path: Path, write: bool) -> str:
    code = _result_code(error)
    if isinstance(error, ForeignFileError):
        return f"{path} belongs to another program; {ELSEWHERE}"
    if is_damaged(error):
        return "the history is damaged"
    if code == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        return "the disk is full"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path} cannot be {'written' if write else 'read'}"
    if code in LOCKED:
        return f"files in {path.parent} cannot be locked; {ELSEWHERE}"
    return f"{path}: {error}"


def _no_folder(path: Path, error: OSError) -> str:
    return f"{path.parent}: {error.strerror}"
