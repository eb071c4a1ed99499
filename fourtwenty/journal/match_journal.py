"""The journal of one match in the database: every change is committed before the match itself changes."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from fourtwenty.games.game import Event, Roll, State
from fourtwenty.games.replay import replay
from fourtwenty.journal.database import Database
from fourtwenty.play.match import Match, NotKept, PlayedElsewhere, news
from fourtwenty.play.text import folded

FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
RESULTS = ("place", "last", "rounds", *FACES)
"""The columns of a seat that are known once the match is over."""
FIGURES = ("lost", "decisions", "luck", "drinks")
"""The columns of a seat that are known once the match has been measured."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How a match should stand on the disk."""

    start: State
    state: State
    events: tuple[Event, ...]
    words: tuple[str, ...] | None
    """By seat; None while words may be added."""
    taken_back: bool = False
    """Whether the last roll of the events is taken back."""


class MatchJournal:
    """Keeps one match in a database (``fourtwenty.play.match.Journal``).

    When it cannot write, it raises NotKept until the players agree to play on unkept. From then on it tries again with
    every change, and writes everything that is missing in the transaction that succeeds.
    """

    def __init__(self, database: Database, id: int | None = None, events: Sequence[Event] = ()) -> None:  # noqa: A002
        """Keep a match that is about to begin, or the one of this id, of which these events are on the disk."""
        self.database = database
        self.id = id
        """The match's number in the database; None while it has none."""
        self.claim = secrets.token_hex(8)
        """Marks the match as played at this table; whoever takes it up last has it."""
        self._started = now()
        self._on_disk = tuple(events)
        self._hints: set[int] = set()
        """The hints that are on the disk for sure."""
        self._unkept = False
        """Whether the players have agreed to play on unkept."""
        self._missing: _Wanted | None = None
        """How the match should stand on the disk, while it does not."""

    @property
    def kept(self) -> bool:
        """Whether everything so far is on the disk."""
        return self.id is not None and self._missing is None

    def begin(self, match: Match) -> None:
        """Keep a match that is about to begin, and say so if its seed has been played before. Raises NotKept."""
        self._write(match, _Wanted(match.start, match.state, (), match.words))
        if match.given and self._has_twin(match):
            self.database.tell("This seed has been played before.")

    def add_words(self, match: Match, words: Sequence[str], start: State) -> None:
        """Keep the words of the players, and the state that the match therefore starts from.

        Raises NotKept, and PlayedElsewhere when the match has been taken up at another table.
        """
        self._write(match, _Wanted(start, start, (), tuple(words)))

    def record(self, match: Match, event: Event, after: State) -> None:
        """Keep an event that the match does not have yet, and the state after it.

        Raises NotKept, and PlayedElsewhere when the match has been taken up at another table.
        """
        self._write(match, _Wanted(match.start, after, (*match.events, event), match.words))

    def take_back(self, match: Match, before: State) -> None:
        """Keep that the match's last roll is taken back; ``before`` was the state before it.

        Its events stay until it is typed again. Raises NotKept, and PlayedElsewhere as ``record`` does.
        """
        self._write(match, _Wanted(match.start, before, tuple(match.events), match.words, taken_back=True))

    def hint(self, match: Match) -> None:
        """Keep that the coach was asked before the match's next event; if not now, then with that event."""
        number = len(match.events)
        if self.kept:
            with suppress(NotKept), self.database.transaction() as sql:
                sql.execute("INSERT OR IGNORE INTO hint VALUES (?, ?)", (self.id, number))

    def play_on_unkept(self) -> None:
        """Let the match go on though it is not kept: the players have agreed to it."""
        self._unkept = True

    def catch_up(self, match: Match) -> None:
        """Write what is missing, if it can be written now."""
        if self._missing:
            with suppress(NotKept, PlayedElsewhere):
                self._write(match, self._missing)

    def forget(self) -> None:
        """Delete the match, if it is still this table's."""
        with suppress(NotKept), self.database.transaction() as sql:
            sql.execute("DELETE FROM match WHERE id = ? AND claim = ?", (self.id, self.claim))

    def _write(self, match: Match, wanted: _Wanted) -> None:
        """Bring the disk to where the match should stand, in one transaction."""
        try:
            with self.database.transaction() as sql:
                id = self._bring(sql, match, wanted)  # noqa: A001
        except NotKept:
            if not self._unkept:
                raise
            self._missing = wanted
            return
        self.id, self._on_disk, self._hints = id, wanted.events, set(match.hints)
        if self._missing:
            self._missing, self._unkept = None, False
            self.database.tell("This match is kept again.")

    def _bring(self, sql: sqlite3.Connection, match: Match, wanted: _Wanted) -> int:
        """Write what differs; return the match's id."""
        id, on_disk = self.id, self._on_disk  # noqa: A001
        if id is None or not self._stands(sql, id, match, wanted):
            id, on_disk = self._insert(sql, match, wanted), ()  # noqa: A001
        same = len(on_disk)
        while on_disk[:same] != wanted.events[:same]:  # only after a roll has been taken back
            same -= 1
        if same < len(on_disk):
            sql.execute("DELETE FROM event WHERE match = ? AND number >= ?", (id, same))
            sql.execute("DELETE FROM hint WHERE match = ? AND number > ?", (id, same))
        sql.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
            [(id, number, *_row(event)) for number, event in enumerate(wanted.events[same:], same)],
        )
        sql.executemany("INSERT OR IGNORE INTO hint VALUES (?, ?)", [(id, hint) for hint in match.hints - self._hints])
        if wanted.state.outcome or wanted.taken_back:
            self._set_results(sql, id, wanted)
        return id

    def _has_twin(self, match: Match) -> bool:
        """Whether another match has been played with the same seed, as far as can be known."""
        with suppress(NotKept), self.database.transaction(write=False) as sql:
            others = "SELECT 1 FROM match WHERE chance = ? AND id IS NOT ? LIMIT 1"
            return sql.execute(others, (match.dice.source, self.id)).fetchone() is not None
        return False

    def _stands(self, sql: sqlite3.Connection, id: int, match: Match, wanted: _Wanted) -> bool:  # noqa: A002
        """Let the match stand where it should. Returns False when the file has never had it, being a new one.

        Raises PlayedElsewhere when the match is another table's now, and NotKept when it has been deleted.
        """
        row = {"played": now(), "measured": False, **_standing(match, wanted)}
        settings = ", ".join(f"{column} = ?" for column in row)
        if sql.execute(
            f"UPDATE match SET {settings} WHERE id = ? AND claim = ?", (*row.values(), id, self.claim)
        ).rowcount:
            return True
        if sql.execute("SELECT 1 FROM match WHERE id = ?", (id,)).fetchone():
            raise PlayedElsewhere
        if sql.execute("SELECT 1 FROM sqlite_sequence WHERE name = 'match' AND seq >= ?", (id,)).fetchone():
            raise NotKept("it has been deleted")
        return False

    def _insert(self, sql: sqlite3.Connection, match: Match, wanted: _Wanted) -> int:
        """Write a match that the file does not have; return its id."""
        lineup, dice = match.lineup, match.dice
        names = [folded(name) for name in match.names]
        row = {
            "game": lineup.game,
            "started": self._started,
            "played": now(),
            "names": "\n".join(names),
            "claim": self.claim,
            "dice": dice.kind,
            "chance": dice.source,
            "lineup": json.dumps(lineup.to_json(), ensure_ascii=False),
            "identifier": match.identifier,
            "given": match.given,
            **_standing(match, wanted),
        }
        id = sql.execute(f"INSERT INTO match ({', '.join(row)}) VALUES ({marks(row)})", tuple(row.values())).lastrowid  # noqa: A001
        assert id is not None
        sql.executemany(
            "INSERT INTO seat (folded, game, match, seat, name, bot, dice) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (name, lineup.game, id, place, seat.name, seat.bot, dice.kind)
                for place, (name, seat) in enumerate(zip(names, lineup.seats, strict=True))
            ],
        )
        return id

    def _set_results(self, sql: sqlite3.Connection, id: int, wanted: _Wanted) -> None:  # noqa: A002
        """Write what the match came to by seat; nothing, as long as its last roll is taken back."""
        columns = (*RESULTS, *FIGURES) if wanted.taken_back else RESULTS
        settings = ", ".join(f"{column} = ?" for column in columns)
        nothing = [None] * len(columns)
        results = [nothing] * wanted.start.seats if wanted.taken_back else _results(wanted)
        sql.executemany(
            f"UPDATE seat SET {settings} WHERE match = ? AND seat = ?",
            [(*result, id, seat) for seat, result in enumerate(results)],
        )


