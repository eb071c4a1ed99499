"""The journal: what it was told is there again, whatever happens to the program, the disk or the file."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest
from closed_folder import closed_folder
from hypothesis import given, strategies as st
from long_tests import PRODUCT, soak, try_out
from msgspec.structs import replace
from processes import program
from run_sql import run_sql
from waiting import MAX_WAIT_SECONDS

from fourtwenty.__main__ import main
from fourtwenty.console import has_controls, strip_controls
from fourtwenty.file_storage import make_private
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL, FourTwenty
from fourtwenty.games.game import Event, IllegalAction, State
from fourtwenty.journal import database, match_journal
from fourtwenty.journal.database import APPLICATION_ID, SCHEMA, SQLITE_ERRORS, VERSION
from fourtwenty.journal.history import LATEST_UNFINISHED, History
from fourtwenty.journal.history_entries import Figures
from fourtwenty.journal.match_journal import MatchJournal
from fourtwenty.play.clock import local
from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import JournalLockedError, Match, PlayedElsewhereError, SaveError

TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
SEALED = FairDice(bytes(range(32)))
BOTS = Lineup(seats=tuple(Seat(name, "Random") for name in ("Ann", "Ben", "Zoë")))


class RecordingHistory(History):
    """A history that remembers what it told."""

    def __init__(self, path: Path) -> None:
        self.told: list[str] = []
        super().__init__(path, self.told.append)

    def begin(self, lineup: Lineup = TWO) -> Match:
        """Begin a match that is kept here, with dice that do not end it at once."""
        return Match(lineup, SEALED, journal=self.journal())

    @property
    def only(self) -> int:
        (entry,) = self.page()
        return entry.id


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "games.sqlite"


@pytest.fixture
def history(path: Path) -> Iterator[RecordingHistory]:
    kept = RecordingHistory(path)
    yield kept
    kept.close()


def play(match: Match, events: int) -> Match:
    """Let everybody act by chance, so many times or to the end."""
    chance = random.Random(events)
    for _ in range(events):
        if match.state.outcome:
            break
        if match.state.to_act is None:
            match.next_round()
        match.act(chance.choice(match.state.actions))
    return match


def same(one: Match, other: Match) -> bool:
    """Whether two matches stand alike, and go on alike."""

    def told(match: Match) -> tuple[object, ...]:
        return (
            match.events,
            match.state,
            match.hints,
            match.starting_seat,
            match.lineup,
            match.start,
            match.dice.seed,
            match._throws,
        )

    return told(one) == told(other)


# -- a match is there again -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("events", [0, 1, 2, 7, 20, 10_000])
def test_a_match_is_there_again_as_it_was(history: RecordingHistory, game: str, events: int) -> None:
    match = play(history.begin(replace(BOTS, game=game)), events)
    assert same(history.match(history.only), match)


@given(st.lists(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))), min_size=2, unique=True))
def test_any_names_are_there_again(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    lineup = Lineup(seats=tuple(Seat(name) for name in names))
    if lineup.check():
        return
    with closing(RecordingHistory(tmp_path_factory.mktemp("names") / "games.sqlite")) as history:
        history.begin(lineup)
        assert history.match(history.only).lineup == lineup
        assert tuple(seat.name for seat in history.page()[0].seats) == tuple(names)


def test_an_event_is_kept_before_the_match_knows_it(history: RecordingHistory) -> None:
    known: list[tuple[int, int]] = []

    class Watched(MatchJournal):
        def record(self, match: Match, event: Event, after: State) -> None:
            super().record(match, event, after)
            known.append((len(match.events), len(history.match(1).events)))

    Match(TWO, journal=Watched(history)).act(ROLL_ALL)
    assert known == [(0, 1)]


def test_a_match_goes_on_where_it_was_and_its_dice_fall_as_they_would_have(history: RecordingHistory) -> None:
    left = play(history.begin(BOTS), 3)
    resumed = history.resume(history.only)
    assert resumed.saved
    resumed.play_out()
    left.journal = None
    left.play_out()
    assert same(left, resumed)
    assert same(history.match(history.only), resumed)


def test_a_match_from_a_position_goes_on_from_it(history: RecordingHistory) -> None:
    start = FourTwenty.start(2, starting_seat=1).apply(ROLL_ALL, (6, 5, 5, 1))
    match = Match(TWO, start=start, journal=history.journal())
    match.act(ROLL_ALL)
    assert history.match(history.only).start == start
    assert same(history.match(history.only), match)


def test_a_roll_that_was_taken_back_is_made_again_with_other_faces(history: RecordingHistory) -> None:
    match = Match(TWO, ManualDice(b"chance"), journal=history.journal())
    match.record(Event(0, ROLL_ALL, (1, 1, 1, 1)))
    match.record(Event(1, ROLL_ALL, (6, 5, 5, 4)))
    match.hint()
    assert history.page()[0].finished
    match.take_back()
    assert not history.page()[0].finished
    assert [seat.place for seat in history.page()[0].seats] == [None, None]
    assert same(history.match(history.only), match)
    assert history.match(history.only).taken_back == ROLL_ALL
    match.record(Event(1, ROLL_ALL, (6, 5, 5, 3)))
    assert [event.faces for event in history.match(history.only).events] == [(1, 1, 1, 1), (6, 5, 5, 3)]
    assert same(history.match(history.only), match)
    assert history.match(history.only).hints == match.hints == set()


def test_dice_that_fell_by_themselves_are_never_taken_back(history: RecordingHistory) -> None:
    match = history.begin()
    match.act(ROLL_ALL)
    with pytest.raises(IllegalAction, match="have fallen"):
        match.take_back()
    assert len(history.match(history.only).events) == 1


def test_a_match_left_before_its_first_roll_is_forgotten(history: RecordingHistory) -> None:
    history.begin().suspend()
    assert history.unfinished() == ()
    play(history.begin(), 1).suspend()
    assert len(history.unfinished()) == 1


def test_without_a_journal_nothing_is_kept(path: Path) -> None:
    assert not play(Match(BOTS), 5).saved
    assert not path.exists()


# -- what waits and what has been -------------------------------------------------------------------------------------


def test_the_match_played_last_waits_first(history: RecordingHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(match_journal, "now", lambda: f"2026-01-01T00:00:{next(clock):02}+00:00")
    first, second = (history.begin() for _ in range(2))
    first.act(ROLL_ALL)
    play(history.begin(BOTS), 10_000)
    assert [entry.id for entry in history.unfinished()] == [1, 2]
    second.act(ROLL_ALL)
    assert [entry.id for entry in history.unfinished()] == [2, 1]
    assert history.unfinished()[0].status_text == "Round 1 of 1, Ben to roll"


def test_the_latest_unfinished_match_is_found_without_the_others(history: RecordingHistory) -> None:
    assert history.latest_unfinished() is None
    for _ in range(3):
        play(history.begin(), 1)
    latest = history.unfinished()[0]
    assert history.latest_unfinished() == latest
    with history.transaction() as sql:
        sql.execute("UPDATE match SET game = 'chess' WHERE id = ?", (latest.id,))
        plan = sql.execute(f"EXPLAIN QUERY PLAN {LATEST_UNFINISHED}", ("", "", 1, 0)).fetchall()
    assert history.latest_unfinished() == history.unfinished()[0], "not a damaged one"
    steps = [step for *_, step in plan]
    assert steps[0] == "SCAN match USING INDEX match_waiting"
    assert not any("TEMP B-TREE" in step for step in steps), "nothing is sorted"


def test_pages_from_the_newest_to_the_oldest_by_name(history: RecordingHistory) -> None:
    for number in range(12):
        Match(replace(TWO, seats=(Seat("Ann"), Seat("Zoë" if number % 3 else "ＢＥＮ"))), journal=history.journal())
    assert [entry.id for entry in history.page(limit=5)] == [12, 11, 10, 9, 8]
    assert [entry.id for entry in history.page(before=3)] == [2, 1]
    assert [entry.id for entry in history.page("ben")] == [10, 7, 4, 1]
    assert [entry.id for entry in history.page("zO", before=6, limit=2)] == [5, 3]
    assert (history.count(), history.count("Z"), history.count("nobody")) == (12, 8, 0)


def test_a_deleted_match_leaves_nothing(history: RecordingHistory) -> None:
    match = play(history.begin(BOTS), 10_000)
    match.hint()
    history.delete(1)
    assert (history.page(), history.count(), history.statistics("Ann")) == ((), 0, ())
    tables = ("match", "event", "hint", "seat", "mistake", "box")
    with closing(sqlite3.connect(history.path)) as sql:
        assert [sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables] == [0] * 6


def test_statistics_add_up(history: RecordingHistory) -> None:
    matches = [
        play(Match(replace(BOTS, game=game), FairDice(bytes([number] * 32)), journal=history.journal()), 10_000)
        for number, game in enumerate(["420", "420", "421", "ten-rounds"])
    ]
    play(history.begin(BOTS), 1)  # waits, and counts nowhere
    totals = {total.game: total for total in history.statistics("ZOË")}
    assert {game: total.matches for game, total in totals.items()} == {"420": 2, "421": 1, "ten-rounds": 1}
    for game, total in totals.items():
        played = [match for match in matches if match.lineup.game == game]
        outcomes = [match.state.outcome for match in played]
        assert total.last == sum(outcome is not None and 2 in outcome.places[-1] for outcome in outcomes)
    rounds = sum(next(t for t in history.statistics(name) if t.game == "420").rounds for name in ("Ann", "Ben", "Zoë"))
    assert rounds == 4, "two matches of three have two rounds each, and every round has a winner"
    assert history.statistics("nobody") == ()


def test_the_faces_of_all_finished_matches_by_kind_of_dice(history: RecordingHistory) -> None:
    assert history.faces() == ()
    rolled: dict[str, Counter[int]] = {"fair": Counter(), "given": Counter()}
    for number, game in enumerate(["420", "420", "421", "ten-rounds"]):
        given = number % 2 == 1
        match = Match(replace(BOTS, game=game), FairDice(bytes([number] * 32), given), journal=history.journal())
        for event in play(match, 10_000).events:
            rolled["given" if given else "fair"].update(event.faces)
    play(history.begin(BOTS), 1)  # waits, and counts nowhere
    counts = {kind: tuple(faces[face] for face in range(1, 7)) for kind, faces in rolled.items()}
    assert dict(history.faces()) == counts


def test_figures_are_kept_once_a_match_has_been_measured(history: RecordingHistory) -> None:
    play(history.begin(), 10_000)
    play(history.begin(), 10_000)
    play(history.begin(), 1)
    assert history.unmeasured() == (2, 1)
    own = Figures(lost=0.25, decisions=4, luck=-0.1, drinks=0.5)
    history.measure(2, [own, own])
    assert history.unmeasured() == (1,)
    assert [seat.figures for seat in history.page()[1].seats] == [own, own]
    assert [seat.figures for seat in history.page()[2].seats] == [None, None]
    (total,) = history.statistics("ann")
    assert (total.matches, total.measured, total.figures) == (2, 1, own)


# -- two copies of the program ----------------------------------------------------------------------------------------


def test_two_copies_each_play_a_match_of_their_own(history: RecordingHistory) -> None:
    with closing(RecordingHistory(history.path)) as other:
        one, two = history.begin(BOTS), other.begin(BOTS)
        for _ in range(20):
            play(one, 1)
            play(two, 1)
        assert same(other.match(1), one)
        assert same(history.match(2), two)
        assert one.saved
        assert two.saved


def test_who_takes_a_match_up_last_has_it(history: RecordingHistory) -> None:
    here = play(history.begin(), 1)
    with closing(RecordingHistory(history.path)) as other:
        there = other.resume(1)
        with pytest.raises(PlayedElsewhereError):
            here.act(ROLL_ALL)
        assert len(here.events) == 1, "nothing was rolled here"
        there.act(ROLL_ALL)
        assert same(history.match(1), there)
        here = history.resume(1)
        with pytest.raises(PlayedElsewhereError):
            there.act(there.state.actions[0])
        assert here.act(here.state.actions[0])
        assert not [*history.told, *other.told]


def test_a_table_that_has_lost_its_match_changes_no_note_of_it(history: RecordingHistory) -> None:
    here = play(history.begin(BOTS), 1)
    with closing(RecordingHistory(history.path)) as other:
        there = other.resume(1)
        there.set_coach("full")
        there.add_bet(0, 1)
        here.set_coach("odds")
        here.add_bet(2, 0)
        here.hint()
        kept = history.match(1)
    assert (kept.coaching, kept.bets, kept.hints) == ([(1, "full")], {0: 1}, set())


def test_a_match_that_is_deleted_while_it_is_played_goes_on_unsaved(history: RecordingHistory) -> None:
    match = play(history.begin(), 1)
    with closing(RecordingHistory(history.path)) as other:
        other.delete(1)
    assert_goes_on_unsaved(match, "it has been deleted")
    assert history.count() == 0


WINDOW = """
import sys
from contextlib import closing
from pathlib import Path
from fourtwenty.journal.history import History
with closing(History(Path(sys.argv[1]), sys.exit)) as history:
    history.resume(2)
    print(len(history.match(1).events))
