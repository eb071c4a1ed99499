"""The advice of the coach without a screen: chances, verdicts, warnings and the outlook of every seat."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll, Stand, State
from fourtwenty.odds import solver_for
from fourtwenty.play.advice import Advice, Advisor

STATE = GAMES["420"].parse("*>6551 4332 6655 roll 2")
"""Ann has the choice: 6 5 5 make 16, so that one face of six makes 20 and two go over."""


def advisor(state: State = STATE) -> Advisor:
    return Advisor(state)


def the_advice(state: State, *dice: int) -> Advice:
    advice = advisor(state).advice(state, dice)
    assert advice
    return advice


def test_the_best_selection_has_its_chances_and_loses_nothing() -> None:
    advice = the_advice(STATE, 4)
    assert advice.kept == (6, 5, 5)
    assert dict(advice.chances) == pytest.approx({"20": 1 / 6, "over": 2 / 6})
    assert (advice.goal, advice.verdict, advice.loss, advice.amount) == ("round", "best", 0, None)
    assert advice.value == solver_for(STATE).choices(STATE)[0].value


def test_another_selection_costs_win_probability() -> None:
    best, worse = the_advice(STATE, 4), the_advice(STATE, 1, 4)
    assert worse.verdict == "costs"
    assert worse.loss == pytest.approx(best.value - worse.value)


@pytest.mark.parametrize("dice", [(), (1,), (9,)])
def test_there_is_no_advice_on_what_the_rules_forbid(dice: tuple[int, ...]) -> None:
    assert advisor().advice(STATE, dice) is None


def test_selections_are_ranked_from_the_best_and_what_the_rules_forbid_has_no_rank() -> None:
    every = advisor().every_advice(STATE)
    assert advisor().rank(STATE, (4,)) == 0
    assert every[advisor().rank(STATE, (1, 4))] == the_advice(STATE, 1, 4)
    assert [advisor().rank(STATE, dice) for dice in ((), (1,), (9,))] == [-1, -1, -1]


@pytest.mark.parametrize(
    ("position", "estimated"),
    [
        ("*>653:3 -:5 -:13 L1 round 9 roll 2", False),
        ("*>653:3 -:5 -:9 L1 round 9 roll 2", True),
        ("*>653:3 -:5 L2 L1 round 9 roll 2", False),
    ],
)
def test_in_421_three_players_hear_about_once_tokens_have_left_play(position: str, estimated: bool) -> None:
    state = GAMES["421"].parse(position)
    assert the_advice(state, 1, 2).estimated == estimated
    assert {share.estimated for share in advisor(state).shares(state) if share} == {estimated}


def test_there_is_no_advice_when_the_round_is_over() -> None:
    over = STATE.apply(Roll((4,)), (4,))
    assert advisor(over).advice(over, (4,)) is None


def test_a_forced_roll_is_called_so() -> None:
    start = GAMES["420"].start(3, 0)
    assert the_advice(start, 1, 2, 3, 4).verdict == "forced"


def test_every_choice_comes_with_the_best_first() -> None:
    every = advisor().every_advice(STATE)
    assert [advice.value for advice in every] == sorted((advice.value for advice in every), reverse=True)
    assert every[0] == the_advice(STATE, 4)
    assert len(every) == len(solver_for(STATE).choices(STATE))


@pytest.mark.parametrize(
    ("game", "position", "action", "sentence"),
    [
        ("420", "*>6551 4332 6655 roll 2", Roll((4,)), "Roll the 1: one in six to be out, best by 1.7 points."),
        ("420", "*>6611 4332 6655 roll 2", Roll((3, 4)), "Roll 1 1: 13.9% chance to be out, best by 3.7 points."),
        ("420", "*>6666 4332 6655 roll 2", Roll((1, 2, 3, 4)), "There is no choice."),
        ("ten-rounds", "*421+2 >- roll 1 of 2", Roll((1, 2, 3)), "There is no choice."),
        ("ten-rounds", "*>421+2 - roll 2 of 3", Stand(), "Stand on 4 2 1"),
        (
            "421",
            "*>652:7 -:11 -:3 round 9 roll 2",
            Roll((3,)),
            "Roll the 2: 27.5% chance to be strongest, best by 0.4 points.",
        ),
    ],
)
def test_a_hint_is_a_choice_and_a_sentence(game: str, position: str, action: Roll | Stand, sentence: str) -> None:
    state = GAMES[game].parse(position)
    hint = advisor(state).hint(state)
    assert hint.action == action == solver_for(state).best(state)
    assert hint.sentence.startswith(sentence)
    assert "%" not in hint.sentence.partition("best by")[2], "a difference of chances is in points"


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("543", "Roll 5 3: about 22% chance to be strongest, best by about 1 point."),
        ("643", "Roll 6 3: about 22% chance to be strongest, as good as another."),
    ],
)
def test_a_hint_of_estimates_says_about_and_calls_nothing_best_that_is_not(hand: str, sentence: str) -> None:
    state = GAMES["421"].parse(f"*>{hand}:3 -:5 -:9 L1 round 9 roll 2")
    assert advisor(state).hint(state).sentence == sentence


def test_to_stand_is_advised_on_without_a_selection() -> None:
    state = GAMES["ten-rounds"].start(2, 0).apply(Roll((1, 2, 3)), (4, 2, 1))
    assert the_advice(state).kept == (4, 2, 1)


def test_421_counts_tokens_beside_the_chances() -> None:
    state = GAMES["421"].start(2, 0)
    advice = the_advice(state, 1, 2, 3)
    assert advice.amount
    assert advice.amount[0] == "tokens"


def test_every_seat_that_plays_has_its_share() -> None:
    shares = [share for share in advisor().shares(STATE) if share]
    assert sum(share.value for share in shares) == pytest.approx(1)
    assert all(share.outlook.startswith("drinks ") for share in shares)
    out = GAMES["420"].start(3, 0).apply(Roll((1, 2, 3, 4)), (6, 5, 5, 4)).next_round()
    assert [share is None for share in advisor(out).shares(out)] == [True, False, False]


def test_the_mathematics_is_imported_with_the_first_advisor_only() -> None:
    code = "import sys, fourtwenty.play.advice; print('fourtwenty.odds' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
