"""Players with several names, and games that do not count: seen in every query, and in no match."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random

import pytest
from hypothesis import given, strategies as st
from run_sql import run_sql
from test_mistakes import NOW, keep_a_mistake, measure

from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.database import LATER_TABLES
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, write_record
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, SaveError
from fourtwenty.play.tally import tally_of


def finish(history: History, *names: str) -> Match:
    """Keep a match of two that the first one wins at the first roll."""
    match = Match(Lineup((Seat(names[0]), Seat(names[1])), starting_seat=0), ScriptedDice([(6, 5, 5, 4)]))
    match.act(ROLL_ALL)
    history.journal().begin(match)
    return match


def players(history: History) -> list[str]:
    return [", ".join(seat.name for seat in entry.seats) for entry in reversed(history.page())]


def totals(history: History, name: str) -> tuple[int, int]:
    """The finished matches of a name, and how many of them it came last in."""
    found = history.statistics(name)
    return sum(each.matches for each in found), sum(each.last for each in found)


def stored(history: History) -> list[list[tuple[object, ...]]]:
    """All rows of matches."""
    with history.transaction(write=False) as sql:
        return [
            sql.execute(f"SELECT * FROM {table}").fetchall() for table in ("match", "event", "seat", "mistake", "box")
        ]


@pytest.fixture
def evening(history: History) -> History:
    """Ann won one game under her name, lost one as "You", and one is unfinished."""
    finish(history, "Ann", "Ben")
    finish(history, "Ben", "You")
    lineup = Lineup((Seat("You"), Seat("Cleo")), starting_seat=0)
    Match(lineup, journal=history.journal(), identifier="0" * 32).act(ROLL_ALL)
    return history


def test_two_names_are_one_player_everywhere(evening: History) -> None:
    before = stored(evening)
    record = write_record(Record.from_match(evening.match(3)))
    assert evening.rename("You", "Ann") == "Ann"
    assert players(evening) == ["Ann, Ben", "Ben, Ann", "Ann, Cleo"]
    assert totals(evening, "Ann") == totals(evening, "You") == (2, 1)
    assert evening.names() == (("Ann", 2), ("Ben", 2))
    assert evening.people() == ("Ann", "Ben", "Cleo")
    assert (evening.count("ann"), evening.count("you")) == (3, 2), "the search knows both names"
    assert [entry.id for entry in evening.page("ann")] == [3, 2, 1]
    assert evening.count("ann", unfinished=True) == len(evening.unfinished(search="ann")) == 1
    assert [count for count, _ in evening.cumulative_figures("Ann", "420")] == []
    assert stored(evening) == before, "no match has changed"
    assert write_record(Record.from_match(evening.match(3))) == record


def test_the_news_have_the_name_too(evening: History) -> None:
    evening.rename("You", "Ann")
    unfinished, lost, won = evening.page()
    assert lost.status_text == "Ann buys the drinks"
    assert won.status_text == "Ben buys the drinks"
    assert unfinished.turn == "Cleo to roll"
    evening.rename("Cleo", "Cleo, the first")
    evening.rename("Ben", "Ben 2")
    unfinished, lost, won = evening.page()
    assert unfinished.news == "unfinished, Cleo, the first to roll, Round 1 of 1"
    assert won.status_text == "Ben 2 buys the drinks"


def test_the_tally_counts_a_player_under_all_names(evening: History) -> None:
    evening.rename("You", "Ann")
    for name in ("Ann", "You"):
        lineup = Lineup((Seat(name), Seat("Ben"), Seat("Cleo")))
        assert dict(tally_of(lineup, evening.played()).counts) == {name: 1, "Ben": 1, "Cleo": 0}


def test_an_empty_name_restores_all(evening: History) -> None:
    listed, names = evening.page(), evening.names()
    evening.rename("You", "Ann")
    evening.rename("Ann", "Annabel")
    assert players(evening) == ["Annabel, Ben", "Ben, Annabel", "Annabel, Cleo"]
    assert evening.rename("annabel", "") == "You"
    assert (evening.page(), evening.names()) == (listed, names)
    with evening.transaction(write=False) as sql:
        assert sql.execute("SELECT count(*) FROM alias").fetchone() == (0,)


@pytest.mark.parametrize(
    ("name", "other", "refusal"),
    [
        ("Ann", "Ben", "Ann and Ben have played in one game, so they are two"),
        ("Ann", "\u200b", "Enter a name."),
        ("Ann", "a\nb", "A name is one line of text."),
        ("Dora", "Ann", "nobody called Dora has played"),
        ("Dora", "", "nobody called Dora has played"),
    ],
)
def test_what_cannot_be_renamed_is_refused_with_a_sentence(
    evening: History, name: str, other: str, refusal: str
) -> None:
    before = stored(evening)
    with pytest.raises(ValueError, match=refusal):
        evening.rename(name, other)
    assert (stored(evening), players(evening)) == (before, ["Ann, Ben", "Ben, You", "You, Cleo"])


@pytest.mark.parametrize(("name", "other"), [("Merry", "Zed"), ("Ben", "Merry"), ("merry", "Ben")])
def test_a_bot_keeps_its_name_and_is_nobody_else(evening: History, name: str, other: str) -> None:
    Match(Lineup((Seat("Dora"), Seat("Merry", "Merry")), starting_seat=0), journal=evening.journal()).act(ROLL_ALL)
    with pytest.raises(ValueError, match="Merry has played as a bot, and bots keep their names"):
        evening.rename(name, other)


def test_a_bot_gets_its_name_back_from_a_player_who_took_it_first(evening: History) -> None:
    evening.rename("Cleo", "Merry")
    Match(Lineup((Seat("Dora"), Seat("Merry", "Merry")), starting_seat=0), journal=evening.journal()).act(ROLL_ALL)
    assert players(evening) == ["Ann, Ben", "Ben, You", "You, Cleo", "Dora, Merry"]


def test_two_who_sit_in_one_match_are_two_again(evening: History) -> None:
    evening.rename("Cleo", "Ben")
    evening.rename("You", "Ann")
    finish(evening, "Ben", "Cleo")
    assert players(evening) == ["Ann, Ben", "Ben, Ann", "Ann, Cleo", "Ben, Cleo"]
    assert (totals(evening, "Ben"), totals(evening, "Cleo")) == ((3, 1), (1, 1))


def test_a_player_of_two_names_has_met_all_who_one_of_them_met(evening: History) -> None:
    evening.rename("You", "Ann")
    with pytest.raises(ValueError, match="Cleo and Ann have played in one game"):
        evening.rename("Cleo", "Ann")


def test_another_name_taken_by_a_player_joins_that_player(evening: History) -> None:
    evening.rename("Ben", "Benjamin")
    assert evening.rename("Cleo", "ben") == "Benjamin", "ben is known as Benjamin"
    assert evening.names("ben") == (("Benjamin", 2),)
    assert players(evening) == ["Ann, Benjamin", "Benjamin, You", "You, Benjamin"]


NAMES = st.sampled_from(["Ann", "You", "Ben", "Cleo", "Dora", "Eve"])


@given(st.lists(st.tuples(NAMES, NAMES | st.just("")), max_size=12))
def test_no_order_of_renaming_makes_a_chain_or_a_circle(
    tmp_path_factory: pytest.TempPathFactory, renamings: list[tuple[str, str]]
) -> None:
    """After any renaming each name has one player, and each player's name leads to that player."""
    with closing(History(tmp_path_factory.mktemp("names") / "games.sqlite", pytest.fail)) as history:
        for name in ("Ann", "You", "Ben", "Cleo"):
            finish(history, name, f"other of {name}")
        for name, other in renamings:
            try:
                shown = history.rename(name, other)
            except ValueError:
                continue
            assert other in ("", shown) or history.rename(other, shown) == shown
        with history.transaction(write=False) as sql:
            rows = sql.execute("SELECT name_key, player_key FROM alias").fetchall()
        players = dict(rows)
        assert all(players[player] == player for player in players.values())
        assert sum(matches for _, matches in history.names()) == 8, "no match is lost or counted twice"
        for name, matches in history.names():
            assert totals(history, name)[0] == matches