"""


def test_another_window_that_closes_leaves_the_connections_of_this_one_alone(history: RecordingHistory) -> None:
    match = play(history.begin(BOTS), 1)
    history.begin()
    with closing(history.reopened()) as second:  # as every thread that reads has one
        second.count()
    command = [sys.executable, "-c", WINDOW, str(history.path)]
    for events in (1, 2, 3):
        other = subprocess.run(command, capture_output=True, text=True, timeout=MAX_WAIT_SECONDS)
        assert (other.stdout, other.stderr) == (f"{events}\n", ""), "what is kept here is there for every other program"
        play(match, 1)
    assert history.path.with_name("games.sqlite-wal").exists()


class MadeElsewhere(sqlite3.Connection):
    """A connection to a file that other programs are about to create: SQLite does not wait for them at first."""

    refusals: ClassVar[list[int]] = []
    """The result codes of the next switches to WAL."""

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        if sql == "PRAGMA journal_mode = WAL" and self.refusals:
            error = sqlite3.OperationalError("locked")
            error.sqlite_errorcode = self.refusals.pop()
            raise error
        return super().execute(sql, *arguments)


def test_a_file_that_is_being_created_is_tried_again_for_a_while(
    history: RecordingHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *path, **options: connect(*path, factory=MadeElsewhere, **options))
    for timeout, left in ((0, 1), (MAX_WAIT_SECONDS, 0)):
        MadeElsewhere.refusals = [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL]
        history.timeout = timeout
        if timeout:
            assert history.begin().saved
        else:
            begun(history, "another program is using")
        assert len(MadeElsewhere.refusals) == left, "without a timeout there is one try: the event loop's"


PLAYER = """
import sys
from pathlib import Path
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
history = History(Path(sys.argv[1]), sys.exit)
sys.stdin.read(1)
for _ in range(int(sys.argv[2])):
    Match(Lineup(seats=(Seat("Ann", "Random"), Seat("Ben", "Random"))), journal=history.journal()).play_out()
    history.close()
