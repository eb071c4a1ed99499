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
from fourtwenty.games.english import pluralize
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
)
from fourtwenty.journal.match_journal import FACE_COLUMNS, FIGURE_COLUMNS, LEAVE, MatchJournal, placeholders
from fourtwenty.journal.scorecard import FirstAnswer, Scorecard
from fourtwenty.journal.shared_keys import SharedKeys
from fourtwenty.odds import SOLUTIONS
from fourtwenty.play.dice import Dice, FairDice, ManualDice, ScriptedDice
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import Coaching, Lineup, check_name
from fourtwenty.play.match import Match
from fourtwenty.play.practice import DAYS, Box, waiting
from fourtwenty.play.shared_dice import SharedDice
from fourtwenty.play.tally import Played

BOXES_OF = (
    "FROM box WHERE (name_key, game, choice_key) IN (SELECT name_key, game, choice_key FROM mistake WHERE match = ?)"
)
"""The boxes of a match's mistakes, shared with other matches."""

MAX_STORED_PUZZLES = 100

ENTRY_COLUMNS = "id, game, started, played, finished, status_text"

SAME_PLAYER = (
    "name_key IN (WITH wanted(name_key) AS (VALUES (?)) SELECT name_key FROM wanted "
    "UNION SELECT other.name_key FROM wanted JOIN alias USING (name_key) JOIN alias AS other USING (player_key))"
)
"""The condition for all names of the player with this one."""

WITH_ALIAS = "FROM seat LEFT JOIN alias USING (name_key)"
PLAYER_KEY, SHOWN = "ifnull(player_key, name_key)", "CASE typeof(shown) WHEN 'text' THEN shown ELSE seat.name END"
"""The columns of a seat's player in ``WITH_ALIAS``."""

COUNTED = "match NOT IN (SELECT match FROM uncounted)"

FOUND = "(instr(names, ?) OR id IN (SELECT match FROM seat JOIN alias USING (name_key) WHERE instr(player_key, ?)))"
"""The condition for matches with a text, given twice, in a name as it was recorded or as it is shown."""