# -- practice ---------------------------------------------------------------------------------------------------------


def test_boxes_of_two_names_are_joined_and_move_together(history: History) -> None:
    keep_a_mistake(history)
    keep_a_mistake(history, number=1)
    measure(history)
    for table in ("seat", "mistake"):
        run_sql(history, f"UPDATE {table} SET name_key = 'anna' WHERE match = 2 AND name_key = 'ann'")
    run_sql(history, "UPDATE seat SET name = 'Anna' WHERE name_key = 'anna'")
    run_sql(history, "INSERT INTO box SELECT 'anna', game, choice_key, number, due, last_match FROM box")
    assert history.due("Ann", NOW) == history.due("Anna", NOW) == {"420": 1}
    history.rename("Anna", "Ann")
    assert history.due("Ann", NOW) == {"420": 1}, "the same position is one puzzle"
    assert [kind.times for kind in history.kinds("Anna", "420")] == [2]
    (puzzle,) = history.stored_puzzles("Ann", "420", NOW)
    history.answered(puzzle, right=True, now=NOW)
    assert history.due("Ann", NOW) == {}
    assert history.next_due("Anna", NOW) is not None
    history.answered(puzzle, right=False, now=NOW)
    assert history.due("Ann", NOW) == {}, "it was answered meanwhile"
    history.rename("Ann", "")
    assert history.due("Ann", NOW) == history.due("Anna", NOW) == {}


