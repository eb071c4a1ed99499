"""Positions that are alike: they ask for the same choice; and the words for the situation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest
from long_tests import RULES_AND_ODDS
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty, parse_hand
from fourtwenty.games.game import Faces, Roll, State
from fourtwenty.odds import SOLUTIONS, four_twenty_solver, solver_for

EQUAL = 1e-9
"""Values that differ by no more are equal."""


def best_keeps(state: State) -> frozenset[Faces]:
    """Return the dice that are best to keep, ascending; several choices may be equally good."""
    choices = solver_for(state).choices(state)
    best = [each.kept for each in choices if choices[0].value - each.value <= EQUAL]
    return frozenset(tuple(sorted(kept)) for kept in best)


def decisions(game: str, seats: int, matches: int) -> Iterator[State]:
    """Yield the positions of matches that are played by chance, where the choice matters."""
    chance = Random(f"{game} {seats}")
    for _ in range(matches):
        state = GAMES[game].start(seats, 0)
        while not state.outcome:
            if state.to_act is None:
                state = state.next_round()
                continue
            choices = solver_for(state).choices(state)
            if choices[0].value - choices[-1].value > EQUAL:
                yield state
            action = chance.choice(state.actions)
            dice = len(action.dice) if isinstance(action, Roll) else 0
            state = state.apply(action, tuple(chance.choices(range(1, 7), k=dice)))


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.long(*RULES_AND_ODDS)
def test_positions_that_are_alike_have_the_same_best_dice_to_keep(game: str, seats: int) -> None:
    kept: dict[str, set[frozenset[Faces]]] = defaultdict(set)
    for state in decisions(game, seats, 5):
        turned = replace(cast(FourTwenty, state), hands=tuple(hand[::-1] for hand in cast(FourTwenty, state).hands))
        assert solver_for(turned).choice_key(turned) == solver_for(state).choice_key(state), "dice lie in any order"
        for each in (state, turned):
            kept[solver_for(each).choice_key(each)].add(best_keeps(each))
    assert kept
    assert all(len(best) == 1 for best in kept.values())


def test_every_game_has_a_version_of_its_solution() -> None:
    assert set(SOLUTIONS) == set(GAMES)


def test_at_a_calm_table_of_420_the_own_class_is_all_that_matters() -> None:
    def alike(*hands: str) -> str:
        return four_twenty_solver.choice_key(FourTwenty.from_hands([parse_hand(hand) for hand in hands]))

    assert alike("6621", "4332") == alike("1266", "-", "6666") == alike("6611", "1111") == "1166"
    assert alike("6651", "4332") != alike("6641", "4332")
    assert alike("6651", "4332", "-", "6643") == "1566 - - 3466", "a hand that may hurry looks at all"
    assert alike("6643", "4332", "-", "6643") == "3466"


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("420", "6554 *4332 roll 2"),
        ("421", "*421s:3 665w:18 round 9 roll 1"),
        ("ten-rounds", "*653+1 643 roll 1 of 1"),
    ],
)
def test_nobody_chooses_once_the_round_is_over(game: str, position: str) -> None:
    state = GAMES[game].parse(position)
    odds = solver_for(state)
    assert odds.choices(state) == ()
    assert not odds.others_matter(state)
    for ask in (odds.best, odds.choice_key, odds.situation, lambda state: odds.values_after(state, Roll((1,)))):
        with pytest.raises(ValueError, match=r"^The round is over: no seat is to act\.$"):
            ask(state)


def test_situations_in_words() -> None:
    def situation(game: str, position: str) -> str:
        state = GAMES[game].parse(position)
        return solver_for(state).situation(state)

    assert situation("420", "*>6651 4332 roll 2") == ""
    assert situation("420", "*>6651 4332 4332 4332 roll 2") == "4 or more play"
    assert situation("421", "-:7 *>361:14 round 6 roll 2") == "first, 2 rolls left"
    assert situation("ten-rounds", "*644:100000 >164:011111 roll 2 of 3") == "in reply, 2 rolls left"
