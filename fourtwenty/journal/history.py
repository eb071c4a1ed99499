"""Queries the history: all matches, their figures and mistakes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cached_property
from sqlite3 import Connection
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import astuple

from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Event, Leave, Roll, Stand, State
from fourtwenty.journal.database import Database, checked_row, valid_rows
from fourtwenty.journal.history_entries import (
    Figures,
    HistoryEntry,
    MistakeKind,
    SeatEntry,
    StoredMistake,
    StoredPuzzle,
    Totals,
    Unfinished,
)
from fourtwenty.journal.match_journal import FACE_COLUMNS, FIGURE_COLUMNS, LEAVE, MatchJournal, placeholders
from fourtwenty.journal.scorecard import FirstAnswer, Scorecard
from fourtwenty.journal.shared_keys import SharedKeys
from fourtwenty.odds import SOLUTIONS
from fourtwenty.play.dice import Dice, FairDice, ManualDice, ScriptedDice
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import COACHING, Lineup
from fourtwenty.play.match import Match
from fourtwenty.play.practice import DAYS, Box, waiting
from fourtwenty.play.shared_dice import SharedDice
from fourtwenty.play.tally import Played

"""Every table with rows of a match, except boxes, and its column of the match's id."""

BOXES_OF = (
    "FROM box WHERE (name_key, game, choice_key) IN (SELECT name_key, game, choice_key FROM mistake WHERE match = ?)"
)
"""The boxes of a match's mistakes, shared with other matches."""

MAX_STORED_PUZZLES = 100

ENTRY_COLUMNS = "id, game, started, played, finished, status_text"

LATEST_UNFINISHED = (
    "SELECT id FROM match WHERE NOT finished AND instr(names, ?) ORDER BY written DESC, id DESC LIMIT ? OFFSET ?"
)
"""The query for unfinished matches, answered in order by the index ``match_waiting``."""

FINISHED = "AND id NOT IN (SELECT id FROM match WHERE NOT finished)"
"""The condition for finished matches, answered by the index of unfinished ones without reading rows."""

Text = str | None
Whole = int | None
Real = float | None

BoxNumber = Annotated[int, Meta(ge=1, le=len(DAYS))]

MAX_PLAYED = 200
"""The finished matches for tallies, more than an evening has."""