# -- games that do not count ------------------------------------------------------------------------------------------


def test_a_game_that_does_not_count_is_listed_and_enters_no_statistics(history: History) -> None:
    keep_a_mistake(history)
    finish(history, "Ann", "Ben")
    measure(history)
    counted = (history.statistics("Ann"), history.kinds("Ann", "420"), history.names(), history.played())
    faces, puzzles = history.faces(), history.stored_puzzles("Ann", "420", NOW)
    history.set_counted(1, False)
    assert [(entry.id, entry.counted) for entry in history.page()] == [(2, True), (1, False)]
    assert history.page()[1].news.startswith("not counted: ")
    assert totals(history, "Ann")[0] == 1
    assert history.kinds("Ann", "420") == ()
    assert history.names() == (("Ann", 1), ("Ben", 1))
    assert len(history.played()) == 1
    assert [count for count, _ in history.cumulative_figures("Ann", "420")] == [1]
    assert history.faces() == faces, "dice are judged by every throw"
    assert history.stored_puzzles("Ann", "420", NOW) == puzzles, "one still learns from it"
    history.set_counted(1, True)
    assert (
        history.statistics("Ann"),
        history.kinds("Ann", "420"),
        history.names(),
        history.played(),
    ) == counted


def test_a_deleted_game_leaves_no_mark(history: History) -> None:
    finish(history, "Ann", "Ben")
    history.set_counted(1, False)
    history.set_counted(1, False)
    history.delete(1)
    with history.transaction(write=False) as sql:
        assert sql.execute("SELECT count(*) FROM uncounted").fetchone() == (0,)
    with pytest.raises(ValueError, match="there is no game 1"):
        history.set_counted(1, False)


# -- files of earlier programs ----------------------------------------------------------------------------------------


@pytest.fixture
def earlier(evening: History) -> History:
    """A file without the later tables, as earlier programs wrote it."""
    evening.close()
    for table in LATER_TABLES:
        run_sql(history_file(), f"DROP TABLE {table}")
    return evening


def test_an_earlier_file_gets_the_tables_when_it_is_opened(earlier: History) -> None:
    assert players(earlier) == ["Ann, Ben", "Ben, You", "You, Cleo"]
    earlier.rename("You", "Ann")
    assert players(earlier) == ["Ann, Ben", "Ben, Ann", "Ann, Cleo"]
    assert not [*history_file().parent.glob("*.damaged")]


@pytest.mark.usefixtures("earlier")
def test_an_earlier_file_is_read_without_being_written() -> None:
    before = history_file().read_bytes()
    with closing(History(history_file(), pytest.fail, read_only=True)) as reading:
        assert players(reading) == ["Ann, Ben", "Ben, You", "You, Cleo"]
        assert totals(reading, "You") == (1, 1)
        assert len(reading.played()) == 2
        with pytest.raises(SaveError, match="cannot be written"):
            reading.delete(1)
    assert history_file().read_bytes() == before


def test_an_earlier_program_still_reads_the_file(evening: History) -> None:
    """It knows its own tables and asks for no others; the aliases of a later one are left as they are."""
    evening.rename("You", "Ann")
    evening.close()
    with closing(sqlite3.connect(history_file())) as sql:
        assert sql.execute("PRAGMA user_version").fetchone() == (4,)
        assert sql.execute("SELECT name FROM seat WHERE name_key = 'you' AND match = 2").fetchone() == ("You",)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("names", "shown"),
    [(("You", "Ben"), ("Ann", "Ben")), (("Ann", "Ben"), ("You", "Ben")), (("Ann", "Ben"), ("A", "B"))],
)
def test_the_result_of_every_game_is_told_of_another_name(
    history: History, game: str, names: tuple[str, str], shown: tuple[str, str]
) -> None:
    """In the third person and in the second: each result begins with a name and a regular verb."""
    for number in range(4):
        chance = Random(number)
        match = Match(Lineup(tuple(map(Seat, names)), game=game), FairDice(chance.randbytes(32)))
        while not match.state.outcome:
            if match.state.to_act is None:
                match.next_round()
            else:
                match.act(chance.choice(match.state.actions))
        history.journal().begin(match)
        for name, other in zip(names, shown, strict=True):
            history.rename(name, other)
        assert history.page()[0].status_text == match.state.report(shown).headline
        for name in shown:
            history.rename(name, "")