"""


@pytest.mark.long(*PRODUCT)
def test_copies_that_start_write_and_end_at_once_get_in_nobodys_way(history: RecordingHistory) -> None:
    command, pipe = [sys.executable, "-c", PLAYER, str(history.path), "8"], subprocess.PIPE
    with ExitStack() as stack:
        copies = [stack.enter_context(program(command, stdin=pipe, stderr=pipe, text=True)) for _ in range(4)]
        assert [copy.communicate("!", timeout=MAX_WAIT_SECONDS)[1] for copy in copies] == [""] * 4
    assert history.count() == 32
    assert history.unfinished() == ()


# -- nothing can be written -------------------------------------------------------------------------------------------


def assert_goes_on_unsaved(match: Match, reason: str) -> None:
    """Try to play: nothing happens until the players agree, and then the match can be played to its end."""
    before, state = list(match.events), match.state
    for _ in range(2):
        with pytest.raises(SaveError, match=reason):
            match.act(match.state.actions[0])
        assert (match.events, match.state) == (before, state), "nobody can look ahead"
    match.play_unsaved()
    play(match, 10_000)
    assert match.state.outcome
    assert not match.saved


def begun(history: RecordingHistory, reason: str) -> Match:
    """Begin a match that cannot be kept."""
    match = Match(BOTS, SEALED)
    with pytest.raises(SaveError, match=reason):
        match.save_to(history.journal())
    assert not match.saved
    return match


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another program writes, and does not end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def full(history: RecordingHistory) -> Iterator[None]:
    """The disk has no room for another page."""
    with history.transaction() as sql:
        (pages,) = sql.execute("PRAGMA page_count").fetchone()
        sql.execute(f"PRAGMA max_page_count = {pages}")
    yield
    run_sql(history, "PRAGMA max_page_count = 1000000")


def test_a_lock_holds_a_roll_back_and_loses_nothing(history: RecordingHistory) -> None:
    history.timeout = 0
    match = play(history.begin(BOTS), 1)
    unbroken = play(Match(BOTS, SEALED), 1)
    with held(history.path):
        with pytest.raises(JournalLockedError, match="another program is using"):
            match.act(match.state.actions[0])
        assert len(match.events) == 1
        assert match.saved, "all that anybody has seen"
    match.act(match.state.actions[0])
    unbroken.act(unbroken.state.actions[0])
    assert match.events == unbroken.events, "the dice have not fallen again"
    assert same(history.match(1), match)
    assert history.told == []


@pytest.mark.parametrize("more", [1, 10_000])
def test_whatever_is_missing_is_kept_with_the_next_event(history: RecordingHistory, more: int) -> None:
    history.timeout = 0
    match = play(history.begin(BOTS), 1)
    with held(history.path):
        match.play_unsaved()
        match.hint()
        play(match, 3)
        assert not match.saved
        assert history.match(1).events == match.events[:1]
    play(match, more)
    assert match.saved
    assert history.told == ["This game is saved again."]
    assert same(history.match(1), match)


def test_a_match_that_could_not_even_begin_is_kept_from_its_first_roll_on(history: RecordingHistory) -> None:
    history.timeout = 0
    history.count()
    with held(history.path):
        match = begun(history, "another program is using")
        match.play_unsaved()
        play(match, 3)
    play(match, 1)
    assert history.told == ["This game is saved again."]
    assert same(history.match(1), match)


def test_what_is_missing_is_kept_when_the_match_is_left(history: RecordingHistory) -> None:
    history.timeout = 0
    match = play(history.begin(BOTS), 1)
    with held(history.path):
        match.play_unsaved()
        play(match, 3)
        match.suspend()
        assert not match.saved
    match.suspend()
    assert match.saved
    assert same(history.match(1), match)


def test_a_roll_taken_back_while_nothing_can_be_kept_is_kept_later(history: RecordingHistory) -> None:
    history.timeout = 0
    match = Match(TWO, ManualDice(b"chance"), journal=history.journal())
    match.record(Event(0, ROLL_ALL, (1, 1, 1, 1)))
    with held(history.path):
        match.play_unsaved()
        match.record(Event(1, ROLL_ALL, (6, 5, 5, 4)))
        match.take_back()
    match.suspend()
    assert same(history.match(1), match)
    assert history.match(1).taken_back == ROLL_ALL
    match.record(Event(1, ROLL_ALL, (6, 5, 5, 3)))
    assert same(history.match(1), match)


def test_a_disk_that_fills_up_loses_nothing_once_there_is_room_again(history: RecordingHistory) -> None:
    before = play(history.begin(), 1)
    many = replace(BOTS, seats=tuple(Seat(str(number), "Random") for number in range(40)))
    match = play(history.begin(many), 2)
    with full(history):
        with pytest.raises(SaveError, match="the disk is full"):
            play(match, 10_000)
        kept = len(match.events)
        match.play_unsaved()
        play(match, 50)
        assert len(history.match(2).events) == kept
    play(match, 1)
    assert history.told == ["This game is saved again."]
    assert same(history.match(2), match)
    assert same(history.match(1), before)


LIMITED = """
import resource, sys
from pathlib import Path
from fourtwenty.play.dice import FairDice
from fourtwenty.journal.history import History
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, SaveError
history = History(Path(sys.argv[1]), print)
seats = Seat("Ann", "Random"), Seat("Ben", "Random")
match = Match(Lineup(seats=seats), FairDice(bytes(32)), journal=history.journal())
match.act(match.bot_action())
written = sum(path.stat().st_size for path in Path(sys.argv[1]).parent.glob("*-wal"))
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (written + 100, hard))
try:
    match.act(match.bot_action())
