"""The solver of 421 of four: its rounds beside those of the program."""

from __future__ import annotations

import numpy as np
import pytest
from long_tests import RULES_AND_ODDS
from solve_421_four import Match, Round, longest, shares, solve_four

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds.bar_421_match import Tokens, token_values
from fourtwenty.odds.bar_421_round import RoundTable, plan


def by_share(tokens: Tokens) -> list[float]:
    """Values of three seats that are quick to have."""
    return [1 - held / sum(tokens) for held in tokens]


@pytest.mark.parametrize("split", [(6, 5, 5, 5), (10, 1, 9, 1)])
@pytest.mark.long(*RULES_AND_ODDS)
def test_a_round_is_that_of_the_program(split: Tokens) -> None:
    """The program follows every seat from hand to hand, in other code. Equal hands and the extremes are among them."""
    match = Match(TOKENS, token_values)
    payoffs = match.payoffs(match.splits.index(split), np.array([token_values(each) for each in match.splits]))
    played = Round(payoffs)
    assert played.ends @ payoffs == pytest.approx(token_values(split), abs=1e-12), "another step changes nothing"
    for hands in ((3, 50), (50, 3), (20, 20), (55, 55), (0, 0)):
        row = plan(RoundTable.of(split, hands)).before()
        for seat in range(4):
            assert played.before_third(payoffs[:, seat])[hands] == pytest.approx(row[seat], abs=1e-12)
    row = plan(RoundTable(split, (52,))).before()
    for seat in range(4):
        assert played.before_second(payoffs[:, seat])[52] == pytest.approx(row[seat], abs=1e-12)


@pytest.mark.long(*RULES_AND_ODDS)
def test_four_tokens_are_solved() -> None:
    """A seat that gives its only token leaves, so that a round ends the game of four."""
    match = Match(4, by_share)
    solved, ends, last_step = solve_four(match, shares(match))
    assert last_step < 1e-12
    assert solved[0].sum() == pytest.approx(3)
    assert ends[0].sum() == pytest.approx(1)
    assert longest(match, ends) == pytest.approx(1, rel=0.02)