LATEST_UNFINISHED = (
    f"SELECT id FROM match WHERE NOT finished AND {FOUND} ORDER BY written DESC, id DESC LIMIT ? OFFSET ?"
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

    @property
    def unreadable_words(self) -> str:
        """The sentence about these matches; empty for none."""
        return f"{pluralize(len(self.unreadable), 'game', 'games')} cannot be read: damaged." if self.unreadable else ""

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
            raise _absent(id)
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
            return self._entries(sql, LATEST_UNFINISHED, (*[stored_name_key(search)] * 2, most, skip))

    def latest_unfinished(self) -> HistoryEntry | None:
        """Return the unfinished match played last; None without one."""
        return next(iter(self.unfinished(most=1) or self.unfinished()), None)  # the very last may be damaged

    def _entries(self, sql: Connection, query: str, values: Sequence[object]) -> tuple[HistoryEntry, ...]:
        """Return a query's entries; note damaged ones."""
        ids = [id for (id,) in sql.execute(query, values)]  # noqa: A001
        uncounted = {id for (id,) in sql.execute("SELECT match FROM uncounted")}  # noqa: A001
        rows = sql.execute(f"SELECT {ENTRY_COLUMNS} FROM match WHERE id IN ({placeholders(ids)})", ids).fetchall()
        seats: dict[int, list[tuple[Any, ...]]] = {id: [] for id in ids}  # noqa: A001
        for id, *seat in sql.execute(  # noqa: A001
            f"SELECT match, {SHOWN}, seat.name, bot, place, rounds, {', '.join(FIGURE_COLUMNS)} {WITH_ALIAS} "
            f"WHERE match IN ({placeholders(ids)}) ORDER BY match, seat",
            ids,
        ):
            seats[id].append(tuple(seat))
        found = {}
        for id, game, started, played, finished, news in valid_rows(rows, tuple[int, str, str, str, int, str]):  # noqa: A001
            with suppress(ValueError, KeyError):
                times = datetime.fromisoformat(started), datetime.fromisoformat(played)
                read = checked_row(seats[id], list[tuple[str, str, Text, Whole, Whole, Real, Whole, Real, Real]])
                seat_entries = tuple(_seat_entry(*seat[1:]) for seat in read)
                entry = HistoryEntry(
                    id, GAMES[game].key, *times, bool(finished), news, seat_entries, id not in uncounted
                )
                found[id] = entry.renamed([shown for shown, *_ in read])
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
                f"WHERE {FOUND} AND id < ? {'' if unfinished else FINISHED} ORDER BY id DESC LIMIT ? OFFSET ?",
                (*[stored_name_key(search)] * 2, sys.maxsize if before is None else before, limit, skip),
            )

    def count(self, search: str = "", unfinished: bool = False) -> int:
        """Return the number of matches, or of unfinished ones, with ``search`` in a name."""
        matches = "match WHERE NOT finished AND" if unfinished else "match INDEXED BY match_names WHERE"
        with self.transaction(write=False) as sql:
            found = sql.execute(f"SELECT count(*) FROM {matches} {FOUND}", [stored_name_key(search)] * 2)
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

    def set_counted(self, id: int, counted: bool) -> None:  # noqa: A002
        """Let a match enter statistics and tally, or not; it is listed all the same. Raises ValueError without it."""
        with self.transaction() as sql:
            if not sql.execute("SELECT 1 FROM match WHERE id = ?", (id,)).fetchone():
                raise _absent(id)
            sql.execute(
                "DELETE FROM uncounted WHERE match = ?" if counted else "INSERT OR IGNORE INTO uncounted VALUES (?)",
                (id,),
            )

    def played(self, most: int = MAX_PLAYED) -> tuple[Played, ...]:
        """Return the counted matches finished last, in the order of their ends, with all names of their players."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT id, game, played FROM match WHERE finished AND id NOT IN (SELECT match FROM uncounted) "
                "ORDER BY written DESC, id DESC LIMIT ?",
                (most,),
            ).fetchall()
            seats: dict[int, list[tuple[str, int]]] = {row[0]: [] for row in rows}
            for id, name, place in sql.execute(  # noqa: A001
                f"SELECT match, ifnull(other.name_key, seat.name), place {WITH_ALIAS} LEFT JOIN alias AS other "
                f"USING (player_key) WHERE match IN ({placeholders(rows)}) ORDER BY match, seat",
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
                "SELECT kind, situation, count(*), total(loss) FROM mistake "
                f"WHERE {SAME_PLAYER} AND game = ? AND {COUNTED} "
                "GROUP BY kind, situation ORDER BY total(loss) DESC, kind, situation",
                (stored_name_key(name), game),
            )
            return tuple(MistakeKind(*row) for row in valid_rows(rows, tuple[str, str, int, float]))

    def due(self, name: str, now: int) -> dict[str, int]:
        """Return the number of a name's due puzzles by key of the game, without zeros."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                "SELECT game, count(DISTINCT choice_key) FROM box "
                f"WHERE {SAME_PLAYER} AND due NOT BETWEEN ? AND ? GROUP BY game",
                (stored_name_key(name), *waiting(now)),
            )
            return {game: number for game, number in valid_rows(rows, tuple[str, int]) if game in GAMES}

    def next_due(self, name: str, now: int) -> int | None:
        """Return when a name's next stored puzzle is due, in seconds since 1970; None for never."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                f"SELECT min(due) FROM box WHERE {SAME_PLAYER} AND due BETWEEN ? AND ? AND typeof(due) = 'integer'",
                (stored_name_key(name), *waiting(now)),
            )
            due: int | None = rows.fetchone()[0]
        return due

    def stored_puzzles(
        self, name: str, game: str, now: int, kind: MistakeKind | None = None, most: int = MAX_STORED_PUZZLES
    ) -> tuple[StoredPuzzle, ...]:
        """Return up to ``most`` due puzzles, or all of a kind: due ones first, then the costliest."""
        wanted = "kind = ? AND situation = ?" if kind else "due NOT BETWEEN ? AND ?"
        values = (kind.kind, kind.situation) if kind else waiting(now)
        kinds = {(each.kind, each.situation): -each.loss for each in self.kinds(name, game)}
        with self.transaction(write=False) as sql:
            stored = sql.execute(
                # Beside max(), SQLite takes the other columns from the row with the maximum (see ``names``).
                "SELECT choice_key, kind, situation, total(loss), box.number, due, match, mistake.number, position, "
                "name_key, max(loss) FROM mistake JOIN box USING (name_key, game, choice_key) "
                f"WHERE {SAME_PLAYER} AND game = ? AND {wanted} GROUP BY choice_key, kind, situation",
                (stored_name_key(name), game, *values),
            )
            rows = [*valid_rows(stored, tuple[str, str, str, float, BoxNumber, int | None, int, int, str, str, float])]
            rows.sort(key=lambda row: (not Box(*row[4:6]).is_due(now), kinds.get(row[1:3], 0), -row[3], row[0]))
            first = {row[0]: row for row in reversed(rows)}
            found = []
            for alike in [*dict.fromkeys(row[0] for row in rows)][:most]:
                box, (match, number, position, owner) = Box(*first[alike][4:6]), first[alike][6:10]
                event = sql.execute("SELECT roll FROM event WHERE match = ? AND number = ?", (match, number)).fetchone()
                names = sql.execute("SELECT name FROM seat WHERE match = ? ORDER BY seat", (match,)).fetchall()
                with suppress(ValueError, TypeError):
                    state, action = GAMES[game].parse(position), _action(*checked_row(event, tuple[Text]))
                    seats = tuple(each for (each,) in checked_row(names, list[tuple[str]]))
                    if state.check(action) is None and len(seats) == state.seats:
                        found.append(StoredPuzzle(owner, game, alike, state, action, seats, box, now))
        return tuple(found)

    def answered(self, stored_puzzle: StoredPuzzle, right: bool, now: int) -> None:
        """Move a stored puzzle, under all names of its player, to the box after an answer.

        Do nothing if it was answered meanwhile.
        """
        asked, before = stored_puzzle, stored_puzzle.box
        after = before.after(right, asked.asked, now)
        key = asked.name_key, asked.game, asked.choice_key
        with self.transaction() as sql:
            sql.execute(
                "UPDATE box SET number = ?, due = ?, last_match = (SELECT ifnull(max(id), 0) FROM match) "
                f"WHERE {SAME_PLAYER} AND game = ? AND choice_key = ? AND EXISTS (SELECT 1 FROM box "
                "WHERE name_key = ? AND game = ? AND choice_key = ? AND number = ? AND due IS ?)",
                (*astuple(after), *key, *key, *astuple(before)),
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
                f"FROM seat WHERE {SAME_PLAYER} AND place AND {COUNTED} GROUP BY game",
                (stored_name_key(name),),
            ).fetchall()
        return tuple(
            Totals(game, matches, rounds, last, measured, foreseen, Figures(*figures))
            for game, matches, rounds, last, measured, foreseen, *figures in rows
            if game in GAMES
        )

    def faces(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return counts of rolled faces by kind of dice; "given" is a player's seed.

        Matches that do not count are among them: even dice would look uneven after a choice of matches.
        """
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
                f" FROM seat WHERE {SAME_PLAYER} AND game = ? AND lost IS NOT NULL AND {COUNTED}"
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
                f"SELECT {SHOWN}, count(*), max(match) {WITH_ALIAS} WHERE place AND instr({PLAYER_KEY}, ?) AND "
                f"{COUNTED} GROUP BY {PLAYER_KEY} ORDER BY count(*) DESC, {PLAYER_KEY} LIMIT ?",
                (stored_name_key(search), limit),
            )
            return tuple((name, matches) for name, matches, _ in valid_rows(rows, tuple[str, int, int]))

    def people(self, limit: int = 50) -> tuple[str, ...]:
        """Return up to ``limit`` people's names, as last spelled, with the most matches first."""
        with self.transaction(write=False) as sql:
            rows = sql.execute(
                f"SELECT {SHOWN}, count(*), max(match) {WITH_ALIAS} WHERE bot IS NULL "
                f"GROUP BY {PLAYER_KEY} ORDER BY count(*) DESC, max(match) DESC LIMIT ?",
                (limit,),
            )
            return tuple(name for name, _, _ in valid_rows(rows, tuple[str, int, int]))

    # -- several names of a player -----------------------------------------------------------------------------

    def rename(self, name: str, other: str) -> str:
        """Show a player under another name, as one with a player who has it; return the name that is shown.

        The matches stay as they were played; an empty name shows their names again. Raises ValueError for a name that
        nobody can have, one that nobody has played under, a bot's, and two players of one match.
        """
        if refusal := other and check_name(other, (), stored_name_key):
            raise ValueError(refusal)
        key, wanted = stored_name_key(name), stored_name_key(other)
        with self.transaction() as sql:
            rows = [*valid_rows(sql.execute("SELECT name_key, player_key, shown FROM alias"), tuple[str, str, str])]
            players = {each: player for each, player, _ in rows}
            player, target = players.get(key, key), players.get(wanted, wanted)
            names, others = (tuple({of, *(each for each in players if players[each] == of)}) for of in (player, target))
            latest = sql.execute(
                f"SELECT name FROM seat WHERE name_key IN ({placeholders(names)}) ORDER BY match DESC LIMIT 1", names
            ).fetchone()
            if not latest:
                raise ValueError(f"nobody called {name} has played" if name.strip() else "a name is missing")
            if not other:
                sql.execute("DELETE FROM alias WHERE player_key = ?", (player,))
                return str(latest[0])
            if bot := sql.execute(
                f"SELECT name FROM seat WHERE name_key IN ({placeholders(names + others)}) AND bot IS NOT NULL LIMIT 1",
                names + others,
            ).fetchone():
                raise ValueError(f"{bot[0]} has played as a bot, and bots keep their names")
            if target == player:
                target = wanted
            elif sql.execute(
                f"SELECT 1 FROM seat JOIN seat AS other USING (match) WHERE seat.name_key IN ({placeholders(names)}) "
                f"AND other.name_key IN ({placeholders(others)})",
                names + others,
            ).fetchone():
                raise ValueError(f"{name} and {other} have played in one game, so they are two")
            shown = next((shown for _, of, shown in rows if of == target != player), other.strip())
            sql.executemany(
                "INSERT INTO alias VALUES (?, ?, ?) "
                "ON CONFLICT DO UPDATE SET player_key = excluded.player_key, shown = excluded.shown",
                [(each, target, shown) for each in (*names, key, target)],
            )
            return shown


def _whole(column: str, over: str = "") -> str:
    """The SQL of a sum as a whole number, where stored non-numbers count as 0."""
    return f"CAST(total({column}) {over} AS INTEGER)"


def _absent(id: int) -> ValueError:  # noqa: A002
    return ValueError(f"there is no game {id}")


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
        raise _absent(id)
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
        match.coaching = [*checked_row(json.loads(coaching), list[tuple[int, Coaching]])]
        match.bets = dict(checked_row(json.loads(bets), list[tuple[int, int]]))
        if not {*match.bets, *match.bets.values()} <= {*range(len(match.names))}:
            raise ValueError("a bet is made by a seat, on a seat")
        if taken_back:
            match.take_back()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"game {id} is damaged and cannot be read") from error
    return match, events


def _action(roll: str | None) -> Action:
    if roll is None:
        return Stand()
    return Leave() if roll == LEAVE else Roll(tuple(map(int, roll)))


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