except SaveError as why:
    print(why)
match.play_unsaved()
match.act(match.bot_action())
match.act(match.bot_action())
print(match.saved, len(history.match(1).events))
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
match.act(match.bot_action())
print(match.saved, len(history.match(1).events))
"""


def test_no_byte_more_can_be_written(history: RecordingHistory) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(history.path)], capture_output=True, text=True, timeout=MAX_WAIT_SECONDS
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == ["False 1", "This game is saved again.", "True 4"]
    assert len(history.match(1).events) == 4


@pytest.mark.parametrize("used", [False, True])
def test_a_read_only_folder_stops_nobody_and_hurts_nothing(history: RecordingHistory, used: bool) -> None:
    history.path.parent.mkdir()
    if used:
        play(history.begin(), 3)
        history.close()
    with closed_folder(history.path.parent):
        assert_goes_on_unsaved(begun(history, "cannot be written"), "cannot be written")
        if used:
            with pytest.raises(SaveError):
                history.resume(1)
            with closing(History(history.path, pytest.fail, read_only=True)) as reading:
                assert len(reading.match(1).events) == 3
    assert history.count() == used


def test_a_home_that_is_a_file_stops_nobody(history: RecordingHistory) -> None:
    history.path.parent.write_text("a file where the folder should be")
    assert_goes_on_unsaved(begun(history, str(history.path.parent)), str(history.path.parent))


def test_a_path_that_is_too_long_is_one_reason(tmp_path: Path) -> None:
    with closing(RecordingHistory(tmp_path / ("x" * 300) / "games.sqlite")) as history:
        for ask in (history.is_begun, history.count):
            with pytest.raises(SaveError, match=os.strerror(errno.ENAMETOOLONG)):
                ask()


def test_a_folder_that_cannot_be_looked_into_is_one_reason(history: RecordingHistory) -> None:
    play(history.begin(), 1)
    history.close()
    with closed_folder(history.path.parent, readable=False):
        for ask in (history.is_begun, history.count):
            with pytest.raises(SaveError, match=str(history.path.parent)):
                ask()


def test_the_level_of_the_coach_is_kept_with_the_match(history: RecordingHistory) -> None:
    match = play(history.begin(), 3)
    match.set_coach("full")
    assert (history.match(1).coach, history.match(1).coaching) == ("full", [(3, "full")])
    play(match, 1)
    assert history.match(1).coaching == [(3, "full")]
    assert match.rematch().lineup.coach == "full"


# -- private ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_private_folder_lies_in_no_open_one_that_was_missing(tmp_path: Path) -> None:
    make_private(tmp_path / "data" / "rooms")
    assert {folder.stat().st_mode & 0o777 for folder in (tmp_path / "data", tmp_path / "data" / "rooms")} == {0o700}


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_nobody_else_can_read_a_match_that_is_being_played(history: RecordingHistory) -> None:
    old = os.umask(0)
    try:
        play(history.begin(), 1)
    finally:
        os.umask(old)
    assert history.path.parent.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in history.path.parent.iterdir()} == {0o600}
    history.close()
    history.path.chmod(0o644)
    history.count()
    assert history.path.stat().st_mode & 0o777 == 0o600, "a file that others could read, too"


def other_text(file: Path) -> None:
    file.write_text("a text of somebody")


def other_database(file: Path) -> None:
    run_sql(file, "CREATE TABLE recipe (name TEXT)")


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
@pytest.mark.parametrize("make", [other_text, other_database])
def test_a_link_to_a_file_that_is_not_ours_changes_nothing_there(
    tmp_path: Path, path: Path, make: Callable[[Path], None]
) -> None:
    file = tmp_path / "somebody's"
    make(file)
    file.chmod(0o644)
    before = file.read_bytes()
    path.parent.mkdir()
    path.symlink_to(file)
    with closing(History(path, lambda _: None)) as history, suppress(SaveError):
        history.count()
    assert file.stat().st_mode & 0o777 == 0o644
    assert file.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_history_behind_a_link_is_private_with_all_that_lies_beside_it(tmp_path: Path, path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    path.parent.mkdir()
    path.symlink_to(tmp_path / "elsewhere" / "own.sqlite")
    old = os.umask(0)
    try:
        with closing(RecordingHistory(path)) as history:
            play(history.begin(), 1)
            modes = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "elsewhere").iterdir()}
    finally:
        os.umask(old)
    assert modes == {"own.sqlite": 0o600, "own.sqlite-shm": 0o600, "own.sqlite-wal": 0o600}


# -- only read --------------------------------------------------------------------------------------------------------


def listed(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_reading_changes_nothing_in_a_file_without_tables(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with closing(History(path, pytest.fail, read_only=True)) as reading:
        assert reading.page() == ()
    assert listed(path.parent) == {path.name: b""}


def test_reading_sees_what_is_being_written(history: RecordingHistory) -> None:
    match = play(history.begin(BOTS), 3)
    with closing(History(history.path, pytest.fail, read_only=True)) as reading:
        assert same(reading.match(1), match)
        with pytest.raises(SaveError):
            reading.delete(1)
    assert history.count() == 1


def test_reading_makes_and_moves_nothing(path: Path) -> None:
    path.parent.mkdir()
    with closing(History(path, pytest.fail, read_only=True)) as reading:
        assert not reading.is_begun()
        with pytest.raises(SaveError):
            reading.count()
        for content in (b"no database" * 1000, b"", bytes(9000)):
            path.write_bytes(content)
            try:
                reading.count()
            except SaveError:
                continue
            finally:
                assert listed(path.parent) == {path.name: content}


# -- texts from elsewhere ---------------------------------------------------------------------------------------------

CONTROLS = "\x1b]0;title\x07\x1b[2J\x9b31m\u202eevil\u2066\u200f\n\r\t\x7f"


def test_no_text_of_a_database_reaches_a_terminal_as_anything_but_text(history: RecordingHistory) -> None:
    play(history.begin(), 10_000)
    play(history.begin(), 1)
    history.close()
    run_sql(history.path, "UPDATE match SET status_text = ?", (CONTROLS,))
    run_sql(history.path, "UPDATE seat SET name = ?, bot = ?", (CONTROLS, CONTROLS))
    entries = history.page()
    texts = [entry.status_text for entry in entries]
    texts += [text for entry in entries for seat in entry.seats for text in (seat.name, seat.bot) if text]
    texts += [name for name, _ in history.names()]
    assert len(texts) == 12
    assert {strip_controls(CONTROLS)} == set(texts)
    assert not any(has_controls(character) for text in texts for character in text)


@pytest.mark.parametrize("value", [b"\x1b[2J", 7, 1.5])
@pytest.mark.parametrize("column", ["name", "place", "rounds", "bot"])
def test_a_row_with_a_value_of_another_kind_is_left_out(history: RecordingHistory, column: str, value: object) -> None:
    play(history.begin(), 10_000)
    run_sql(history, f"UPDATE seat SET {column} = ?", (value,))
    for entry in history.page():
        assert all(seat.name in ("Ann", "Ben", "7", "1.5") for seat in entry.seats)


@pytest.mark.parametrize(
    ("year", "zone"), [("9999-12-31T23:59:59", "Pacific/Kiritimati"), ("0001-01-01", "America/Lima")]
)
def test_a_date_that_no_calendar_here_has_is_shown_as_it_is(
    history: RecordingHistory, monkeypatch: pytest.MonkeyPatch, year: str, zone: str
) -> None:
    play(history.begin(), 1)
    run_sql(history, "UPDATE match SET started = ?", (f"{year}+00:00" if "T" in year else f"{year}T00:00:00+00:00",))
    monkeypatch.setenv("TZ", zone)
    if hasattr(time, "tzset"):
        time.tzset()
    try:
        assert f"{local(history.page()[0].started):%m-%d}" == ("12-31" if year.startswith("9") else "01-01")
    finally:
        monkeypatch.undo()
        if hasattr(time, "tzset"):
            time.tzset()


def test_a_match_whose_lot_was_shown_is_kept_though_nobody_has_rolled(history: RecordingHistory) -> None:
    drawn, fixed = (Match.fresh(replace(TWO, starting_seat=first)) for first in (None, 0))
    for match in (drawn, fixed):
        match.save_to(history.journal())
        match.suspend()
    assert [entry.id for entry in history.unfinished()] == [1]
    history.resume(1).suspend()
    assert same(history.match(1), drawn)


def test_a_given_seed_is_remembered_and_said_to_have_been_played(history: RecordingHistory) -> None:
    for told in ([], ["This seed has been played before."]):
        match = Match.fresh(TWO, FairDice(bytes(32), given=True))
        match.save_to(history.journal())
        play(match, 1)
        assert history.told == told
        assert history.match(1).dice.given
    assert history.match(1).events != history.match(2).events, "yesterday's seed throws other dice"


# -- what is in the file's place is something else --------------------------------------------------------------------


def foreign(path: Path) -> None:
    path.unlink()
    run_sql(path, "CREATE TABLE recipe (name TEXT)")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def late(path: Path) -> None:
    """Damage every page but the first, which is all that is looked at when the file is opened."""
    with path.open("r+b") as file:
        for page in range(1, path.stat().st_size // 4096):
            file.seek(4096 * page)
            file.write(b"\xff" * 100)


DAMAGES: dict[str, Callable[[Path], int | None]] = {
    "no database": lambda path: path.write_bytes(b"no database" * 1000),
    "a few bytes": lambda path: path.write_bytes(b"SQLite"),
    "cut in half": cut,
    "cut in its first page": lambda path: path.write_bytes(path.read_bytes()[:1000]),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_cannot_be_read_is_moved_aside_and_a_new_history_begins(history: RecordingHistory, damage: str) -> None:
    play(history.begin(BOTS), 10_000)
    history.close()
    DAMAGES[damage](history.path)
    before = history.path.read_bytes()
    match = history.begin()
    assert match.saved
    assert history.count() == 1
    (aside,) = history.path.parent.glob("*.damaged")
    assert history.told == [f"The history could not be read. Its file is now {aside}"]
    assert aside.read_bytes() == before


@pytest.mark.parametrize("instead", [foreign, folder])
def test_what_belongs_to_somebody_else_is_never_moved(
    history: RecordingHistory, instead: Callable[[Path], None]
) -> None:
    play(history.begin(BOTS), 10_000)
    history.close()
    instead(history.path)
    before = history.path.read_bytes() if history.path.is_file() else None
    assert_goes_on_unsaved(begun(history, "belongs to another program"), "belongs to another program")
    assert [file.name for file in history.path.parent.iterdir()] == [history.path.name]
    assert (history.path.read_bytes() if history.path.is_file() else None) == before
    assert history.told == []


def test_an_empty_file_is_a_new_history(history: RecordingHistory) -> None:
    history.path.parent.mkdir()
    history.path.touch()
    assert history.begin().saved
    assert not history.told


def test_damage_that_shows_late_moves_the_file_aside_and_the_match_goes_on_in_a_new_one(
    history: RecordingHistory,
) -> None:
    for _ in range(30):
        play(history.begin(BOTS), 10_000)
    match = play(history.begin(), 1)
    history.close()
    late(history.path)
    before = history.path.read_bytes()
    with pytest.raises(SaveError, match="the history is damaged"):
        play(match, 1)
    (aside,) = history.path.parent.glob("*.damaged")
    assert aside.read_bytes() == before
    play(match, 1)
    assert match.saved
    assert same(history.match(history.only), match)


def test_a_file_that_is_deleted_or_replaced_is_written_anew(history: RecordingHistory) -> None:
    match = play(history.begin(), 1)
    with closing(RecordingHistory(history.path)) as other:
        other.count()
        for file in history.path.parent.iterdir():
            file.unlink()
    play(match, 1)
    assert same(history.match(history.only), match)


def test_a_damaged_file_that_cannot_be_moved_stops_nobody(
    history: RecordingHistory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(path: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(database, "move_aside", cannot)
    match = play(history.begin(), 1)
    history.close()
    late(path)
    before = path.read_bytes()
    assert_goes_on_unsaved(match, "Permission denied")
    assert path.read_bytes() == before
    path.write_text("no history")
    begun(history, "Permission denied")
    assert path.read_text() == "no history"


def test_events_that_damage_has_swallowed_are_missed(history: RecordingHistory) -> None:
    play(history.begin(BOTS), 5)
    run_sql(history, "DELETE FROM event WHERE number >= 3")
    with pytest.raises(ValueError, match="game 1 is damaged: 3 of its 5 actions are left"):
        history.resume(1)


def damaged(valid_rows: bytes, chance: random.Random) -> bytes:
    """The bytes of a file in which something was overwritten, cut off, or written in the place of something else."""
    content = bytearray(valid_rows)
    kind = chance.randrange(5)
    page, other = (4096 * chance.randrange(len(content) // 4096) for _ in range(2))
    if kind == 0:
        length = chance.choice((1, 20, 500))
        at = chance.randrange(len(content) - length)
        content[at : at + length] = chance.randbytes(length)
    elif kind == 1:
        content[page : page + 4096] = bytes(4096)
    elif kind == 2:
        content[page : page + 4096] = content[other : other + 4096]
    elif kind == 3:
        for _ in range(chance.choice((1, 8, 64))):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    else:
        del content[chance.randrange(len(content)) :]
    return bytes(content)


def index_is_short(path: Path) -> bool:
    """Whether an index has lost rows that its table has: SQLite does not notice it while it reads."""
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as sql, suppress(*SQLITE_ERRORS):
        sql.text_factory = bytes
        return any(b"missing from index" in text for (text,) in sql.execute("PRAGMA integrity_check"))
    return False


def told_of(out: str) -> int:
    """The number of matches that the command ``history`` has listed, or said to be damaged."""
    if out.startswith("{"):
        found = json.loads(out)
        return len(found["matches"]) + int(found["unreadable"])
    said = re.search(r"^(\d+) games? cannot be read", out, re.MULTILINE)
    return len(re.findall(r"^\d+ +\d{4}-", out, re.MULTILINE)) + (int(said[1]) if said else 0)


def test_a_match_that_only_an_index_has_left_is_missed(history: RecordingHistory) -> None:
    for _ in range(2):
        play(history.begin(BOTS), 10_000)
    with history.transaction() as sql:
        sql.execute("CREATE TABLE other (id INTEGER PRIMARY KEY, names TEXT)")
        sql.execute("CREATE INDEX other_names ON other (id, names)")
        sql.execute("INSERT INTO other SELECT id, names FROM match UNION VALUES (9, 'ann')")
        sql.execute("PRAGMA writable_schema = ON")
        sql.execute(
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'other_names') "
            "WHERE name = 'match_names'"
        )
    history.close()
    assert [entry.id for entry in history.page()] == [2, 1]
    assert history.unreadable == {9}


@soak(short=20, whole=150)
def test_a_damaged_file_is_never_a_traceback_and_nothing_is_silently_shorter(
    history: RecordingHistory,
    trials: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for game in GAMES:
        play(history.begin(replace(BOTS, game=game)), 10_000)
    play(history.begin(), 2)
    before = {entry.id: history.match(entry.id).events for entry in history.page()}
    history.close()
    valid_rows = history.path.read_bytes()
    monkeypatch.setenv("FOURTWENTY_HOME", str(history.path.parent))

    def asked(*words: str) -> tuple[int, str, str]:
        try:
            status = main([*words])
        except SystemExit as end:
            status = int(end.code or 0)
        printed = capsys.readouterr()
        assert printed.err.count("\n") <= 1
        assert bool(printed.err) == bool(status)
        return status, printed.out, printed.err

    def trial(chance: random.Random) -> None:
        for file in history.path.parent.iterdir():
            file.unlink()
        history.path.write_bytes(damaged(valid_rows, chance))
        short = index_is_short(history.path)
        for words in (("history",), ("history", "--all"), ("history", "--json")):
            status, out, _ = asked(*words)
            assert status or short or told_of(out) >= len(before), f"{words}: {out}"
        for number, events in before.items():
            status, out, _ = asked("export", str(number))
            assert status or len(json.loads(out)["actions"]) == len(events)
        look_at(history, history.path, before, short)

    try_out(trials, trial)


def look_at(history: RecordingHistory, path: Path, before: dict[int, list[Event]], short: bool) -> None:
    """Ask everything of a history in a damaged file: it answers, refuses, or has moved the file aside and told so."""
    history.told.clear()
    for ask in (
        history.page, history.unfinished, history.count, history.unmeasured, history.played, history.names,
        history.people, lambda: history.statistics("Ann"), lambda: history.cumulative_figures("Ann", "420"),
    ):  # fmt: skip
        with suppress(SaveError):
            ask()
    for number, events in before.items():
        refusal = ""
        try:
            match = history.match(number)
        except (SaveError, ValueError) as error:
            refusal = str(error)
        else:
            assert match.events == events
            with suppress(SaveError):
                play(history.resume(number), 3)
        assert history.told or short or "there is no game" not in refusal
    with suppress(SaveError):
        play(history.begin(BOTS), 10_000)
    aside = [*path.parent.glob("*.damaged")]
    assert history.told == [f"The history could not be read. Its file is now {file}" for file in aside]
    history.close()


def test_faces_that_do_not_follow_from_the_seed_are_found(history: RecordingHistory) -> None:
    match = play(history.begin(), 1)
    history.close()
    other = "".join(str(face % 6 + 1) for face in match.events[0].faces)
    run_sql(history.path, "UPDATE event SET faces = ?", (other,))
    with pytest.raises(ValueError, match="game 1 is damaged and cannot be read"):
        history.match(1)
    with pytest.raises(ValueError, match="there is no game 2"):
        history.resume(2)


@pytest.mark.parametrize("kind", ["fai0", "", "FAIR"])
def test_dice_of_an_unknown_kind_are_damage(history: RecordingHistory, kind: str) -> None:
    play(history.begin(), 1)
    run_sql(history, "UPDATE match SET dice = ?", (kind,))
    with pytest.raises(ValueError, match="game 1 is damaged and cannot be read"):
        history.resume(1)


@pytest.mark.skipif(os.name != "posix", reason="Windows locks files everywhere")
def test_a_file_system_without_locks_is_named_and_waited_for_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On it, SQLite finds every lock taken, for ever."""
    import fcntl

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    path.parent.mkdir()
    with closing(RecordingHistory(path)) as history:
        history.timeout = 0.05
        history.count()
        with held(path):
            with pytest.raises(JournalLockedError, match="another program is using"):
                history.delete(1)
            monkeypatch.setattr(fcntl, "lockf", no_locks)
            with pytest.raises(SaveError, match=f"files in {path.parent} cannot be locked; .* --data-dir") as refused:
                history.delete(1)
        assert not isinstance(refused.value, JournalLockedError), "waiting does not help"
        assert history.timeout == 0


