"""How often a verdict on players is wrong by chance, at any look while their history grows.

A verdict says more than its figures, and comes again and again: the class of a skill, here, and "uneven" of dice
(test_dice_test.py). All else is a figure or a fact of one match: luck, the luckiest roll and its "1 in 36", how often
somebody was one away, came last or was expected to, tallies, bets, right answers and streaks. "Best" and "costs 2%"
follow from the solution of the game, and not from how the dice fall.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from random import Random

import pytest
from long_tests import PRODUCT

from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import MIN_DECISIONS, SKILL_CLASSES, rounds_of, skill_class, skill_figure

MATCHES = 200
HISTORIES = 300
DECISIONS = 400
"""The decisions of a history."""

NAMES = [name for _, name in SKILL_CLASSES]


@cache
def played(bot: str) -> list[tuple[float, int]]:
    """Return what a bot lost in each of many matches of 420, and in how many decisions."""
    found = []
    for number in range(MATCHES):
        dice = FairDice(sha256(f"{bot} {number}".encode()).digest())
        match = Match(Lineup((Seat("Ann", bot), Seat("Ben", bot))), dice)
        match.play_out()
        ledgers = [each.ledger(0) for each in rounds_of(match)]
        found.append((sum(each.errors for each in ledgers), sum(each.decisions for each in ledgers)))
    return found


def named(bot: str, history: int) -> set[str]:
    """Return every name that the skill of a bot is given in a history, which is looked at after each match."""
    chance, lost, decisions, names = Random(history), 0.0, 0, set()
    while decisions < DECISIONS:
        more = chance.choice(played(bot))
        lost, decisions = lost + more[0], decisions + more[1]
        if figure := skill_figure(lost, decisions):
            names.add(skill_class(figure, decisions))
    return names - {""}


@pytest.mark.parametrize("bot", ["Steady", "Sober", "Merry", "Tipsy", "Bold"])
@pytest.mark.long(*PRODUCT)
def test_skill_is_hardly_ever_named_beyond_the_neighbours_of_its_true_name(bot: str) -> None:
    lost, decisions = (sum(each) for each in zip(*played(bot), strict=True))
    assert decisions > 10 * MIN_DECISIONS, "the true name is known"
    true = NAMES.index(skill_class(100 * lost / decisions, int(decisions)))
    near = {*NAMES[max(0, true - 1) : true + 2]}
    histories = [named(bot, history) for history in range(HISTORIES)]
    assert all(histories), "each is named"
    assert len({frozenset(names) for names in histories}) > 1, "chance is at work"
    assert sum(not names <= near for names in histories) <= HISTORIES / 100


def test_perfect_play_has_no_other_name_than_flawless() -> None:
    lost, decisions = (sum(each) for each in zip(*played("Perfect"), strict=True))
    assert decisions > MIN_DECISIONS
    assert lost == pytest.approx(0)
    assert skill_class(100 * lost / decisions, int(decisions)) == "flawless"
