"""The bounds of docs/paper/full_programme.py beside whole numbers, and what happens without a step of the proof."""

from __future__ import annotations

from fractions import Fraction

import full_programme as programme
import pytest
from full_programme import ALLOWED, GROUP, GROUPS, KEEPS, MEMBER, Bounds, Stakes
from long_tests import RULES_AND_ODDS

from fourtwenty.odds.four_twenty_solver import _thrown, solve

Place = tuple[int, int]
"""The groups of both hands, the one to act first."""

Box = dict[Place, list[Fraction]]
"""``[place][seat]``: a bound of its payoff."""

PLACES: list[Place] = [(mine, other) for mine in range(GROUPS) for other in range(GROUPS)]


def cases(kept: int) -> tuple[Fraction, list[Fraction]]:
    """The exact probability of 20, and of each group."""
    thrown = _thrown(KEEPS[kept])
    reached = [Fraction(0)] * GROUPS
    for hand, count in thrown.items():
        if sum(hand) != 20:
            reached[GROUP[solve().classes[hand]]] += Fraction(count, thrown.total())
    return 1 - sum(reached, Fraction(0)), reached


CASES = [cases(kept) for kept in range(len(KEEPS))]


def exact_step(low: Box, high: Box) -> tuple[Box, Box]:
    """One step of the bounds of two players in whole numbers, with no choice dropped."""
    lows, highs = Box(), Box()
    for mine, other in PLACES:
        by_class = []
        for number in (number for number, group in enumerate(GROUP) if group == mine):
            values = {
                kept: [
                    [
                        CASES[kept][0] * (1 - seat)
                        + sum(chance * box[other, group][1 - seat] for group, chance in enumerate(CASES[kept][1]))
                        for box in (low, high)
                    ]
                    for seat in (0, 1)
                ]
                for kept in ALLOWED[number]
            }
            by_class.append(
                (
                    [max(value[0][0] for value in values.values()), min(value[1][0] for value in values.values())],
                    [max(value[seat][1] for value in values.values()) for seat in (0, 1)],
                )
            )
        least = [min(bounds[0][seat] for bounds in by_class) for seat in (0, 1)]
        most = [max(bounds[1][seat] for bounds in by_class) for seat in (0, 1)]
        place = mine, other
        lows[place] = [max(low[place][seat], least[seat], 1 - most[1 - seat]) for seat in (0, 1)]
        highs[place] = [min(high[place][seat], most[seat], 1 - least[1 - seat]) for seat in (0, 1)]
    return lows, highs


def test_the_bounds_enclose_those_in_whole_numbers() -> None:
    found = Bounds(Stakes.of_the_round(2))
    low: Box = {place: [Fraction(0)] * 2 for place in PLACES}
    high: Box = {place: [Fraction(1)] * 2 for place in PLACES}
    for _ in range(4):
        found.tighten()
        low, high = exact_step(low, high)
        for index, place in enumerate(PLACES):
            for seat in (0, 1):
                below = low[place][seat] - Fraction(found.low[0, seat, index])
                above = Fraction(found.high[0, seat, index]) - high[place][seat]
                assert 0 <= below < Fraction("1e-12"), "rounded outward, and by little"
                assert 0 <= above < Fraction("1e-12")
    assert found.margin == 1, "nothing is dropped in these steps, so the steps in whole numbers are the same"


def test_hands_of_a_group_have_chances_that_agree_to_the_last_bit() -> None:
    """So a seat of the group that plays as its first class does stands for all of them."""
    for number, group in enumerate(GROUP):
        member = MEMBER[group]
        for plays in (programme.BEST, programme.HURRIED):
            assert (programme.TO_GROUP[plays[number]] == programme.TO_GROUP[plays[member]]).all()
            assert programme.TWENTY[plays[number]] == programme.TWENTY[plays[member]]


@pytest.mark.long(*RULES_AND_ODDS)
def test_the_same_choices_are_left_whatever_is_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = programme.bounds(Stakes.of_the_round(3))
    monkeypatch.setattr(programme, "MAX_PART", 7)
    parts = programme.bounds(Stakes.of_the_round(3))
    for one, other in zip(whole.left[0], parts.left[0], strict=True):
        assert (one == other).all()
    assert abs(whole.low - parts.low).max() < 1e-11


@pytest.mark.parametrize("constant_sum", [True, False])
def test_no_choice_is_ever_dropped_unless_the_payoffs_have_one_sum(constant_sum: bool) -> None:
    found = Bounds(Stakes.of_the_round(2), constant_sum)
    while found.tighten() >= 1e-6:
        pass
    assert any(found.open()) != constant_sum
    assert (found.margin < 1) == constant_sum
