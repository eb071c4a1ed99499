"""The history: all matches in the database, and what may be asked of them later.

The journal of a match that is being played is in match_journal.py, the file in database.py. The only SQL is in these
three.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import datetime
from operator import add
from sqlite3 import Connection
from typing import Any

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Roll, Stand
from fourtwenty.journal.database import Database, unfiltered
from fourtwenty.journal.match_journal import FACES, FIGURES, MatchJournal, marks
from fourtwenty.play.dice import Dice, FairDice, ScriptedDice, TypedDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match
from fourtwenty.play.text import folded


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

COLUMNS = "id, game, started, played, finished, news"


class History(Database):
    """All matches of one person."""

    def another(self) -> History:
        """Return another hold of the same file, for another thread."""
        return History(self.path, self.tell, read_only=self.read_only)

    # -- matches in progress -----------------------------------------------------------------------------------

    def journal(self) -> MatchJournal:
        """Return a journal for a match that is about to begin."""
        return MatchJournal(self)

    def resume(self, id: int) -> Match:  # noqa: A002
        """Return a match ready to be played on and kept; another table that plays it can do so no longer.

        Raises ValueError with a sentence when there is no such match, or it cannot be made out.
        """
        with self.transaction() as sql:
            match, events = _rebuilt(sql, id)
            journal = MatchJournal(self, id, events)
            sql.execute("UPDATE match SET claim = ? WHERE id = ?", (journal.claim, id))
        match.journal = journal
        return match

    def match(self, id: int) -> Match:  # noqa: A002
        """Return a match as it stands; what is done with it now is not kept.

        Raises ValueError with a sentence when there is no such match, or it cannot be made out.
        """
        with self.transaction(write=False) as sql:
            return _rebuilt(sql, id)[0]

    def waiting(self) -> tuple[Entry, ...]:
        """Return the matches that are not finished, the one played last first."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                f"SELECT {COLUMNS} FROM match WHERE NOT finished ORDER BY played DESC, id DESC LIMIT 1000"
            )
            return _entries(sql, rows.fetchall())

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
            with unfiltered(sql):
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
                    sql.execute(f"INSERT INTO {table} VALUES ({marks(row)})", row)

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


def _rebuilt(sql: Connection, id: int) -> tuple[Match, tuple[Event, ...]]:  # noqa: A002
    """The match of an id, and its events on the disk, a roll that is taken back among them.

    Raises ValueError with a sentence when there is no such match, or it cannot be made out.
    """
    row = sql.execute(
        "SELECT game, lineup, dice, chance, given, identifier, words, position, taken_back, events "
        "FROM match WHERE id = ?",
        (id,),
    ).fetchone()
    if row is None:
        raise ValueError(f"there is no match {id}")
    rows = sql.execute("SELECT seat, roll, faces FROM event WHERE match = ? ORDER BY number", (id,)).fetchall()
    game, lineup, kind, chance, given, identifier, words, position, taken_back, count = row
    if len(rows) != count:
        raise ValueError(f"match {id} is damaged: {len(rows)} of its {count} actions are left")
    try:
        match = Match(
            Lineup.from_json(json.loads(lineup)),
            _dice(kind, chance, bool(given)),
            None if position is None else GAMES[game].position(position),
            identifier=identifier,
            words=None if words is None else _words(words),
        )
        events = tuple(
            Event(seat, Stand() if roll is None else Roll(_digits(roll)), _digits(faces)) for seat, roll, faces in rows
        )
        for event in events:
            _replay(match, event)
        match.hints = {number for (number,) in sql.execute("SELECT number FROM hint WHERE match = ?", (id,))}
        if taken_back:
            match.take_back()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"match {id} is damaged and cannot be made out") from error
    return match, events


def _words(text: str) -> list[str]:
    words = json.loads(text)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("words are a list of texts")
    return words


def _dice(kind: str, chance: bytes, given: bool) -> Dice:
    """The dice of a kept match."""
    if kind == FairDice.kind:
        return FairDice(chance, given)
    return TypedDice(chance) if kind == TypedDice.kind else ScriptedDice(())


def _replay(match: Match, event: Event) -> None:
    """Let a kept event happen again. Raises ValueError when it cannot have happened."""
    if match.state.to_act is None:
        match.next_round()
    if not isinstance(match.dice, FairDice):
        match.record(event)
    elif match.act(event.action) != event:
        raise ValueError("These faces do not follow from the seed.")


def _entries(sql: Connection, rows: Sequence[tuple[Any, ...]]) -> tuple[Entry, ...]:
    """The entries of these rows of matches; rows that damage has touched are left out."""
    seats: dict[int, list[tuple[Any, ...]]] = {row[0]: [] for row in rows}
    for id, *seat in sql.execute(  # noqa: A001
        f"SELECT match, name, bot, place, rounds, {', '.join(FIGURES)} FROM seat "
        f"WHERE match IN ({marks(rows)}) ORDER BY match, seat",
        tuple(seats),
    ):
        seats[id].append(tuple(seat))
    entries = []
    for id, game, started, played, finished, told in rows:  # noqa: A001
        with suppress(ValueError, TypeError, KeyError):
            times = datetime.fromisoformat(started), datetime.fromisoformat(played)
            sittings = tuple(_sitting(*seat) for seat in seats[id])
            entries.append(Entry(id, GAMES[game].key, *times, bool(finished), _checked(told, str), sittings))
    return tuple(entries)


def _sitting(name: object, bot: object, place: object, rounds: object, *figures: Any) -> Sitting:
    """A row of a seat. Raises TypeError for a value that this program has not written."""
    measured = (
        None if figures[0] is None else Figures(*(_checked(figure, float, int, type(None)) for figure in figures))
    )
    return Sitting(
        _checked(name, str),
        _checked(bot, str, type(None)),
        _checked(place, int, type(None)),
        _checked(rounds, int, type(None)),
        measured,
    )


def _checked(value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds):
        raise TypeError(f"{value!r} is none of {kinds}")
    return value


def _digits(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def local(moment: datetime) -> datetime:
    """Return a time as clocks here show it; as it is when no calendar here has it (years 1 and 9999)."""
    try:
        return moment.astimezone()
    except (OverflowError, OSError):
        return moment