# -- versions of the file ---------------------------------------------------------------------------------------------


def header(path: Path, *, owner: int = APPLICATION_ID, version: int = VERSION) -> None:
    run_sql(path, f"PRAGMA application_id = {owner}")
    run_sql(path, f"PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", [0, 1, VERSION - 1, VERSION + 1, 999])
def test_a_file_of_another_version_is_neither_read_nor_written_nor_moved(
    history: RecordingHistory, version: int
) -> None:
    history.begin()
    history.close()
    header(history.path, version=version)
    before = history.path.read_bytes()
    refusal = re.escape(
        f"{history.path} has format {version}, and this version of fourtwenty has format {VERSION}; play with the"
    )
    assert_goes_on_unsaved(begun(history, refusal), refusal)
    for ask in (history.page, history.count, history.latest_unfinished, lambda: history.resume(1)):
        with pytest.raises(SaveError, match=refusal):
            ask()
    assert history.path.read_bytes() == before
    assert history.told == []
    assert not [*history.path.parent.glob("*.damaged")]


@pytest.mark.parametrize(
    "harm",
    [
        "PRAGMA user_version = -5",
        "DROP TABLE answer",
        "DROP TABLE event",
    ],
)
def test_a_version_that_cannot_be_is_damage(history: RecordingHistory, harm: str) -> None:
    """The number is negative, or the tables of the version that the header names are not all there."""
    history.begin()
    history.close()
    run_sql(history.path, harm)
    match = play(history.begin(), 1)
    (aside,) = history.path.parent.glob("*.damaged")
    assert history.told == [f"The history could not be read. Its file is now {aside}"]
    assert same(history.match(1), match)


