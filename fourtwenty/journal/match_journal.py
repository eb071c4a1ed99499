"""Writes one match's journal to the database, before the match in memory changes."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec import Struct

from fourtwenty.games.game import Event, Leave, Roll, State
from fourtwenty.games.replay import replay
from fourtwenty.journal.database import Database
from fourtwenty.journal.shared_keys import SharedKeys
from fourtwenty.play.dice import Dice, FairDice, ManualDice
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.match import Match, PlayedElsewhereError, SaveError, SavePendingError, status_text
from fourtwenty.play.shared_dice import SharedDice

FACE_COLUMNS = ("ones", "twos", "threes", "fours", "fives", "sixes")
RESULT_COLUMNS = ("place", "last", "rounds", *FACE_COLUMNS)
"""A seat's columns that are NULL until the match is finished."""
LEAVE = "-"
"""A leave in an event's column ``roll``."""
FIGURE_COLUMNS = ("lost", "decisions", "luck", "drinks")
"""A seat's columns that are NULL until the match is measured."""


class _Target(Struct, frozen=True):
    """The content that the database should have of a match."""

    state: State
    events: tuple[Event, ...]
    taken_back: bool = False
    """Whether the last roll of ``events`` is taken back."""


class MatchJournal:
    """``play.match.Journal`` in the database. While playing on unsaved, each change retries to store all."""

    def __init__(self, database: Database, id: int | None = None, events: Sequence[Event] = ()) -> None:  # noqa: A002
        """Take the database; for a stored match, also its id and events."""
        self.database = database
        self.id = id
        """The match's id in the database; None until its first write."""
        self.claim = secrets.token_hex(8)
        """This table's claim, which the last table to resume the match overwrites in the database."""
        self._started = now()
        self._stored = tuple(events)
        self._hints: set[int] = set()
        """Indexes of stored hints; the database may have more."""
        self._unsaved = False
        self._written: _Target | None = None
        """The stored content while unconfirmed as saved; else None."""
        self._missing: _Target | None = None
        """The content that could not be written; else None."""

    @property
    def saved(self) -> bool:
        return self.id is not None and self._missing is None and self._written is None

    def begin(self, match: Match) -> None:
        """Warns when the match's given seed was played before."""
        self._write(match, _Target(match.state, tuple(match.events)))
        if match.dice.given and self._seed_was_played(match):
            self.database.tell("This seed has been played before.")

    def record(self, match: Match, event: Event, after: State) -> None:
        self._write(match, _Target(after, (*match.events, event)))

    def take_back(self, match: Match, before: State) -> None:
        """The roll and later events remain stored until its faces are typed again."""
        self._write(match, _Target(before, tuple(match.events), taken_back=True))

    def note(self, match: Match) -> None:
        """Does nothing when another table has the claim."""
        if self.saved and self.id is not None:
            with suppress(SaveError), self.database.transaction() as sql:
                if self._set(sql, self.id, _notes(match)):
                    self._add_hints(sql, self.id, match)

    def play_unsaved(self) -> None:
        self._unsaved = True

    def catch_up(self, match: Match) -> None:
        if self._missing:
            with suppress(SaveError, PlayedElsewhereError):
                self._write(match, self._missing)

    def forget(self) -> None:
        """Does nothing when another table has the claim."""
        with suppress(SaveError), self.database.transaction() as sql:
            sql.execute("DELETE FROM match WHERE id = ? AND claim = ?", (self.id, self.claim))

    def _write(self, match: Match, target: _Target) -> None:
        """Bring the database to the target in one transaction."""
        try:
            if target != self._written:
                with self.database.transaction() as sql:
                    id = self._store(sql, match, target)  # noqa: A001
                self.id, self._stored, self._hints, self._written = id, target.events, set(match.hints), target
            self.database.check_saved()
        except SaveError as reason:
            if not self._unsaved or isinstance(reason, SavePendingError):
                raise
            self._missing = target
            return
        self._written = None
        if self._missing:
            self._missing, self._unsaved = None, False
            self.database.tell("This game is saved again.")

    def _store(self, sql: sqlite3.Connection, match: Match, target: _Target) -> int:
        """Write differences between the database and the target; return the match's id."""
        id, stored = self.id, self._stored  # noqa: A001
        if id is None or not self._update(sql, id, match, target):
            id, stored = self._insert(sql, match, target), ()  # noqa: A001
        common = len(stored)
        while stored[:common] != target.events[:common]:  # only after a roll has been taken back
            common -= 1
        if common < len(stored):
            sql.execute("DELETE FROM event WHERE match = ? AND number >= ?", (id, common))
            sql.execute("DELETE FROM hint WHERE match = ? AND number > ?", (id, common))
        sql.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
            [(id, index, *_row(event)) for index, event in enumerate(target.events[common:], common)],
        )
        self._add_hints(sql, id, match)
        if target.state.outcome or target.taken_back:
            self._set_results(sql, id, match.start, target)
        return id

    def _add_hints(self, sql: sqlite3.Connection, id: int, match: Match) -> None:  # noqa: A002
        sql.executemany("INSERT OR IGNORE INTO hint VALUES (?, ?)", [(id, hint) for hint in match.hints - self._hints])

    def _seed_was_played(self, match: Match) -> bool:
        """Whether another match has this seed; False also for an unreadable database."""
        with suppress(SaveError), self.database.transaction(write=False) as sql:
            others = "SELECT 1 FROM match WHERE dice_source = ? AND id IS NOT ? LIMIT 1"
            return sql.execute(others, (match.dice.seed, self.id)).fetchone() is not None
        return False

    def _update(self, sql: sqlite3.Connection, id: int, match: Match, target: _Target) -> bool:  # noqa: A002
        """Update the row; False when a new file lacks it. Raises PlayedElsewhereError; SaveError if deleted."""
        if self._set(sql, id, {"measured": False, **_progress(sql, match, target)}):
            return True
        if sql.execute("SELECT 1 FROM match WHERE id = ?", (id,)).fetchone():
            raise PlayedElsewhereError
        # AUTOINCREMENT remembers the largest id that the file ever had (sqlite.org/autoinc.html).
        if sql.execute("SELECT 1 FROM sqlite_sequence WHERE name = 'match' AND seq >= ?", (id,)).fetchone():
            raise SaveError("it has been deleted")
        return False

    def _set(self, sql: sqlite3.Connection, id: int, row: dict[str, object]) -> bool:  # noqa: A002
        """Set columns of the match; False when another table has the claim, or it is gone."""
        settings = ", ".join(f"{column} = ?" for column in row)
        values = (*row.values(), id, self.claim)
        return sql.execute(f"UPDATE match SET {settings} WHERE id = ? AND claim = ?", values).rowcount > 0

    def _insert(self, sql: sqlite3.Connection, match: Match, target: _Target) -> int:
        lineup, dice = match.lineup, match.dice
        names = [stored_name_key(name) for name in match.names]
        row = {
            "game": lineup.game,
            "started": self._started,
            "names": "\n".join(names),
            "claim": self.claim,
            "dice": dice.kind,
            "lineup": json.dumps(lineup.to_json(), ensure_ascii=False),
            "identifier": match.identifier,
            "seed_chosen": match.dice.given,
            **_progress(sql, match, target),
        }
        added = sql.execute(f"INSERT INTO match ({', '.join(row)}) VALUES ({placeholders(row)})", tuple(row.values()))
        id = added.lastrowid  # noqa: A001
        assert id is not None
        sql.executemany(
            "INSERT INTO seat (name_key, game, match, seat, name, bot, dice) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (name, lineup.game, id, index, seat.name, seat.bot, dice.kind)
                for index, (name, seat) in enumerate(zip(names, lineup.seats, strict=True))
            ],
        )
        # Two who sit in one match are not one player, and nobody is a bot, whatever the history was told before.
        sql.execute(
            "DELETE FROM alias WHERE player_key IN (SELECT player_key FROM seat JOIN alias USING (name_key) "
            "WHERE match = ? GROUP BY player_key HAVING count(*) > 1 OR count(bot))",
            (id,),
        )
        return id

    def _set_results(self, sql: sqlite3.Connection, id: int, start: State, target: _Target) -> None:  # noqa: A002
        """Write results by seat; after the last roll is taken back, erase results and figures."""
        columns = (*RESULT_COLUMNS, *FIGURE_COLUMNS) if target.taken_back else RESULT_COLUMNS
        settings = ", ".join(f"{column} = ?" for column in columns)
        nothing = [None] * len(columns)
        results = [nothing] * start.seats if target.taken_back else _results(start, target)
        sql.executemany(
            f"UPDATE seat SET {settings} WHERE match = ? AND seat = ?",
            [(*result, id, seat) for seat, result in enumerate(results)],
        )


