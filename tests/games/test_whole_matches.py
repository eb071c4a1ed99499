"""Whole matches of the cousins, written as one would tell them; the sheets' own examples are in them."""

from __future__ import annotations

import re
from typing import TypeVar

from fourtwenty.games.bar_421 import Bar421
from fourtwenty.games.game import Roll, Stand, State
from fourtwenty.games.ten_rounds import TenRounds

NAMES = ("Ann", "Ben", "Cleo")


Table = TypeVar("Table", bound=State)


def told(state: Table, story: str) -> Table:
    """Play what a story tells, line by line: who acts, which faces stay of the hand, and what is rolled."""
    for line in filter(None, map(str.strip, story.splitlines())):
        found = re.fullmatch(r"(\w+) (?:stands|(?:keeps (\d+), )?rolls (\d+))", line)
        assert found, line
        name, keeps, rolls = found.groups()
        seat = state.to_act
        assert seat is not None
        assert NAMES[seat] == name, line
        if rolls is None:
            state = state.apply(Stand(), ())
            continue
        kept = keeps or ""
        thrown = []
        for die in range(1, len(rolls) + len(kept) + 1):
            face = "".join(map(str, state.hand(seat)[die - 1 : die]))
            if face and face in kept:
                kept = kept.replace(face, "", 1)
            else:
                thrown.append(die)
        state = state.apply(Roll(tuple(thrown)), tuple(map(int, rolls)))
    return state


def headline(state: State) -> str:
    return state.report(NAMES).headline


def test_421_from_the_first_die_to_the_tab() -> None:
    state = Bar421.start(3, None)
    state = told(state, "Ann rolls 6\nBen rolls 3\nCleo rolls 6\nAnn rolls 5\nCleo rolls 2")

    state = told(state, "Ann rolls 111\nBen rolls 456\nCleo rolls 112")
    assert headline(state) == "Cleo takes 7 tokens from the pot", "the sheet's example of the charge"
    state = told(state.next_round(), "Cleo rolls 653\nAnn rolls 421\nBen rolls 225")
    assert state.report(NAMES).hand == "Ann's hand: 421, worth 10"
    state = told(state.next_round(), "Cleo rolls 664\nAnn rolls 631\nBen rolls 555")
    assert (state.next_round().tokens, state.next_round().out) == ((4, 0, 17), (1,))

    state = state.next_round()
    assert (state.order, state.clockwise) == ((0, 2), True)
    keeps_the_five = told(state, "Ann rolls 245\nAnn keeps 5, rolls 54\nAnn stands")
    assert keeps_the_five.standing(0).detail == "5 4 5 = Two alike, 4", "the sheet's 554"
    keeps_two = told(state, "Ann rolls 245\nAnn keeps 45, rolls 3\nAnn stands")
    assert keeps_two.standing(0).detail == "3 4 5 = Sequence, 2", "and its 345"

    state = told(keeps_two, "Cleo rolls 652\nCleo keeps 6, rolls 65\nCleo keeps 66, rolls 4")
    assert headline(state) == "Ann takes 4 tokens from Cleo"
    state = told(state.next_round(), "Ann rolls 441\nAnn stands\nCleo rolls 112\nCleo keeps 12, rolls 4\nCleo stands")
    assert headline(state) == "Ann takes 10 tokens from Cleo"
    state = told(state.next_round(), "Ann rolls 112\nAnn keeps 12, rolls 1\nAnn rolls 643\nCleo rolls 333\nCleo stands")
    assert headline(state) == "Ann picks up the tab"
    assert state.report(NAMES).hand == "Cleo's hand: Barracks, worth 3"
    assert state.outcome is not None
    assert state.outcome.places == ((1,), (2,), (0,))


def test_four_twenty_one_from_the_first_die_to_an_extra_round() -> None:
    state = TenRounds.start(2, None)
    state = told(state, "Ann rolls 2\nBen rolls 5")

    state = told(state, "Ben rolls 654\nBen stands\nAnn rolls 421")
    assert state.scored == (3, 0), "as often as the first player did: once; and 4-2-1 at once gets two more"
    state = told(
        state.next_round(), "Ann rolls 652\nAnn keeps 6, rolls 61\nAnn stands\nBen rolls 113\nBen keeps 11, rolls 1"
    )
    assert state.report(NAMES).hand == "Ben's hand: Triple 1", "any triple beats any double"
    state = told(state.next_round(), "Ben rolls 665\nBen stands\nAnn rolls 566\nBen rolls 431\nAnn rolls 321")
    assert state.next_round().points[:2] == (3, 2), "the tied rolled three dice once more, and Ben was best"
    for winner in ("Ann", "Ben", "Ann", "Ben", "Ben", "Ann", "Ben"):
        state = state.next_round()
        for name in (NAMES[seat] for seat in state.order):
            state = told(state, f"{name} rolls {'666' if name == winner else '664'}")
            state = told(state, f"{name} stands") if state.turns == 0 else state
    assert (state.next_round().points, state.next_round().remaining) == ((6, 6), (0, 1))

    state = state.next_round()
    assert state.caption() == "Extra round 1 · roll 1 of 3"
    state = told(state, "Ben rolls 654\nBen rolls 554\nBen stands\nAnn rolls 221\nAnn keeps 21, rolls 4")
    assert headline(state) == "Ann wins, 7 to 6", "and for 4-2-1 on the second roll there is no bonus"
    assert [state.standing(seat).tally.split("  ")[1] for seat in (0, 1)] == ["7 points", "6 points"]
