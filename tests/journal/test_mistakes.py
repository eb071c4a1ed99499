"""The mistakes of all matches in the history: found once, kept, judged again, and practised until they stick."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from random import Random

import pytest
from repeated_mistakes import BAD_HABITS, IN_WORDS, save_matches
from run_sql import run_sql

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Event, Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.practice_sources import NO_MISTAKES, Mine, OwnMistakes, PracticeSession
from fourtwenty.odds import SOLUTIONS, solver_for
from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.practice import DAY, Box, PracticeOptions
from fourtwenty.review.analysis import rounds_of
from fourtwenty.review.figures import kind_of, measured, mistakes_of

NOW = 1_800_000_000
THREE_DICE = Roll((4,))
"""Keeps 6 6 5 of 6 6 5 1."""


def measure(history: History) -> list[int]:
    """Go through the matches; return the ids of those that could not be played again."""
    left_out: list[int] = []
    for _ in measured(history, left_out.append):
        pass
    return left_out


def mistakes(history: History) -> list[tuple[object, ...]]:
    """Return the rows of all kept mistakes."""
    with history.transaction(write=False) as sql:
        return sql.execute("SELECT * FROM mistake ORDER BY match, number").fetchall()


def boxes(history: History) -> list[tuple[object, ...]]:
    with history.transaction(write=False) as sql:
        return sql.execute("SELECT * FROM box ORDER BY name_key, game, choice_key").fetchall()


def keep_a_mistake(history: History, keeps: Roll = THREE_DICE, number: int = 0) -> Match:
    """Keep a match with real dice in which Ann keeps three dice of 6 6 5 1, where 6 6 is better, and then wins."""
    start = FourTwenty.read("*>6651 4332 roll 2")
    dice = ManualDice(bytes([number] * 32))
    lineup = Lineup((Seat("Ann"), Seat("Ben")))
    match = Match(lineup, dice, start, journal=history.journal(), identifier=f"{number:032x}")
    match.record(Event(0, keeps, (3,) if keeps == THREE_DICE else (5, 3)))
    return match


# -- an evening's worth of bad habits ---------------------------------------------------------------------------------


@pytest.fixture
def thousand(history: History) -> History:
    """A history of 1,000 matches of a player with three bad habits, who slips now and then as everybody does."""
    save_matches(history, 1_000, slips=0.02)
    assert not measure(history)
    return history


@pytest.mark.long("fourtwenty/journal/", "fourtwenty/review/", "fourtwenty/play/")
def test_three_bad_habits_come_first_and_none_is_due_after_a_month_of_right_answers(thousand: History) -> None:
    history = thousand
    kinds = history.kinds("You", "420")
    assert {kind.kind for kind in kinds[:3]} == IN_WORDS
    assert all(kind.times > 50 for kind in kinds[:3])
    assert sum(kind.times for kind in kinds) == sum(row[0] == "you" for row in mistakes(history))
    assert kinds[0].words == "keeps 6 5 where 6 5 4 is better: 148 times, 4.5 points each"
    first = history.stored_puzzles("You", "420", NOW)
    assert {each.choice_key for each in first[:3]} == {"".join(map(str, hand)) for hand in BAD_HABITS}
    assert [history.stored_puzzles("You", "420", NOW, kind)[0].choice_key for kind in kinds[:3]] == [
        each.choice_key for each in first[:3]
    ]
    asked = []
    for day in range(31):
        now = NOW + day * DAY
        due = history.stored_puzzles("you", "420", now)
        assert history.due("You", now) == ({"420": len(due)} if due else {})
        asked.append(len(due))
        for stored_puzzle in due:
            history.answered(stored_puzzle, True, now + 600)
    assert [day for day, count in enumerate(asked) if count] == [0, 3, 10], "and on the 31st and the 91st day"
    assert len({*filter(None, asked)}) == 1
    assert not history.due("You", NOW + 30 * DAY)
    assert history.due("Ben", NOW), "whose boxes are his own"
    for day in (31, 91):
        for stored_puzzle in history.stored_puzzles("You", "420", NOW + day * DAY):
            history.answered(stored_puzzle, True, NOW + day * DAY)
    assert not history.due("You", NOW * 100)
    stuck = OwnMistakes.of(history, "You", "420", NOW + 91 * DAY)
    assert (stuck.stored_puzzles, stuck.sentence) == ((), "Every mistake was put right until it stuck.")


@pytest.mark.parametrize("game", GAMES)
def test_the_mistakes_are_those_of_the_review_and_can_be_asked_again(history: History, game: str) -> None:
    save_matches(history, 6, game, slips=0.3)
    measure(history)
    reviewed = []
    for id in range(1, 7):  # noqa: A001
        match = history.match(id)
        rounds = rounds_of(match)
        reviewed += [each.loss for each in mistakes_of(match, rounds)]
        assert len(mistakes_of(match, rounds)) == sum(len(each.mistakes) for each in rounds)
    assert [row[-1] for row in mistakes(history)] == reviewed
    assert reviewed
    for stored_puzzle in history.stored_puzzles("You", game, NOW):
        odds, state = solver_for(stored_puzzle.state), stored_puzzle.state
        assert odds.choice_key(state) == stored_puzzle.choice_key
        assert stored_puzzle.names == ("You", "Ben")
        assert state.to_act == 0
        assert stored_puzzle.box == Box()


def test_words_of_every_kind_of_mistake() -> None:
    def words(position: str, game: str, made: int, best: int) -> str:
        state = GAMES[game].parse(position)
        choices = solver_for(state).choices(state)
        return kind_of(choices[made], choices[best])

    four, three = "*>6651 4332 roll 2", "-:7 *>361:14 round 6 roll 2"
    assert words(four, "420", 2, 0) == "keeps 6 6 5 where 6 6 is better"
    assert words(four, "420", -1, 0) == "rolls all where 6 6 is better"
    assert words(four, "420", 0, -1) == "keeps 6 6 rather than roll all"
    state = GAMES["421"].parse(three)
    stand = next(n for n, each in enumerate(solver_for(state).choices(state)) if len(each.kept) == 3)
    none = next(n for n, each in enumerate(solver_for(state).choices(state)) if not each.kept)
    assert words(three, "421", stand, none) == "stands on 6 3 1 rather than roll all"
    assert words(three, "421", none, stand) == "rolls all rather than stand on 6 3 1"


def test_going_through_many_matches_can_be_stopped_and_goes_on_and_finds_nothing_twice(history: History) -> None:
    save_matches(history, 30, slips=0.3)
    steps = measured(history)
    found = [next(each for each in steps if each) for _ in range(10)]
    del steps
    assert found == [*range(30, 20, -1)]
    half = mistakes(history)
    with closing(history.reopened()) as other:
        there = measured(other)
        assert next(there) is None
        assert [each for each in measured(history) if each] == [*range(20, 0, -1)]
        assert [each for each in there if each] == [20], "another window goes on with no match that is done"
    assert [row for row in mistakes(history) if row in half] == half
    keys = [(row[3], row[4]) for row in mistakes(history)]
    assert len(set(keys)) == len(keys)
    assert not history.unmeasured()


def test_a_match_that_cannot_be_played_again_is_named_and_left_out(history: History) -> None:
    save_matches(history, 3, slips=0.7)
    run_sql(history, "UPDATE event SET faces = '1111' WHERE match = 2 AND number = 0")
    assert [each for each in measured(history) if each] == [3, 1]
    assert history.unmeasured() == (2,)
    assert measure(history) == [2]
    assert measure(history) == [], "said once"
    assert history.unmeasured() == ()
    assert {row[3] for row in mistakes(history)} == {1, 3}


def test_bots_make_no_mistakes_that_are_kept(history: History) -> None:
    match = Match(Lineup((Seat("Ann", "Random"), Seat("Ben", "Random"))), FairDice(bytes(32)))
    match.play_out()
    history.journal().begin(match)
    measure(history)
    assert any(each.mistakes for each in rounds_of(match))
    assert mistakes(history) == []


def test_another_solution_judges_again_the_matches_of_its_game_alone(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_matches(history, 3, slips=0.3)
    save_matches(history, 2, "421", slips=0.3)
    measure(history)
    before, stored_puzzle = mistakes(history), history.stored_puzzles("You", "420", NOW)[0]
    history.answered(stored_puzzle, True, NOW)
    kept = boxes(history)
    monkeypatch.setitem(SOLUTIONS, "421", SOLUTIONS["421"] + 1)
    assert history.unmeasured() == (5, 4)
    monkeypatch.undo()
    monkeypatch.setitem(SOLUTIONS, "420", SOLUTIONS["420"] + 1)
    assert history.unmeasured() == (3, 2, 1)
    with history.transaction() as sql:
        sql.execute("UPDATE mistake SET loss = 9 WHERE game = '420'")
        sql.execute(
            "INSERT INTO mistake SELECT name_key, game, 'gone', match, 999, position, kind, '', 9 FROM mistake LIMIT 1"
        )
        sql.execute("INSERT INTO box SELECT name_key, game, choice_key, 1, 0, 0 FROM mistake WHERE choice_key = 'gone'")
    measure(history)
    assert mistakes(history) == before
    assert boxes(history) == kept, "answers count still, and a box without mistakes is gone"


def test_a_last_roll_that_is_taken_back_has_its_match_judged_again(history: History) -> None:
    match = keep_a_mistake(history)
    measure(history)
    assert len(mistakes(history)) == 1
    match.take_back()
    match.record(Event(0, Roll((4,)), (3,)))
    assert history.unmeasured() == (1,)
    measure(history)
    assert len(mistakes(history)) == 1


# -- one exercise -----------------------------------------------------------------------------------------------------


def test_a_mistake_that_is_made_again_after_it_was_put_right_is_due_again(history: History) -> None:
    keep_a_mistake(history)
    measure(history)
    (stored_puzzle,) = history.stored_puzzles("Ann", "420", NOW)
    history.answered(stored_puzzle, True, NOW)
    assert not history.due("Ann", NOW)
    assert (
        OwnMistakes.of(history, "Ann", "420", NOW).sentence == "No mistake is due. The next one comes back in 3 days."
    )
    keep_a_mistake(history, number=1)
    measure(history)
    (again,) = history.stored_puzzles("Ann", "420", NOW)
    assert (again.choice_key, again.box) == (stored_puzzle.choice_key, Box())
    assert history.kinds("Ann", "420")[0].times == 2


def test_an_answer_counts_once_whichever_window_gives_it(history: History) -> None:
    keep_a_mistake(history)
    measure(history)
    (stored_puzzle,) = history.stored_puzzles("Ann", "420", NOW)
    for _ in range(3):
        history.answered(stored_puzzle, True, NOW)
    (early,) = history.stored_puzzles("Ann", "420", NOW, history.kinds("Ann", "420")[0])
    assert early.box == Box(2, NOW + 3 * DAY)
    history.answered(early, True, NOW)
    (same,) = history.stored_puzzles("Ann", "420", NOW, history.kinds("Ann", "420")[0])
    assert same.box == early.box, "practised ahead of time, it stays"
    history.answered(early, False, NOW)
    (wrong,) = history.stored_puzzles("Ann", "420", NOW, history.kinds("Ann", "420")[0])
    assert wrong.box == Box(1, NOW + DAY)


def test_the_boxes_of_a_deleted_match_go_with_it_unless_another_match_needs_them(history: History) -> None:
    keep_a_mistake(history)
    keep_a_mistake(history, number=1)
    keep_a_mistake(history, Roll((3, 4)), number=2)
    measure(history)
    (stored_puzzle,) = history.stored_puzzles("Ann", "420", NOW)
    history.answered(stored_puzzle, True, NOW)
    kept = boxes(history)
    history.delete(1)
    assert boxes(history) == kept, "another match has the same mistake"
    history.delete(2)
    assert boxes(history) == []


def test_rows_that_cannot_be_read_are_left_out(history: History) -> None:
    keep_a_mistake(history)
    measure(history)
    for damage in ("position = 'nonsense'", "position = '*>6666 4332 roll 2'", "position = '*>6651 4332 - roll 2'"):
        run_sql(history, f"UPDATE mistake SET {damage}")
        assert history.stored_puzzles("Ann", "420", NOW) == ()


@pytest.fixture
def zones() -> Iterator[None]:
    yield
    time.tzset()


@pytest.mark.usefixtures("zones")
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs a system whose time zone can be set")
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
def test_what_is_due_depends_on_no_time_zone(history: History, monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    keep_a_mistake(history)
    measure(history)
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    (stored_puzzle,) = history.stored_puzzles("Ann", "420", NOW)
    history.answered(stored_puzzle, False, NOW)
    assert boxes(history)[0][3:5] == (1, NOW + DAY)
    assert [history.due("Ann", NOW + hours * 3600) for hours in (17, 18, 24)] == [{}, {"420": 1}, {"420": 1}]
    monkeypatch.undo()


# -- a source ---------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def at_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourtwenty.journal.practice_sources.seconds", lambda: NOW)


class Searching(PracticeSession):
    async def search_mistakes(self) -> None:
        measure(self.history)


async def mine_now(history: History) -> Mine:
    """The source of the mistakes of You, those of 420 first."""
    mine = await Searching(history, "You", pytest.fail).source(PracticeOptions("420", mine=True))
    assert isinstance(mine, Mine)
    return mine


async def test_each_mistake_is_asked_once_and_the_answers_are_kept(history: History) -> None:
    save_matches(history, 20, slips=0.3)
    mine = await mine_now(history)
    total = history.due("You", NOW)["420"]
    assert total > 5
    numbers = []
    while puzzle := await mine.next():
        numbers.append(mine.about)
        assert puzzle.made is not None
        assert puzzle.made is not puzzle.choices[0]
        mine.note(puzzle.answer(puzzle.choices[len(numbers) == 1].action))
    assert numbers == [f"my mistakes, {number} of {total}" for number in range(1, total + 1)]
    assert history.scorecard().rate.startswith(f"{total - 1} of {total} right")
    assert mine.ending == f"{total - 1} of {total} right at the first try."
    assert history.due("You", NOW) == {}
    assert history.due("You", NOW + DAY) == {"420": 1}
    again = await mine_now(history)
    assert await again.next() is None
    assert again.ending == "No mistake is due. The next one comes back within a day."


async def test_a_mistake_that_is_left_out_is_not_asked_again(history: History) -> None:
    save_matches(history, 20, slips=0.3)
    mine = await mine_now(history)
    asked = []
    while await mine.next():
        asked.append(mine.asked[-1].choice_key)
    assert len(asked) == len({*asked}) == history.due("You", NOW)["420"]
    assert mine.ending == "", "nothing was answered"


async def test_the_mistakes_of_the_game_that_is_asked_for_come_first(history: History) -> None:
    assert OwnMistakes.of(history, "You", "420", NOW) == NO_MISTAKES
    save_matches(history, 8, "421", slips=0.3)
    searching = OwnMistakes.of(history, "You", "420", NOW, searching=True)
    assert (searching.sentence, searching.unsearched) == ("Looking for your mistakes in 8 games.", 8)
    measure(history)
    of_421 = OwnMistakes.of(history, "You", "420", NOW).stored_puzzles
    assert {each.game for each in of_421} == {"421"}
    mine = await mine_now(history)
    assert await mine.next()
    assert mine.game == "421"
    save_matches(history, 8, slips=0.3)
    measure(history)
    found = OwnMistakes.of(history, "You", "420", NOW).stored_puzzles
    assert found == (*history.stored_puzzles("You", "420", NOW), *of_421)
    assert OwnMistakes.of(history, "You", "421", NOW).stored_puzzles[: len(of_421)] == of_421


async def test_mistakes_found_meanwhile_follow_and_none_is_asked_twice(history: History) -> None:
    save_matches(history, 3, slips=0.3)
    mine = await mine_now(history)
    assert await mine.next()
    before = int(mine.about.rpartition(" ")[2])
    save_matches(history, 20, slips=0.3, seed=Random(1).randrange(10**6))
    measure(history)
    assert await mine.next()
    assert int(mine.about.rpartition(" ")[2]) > before
    while await mine.next():
        pass
    alike = [each.choice_key for each in mine.asked]
    assert len(alike) == len({*alike}) == history.due("You", NOW)["420"]
