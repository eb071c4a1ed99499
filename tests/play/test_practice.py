"""Puzzles drawn from the solver, the daily one, and the scorecard of the answers that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from datetime import date, timedelta
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st
from run_sql import run_sql

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Roll, Stand
from fourtwenty.journal.history import History
from fourtwenty.journal.scorecard import FirstAnswer, Scorecard
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import choice_for
from fourtwenty.play.practice import LEVELS, Puzzle, daily, daily_level, drawn_puzzle, kept_dice, leading

SUNDAY = date(2026, 11, 22)
DAY = timedelta(days=1)
DAILY = Path(__file__).with_name("daily.txt")
"""Date, game, level, position and best choice of daily puzzles: a week, the ends of a year, a leap day, a far one."""


def puzzle(position: str, made: Roll | None = None) -> Puzzle:
    """A puzzle of 420 with Ann to act."""
    state = FourTwenty.read(position)
    choices = solver_for(state).choices(state)
    return Puzzle(state, ("Ann", "Ben"), choices, choice_for(choices, state, made) if made else None)


# -- puzzles ----------------------------------------------------------------------------------------------------------


def test_verdicts_on_answers() -> None:
    asked = puzzle("*>6551 4332 roll 2", made=Roll((1, 4)))
    assert asked.question == "Ann: what would you roll?"
    assert asked.answer(Roll((4,))).verdict == "Correct, that's best."
    assert asked.answer(Roll((4,))).right
    assert asked.answer(Roll((1, 4))).verdict == "Same mistake: it costs 2.5 points."
    assert asked.answer(Roll((3, 4))).verdict == "Costs 1.1 points (2.5 points in the game)."
    assert puzzle("*>6551 4332 roll 2").answer(Roll((1, 4))).verdict == "Not the best: it costs 2.5 points."


def test_the_reason_compares_with_the_best_choice() -> None:
    # one die: a 4 in 6 faces, over with 5 and 6; two dice: 3 of 36 throws total 10, and 3 are more
    assert puzzle("*>6551 4332 roll 2").answer(Roll((1, 4))).reason == (
        "Keep 6 5 5 rather than 5 5: 20 in 16.7%, not 8.3%; over in 33.3%, not 8.3%; "
        "the chance to win the round is 59.9%, not 57.4%."
    )
    asked = puzzle("*>6551 4332 roll 2")
    assert asked.answer(Roll((4,))).reason.startswith(f"Keep 6 5 5 rather than {kept_dice(asked.choices[1])}:")


def test_the_leading_choices_are_the_best_and_the_chosen_one_last() -> None:
    choices = puzzle("*>6551 4332 roll 2").choices
    assert len(choices) > 4
    assert leading(choices, choices[1], 3) == choices[:3]
    assert leading(choices, choices[-1], 3) == (choices[0], choices[1], choices[-1])
    assert leading(choices, choices[0], 100) == choices


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_is_of_its_level_and_the_same_for_a_seed(game: str, level: str) -> None:
    least, below = LEVELS[level]
    for seed in ("one", "two"):
        found = drawn_puzzle(game, level, seed)
        assert found == drawn_puzzle(game, level, seed)
        assert found.names[found.seat] == "You"
        assert least <= found.choices[0].value - found.choices[1].value < below
        assert not found.estimated
        assert ("do?" in found.question) == (Stand() in found.state.actions)
        answers = [found.answer(choice.action) for choice in found.choices]
        assert [answer.right for answer in answers] == [True, *[False] * (len(answers) - 1)]
        assert all(answer.reason.endswith("%.") for answer in answers)
    assert drawn_puzzle(game, level, "one") != found


def test_the_puzzle_of_a_day_is_the_same_everywhere() -> None:
    # fixed in a file: another puzzle, or another answer, for the same date would be a broken promise
    fixed = DAILY.read_text("utf-8").splitlines()
    found = []
    games = [*dict.fromkeys(line.split()[1] for line in fixed)]
    assert games == [*GAMES][: len(games)], "a game that came later has no days of its own here yet"
    for day in map(date.fromisoformat, dict.fromkeys(line.split()[0] for line in fixed)):
        for game in games:
            asked = daily(game, day)
            line = (day.isoformat(), game, daily_level(day), asked.state.to_text(), kept_dice(asked.choices[0]))
            found.append("  ".join(line))
    assert found == fixed
    assert daily("420", SUNDAY) != daily("420", SUNDAY - DAY)
    assert [daily_level(SUNDAY + number * DAY) for number in range(1, 8)] == [
        "easy", "easy", "medium", "medium", "medium", "hard", "hard",
    ]  # fmt: skip


# -- the scorecard ----------------------------------------------------------------------------------------------------


def answered(days: Mapping[int, bool], game: str = "420") -> Scorecard:
    """The scorecard after first answers to daily puzzles, right or wrong, by their distance from SUNDAY in days."""
    card = Scorecard()
    for number, right in days.items():
        card = card.after(FirstAnswer(game, SUNDAY + number * DAY, right))
    return card


def test_a_streak_is_of_days_in_a_row() -> None:
    card = answered({-2: True, -1: True, 0: True})
    assert card.after(FirstAnswer("420", SUNDAY, False)) is card, "the first answer of a day counts"
    assert [card.streak("420", SUNDAY + number * DAY) for number in range(3)] == [3, 3, 0], "a day was left out"
    assert card.streak("421", SUNDAY) == 0, "each game has its own"
    assert answered({-1: True, 0: False}).streak("420", SUNDAY) == 0
    assert answered({-2: False, -1: True, 0: True}).streak("420", SUNDAY) == 2


def test_a_streak_counts_a_day_ahead_and_believes_no_later_one() -> None:
    assert answered({-1: True, 0: True, 1: True}).streak("420", SUNDAY) == 3, "who flies west has been there"
    wrong_clock = {3300: True}
    card = answered(wrong_clock)
    assert card.streak("420", SUNDAY) == 0
    for number in range(3):
        card = card.after(FirstAnswer("420", SUNDAY + number * DAY, True))
        assert card.streak("420", SUNDAY + number * DAY) == number + 1


def test_the_rate_counts_first_answers() -> None:
    card = Scorecard()
    assert card.rate == ""
    for answer in (True, False):
        card = card.after(FirstAnswer("420", None, answer))
    for game in ("420", "420", "421"):
        card = card.after(FirstAnswer(game, SUNDAY, True))
    assert card.rate == "3 of 4 right (75%)", "each game has a puzzle of the day"


answers = st.lists(
    st.builds(
        FirstAnswer, st.sampled_from([*GAMES, "chess"]), st.none() | st.dates(SUNDAY, SUNDAY + 3 * DAY), st.booleans()
    )
)


@given(one=answers, other=answers)
def test_answers_of_two_windows_are_kept_as_of_one(one: list[FirstAnswer], other: list[FirstAnswer]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "history.sqlite")
        with closing(History(path, pytest.fail)) as here, closing(History(path, pytest.fail)) as there:
            here.save_answers(one)
            assert there.save_answers(other) == there.scorecard() == reduce(Scorecard.after, one + other, Scorecard())


@pytest.mark.parametrize("row", ["'420', 'yesterday', 1", "'420', 7, 1", "'420', x'00', 1", "'420', NULL, 'yes'"])
def test_an_answer_that_cannot_be_read_is_left_out_alone(history: History, row: str) -> None:
    good = FirstAnswer("420", SUNDAY, True)
    card = history.save_answers([good])
    run_sql(history, f"INSERT INTO answer VALUES ({row})")
    assert history.scorecard() == card == Scorecard().after(good)
