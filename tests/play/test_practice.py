"""Puzzles drawn from the solver, the daily one, and the scorecard with its file."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Roll, Stand
from fourtwenty.journal.scorecard import Scorecard, Streak
from fourtwenty.odds import odds_of
from fourtwenty.odds.interface import choice_of
from fourtwenty.play.practice import LEVELS, daily, daily_level, drawn_puzzle
from fourtwenty.play.puzzle import Puzzle, kept_dice, leading

SUNDAY = date(2026, 11, 22)
DAY = timedelta(days=1)
DAILY = Path(__file__).with_name("daily.txt")
"""Date, game, level, position and best choice of daily puzzles: a week, the ends of a year, a leap day, a far one."""


def puzzle(position: str, made: Roll | None = None) -> Puzzle:
    """A puzzle of 420 with Ann to act."""
    state = FourTwenty.read(position)
    choices = odds_of(state).choices(state)
    return Puzzle(state, ("Ann", "Ben"), choices, choice_of(choices, state, made) if made else None)


# -- puzzles ----------------------------------------------------------------------------------------------------------


def test_verdicts_on_answers() -> None:
    asked = puzzle("*>6551 4332 roll 2", made=Roll((1, 4)))
    assert asked.question == "Ann: what would you roll?"
    assert asked.answer(Roll((4,))).verdict == "Correct, that's best."
    assert asked.answer(Roll((4,))).right
    assert asked.answer(Roll((1, 4))).verdict == "Same mistake: it costs 2.5%."
    assert asked.answer(Roll((3, 4))).verdict == "Costs 1.1% (2.5% in the game)."
    assert puzzle("*>6551 4332 roll 2").answer(Roll((1, 4))).verdict == "Not the best: it costs 2.5%."


def test_the_reason_compares_with_the_best_choice() -> None:
    # one die: a 4 in 6 faces, over with 5 and 6; two dice: 3 of 36 throws total 10, and 3 are more
    assert puzzle("*>6551 4332 roll 2").answer(Roll((1, 4))).reason == (
        "Keep 6 5 5 rather than 5 5: 20 in 16.7% instead of 8.3%, over in 33.3% instead of 8.3%, "
        "in all, chance to win the round 59.9% instead of 57.4%."
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
    for day in map(date.fromisoformat, dict.fromkeys(line.split()[0] for line in fixed)):
        for game in GAMES:
            asked = daily(game, day)
            line = (day.isoformat(), game, daily_level(day), asked.state.position(), kept_dice(asked.choices[0]))
            found.append("  ".join(line))
    assert found == fixed
    assert daily("420", SUNDAY) != daily("420", SUNDAY - DAY)
    assert [daily_level(SUNDAY + number * DAY) for number in range(1, 8)] == [
        "easy", "easy", "medium", "medium", "medium", "hard", "hard",
    ]  # fmt: skip


# -- the scorecard ----------------------------------------------------------------------------------------------------


def test_a_streak_is_of_days_in_a_row() -> None:
    streak = Streak()
    for number in range(3):
        streak = streak.after(SUNDAY + number * DAY, right=True)
    assert (streak.days, streak.best) == (3, 3)
    assert streak.after(SUNDAY + 2 * DAY, right=False) is streak, "the first answer of a day counts"
    assert streak.on(SUNDAY + 3 * DAY) == 3
    assert streak.on(SUNDAY + 4 * DAY) == 0, "a day was left out"
    assert streak.after(SUNDAY + 4 * DAY, right=True) == Streak(SUNDAY + 4 * DAY, 1, 3)
    assert streak.after(SUNDAY + 3 * DAY, right=False) == Streak(SUNDAY + 3 * DAY, 0, 3)


def test_the_rate_counts_first_answers() -> None:
    card = Scorecard()
    assert card.rate == ""
    card = card.after(right=True).after(right=False).after_daily("420", SUNDAY, right=True)
    assert card.after_daily("420", SUNDAY, right=True) is card
    assert card.rate == "2 of 3 right (67%)"
    assert card.after_daily("421", SUNDAY, right=True).tried == 4, "each game has a puzzle of the day"


counts = st.integers(0, 10**6)
streaks = st.builds(lambda last, days, more: Streak(last, days, days + more), st.dates(), counts, counts)


@given(right=counts, wrong=counts, kept=st.dictionaries(st.sampled_from([*GAMES, "chess"]), streaks))
def test_a_scorecard_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, right: int, wrong: int, kept: dict[str, Streak]
) -> None:
    path = tmp_path_factory.getbasetemp() / "practice.json"
    card = Scorecard(right, right + wrong, kept)
    card.save(path)
    assert Scorecard.load(path) == card


WRONG = (
    "",
    "[]",
    "{}",
    "5",
    '{"right": 3, "tried": 2}',
    '{"right": -1, "tried": 2}',
    '{"right": true, "tried": 2}',
    '{"tried": 2}',
)
WRONG_STREAKS: tuple[object, ...] = (
    None,
    3,
    {},
    {"last": "yesterday", "days": 1, "best": 1},
    {"last": "2026-11-22", "days": 2, "best": 1},
    {"last": None, "days": 0, "best": 0},
    {"last": "2026-11-22", "days": -1, "best": 1},
    {"last": "2026-11-22", "days": 1.0, "best": 1},
    {"last": "2026-11-22", "days": True, "best": 1},
    {"last": "2026-11-22", "days": 1, "best": "1"},
    {"\ud800": 1},
)


@pytest.mark.parametrize("text", [*WRONG, "[" * 10**5])
def test_a_damaged_file_holds_no_scorecard(tmp_path: Path, text: str) -> None:
    path = tmp_path / "practice.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"."):
        Scorecard.load(path)


@pytest.mark.parametrize("streak", WRONG_STREAKS)
def test_a_damaged_streak_is_left_out_alone(tmp_path: Path, streak: object) -> None:
    path = tmp_path / "practice.json"
    good = {"last": "2026-11-22", "days": 2, "best": 4}
    path.write_text(json.dumps({"right": 1, "tried": 2, "streaks": {"421": streak, "420": good}}))
    assert Scorecard.load(path) == Scorecard(1, 2, {"420": Streak(SUNDAY, 2, 4)})
    path.write_text(json.dumps({"right": 1, "tried": 2, "streaks": streak}))
    assert Scorecard.load(path) == Scorecard(1, 2)
