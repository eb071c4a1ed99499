"""The journal: every match while it is played, in SQLite, and what may be asked of it later. The only SQL.

Nothing is shown before it is on the disk. What cannot be kept is said once, and the match goes on.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from operator import add
from pathlib import Path
from typing import Any

from fourtwenty.dice import Dice, FairDice, ScriptedDice, TypedDice
from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Outcome, Roll, Stand, State
from fourtwenty.lineup import Lineup, folded
from fourtwenty.match import Match, PlayedElsewhere, news
from fourtwenty.paths import move_aside

APPLICATION_ID = int.from_bytes(b"420!")
"""Marks a SQLite file as this program's."""

BUSY_SECONDS = 5.0
"""How long to wait for another copy of the program; its transactions take milliseconds."""

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
)
"""What leads from each version of the file to the next; the version is how many of them it has seen."""


class NotKept(Exception):  # noqa: N818 - people play on
    """The journal cannot be read or written. The message is the reason, to come after a colon."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How one seat did in a finished match, measured against best play."""

    lost: float
    """What its choices lost, in rounds."""
    decisions: int
    """How many of its choices were not forced."""
    luck: float
    """What its dice gave it, in rounds."""
    drinks: float | None
    """Its chance at the start to come last, everybody playing best; None where nobody knows."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One seat of a match in the history."""

    name: str
    bot: str | None
    """Name of the bot's character; None for a person."""
    place: int | None
    """Where it came in, from 1; None until the match is finished, as all that follows."""
    rounds: int | None
    """How many rounds it won."""
    figures: Figures | None
    """None also while nobody has measured the match."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One match in the history."""

    id: int
    game: str
    """Key of the game."""
    started: datetime
    played: datetime
    """When something last happened."""
    finished: bool
    news: str
    """Where it stands, or how it ended, in one line."""
    seats: tuple[Sitting, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """All finished matches of one name in one game."""

    game: str
    """Key of the game."""
    matches: int
    rounds: int
    """Rounds won."""
    last: int
    """Matches in which the name came last: in 420, drinks bought."""
    measured: int
    """How many of the matches the figures are of."""
    foreseen: int
    """Of how many the chance to come last is known."""
    last_foreseen: int
    """In how many of these the name came last."""
    figures: Figures
    """The sums of all that is known."""
    faces: dict[str, tuple[int, ...]]
    """By kind of dice, how often each face was rolled, from 1 to 6."""


Deleted = dict[str, list[tuple[Any, ...]]]
"""What was deleted, by table: all it takes to restore it."""

TABLES = {"match": "id", "event": "match", "hint": "match", "seat": "match"}
"""Every table, with the column that says of which match a row is."""

FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
RESULTS = ("place", "last", "rounds", *FACES)
FIGURES = ("lost", "decisions", "luck", "drinks")
COLUMNS = "id, game, started, played, finished, news"


class History:
    """The journal of one person's matches, opened when it is first asked for something.

    Whatever is asked of it raises NotKept when the file cannot be read or written.
    """

    def __init__(self, path: Path, tell: Callable[[str], object]) -> None:
        """Keep matches in this file; tell people in a sentence what has become of a file that could not be read."""
        self.path = path
        self.tell = tell
        self._connection: sqlite3.Connection | None = None

    def another(self) -> History:
        """Return another hold of the same file, for another thread."""
        return History(self.path, self.tell)

    def close(self) -> None:
        """Let go of the file, until something is asked again."""
        if self._connection:
            self._connection.close()
            self._connection = None

    # -- matches in progress -----------------------------------------------------------------------------------

    def journal(self) -> MatchJournal:
        """Return a journal for a match that is about to begin."""
        return MatchJournal(self)

    def resume(self, id: int) -> Match:  # noqa: A002
        """Return a match ready to be played on and kept; another table that plays it can do so no longer.

        Raises ValueError with a sentence when there is no such match, or it cannot be made out.
        """
        journal = MatchJournal(self, id)
        with self.transaction() as sql:
            sql.execute("UPDATE match SET claim = ? WHERE id = ?", (journal.claim, id))
            match = self._rebuilt(sql, id)
        match.journal = journal
        return match

    def match(self, id: int) -> Match:  # noqa: A002
        """Return a match as it stands; what is done with it now is not kept.

        Raises ValueError with a sentence when there is no such match, or it cannot be made out.
        """
        with self.transaction(write=False) as sql:
            return self._rebuilt(sql, id)

    def waiting(self) -> tuple[Entry, ...]:
        """Return the matches that are not finished, the one played last first."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                f"SELECT {COLUMNS} FROM match WHERE NOT finished ORDER BY played DESC, id DESC LIMIT 1000"
            )
            return _entries(sql, rows.fetchall())

    def _rebuilt(self, sql: sqlite3.Connection, id: int) -> Match:  # noqa: A002
        row = sql.execute(
            "SELECT game, lineup, dice, chance, position, taken_back FROM match WHERE id = ?", (id,)
        ).fetchone()
        if row is None:
            raise ValueError(f"there is no match {id}")
        try:
            game, lineup, dice, chance, position, taken_back = row
            match = Match(Lineup.from_json(json.loads(lineup)), _dice(dice, chance), GAMES[game].position(position))
            for seat, roll, faces in sql.execute(
                "SELECT seat, roll, faces FROM event WHERE match = ? ORDER BY number", (id,)
            ):
                _replay(match, Event(seat, Stand() if roll is None else Roll(_digits(roll)), _digits(faces)))
            match.hints = {number for (number,) in sql.execute("SELECT number FROM hint WHERE match = ?", (id,))}
            if taken_back:
                match.take_back()
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"match {id} is damaged and cannot be made out") from error
        return match

    # -- matches of the past -----------------------------------------------------------------------------------

    def page(self, search: str = "", before: int | None = None, limit: int = 100, skip: int = 0) -> tuple[Entry, ...]:
        """Return the matches begun last: those with a seat whose name holds this, and older than that id.

        So many of them are skipped first.
        """
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                f"SELECT {COLUMNS} FROM match WHERE id IN (SELECT id FROM match INDEXED BY match_names "
                "WHERE id < ? AND instr(names, ?) ORDER BY id DESC LIMIT ? OFFSET ?) ORDER BY id DESC",
                (sys.maxsize if before is None else before, folded(search), limit, skip),
            )
            return _entries(sql, rows.fetchall())

    def count(self, search: str = "") -> int:
        """Return how many matches there are with a seat whose name holds this."""
        with self.transaction(write=False) as sql:
            found = sql.execute(
                "SELECT count(*) FROM match INDEXED BY match_names WHERE instr(names, ?)", (folded(search),)
            )
            return int(found.fetchone()[0])

    def delete(self, id: int) -> Deleted:  # noqa: A002
        """Delete a match, and return what ``restore`` needs to bring it back."""
        with self.transaction() as sql:
            deleted = {
                table: sql.execute(f"SELECT * FROM {table} WHERE {column} = ?", (id,)).fetchall()
                for table, column in TABLES.items()
            }
            sql.execute("DELETE FROM match WHERE id = ?", (id,))
        return deleted

    def restore(self, deleted: Deleted) -> None:
        """Bring a deleted match back as it was, under its id."""
        with self.transaction() as sql:
            for table, rows in deleted.items():
                for row in rows:
                    sql.execute(f"INSERT INTO {table} VALUES ({_marks(row)})", row)

    def unmeasured(self) -> tuple[int, ...]:
        """Return the finished matches whose figures are not kept yet, the last one first."""
        with self.transaction(write=False) as sql:
            ids = sql.execute("SELECT id FROM match WHERE finished AND NOT measured ORDER BY id DESC")
            return tuple(id for (id,) in ids)  # noqa: A001

    def measure(self, id: int, figures: Sequence[Figures]) -> None:  # noqa: A002
        """Keep the figures of a match, by seat, if it is finished still."""
        with self.transaction() as sql:
            if sql.execute("UPDATE match SET measured = 1 WHERE id = ? AND finished", (id,)).rowcount:
                sql.executemany(
                    "UPDATE seat SET lost = ?, decisions = ?, luck = ?, drinks = ? WHERE match = ? AND seat = ?",
                    [(*astuple(own), id, seat) for seat, own in enumerate(figures)],
                )

    def statistics(self, name: str) -> tuple[Totals, ...]:
        """Return what a name's finished matches add up to, by game."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT game, dice, count(*), sum(rounds), sum(last), count(lost), count(drinks), "
                "sum(last AND drinks IS NOT NULL), total(lost), ifnull(sum(decisions), 0), total(luck), total(drinks), "
                f"{', '.join(f'sum({face})' for face in FACES)} "
                "FROM seat WHERE folded = ? AND place GROUP BY game, dice",
                (folded(name),),
            ).fetchall()
        sums: dict[str, list[Any]] = {}
        faces: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
        for game, dice, *numbers in rows:
            sums[game] = list(map(add, numbers[:10], sums.get(game, [0] * 10)))
            faces[game][dice] = tuple(numbers[10:])
        totals = []
        for game, (matches, rounds, last, measured, foreseen, last_foreseen, *figures) in sums.items():
            counts = matches, rounds, last, measured, foreseen, last_foreseen
            totals.append(Totals(game, *counts, Figures(*figures), faces[game]))
        return tuple(totals)

    def course(self, name: str, game: str, most: int = 120) -> tuple[tuple[int, Figures], ...]:
        """Return how the figures of a name in a game grew, match by match, in no more than so many steps.

        Each is how many matches had been measured, and the sums of their figures, the chance to come last apart.
        """
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT number, lost, decisions, luck FROM ("
                " SELECT row_number() OVER past AS number, count(*) OVER () AS matches, total(lost) OVER past AS lost,"
                " sum(decisions) OVER past AS decisions, total(luck) OVER past AS luck"
                " FROM seat WHERE folded = ? AND game = ? AND lost IS NOT NULL"
                " WINDOW past AS (ORDER BY match ROWS UNBOUNDED PRECEDING)"
                ") WHERE (matches - number) % ((matches + ? - 1) / ?) = 0",
                (folded(name), game, most, most),
            )
            return tuple((number, Figures(lost, decisions, luck, None)) for number, lost, decisions, luck in rows)

    def names(self, search: str = "", limit: int = 100) -> tuple[tuple[str, int], ...]:
        """Return the names that hold this with how many matches they finished, most first, as written last."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT name, count(*), max(match) FROM seat WHERE place AND instr(folded, ?) "
                "GROUP BY folded ORDER BY count(*) DESC, folded LIMIT ?",
                (folded(search), limit),
            )
            return tuple((name, matches) for name, matches, _ in rows)

    # -- the file ----------------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self, write: bool = True) -> Iterator[sqlite3.Connection]:
        """One short transaction: at the end of the block it is on the disk.

        Raises NotKept when it is not; then nothing of it is.
        """
        try:
            sql = self._connection = self._connection or self._opened()
            try:
                sql.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                yield sql
                sql.execute("COMMIT")
            except FAILURES as error:
                if _damaged(error):
                    self.close()
                    self._set_aside()
                raise
            finally:
                if self._connection and sql.in_transaction:
                    sql.execute("ROLLBACK")
        except FAILURES as error:
            raise NotKept(_reason(error, self.path)) from error
        except OSError as error:
            raise NotKept(f"{self.path.parent}: {error.strerror}") from error

    def _opened(self) -> sqlite3.Connection:
        """A connection to a file that is sound as far as one can see at once, in the newest version."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _connected(self.path)
        except FAILURES as error:
            if not _damaged(error):
                raise
        self._set_aside()
        return _connected(self.path)

    def _set_aside(self) -> None:
        """Give the file another name and say so, unless a second look, all through it, finds nothing wrong.

        Another copy of the program may have done so first, and begun a new file.
        """
        try:
            with closing(_connected(self.path)) as sql:
                sound = sql.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
        except FAILURES as error:
            if not _damaged(error):
                raise
            sound = False
        if not sound:
            self.tell(f"The history could not be read. Its file is now {move_aside(self.path)}")


