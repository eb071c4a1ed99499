"""Many turns solved at once end as each of them does alone."""

from __future__ import annotations

from random import Random

import pytest

from fourtwenty.odds.many_turns import ALL_CASES, ends_of_turns
from fourtwenty.odds.stopping import FIRST, HANDS, dot, turn


def alone(payoffs: list[float]) -> list[float]:
    """The chances to end with each hand, by the solver of one turn."""
    return turn([payoffs] * 3).ends()


@pytest.mark.parametrize("turns", [1, 2, 57])
def test_each_of_many_turns_ends_as_it_does_alone(turns: int) -> None:
    chance = Random(turns)
    drawn = [[chance.random() for _ in HANDS] for _ in range(turns)]
    for payoffs, cases in zip(drawn, zip(*ends_of_turns(list(zip(*drawn, strict=True))), strict=True), strict=True):
        assert sum(cases) == ALL_CASES
        assert [case / ALL_CASES for case in cases] == pytest.approx(alone(payoffs), abs=1e-12)


def test_where_choices_are_equal_the_turns_are_worth_the_same() -> None:
    chance = Random(4)
    drawn = [[chance.choice((0.0, 0.25, 0.5, 1.0)) for _ in HANDS] for _ in range(20)]
    for payoffs, cases in zip(drawn, zip(*ends_of_turns(list(zip(*drawn, strict=True))), strict=True), strict=True):
        assert sum(cases) == ALL_CASES
        assert dot(cases, payoffs) / ALL_CASES == pytest.approx(dot(alone(payoffs), payoffs), abs=1e-11)


def test_a_seat_stands_where_a_throw_gains_next_to_nothing() -> None:
    """One hand of 56 is worth more: at first by as little as rounding gives, then by what rounding never gives."""
    for gain, stands in ((5e-12, True), (2.5e-9, False)):
        ends = ends_of_turns([[0.5 + gain * (hand == (1, 2, 4))] for hand in HANDS])
        assert ([cases[0] / ALL_CASES for cases in ends] == pytest.approx(FIRST)) == stands