def _standing(match: Match, wanted: _Wanted) -> dict[str, object]:
    """The columns of a match that change while it is played."""
    settled = wanted.words is not None
    return {
        "news": news(wanted.state, match.names, settled),
        "finished": wanted.state.outcome is not None,
        "taken_back": wanted.taken_back,
        "events": len(wanted.events),
        "words": json.dumps(wanted.words) if settled else None,
        "position": wanted.start.position() if settled or match.set_up else None,
    }


def _results(wanted: _Wanted) -> Sequence[Sequence[int | None]]:
    """The results of a match that is over, by seat in the order of RESULTS."""
    assert wanted.state.outcome
    names = [""] * wanted.start.seats
    rounds: Counter[int] = Counter()
    faces: Counter[tuple[int, int]] = Counter()
    for _, event, after in replay(wanted.start, wanted.events):
        faces.update((event.seat, face) for face in event.faces)
        if after.to_act is None:
            rounds[after.report(names).seat] += 1
    places = wanted.state.outcome.places
    return [
        [places.index(seat) + 1, seat == places[-1], rounds[seat], *(faces[seat, face] for face in range(1, 7))]
        for seat in range(wanted.start.seats)
    ]


def _row(event: Event) -> tuple[int, str | None, str]:
    """An event as columns: the seat, the dice thrown (None for a stand), their faces."""
    roll = _text(event.action.dice) if isinstance(event.action, Roll) else None
    return event.seat, roll, _text(event.faces)


def _text(digits: Sequence[int]) -> str:
    return "".join(map(str, digits))


def marks(values: Sequence[object] | dict[str, object]) -> str:
    """Return as many question marks as values."""
    return ", ".join("?" * len(values))


def now() -> str:
    """Return the time as the database has it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