class MatchJournal:
    """Keeps one match (``fourtwenty.match.Journal``); when it cannot, it says so once and keeps it no longer."""

    def __init__(self, history: History, id: int | None = None) -> None:  # noqa: A002
        """Keep a match that is about to begin, or the one of this id."""
        self.history = history
        self.id = id
        """The match's number in the history; None when it has none."""
        self.kept = True
        self.claim = secrets.token_hex(8)
        """Marks the match as played at this table; whoever takes it up last has it."""

    def begin(self, match: Match) -> None:
        """Keep a match that is about to begin."""
        self._keep(lambda sql: self._begin(sql, match))

    def record(self, match: Match, event: Event, after: State) -> None:
        """Keep an event that the match does not know yet, and the state after it.

        Raises PlayedElsewhere when the match has been taken up at another table since.
        """
        self._keep(lambda sql: self._record(sql, match, event, after))

    def take_back(self, match: Match, before: State) -> None:
        """Keep that the match's last roll is taken back; this was the state before it.

        Raises PlayedElsewhere as ``record`` does.
        """
        self._keep(lambda sql: self._take_back(sql, match, before))

    def hint(self, match: Match) -> None:
        """Keep that the coach was asked before the match's next event."""
        row = self.id, len(match.events)
        self._keep(lambda sql: sql.execute("INSERT OR IGNORE INTO hint VALUES (?, ?)", row))

    def forget(self) -> None:
        """Delete the match from the history."""
        self._keep(lambda sql: sql.execute("DELETE FROM match WHERE id = ? AND claim = ?", (self.id, self.claim)))

    def _keep(self, write: Callable[[sqlite3.Connection], object]) -> None:
        if not self.kept:
            return
        try:
            with self.history.transaction() as sql:
                write(sql)
        except NotKept as why:
            self.kept = False
            self.history.tell(f"This match is not being kept: {why}.")

    def _begin(self, sql: sqlite3.Connection, match: Match) -> None:
        lineup, dice, now = match.lineup, match.dice, _now()
        names = [folded(name) for name in match.names]
        row = {
            "game": lineup.game,
            "started": now,
            "played": now,
            "news": news(match.state, match.names),
            "names": "\n".join(names),
            "claim": self.claim,
            "dice": dice.kind,
            "chance": dice.chance,
            "position": match.start.position(),
            "lineup": json.dumps(asdict(lineup), ensure_ascii=False),
        }
        values = tuple(row.values())
        self.id = sql.execute(f"INSERT INTO match ({', '.join(row)}) VALUES ({_marks(values)})", values).lastrowid
        sql.executemany(
            "INSERT INTO seat (folded, game, match, seat, name, bot, dice) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (name, lineup.game, self.id, place, seat.name, seat.bot, dice.kind)
                for place, (name, seat) in enumerate(zip(names, lineup.seats, strict=True))
            ],
        )

    def _record(self, sql: sqlite3.Connection, match: Match, event: Event, after: State) -> None:
        self._now(sql, match, after)
        roll = _text(event.action.dice) if isinstance(event.action, Roll) else None
        number = len(match.events)
        if match.taken_back:
            sql.execute("DELETE FROM event WHERE match = ? AND number >= ?", (self.id, number))
            sql.execute("DELETE FROM hint WHERE match = ? AND number > ?", (self.id, number))
        row = self.id, number, event.seat, roll, _text(event.faces)
        sql.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
        if after.outcome:
            results = _results(match, event, after.outcome)
            settings = ", ".join(f"{column} = ?" for column in RESULTS)
            sql.executemany(
                f"UPDATE seat SET {settings} WHERE match = ? AND seat = ?",
                [(*result, self.id, seat) for seat, result in enumerate(results)],
            )

    def _take_back(self, sql: sqlite3.Connection, match: Match, before: State) -> None:
        self._now(sql, match, before, taken_back=True)
        nothing = ", ".join(f"{column} = NULL" for column in (*RESULTS, *FIGURES))
        sql.execute(f"UPDATE seat SET {nothing} WHERE match = ?", (self.id,))

    def _now(self, sql: sqlite3.Connection, match: Match, state: State, taken_back: bool = False) -> None:
        """Let the match stand there, if it is still this table's."""
        changed = sql.execute(
            "UPDATE match SET played = ?, news = ?, finished = ?, measured = 0, taken_back = ? "
            "WHERE id = ? AND claim = ?",
            (_now(), news(state, match.names), state.outcome is not None, taken_back, self.id, self.claim),
        )
        if not changed.rowcount:
            if sql.execute("SELECT 1 FROM match WHERE id = ?", (self.id,)).fetchone():
                raise PlayedElsewhere
            raise NotKept("it has been deleted")