class History(Database):
    """All matches of one person. Every method raises SaveError for an unreadable or unwritable file."""

    @cached_property
    def unreadable(self) -> set[int]:
        """The ids of damaged matches that lists have left out so far."""
        return set()

    def reopened(self) -> History:
        """Return a history with its own connection to the file, for another thread."""
        return History(self.path, self.tell, read_only=self.read_only)

    # -- matches in progress -----------------------------------------------------------------------------------

    def journal(self) -> MatchJournal:
        """Return the journal of a new match."""
        return MatchJournal(self)

    def resume(self, id: int) -> Match:  # noqa: A002
        """Claim a match against writes by other tables. Raises ValueError when there is none."""
        self.check_saved()  # a left match may hold faces that nobody has seen
        with self.transaction() as sql:
            match, events = _rebuilt(sql, id)
            journal = MatchJournal(self, id, events)
            sql.execute("UPDATE match SET claim = ? WHERE id = ?", (journal.claim, id))
        match.journal = journal
        return match

    def match(self, id: int) -> Match:  # noqa: A002
        """Return a match without stored changes. Raises ValueError when it is damaged or missing."""
        if not self.is_begun():
            raise ValueError(f"there is no game {id}")
        with self.transaction(write=False) as sql:
            return _rebuilt(sql, id)[0]

    def find(self, identifier: str) -> int | None:
        """Return the id of the match with an identifier; None without one."""
        with self.transaction(write=False) as sql:
            row = sql.execute("SELECT id FROM match WHERE identifier = ? ORDER BY id", (identifier,)).fetchone()
        return None if row is None else int(row[0])

    def unfinished(self, most: int = 1000, search: str = "", skip: int = 0) -> tuple[HistoryEntry, ...]:
        """Return up to ``most`` unfinished matches with ``search`` in a name, last played first."""
        with self.transaction(write=False) as sql:
            return self._entries(sql, LATEST_UNFINISHED, (stored_name_key(search), most, skip))

    def count_unfinished(self, search: str = "") -> int:
        """Return the number of unfinished matches with ``search`` in a name."""
        with self.transaction(write=False) as sql:
            found = sql.execute(
                "SELECT count(*) FROM match WHERE NOT finished AND instr(names, ?)", (stored_name_key(search),)
            )
            return int(found.fetchone()[0])

    def latest_unfinished(self) -> Unfinished | None:
        """Return the unfinished match played last, and the number of all; None without one."""
        number = self.count_unfinished()
        entries = self.unfinished(most=1)
        if number and not entries:  # it is damaged
            entries = self.unfinished()
            number = len(entries)
        return Unfinished(entries[0], number) if entries else None

    def _entries(self, sql: Connection, query: str, values: Sequence[object]) -> tuple[HistoryEntry, ...]:
        """Return a query's entries; note damaged ones."""
        ids = [id for (id,) in sql.execute(query, values)]  # noqa: A001
        rows = sql.execute(f"SELECT {ENTRY_COLUMNS} FROM match WHERE id IN ({placeholders(ids)})", ids).fetchall()
        seats: dict[int, list[tuple[Any, ...]]] = {id: [] for id in ids}  # noqa: A001
        for id, *seat in sql.execute(  # noqa: A001
            f"SELECT match, name, bot, place, rounds, {', '.join(FIGURE_COLUMNS)} FROM seat "
            f"WHERE match IN ({placeholders(ids)}) ORDER BY match, seat",
            ids,
        ):
            seats[id].append(tuple(seat))
        found = {}
        for id, game, started, played, finished, news in valid_rows(rows, tuple[int, str, str, str, int, str]):  # noqa: A001
            with suppress(ValueError, KeyError):
                times = datetime.fromisoformat(started), datetime.fromisoformat(played)
                seat_entries = tuple(
                    _seat_entry(*seat)
                    for seat in checked_row(seats[id], list[tuple[str, Text, Whole, Whole, Real, Whole, Real, Real]])
                )
                found[id] = HistoryEntry(id, GAMES[game].key, *times, bool(finished), news, seat_entries)
        self.unreadable.update({*ids} - {*found})
        return tuple(found[id] for id in ids if id in found)  # noqa: A001

    # -- matches of the past -----------------------------------------------------------------------------------

    def page(
        self, search: str = "", before: int | None = None, limit: int = 100, skip: int = 0, unfinished: bool = True
    ) -> tuple[HistoryEntry, ...]:
        """Return up to ``limit`` matches below an id, with ``search`` in a name, newest first."""
        with self.transaction(write=False) as sql:
            return self._entries(
                sql,
                # It searches names in their index, without reading the rows of all matches.
                "SELECT id FROM match INDEXED BY match_names "
                f"WHERE id < ? AND instr(names, ?) {'' if unfinished else FINISHED} ORDER BY id DESC LIMIT ? OFFSET ?",
                (sys.maxsize if before is None else before, stored_name_key(search), limit, skip),
            )

    def count(self, search: str = "") -> int:
        """Return the number of matches with ``search`` in a name."""
        with self.transaction(write=False) as sql:
            found = sql.execute(
                "SELECT count(*) FROM match INDEXED BY match_names WHERE instr(names, ?)", (stored_name_key(search),)
            )
            return int(found.fetchone()[0])

    def delete(self, id: int) -> None:  # noqa: A002
        """Delete a match, and its boxes without mistakes in other matches."""
        with self.transaction() as sql:
            sql.execute(
                f"DELETE {BOXES_OF} AND NOT EXISTS (SELECT 1 FROM mistake WHERE match <> ? "
                "AND (name_key, game, choice_key) = (box.name_key, box.game, box.choice_key))",
                (id, id),
            )
            sql.execute("DELETE FROM match WHERE id = ?", (id,))

    def played(self, most: int = MAX_PLAYED) -> tuple[Played, ...]:
        """Return the matches finished last, in the order of their ends."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT id, game, played FROM match WHERE finished ORDER BY written DESC, id DESC LIMIT ?", (most,)
            ).fetchall()
            seats: dict[int, list[tuple[str, int]]] = {row[0]: [] for row in rows}
            for id, name, place in sql.execute(  # noqa: A001
                f"SELECT match, name, place FROM seat WHERE match IN ({placeholders(rows)}) ORDER BY match, seat",
                tuple(seats),
            ):
                seats[id].append((name, place))
        found = []
        for id, game, ended in reversed(rows):  # noqa: A001
            with suppress(ValueError, TypeError, KeyError, RecursionError):
                places, moment = checked_row(seats[id], list[tuple[str, int]]), datetime.fromisoformat(ended)
                if places and moment.tzinfo is not None:
                    found.append(Played(GAMES[game].key, moment, tuple(places)))
        return tuple(found)

    def unmeasured(self) -> tuple[int, ...]:
        """Return the ids of finished matches not measured by their game's present solution, newest first."""
        by_game = " OR ".join(["game = ? AND measured < ?"] * len(SOLUTIONS))
        versions = [value for each in SOLUTIONS.items() for value in each]
        with self.transaction(write=False) as sql:
            ids = sql.execute(f"SELECT id FROM match WHERE finished AND ({by_game}) ORDER BY id DESC", versions)
            return tuple(id for (id,) in ids)  # noqa: A001

    def is_measured(self, id: int) -> bool:  # noqa: A002
        """Return whether a match is measured by its game's present solution, or gone."""
        with self.transaction(write=False) as sql:
            row = sql.execute("SELECT game, measured FROM match WHERE id = ?", (id,)).fetchone()
        return row is None or row[1] >= SOLUTIONS.get(row[0], 0)

    def leave_out(self, id: int) -> None:  # noqa: A002
        """Store that a damaged match has been seen and has no figures."""
        with self.transaction() as sql:
            row = sql.execute("SELECT game FROM match WHERE id = ?", (id,)).fetchone()
            if row:
                sql.execute("UPDATE match SET measured = ? WHERE id = ?", (SOLUTIONS[row[0]], id))

    def measure(self, id: int, figures: Sequence[Figures], mistakes: Sequence[StoredMistake] = ()) -> None:  # noqa: A002
        """Store a finished match's figures by seat, and its mistakes in place of older ones.

        A position goes into the first box, unless it has been answered since the match began.
        """
        with self.transaction() as sql:
            row = sql.execute("SELECT game FROM match WHERE id = ? AND finished", (id,)).fetchone()
            if row is None:
                return
            sql.execute("UPDATE match SET measured = ? WHERE id = ?", (SOLUTIONS[row[0]], id))
            sql.executemany(
                "UPDATE seat SET lost = ?, decisions = ?, luck = ?, drinks = ? WHERE match = ? AND seat = ?",
                [(*astuple(own), id, seat) for seat, own in enumerate(figures)],
            )
            before = sql.execute(f"SELECT * {BOXES_OF}", (id,)).fetchall()
            sql.execute("DELETE FROM mistake WHERE match = ?", (id,))
            sql.executemany(
                "INSERT INTO mistake SELECT name_key, game, ?, match, ?, ?, ?, ?, ? FROM seat "
                "WHERE match = ? AND seat = ?",
                [(m.choice_key, m.number, m.position, m.kind, m.situation, m.loss, id, m.seat) for m in mistakes],
            )
            sql.execute(
                "INSERT INTO box SELECT DISTINCT name_key, game, choice_key, 1, 0, 0 FROM mistake WHERE match = ? "
                "ON CONFLICT DO UPDATE SET number = 1, due = 0 WHERE last_match < ?",
                (id, id),
            )
            _remove_empty(sql, before)

    # -- mistakes ----------------------------------------------------------------------------------------------

    def kinds(self, name: str, game: str) -> tuple[MistakeKind, ...]:
        """Return the kinds of a name's mistakes in a game, costliest in all first."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT kind, situation, count(*), total(loss) FROM mistake WHERE name_key = ? AND game = ? "
                "GROUP BY kind, situation ORDER BY total(loss) DESC, kind, situation",
                (stored_name_key(name), game),
            )
            return tuple(MistakeKind(*row) for row in valid_rows(rows, tuple[str, str, int, float]))

    def due(self, name: str, now: int) -> dict[str, int]:
        """Return the number of a name's due puzzles by key of the game, without zeros."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT game, count(*) FROM box WHERE name_key = ? AND due NOT BETWEEN ? AND ? GROUP BY game",
                (stored_name_key(name), *waiting(now)),
            )
            return {game: number for game, number in valid_rows(rows, tuple[str, int]) if game in GAMES}

    def next_due(self, name: str, now: int) -> int | None:
        """Return when a name's next stored puzzle is due, in seconds since 1970; None for never."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT min(due) FROM box WHERE name_key = ? AND due BETWEEN ? AND ? AND typeof(due) = 'integer'",
                (stored_name_key(name), *waiting(now)),
            )
            due: int | None = rows.fetchone()[0]
        return due

    def stored_puzzles(
        self, name: str, game: str, now: int, kind: MistakeKind | None = None, most: int = MAX_STORED_PUZZLES
    ) -> tuple[StoredPuzzle, ...]:
        """Return up to ``most`` due puzzles, or all of a kind: due ones first, then the costliest."""
        values: tuple[object, ...]
        wanted, values = (
            ("kind = ? AND situation = ?", (kind.kind, kind.situation))
            if kind
            else ("due NOT BETWEEN ? AND ?", waiting(now))
        )
        kinds = {(each.kind, each.situation): -each.loss for each in self.kinds(name, game)}
        with self.transaction(write=False) as sql:
            stored = sql.execute(
                # Beside max(), SQLite takes the other columns from the row with the maximum (see ``names``).
                "SELECT choice_key, kind, situation, total(loss), box.number, due, match, mistake.number, position, "
                "max(loss) FROM mistake JOIN box USING (name_key, game, choice_key) "
                f"WHERE name_key = ? AND game = ? AND {wanted} GROUP BY choice_key, kind, situation",
                (stored_name_key(name), game, *values),
            )
            rows = [*valid_rows(stored, tuple[str, str, str, float, BoxNumber, int | None, int, int, str, float])]
            boxes = {row[0]: Box(*row[4:6]) for row in rows}
            rows.sort(key=lambda row: (not boxes[row[0]].is_due(now), kinds.get(row[1:3], 0), -row[3], row[0]))
            first = {row[0]: row for row in reversed(rows)}
            found = []
            for alike in [*dict.fromkeys(row[0] for row in rows)][:most]:
                match, number, position = first[alike][6:9]
                event = sql.execute("SELECT roll FROM event WHERE match = ? AND number = ?", (match, number)).fetchone()
                names = sql.execute("SELECT name FROM seat WHERE match = ? ORDER BY seat", (match,)).fetchall()
                with suppress(ValueError, TypeError):
                    state, action = GAMES[game].parse(position), _action(*checked_row(event, tuple[Text]))
                    seats = tuple(each for (each,) in checked_row(names, list[tuple[str]]))
                    if state.check(action) is None and len(seats) == state.seats:
                        found.append(
                            StoredPuzzle(stored_name_key(name), game, alike, state, action, seats, boxes[alike], now)
                        )
        return tuple(found)

    def answered(self, stored_puzzle: StoredPuzzle, right: bool, now: int) -> None:
        """Move a stored puzzle to the box after an answer, unless it was answered meanwhile."""
        before, after = stored_puzzle.box, stored_puzzle.box.after(right, stored_puzzle.asked, now)
        with self.transaction() as sql:
            sql.execute(
                "UPDATE box SET number = ?, due = ?, last_match = (SELECT ifnull(max(id), 0) FROM match) "
                "WHERE name_key = ? AND game = ? AND choice_key = ? AND number = ? AND due IS ?",
                (
                    *astuple(after),
                    stored_puzzle.name_key,
                    stored_puzzle.game,
                    stored_puzzle.choice_key,
                    *astuple(before),
                ),
            )

    # -- first answers -----------------------------------------------------------------------------------------

    def save_answers(self, answers: Sequence[FirstAnswer]) -> Scorecard:
        """Save first answers, the first one to each daily puzzle; return the scorecard with them."""
        rows = [(each.game, each.day and each.day.isoformat(), each.right) for each in answers]
        with self.transaction() as sql:
            sql.executemany("INSERT INTO answer VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)
            return _scorecard(sql)

    def scorecard(self) -> Scorecard:
        """Return the scorecard of all readable answers."""
        with self.transaction(write=False) as sql:
            return _scorecard(sql)

    # -- figures of a name -------------------------------------------------------------------------------------

    def statistics(self, name: str) -> tuple[Totals, ...]:
        """Return the totals of a name's finished matches by game."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                f"SELECT game, count(*), {_whole('rounds')}, {_whole('last')}, count(lost), count(drinks), "
                f"total(lost), {_whole('decisions')}, total(luck), total(drinks) "
                "FROM seat WHERE name_key = ? AND place GROUP BY game",
                (stored_name_key(name),),
            ).fetchall()
        return tuple(
            Totals(game, matches, rounds, last, measured, foreseen, Figures(*figures))
            for game, matches, rounds, last, measured, foreseen, *figures in rows
            if game in GAMES
        )

    def faces(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return counts of rolled faces by kind of dice; "given" is a player's seed."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT CASE WHEN match IN (SELECT id FROM match WHERE seed_chosen) THEN 'given' ELSE dice END kind, "
                f"{', '.join(map(_whole, FACE_COLUMNS))} FROM seat WHERE place GROUP BY kind"
            ).fetchall()
        return tuple((kind, tuple(counts)) for kind, *counts in rows)

    def cumulative_figures(self, name: str, game: str, most: int = 120) -> tuple[tuple[int, Figures], ...]:
        """Return sums of figures after numbers of matches, at ``most`` points; ``drinks`` is None."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT number, lost, decisions, luck FROM ("
                " SELECT row_number() OVER past AS number, count(*) OVER () AS matches, total(lost) OVER past AS lost,"
                f" {_whole('decisions', 'OVER past')} AS decisions, total(luck) OVER past AS luck"
                " FROM seat WHERE name_key = ? AND game = ? AND lost IS NOT NULL"
                " WINDOW past AS (ORDER BY match ROWS UNBOUNDED PRECEDING)"
                ") WHERE (matches - number) % ((matches + ? - 1) / ?) = 0",
                (stored_name_key(name), game, most, most),
            )
            return tuple((number, Figures(lost, decisions, luck, None)) for number, lost, decisions, luck in rows)

    def names(self, search: str = "", limit: int = 100) -> tuple[tuple[str, int], ...]:
        """Return up to ``limit`` names with ``search`` in them and their numbers of matches, most first."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                # Beside max(), SQLite takes ``name`` from the row with the maximum (lang_select.html, "Bare columns").
                "SELECT name, count(*), max(match) FROM seat WHERE place AND instr(name_key, ?) "
                "GROUP BY name_key ORDER BY count(*) DESC, name_key LIMIT ?",
                (stored_name_key(search), limit),
            )
            return tuple((name, matches) for name, matches, _ in valid_rows(rows, tuple[str, int, int]))

    def people(self, limit: int = 50) -> tuple[str, ...]:
        """Return up to ``limit`` people's names, as last spelled, with the most matches first."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT name, count(*), max(match) FROM seat WHERE bot IS NULL "
                "GROUP BY name_key ORDER BY count(*) DESC, max(match) DESC LIMIT ?",
                (limit,),
            )
            return tuple(name for name, _, _ in valid_rows(rows, tuple[str, int, int]))


def _whole(column: str, over: str = "") -> str:
    """The SQL of a sum as a whole number, where stored non-numbers count as 0."""
    return f"CAST(total({column}) {over} AS INTEGER)"


def _remove_empty(sql: Connection, boxes: Sequence[tuple[Any, ...]]) -> None:
    """Remove these boxes, given by their rows, if no mistake is left in them."""
    sql.executemany(
        "DELETE FROM box WHERE name_key = ? AND game = ? AND choice_key = ? AND NOT EXISTS "
        "(SELECT 1 FROM mistake WHERE (name_key, game, choice_key) = (box.name_key, box.game, box.choice_key))",
        [row[:3] for row in boxes],
    )


def _rebuilt(sql: Connection, id: int) -> tuple[Match, tuple[Event, ...]]:  # noqa: A002
    """The match of an id and its events, with any roll taken back. Raises ValueError with a sentence."""
    row = sql.execute(
        "SELECT game, lineup, dice, dice_source, seed_chosen, identifier, position, taken_back, events, coaching, bets "
        "FROM match WHERE id = ?",
        (id,),
    ).fetchone()
    if row is None:
        raise ValueError(f"there is no game {id}")
    rows = sql.execute("SELECT seat, roll, faces FROM event WHERE match = ? ORDER BY number", (id,)).fetchall()
    hints = sql.execute("SELECT number FROM hint WHERE match = ?", (id,)).fetchall()
    try:
        game, lineup, kind, source, given, identifier, position, taken_back, count, coaching, bets = checked_row(
            row, tuple[str, str, str, bytes, int, Text, str, Literal[0, 1], int, str, str]
        )
    except ValueError as error:
        raise ValueError(f"game {id} is damaged and cannot be read") from error
    if len(rows) != count:
        raise ValueError(f"game {id} is damaged: {len(rows)} of its {count} actions are left")
    try:
        seats, start = Lineup.from_json(json.loads(lineup)), GAMES[game].parse(position)
        actions = checked_row(rows, list[tuple[int, Text, str]])
        events = tuple(Event(seat, _action(roll), tuple(map(int, faces))) for seat, roll, faces in actions)
        if kind == SharedDice.kind:
            dice: Dice = _shared_dice(source, seats, start, events)
        else:
            dice = _dice(kind, source, bool(given))
        match = Match(seats, dice, start, identifier=identifier)
        for event in events:
            _repeat(match, event)
        match.hints = {number for (number,) in checked_row(hints, list[tuple[int]])}
        match.coaching = _coaching(coaching)
        match.bets = _bets(bets, len(match.names))
        if taken_back:
            match.take_back()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"game {id} is damaged and cannot be read") from error
    return match, events


def _action(roll: str | None) -> Action:
    if roll is None:
        return Stand()
    return Leave() if roll == LEAVE else Roll(tuple(map(int, roll)))


def _coaching(text: str) -> list[tuple[int, str]]:
    changes = [(index, level) for index, level in json.loads(text)]
    if not all(type(index) is int and level in COACHING for index, level in changes):
        raise ValueError("the coach changes before an event, to one of its levels")
    return changes


def _bets(text: str, seats: int) -> dict[int, int]:
    bets: dict[int, int] = dict(json.loads(text))
    if not all(type(seat) is int and 0 <= seat < seats for each in bets.items() for seat in each):
        raise ValueError("a bet is made by a seat, on a seat")
    return bets


def _dice(kind: str, source: bytes, given: bool) -> Dice:
    if kind == FairDice.kind:
        return FairDice(source, given)
    if kind == ManualDice.kind:
        return ManualDice(source)
    if kind == ScriptedDice.kind:
        return ScriptedDice(())
    raise ValueError(f"dice of the kind {kind!r} are not known")


def _shared_dice(source: bytes, lineup: Lineup, start: State, events: Sequence[Event]) -> SharedDice:
    keys = SharedKeys.from_json(source)
    digest = keys.digest(lineup.game, lineup.players, start.starting_seat)
    return keys.dice(digest, [event.seat for event in events if isinstance(event.action, Roll)])


def _repeat(match: Match, event: Event) -> None:
    """Apply a stored event. Raises ValueError when it is illegal or does not follow from the dice."""
    if match.state.to_act is None:
        match.next_round()
    if not isinstance(match.dice, FairDice | SharedDice) or isinstance(event.action, Leave):
        match.record(event)
    elif match.act(event.action) != event:
        raise ValueError("These faces do not follow from the dice.")


def _scorecard(sql: Connection) -> Scorecard:
    right = tried = 0
    days = {}
    rows = sql.execute("SELECT game, day, right, count(*) FROM answer GROUP BY 1, 2, 3")
    for game, day, is_right, number in valid_rows(rows, tuple[str, Text, Literal[0, 1], int]):
        with suppress(ValueError):
            if day is not None:
                days[game, date.fromisoformat(day)] = bool(is_right)
            right, tried = right + number * is_right, tried + number
    return Scorecard(right, tried, days)


def _seat_entry(name: str, bot: Text, place: int | None, rounds: int | None, *figures: Any) -> SeatEntry:
    return SeatEntry(name, bot, place, rounds, None if figures[0] is None else Figures(*figures))
