"""The odds of 420 against slower ways to the same numbers; the numbers themselves are in docs/paper/solution.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement, product
from random import Random

import pytest
import reference_round
import reference_solver
from hypothesis import given, strategies as st
from long_tests import RULES_AND_ODDS, mostly_long
from solution import PAGE

from fourtwenty.games.four_twenty import FourTwenty, parse_hand
from fourtwenty.games.game import Faces, Roll
from fourtwenty.odds import four_twenty_solver
from fourtwenty.odds.four_twenty_solver import initial_values, solve

HANDS = [hand for hand in combinations_with_replacement(range(1, 7), 4) if sum(hand) != 20]


def table(*hands: str) -> FourTwenty:
    return FourTwenty.from_hands([parse_hand(hand) for hand in hands])


def test_the_rules_allow_297_stays_in_all() -> None:
    solution = solve()
    under = [hand for hand in HANDS if sum(hand) < 20]
    thrown = Counter(4 - len(stay) for hand in under for stay in solution.allowed[solution.classes[hand]])
    over = sum(solution.allowed[solution.classes[hand]] == ((),) for hand in HANDS if sum(hand) > 20)
    assert thrown + Counter({4: over}) == {4: 121, 3: 94, 2: 61, 1: 21}


def test_hands_of_one_class_have_the_same_future_and_others_do_not() -> None:
    solution = solve()
    assert len(solution.allowed) == 15
    futures = [frozenset(stays) for stays in solution.allowed]
    assert len(set(futures)) == 15
    for hand in HANDS:
        played = FourTwenty.from_hands([hand, ()]).actions
        stays = {tuple(sorted(f for d, f in enumerate(hand, 1) if d not in roll.dice)) for roll in played}
        assert stays == futures[solution.classes[hand]]
    assert solution.classes[()] == solution.classes[(1, 2, 3, 4)] == solution.classes[(6, 6, 6, 6)]


@cache
def within(hand: Faces, turns: int) -> Fraction:
    """The chance of 20 within so many turns of best play, by every roll of the engine."""
    if sum(hand) == 20:
        return Fraction(1)
    if not turns:
        return Fraction(0)
    best = solve().best[solve().classes[hand]]
    state = FourTwenty.from_hands([hand, ()])
    roll = next(
        roll for roll in state.actions if tuple(sorted(f for d, f in enumerate(hand, 1) if d not in roll.dice)) == best
    )
    reached = [state.apply(roll, faces).hands[0] for faces in product(range(1, 7), repeat=len(roll.dice))]
    return sum((within(tuple(sorted(hand)), turns - 1) for hand in reached), Fraction(0)) / len(reached)


@pytest.mark.parametrize("hand", ["-", "1115", "6551", "6541", "6643", "6661", "6666", "5544"])
def test_curves_are_what_every_roll_of_the_engine_gives_in_three_turns(hand: str) -> None:
    faces = tuple(sorted(parse_hand(hand)))
    curve = solve().curves[solve().best[solve().classes[faces]]]
    for turns in (1, 2, 3):
        assert sum(curve.now[: turns + 1]) == pytest.approx(float(within(faces, turns)), abs=1e-15)
        assert curve.later[turns] == pytest.approx(float(1 - within(faces, turns)), abs=1e-15)


def test_a_race_of_two_is_every_roll_of_the_engine_in_two_laps() -> None:
    mine, theirs = (1, 5, 5, 6), (2, 3, 3, 4)
    won = within(mine, 1) + (1 - within(theirs, 1)) * (within(mine, 2) - within(mine, 1))
    curves = [solve().curves[solve().best[solve().classes[hand]]] for hand in (mine, theirs)]
    openings = four_twenty_solver._openings(curves)
    assert sum(curves[0].now[turn] * openings[turn] for turn in (1, 2)) == pytest.approx(float(won), abs=1e-15)


@mostly_long("players", [2, 3], [2], *RULES_AND_ODDS)
def test_a_second_programme_finds_the_same_chances_and_that_other_hands_never_matter(players: int) -> None:
    solution, second = solve(), reference_round.best_play(players)
    assert list(map(frozenset, solution.allowed)) == reference_round.MAY_KEEP
    for position in product(range(15), repeat=players):
        best = reference_round.SETS[second.choices[0][position]]
        assert best == solution.best[position[0]] == four_twenty_solver._best(position)
        stakes = {
            reference_round.SETS[kept]: second.stakes[0][kept, *position[1:], 0]
            for kept in reference_round.OPTIONS[position[0]]
        }
        assert {kept: four_twenty_solver._stake(position, kept) for kept in stakes} == pytest.approx(stakes, abs=1e-12)
        assert four_twenty_solver._wins(position, best) == pytest.approx(second.worth[0][position], abs=1e-12)


def test_the_chance_of_player_1_of_two_as_a_fraction() -> None:
    exactly = reference_solver.exact_start()
    assert len(str(exactly.denominator)) == 76
    assert float(exactly) == pytest.approx(initial_values(2).round[0], abs=1e-14)


@pytest.mark.parametrize("players", four_twenty_solver.CLEARED)
def test_the_race_at_a_cleared_table_is_near_the_full_programme(players: int) -> None:
    habit = four_twenty_solver._habit(players)
    race = four_twenty_solver._race([habit.curves[()]] * players)
    assert race == pytest.approx(four_twenty_solver.CLEARED[players], abs=6e-5)
    assert initial_values(players).round == four_twenty_solver.CLEARED[players]


def test_other_hands_matter_to_three_hands_only() -> None:
    for players in (2, 3):
        assert not any(
            four_twenty_solver.others_matter(FourTwenty.from_hands([hand, *[()] * (players - 1)])) for hand in HANDS
        )
    matter = [hand for hand in HANDS if four_twenty_solver.others_matter(FourTwenty.from_hands([hand, (), (), ()]))]
    assert matter == [(1, 5, 6, 6), (2, 5, 6, 6)]
    matter = [hand for hand in HANDS if four_twenty_solver.others_matter(FourTwenty.from_hands([hand, *[()] * 7]))]
    assert matter == [(1, 5, 6, 6), (1, 6, 6, 6), (2, 5, 6, 6)]
    assert four_twenty_solver.choices(table("6651", "4332", "4332", "4332"))[0].kept == (6, 6)
    assert four_twenty_solver.choices(table("6651", "6541", "6541", "6541"))[0].kept == (6, 6, 5)


def test_values_are_estimates_where_somebody_may_hurry_or_the_table_is_large() -> None:
    assert not four_twenty_solver.is_estimated(table("6651", "6661", "6652"))
    assert not four_twenty_solver.is_estimated(table("6651", "6661", "6652", "-"))
    assert not four_twenty_solver.is_estimated(table("6541", "6111", "6541", "6541", "-"))
    assert four_twenty_solver.is_estimated(table("6541", "6651", "6541", "6541", "-"))
    assert not four_twenty_solver.is_estimated(table(*["-"] * 7, "6541"))
    assert four_twenty_solver.is_estimated(table(*["-"] * 7, "6661"))
    assert four_twenty_solver.is_estimated(table(*["-"] * 9))


@pytest.mark.parametrize(
    ("hands", "kept", "wins"),
    [
        ("6651 6651 5511 6541", (6, 6), [0.300054, 0.263307, 0.193187, 0.243452]),
        ("6651 6541 6651 5511", (6, 6), [0.300066, 0.308963, 0.224947, 0.166023]),
        ("6651 6641 6641 6111", (6, 6, 5), [0.303754, 0.286326, 0.247128, 0.162791]),
        ("6651 6111 6641 6641", (6, 6, 5), [0.303759, 0.212212, 0.259896, 0.224133]),
        ("6541 6651 6651 6651", (6, 5, 4), [0.341992, 0.249522, 0.217813, 0.190673]),
        ("- 6651 6541 6652", (), [0.183146, 0.294398, 0.302249, 0.220207]),
    ],
)
def test_where_seats_may_hurry_the_fast_odds_are_near_the_full_programme(
    hands: str, kept: Faces, wins: list[float]
) -> None:
    """Values of ``docs/paper/solution.py four``. In the first four, the other of 66 and 665 loses 0.011 points."""
    state = table(*hands.split())
    assert four_twenty_solver.choices(state)[0].kept == kept
    assert four_twenty_solver.values(state) == pytest.approx(wins, abs=2e-4)


def test_the_authors_claims_about_6551() -> None:
    beside_an_ideal_hand = four_twenty_solver.choices(table("6551", "6541"))
    beside_a_poor_one = four_twenty_solver.choices(table("6551", "4332"))
    assert [choice.kept for choice in beside_an_ideal_hand] == [choice.kept for choice in beside_a_poor_one]
    assert beside_an_ideal_hand[0].kept == (6, 5, 5), "just the 1, as he says"
    assert beside_a_poor_one[0].kept == (6, 5, 5), "here he would roll the 6 and the 1"
    values = {choice.kept: choice.value for choice in beside_a_poor_one}
    assert 100 * (values[6, 5, 5] - values[5, 5]) == pytest.approx(2.46, abs=0.005)


positions = st.lists(st.sampled_from([(), *HANDS]), min_size=2, max_size=12).map(FourTwenty.from_hands)


@given(positions)
def test_chances_of_all_seats_sum_to_one(state: FourTwenty) -> None:
    assert sum(four_twenty_solver.values(state)) == pytest.approx(1, abs=1e-12)
    assert sum(four_twenty_solver.drinks(state)) == pytest.approx(1, abs=1e-12)


@given(positions)
def test_the_best_choice_is_worth_what_the_position_is(state: FourTwenty) -> None:
    best, *others = four_twenty_solver.choices(state)
    assert four_twenty_solver.values(state)[0] == pytest.approx(best.value, abs=1e-12)
    assert four_twenty_solver.values_after(state, best.action) == four_twenty_solver.values(state)
    assert four_twenty_solver.best(state) == best.action
    assert all(best.value >= other.value for other in others)
    for choice in (best, *others):
        assert four_twenty_solver.values_after(state, choice.action)[0] == pytest.approx(choice.value, abs=1e-12)
        assert state.check(choice.action) is None


def reached(state: FourTwenty, roll: Roll) -> Iterable[FourTwenty]:
    return (state.apply(roll, faces) for faces in product(range(1, 7), repeat=len(roll.dice)))


@pytest.mark.parametrize("hands", [("6551", "6541"), ("6642", "-", "5511"), ("6666", "6651", "4332")])
def test_a_choice_is_worth_what_its_throws_are_on_average(hands: tuple[str, ...]) -> None:
    state = table(*hands)
    for choice in four_twenty_solver.choices(state):
        assert isinstance(choice.action, Roll)
        after = [four_twenty_solver.values(position) for position in reached(state, choice.action)]
        means = [sum(column) / len(after) for column in zip(*after, strict=True)]
        assert four_twenty_solver.values_after(state, choice.action) == pytest.approx(means, abs=1e-12)
        pays = sum(four_twenty_solver.drinks(position)[0] for position in reached(state, choice.action)) / len(after)
        assert 0 < pays < 1


def test_the_drinks_are_paid_by_who_loses_the_rounds_to_come() -> None:
    two, three = initial_values(2).drinks, initial_values(3)
    # of Ann, Ben and Cleo, Ann Player 1: next Player 1 is Ben, or Cleo when Ben is out
    ann = three.round[1] * two[1] + three.round[2] * two[1]
    ben = three.round[0] * two[0] + three.round[2] * two[0]
    cleo = three.round[0] * two[1] + three.round[1] * two[0]
    assert three.drinks == pytest.approx((ann, ben, cleo), abs=1e-15)
    state = FourTwenty.start(3, starting_seat=0)
    state = state.apply(Roll((1, 2, 3, 4)), (6, 5, 5, 4))
    assert four_twenty_solver.drinks(state) == pytest.approx((0, *two), abs=1e-15)


@pytest.mark.parametrize("players", four_twenty_solver.BUYING)
def test_play_for_the_round_hardly_changes_who_buys_the_drinks(players: int) -> None:
    exactly = four_twenty_solver.BUYING[players]
    assert sum(exactly) == pytest.approx(1, abs=1e-15)
    assert initial_values(players).drinks == exactly
    assert four_twenty_solver.drinks(FourTwenty.start(players, 0)) == pytest.approx(exactly, abs=1e-7)
    page = PAGE.read_text("utf-8")
    block = re.search(rf"^{players} players who play not to buy .*\n.*in %: (.*)", page, re.MULTILINE)
    assert block
    assert [float(chance) / 100 for chance in block[1].split()] == pytest.approx(exactly, abs=1e-10)


def test_seats_that_are_out_and_positions_in_mid_lap() -> None:
    state = FourTwenty(hands=((), (6, 5, 5, 1), (), (4, 3, 3, 2)), out=(0, 2), starting_seat=1, rolls=3)
    assert state.to_act == 3
    wins = four_twenty_solver.values(state)
    assert wins[0] == wins[2] == 0
    assert wins[3] == four_twenty_solver.values(table("4332", "6551"))[0]
    assert four_twenty_solver.drinks(state) == pytest.approx((0, wins[3], 0, wins[1]), abs=1e-15)


def test_chances_do_not_depend_on_what_was_asked_before() -> None:
    chance = Random(420)
    states = [FourTwenty.from_hands(chance.choices(HANDS, k=players)) for players in (2, 5, 12) for _ in range(20)]
    before = [four_twenty_solver.values(state) for state in states]
    for remembered in (four_twenty_solver._stake, four_twenty_solver._wins, four_twenty_solver._best):
        remembered.cache_clear()
    assert [four_twenty_solver.values(state) for state in reversed(states)] == before[::-1]


def test_the_rules_page_tells_best_play() -> None:
    page = files("fourtwenty.games").joinpath("420.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]*) \| ([\d.]+)% \| ([\d.]+) \|$", page, re.MULTILINE)
    listed = [
        (tuple(sorted(map(int, re.findall(r"\d", stay)))), chance, rolls)
        for stays, chance, rolls in rows
        for stay in re.split(", | or ", stays)
    ]
    solution = solve()
    worth = {stay: solution.rolls[number] for number, stay in enumerate(solution.best)}
    assert {stay for stay, _, _ in listed} == set(worth)
    for stay, chance, rolls in listed:
        assert chance == f"{100 * solution.throws[stay].twenty:.1f}"
        assert rolls == f"{worth[stay]:.2f}"
    for hand, number in solution.classes.items():
        first = next(stay for stay, _, _ in listed if stay in solution.allowed[number])
        assert worth[first] == worth[solution.best[number]], f"the first listed is best for {hand}"