def test_a_version_that_turns_negative_under_an_open_window_is_damage(history: RecordingHistory) -> None:
    match = play(history.begin(BOTS), 2)
    header(history.path, version=-5)
    with pytest.raises(SaveError, match="the history is damaged"):
        history.count()
    assert len(history.told) == 1
    play(match, 1)
    assert same(history.match(1), match), "the new file gets all of it"


@pytest.mark.parametrize("index", ["match_names", "match_written", "match_waiting", "seat_match"])
def test_an_index_that_is_missing_is_made_again(history: RecordingHistory, index: str) -> None:
    match = play(history.begin(BOTS), 2)
    history.close()
    run_sql(history.path, f"DROP INDEX {index}")
    assert history.page(search="ann") == history.unfinished()
    assert same(history.resume(1), match)
    assert history.told == []
    with closing(sqlite3.connect(history.path)) as sql:
        assert sql.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (index,)).fetchone()


def test_an_empty_file_that_claims_to_have_its_tables_is_damage(history: RecordingHistory) -> None:
    history.path.parent.mkdir(exist_ok=True)
    header(history.path)
    play(history.begin(), 1)
    assert len([*history.path.parent.glob("*.damaged")]) == 1


def test_a_window_stops_once_another_version_has_the_file(history: RecordingHistory) -> None:
    match = play(history.begin(BOTS), 2)
    header(history.path, version=VERSION + 1)
    for ask in (history.count, history.begin, lambda: history.resume(1), lambda: play(match, 1)):
        with pytest.raises(SaveError, match=f"has format {VERSION + 1}"):
            ask()