def _progress(sql: sqlite3.Connection, match: Match, target: _Target) -> dict[str, object]:
    return {
        "played": now(),
        "written": sql.execute("SELECT ifnull(max(written), 0) + 1 FROM match").fetchone()[0],
        "status_text": status_text(target.state, match.names),
        "finished": target.state.outcome is not None,
        "taken_back": target.taken_back,
        "events": len(target.events),
        **_notes(match),
        "dice_source": _source(match.dice, target.events),
        "position": match.start.to_text(),
    }


def _notes(match: Match) -> dict[str, object]:
    return {"coaching": json.dumps(match.coaching), "bets": json.dumps([*match.bets.items()])}


def _source(dice: Dice, events: Sequence[Event]) -> bytes:
    """The bytes that restore dice with these events: of shared ones, all that these rolls needed."""
    if isinstance(dice, SharedDice):
        return SharedKeys.of(dice, sum(isinstance(event.action, Roll) for event in events)).to_json()
    if isinstance(dice, FairDice):
        return dice.seed
    return dice.source if isinstance(dice, ManualDice) else b""


def _results(start: State, target: _Target) -> Sequence[Sequence[int | None]]:
    """A finished match's results, ``[seat][column]`` in the order of RESULT_COLUMNS."""
    outcome = target.state.outcome
    assert outcome
    names = [""] * start.seats
    rounds: Counter[int] = Counter()
    faces: Counter[tuple[int, int]] = Counter()
    for _, event, after in replay(start, target.events):
        faces.update((event.seat, face) for face in event.faces)
        if after.to_act is None:
            rounds[after.report(names).seat] += 1
    return [
        [outcome.place(seat), seat in outcome.places[-1], rounds[seat], *(faces[seat, face] for face in range(1, 7))]
        for seat in range(start.seats)
    ]


def _row(event: Event) -> tuple[int, str | None, str]:
    """An event's columns: seat, positions and faces as digits; a stand has no positions."""
    roll = LEAVE if isinstance(event.action, Leave) else None
    if isinstance(event.action, Roll):
        roll = "".join(map(str, event.action.dice))
    return event.seat, roll, "".join(map(str, event.faces))


def placeholders(values: Sequence[object] | dict[str, object]) -> str:
    """Return the SQL placeholders of these values: "?, ?, ?"."""
    return ", ".join("?" * len(values))


def now() -> str:
    """Return the current time in UTC as ISO 8601 text, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