FAILURES = sqlite3.Error, UnicodeDecodeError
"""What SQLite raises; the second when its own message quotes bytes of a damaged file."""


class _Foreign(sqlite3.DatabaseError):
    """The file is something else, or another program's."""


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file of the newest version, made or brought to it if need be.

    Raises sqlite3.Error, and NotKept for a version that is newer still.
    """
    if path.is_dir():
        raise _Foreign
    sql = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        sql.text_factory = lambda text: text.decode(errors="replace")
        sql.execute("PRAGMA foreign_keys = ON")
        _check_ours(sql, path)
        sql.execute("PRAGMA journal_mode = WAL")
        sql.execute("PRAGMA synchronous = FULL")
        _migrate(sql)
    except BaseException:
        sql.close()
        raise
    return sql


def _check_ours(sql: sqlite3.Connection, path: Path) -> None:
    """Raise _Foreign, or NotKept, unless the file is empty or of a version that is known."""
    try:
        empty = not sql.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.OperationalError as error:
        if _code(error) == sqlite3.SQLITE_ERROR:  # the header says what no SQLite can read
            raise _Foreign from error
        raise
    if not empty and _pragma(sql, "application_id") != APPLICATION_ID:
        raise _Foreign
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
    return isinstance(error, (_Foreign, UnicodeDecodeError)) or _code(error) in damage


def _code(error: Exception) -> int:
    """The error's primary code; 0 where there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: Exception, path: Path) -> str:
    """Why nothing is kept, in words."""
    code = _code(error)
    if _damaged(error):
        return "the history was damaged"
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return f"{path.parent} cannot be written"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another program holds {path}"
    return f"{path}: {error}"