def test_a_file_with_another_application_id_is_not_ours(history: RecordingHistory) -> None:
    history.path.parent.mkdir(exist_ok=True)
    run_sql(history.path, "CREATE TABLE match (id INTEGER PRIMARY KEY)")
    run_sql(history.path, f"PRAGMA application_id = {APPLICATION_ID + 1}")
    run_sql(history.path, "PRAGMA user_version = 6")
    with pytest.raises(SaveError, match="belongs to another program"):
        history.count()


def test_a_file_is_created_whole_or_not_at_all(history: RecordingHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SCHEMA", (*SCHEMA, "UPDATE missing SET weather = 'rain'"))
    with pytest.raises(SaveError, match="no such table"):
        history.count()
    with closing(sqlite3.connect(history.path)) as sql:
        assert sql.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        assert sql.execute("PRAGMA user_version").fetchone() == (0,)
    monkeypatch.undo()
    match = play(history.begin(), 2)
    assert same(history.match(1), match)


def test_what_is_committed_survives_the_power(history: RecordingHistory) -> None:
    with history.transaction() as sql:
        assert sql.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert sql.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
        assert sql.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_hundred_thousand_matches_are_searched_without_reading_them(history: RecordingHistory) -> None:
    with history.transaction() as sql:
        plans = [
            str(sql.execute(f"EXPLAIN QUERY PLAN {query}").fetchall())
            for query in (
                "SELECT id FROM match INDEXED BY match_names WHERE id < 9 AND instr(names, 'x') ORDER BY id DESC",
                "SELECT count(*) FROM match INDEXED BY match_names WHERE instr(names, 'x')",
                "SELECT id FROM match WHERE NOT finished ORDER BY written DESC, id DESC",
                "SELECT id FROM match WHERE finished ORDER BY written DESC, id DESC LIMIT 200",
                "SELECT max(written) FROM match",
                "SELECT id FROM match WHERE finished AND (game = 'x' AND measured < 2 OR game = 'y' AND measured < 1)",
                "SELECT game, count(*) FROM box WHERE name_key = 'x' AND due NOT BETWEEN 1 AND 9 GROUP BY game",
                "SELECT kind, count(*) FROM mistake WHERE name_key = 'x' AND game = '420' GROUP BY kind",
                "SELECT 1 FROM mistake WHERE match = 1",
                "SELECT game, dice, count(*) FROM seat WHERE name_key = 'x' AND place GROUP BY game, dice",
                "SELECT name FROM seat WHERE match IN (1, 2) ORDER BY match, seat",
            )
        ]
    assert all("INDEX" in plan or "PRIMARY KEY" in plan for plan in plans), plans