def _dice(kind: str, chance: bytes) -> Dice:
    """The dice of a kept match."""
    if kind == FairDice.kind:
        return FairDice(chance)
    return TypedDice(chance) if kind == TypedDice.kind else ScriptedDice(())


def _replay(match: Match, event: Event) -> None:
    """Let a kept event happen again. Raises ValueError when it cannot have happened."""
    if match.state.to_act is None:
        match.next_round()
    if not isinstance(match.dice, FairDice):
        match.record(event)
    elif match.act(event.action) != event:
        raise ValueError("These faces do not follow from the seed.")


def _results(match: Match, event: Event, outcome: Outcome) -> list[tuple[int, ...]]:
    """By seat, what RESULTS names, of a match that ends with this event."""
    rounds: Counter[int] = Counter()
    faces: Counter[tuple[int, int]] = Counter()
    for before, happened in (*match.story(), (match.state, event)):
        faces.update((happened.seat, face) for face in happened.faces)
        after = before.apply(happened.action, happened.faces)
        if after.to_act is None:
            rounds[after.report(match.names).seat] += 1
    last = outcome.places[-1]
    return [
        (outcome.places.index(seat) + 1, seat == last, rounds[seat], *(faces[seat, face] for face in range(1, 7)))
        for seat in range(len(match.names))
    ]


def _entries(sql: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> tuple[Entry, ...]:
    """The entries of these rows of matches; rows that damage has touched are left out."""
    seats: dict[int, list[Sitting]] = {row[0]: [] for row in rows}
    for id, name, bot, place, rounds, *figures in sql.execute(  # noqa: A001
        f"SELECT match, name, bot, place, rounds, {', '.join(FIGURES)} FROM seat "
        f"WHERE match IN ({_marks(rows)}) ORDER BY match, seat",
        tuple(seats),
    ):
        measured = None if figures[0] is None else Figures(*figures)
        seats[id].append(Sitting(name, bot, place, rounds, measured))
    entries = []
    for id, game, started, played, finished, told in rows:  # noqa: A001
        with suppress(ValueError, TypeError, KeyError):
            times = datetime.fromisoformat(started), datetime.fromisoformat(played)
            entries.append(Entry(id, GAMES[game].key, *times, bool(finished), told, tuple(seats[id])))
    return tuple(entries)


def _marks(values: Sequence[object]) -> str:
    """As many question marks as values."""
    return ", ".join("?" * len(values))


def _text(digits: Sequence[int]) -> str:
    return "".join(map(str, digits))


def _digits(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
