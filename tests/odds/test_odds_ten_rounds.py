"""The odds of Four Twenty-One: the point exact for any table, the match exact for two and three."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import ladder_ten_rounds as rules
import point_table
import pytest
import reference_ten_rounds
from match_table import solve_round
from msgspec.structs import replace
from plain_input import input_lines

from fourtwenty.cli.text_table import TextTable
from fourtwenty.games.game import Faces, Roll, Stand
from fourtwenty.games.ten_rounds import TenRounds, rank
from fourtwenty.odds import stopping, ten_rounds_match
from fourtwenty.odds.solver import Objective
from fourtwenty.odds.stopping import HANDS, hand_index, turn
from fourtwenty.odds.ten_rounds_match import (
    MatchPosition,
    match_plan,
    match_value,
    match_values,
    match_values_after,
    positions,
)
from fourtwenty.odds.ten_rounds_point import STRENGTH, point, point_plan, solve_plan
from fourtwenty.odds.ten_rounds_solver import (
    best,
    choices,
    is_estimated,
    objective,
    others_matter,
    secondary_values,
    values,
    values_after,
)
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match
from fourtwenty.play.simulation import play_matches

ALL = Roll((1, 2, 3))
THROWS: list[Faces] = list(product(range(1, 7), repeat=3))
SEED = bytes(31) + b"\x2a"


def table(seats: int, *hands: Faces, sheet: tuple[tuple[int, ...], ...] = ()) -> TenRounds:
    """A round that seat 0 starts; the first seats stand with their first rolls."""
    state = replace(TenRounds.start(seats, 0), sheet=sheet)
    for place, hand in enumerate(hands):
        state = state.apply(ALL, hand)
        if state.to_act == place:
            state = state.apply(Stand(), ())
    return state


def test_one_roll_each_by_counting() -> None:
    """The first stands with its first roll: what is left is one roll for everybody."""
    held = rank((6, 4, 2))
    better = Fraction(sum(rank(throw) > held for throw in THROWS), 216)
    level = Fraction(sum(rank(throw) == held for throw in THROWS), 216)
    assert point(hand_index((6, 4, 2)), 1, 1, 1) == pytest.approx((1 - better - level / 2, better + level / 2))
    pairs = [(rank(one), rank(other)) for one in HANDS for other in HANDS]
    weights = [THROWS_OF[one] * THROWS_OF[other] for one in HANDS for other in HANDS]
    holds = sum(
        Fraction(weight, 216**2) / (1 + (one == held) + (other == held))
        for (one, other), weight in zip(pairs, weights, strict=True)
        if max(one, other) <= held
    )
    assert point(hand_index((6, 4, 2)), 1, 2, 1)[0] == pytest.approx(float(holds))


THROWS_OF = {hand: sum(tuple(sorted(throw)) == hand for throw in THROWS) for hand in HANDS}


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_somebody_gets_the_point(players: int, rolls: int) -> None:
    for hand in (hand_index((1, 2, 3)), hand_index((5, 5, 2)), hand_index((4, 2, 1))):
        for holders in range(1, players):
            mine, *others = point(hand, holders, players - holders, rolls)
            assert holders * mine + sum(others) == pytest.approx(1)
            if rolls > 1:
                assert mine < point(hand, holders, players - holders, rolls - 1)[0]


def test_the_shipped_table_is_what_its_script_computes() -> None:
    for hand in (hand_index((4, 3, 1)), hand_index((6, 4, 4)), hand_index((4, 2, 1))):
        for holders, to_come, rolls in product((1, 10), (1, 2), (1, 2, 3)):
            exact = point_table.exact_point(hand, holders, to_come, rolls)
            assert point(hand, holders, to_come, rolls) == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize(
    "state",
    [
        table(2).apply(ALL, (4, 2, 6)),
        table(2).apply(ALL, (4, 2, 1)),
        table(2, sheet=((1, 0),) * 8 + ((0, 3),)).apply(ALL, (5, 2, 6)),
        table(3).apply(ALL, (5, 2, 6)).apply(Roll((2,)), (4,)),
        table(3, sheet=((0, 1, 0), (3, 0, 0)) * 4).apply(ALL, (5, 2, 6)).apply(Roll((2,)), (4,)),
        table(3, sheet=((0, 1, 0), (3, 0, 0)) * 4).apply(ALL, (5, 2, 6)).apply(Roll((2,)), (4,)).apply(Stand(), ()),
        table(3, sheet=((1, 0, 0), (1, 0, 2)) * 4)
        .apply(ALL, (5, 2, 6))
        .apply(Roll((2,)), (4,))
        .apply(Roll((1,)), (4,)),
        table(3).apply(ALL, (5, 2, 6)).apply(Roll((2,)), (4,)).apply(Roll((1,)), (4,)).apply(ALL, (3, 2, 1)),
        table(4, (6, 6, 2)),
        table(12, (6, 6, 2)).apply(ALL, (6, 6, 2)),
    ],
)
def test_luck_is_nothing_on_average(state: TenRounds) -> None:
    assert state.to_act is not None
    for choice in choices(state):
        meant = values_after(state, choice.action)[state.to_act]
        assert meant == pytest.approx(choice.value, abs=1e-12)
        throws = list(product(range(1, 7), repeat=len(choice.action.dice))) if isinstance(choice.action, Roll) else [()]
        after = [values(state.apply(choice.action, faces))[state.to_act] for faces in throws]
        assert sum(after) / len(after) == pytest.approx(meant, abs=1e-12 if state.seats <= 3 else 1e-7)
    assert values(state)[state.to_act] == pytest.approx(choices(state)[0].value, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4, 13])
def test_chances_add_up_to_the_end_of_a_match(players: int) -> None:
    state = TenRounds.start(players, None)
    for face in (6, *(min(seat, 5) for seat in range(1, players))):
        assert sum(values(state)) == pytest.approx(1)
        state = state.apply(Roll((1,)), (face,))
    throws = iter([(6, 5, 3), (6, 5, 2), (1, 1, 2), (4, 2, 1), (3, 3, 3), (6, 4, 4), (5, 4, 4)] * 60)
    while not state.outcome:
        assert sum(values(state)) == pytest.approx(1)
        if state.to_act is None:
            gained = [points + scored for points, scored in zip(state.points, state.scored, strict=True)]
            assert secondary_values(state).figures == pytest.approx(gained)
            state = state.next_round()
        else:
            action = state.actions[0] if len(state.actions) == 1 else choices(state)[0].action
            faces = next(throws)[: len(action.dice)] if isinstance(action, Roll) else ()
            state = state.apply(action, faces)
    if players == 2:
        assert max(values(state)) == 1


def test_the_match_of_two() -> None:
    assert match_value(0, 10) > 0.5, "who starts is a little ahead"
    assert match_value(0, 1) > match_value(0, 10), "and in an extra round more so"
    leads = [match_value(lead, 4) for lead in range(-12, 13, 2)]
    assert leads == sorted(leads)
    assert leads[0] < 1e-4
    assert leads[-1] > 1 - 1e-4
    assert (match_value(7, 2), match_value(-7, 2)) == (1, 0)


def test_a_lead_is_never_a_disadvantage() -> None:
    """docs/paper/solution.md, "The match of two": hence the second seat plays for the point."""
    for left in range(1, 11):
        chances = [match_value(lead, left) for lead in range(-31, 32)]
        assert chances == sorted(chances)


def test_the_last_round_of_three_by_a_second_computation() -> None:
    """All rounds are compared by docs/paper/solution.py --check match-three."""
    for gaps, expected in reference_ten_rounds.solved(1)[1].items():
        assert match_values([-gap for gap in gaps], 1) == pytest.approx(tuple(expected), abs=1e-13)


@pytest.mark.parametrize("position", [(1, (0, 0, 0)), (1, (2, 0, 4)), (3, (0, 1, 3)), (7, (9, 0, 4)), (10, (0, 0, 0))])
def test_the_shipped_values_are_those_of_a_round(position: tuple[int, tuple[int, ...]]) -> None:
    rounds_left, gaps = position
    shipped = {other: match_values([-gap for gap in other[1]], other[0]) for other in positions()}
    found, _ = solve_round(gaps, rounds_left, shipped)
    assert found == pytest.approx(shipped[rounds_left, gaps], abs=1e-13)


def test_a_point_is_never_a_disadvantage_to_one_of_three() -> None:
    """docs/paper/solution.md, "The match of three": hence the last seat of a round plays for the point."""
    for rounds_left, gaps in positions():
        for bonus in product((0, 2), repeat=3):
            points = [more - gap for more, gap in zip(bonus, gaps, strict=True)]
            after = [
                match_values_after([each + (seat == winner) for seat, each in enumerate(points)], rounds_left - 1)
                for winner in range(3)
            ]
            for seat in range(3):
                assert after[seat][seat] >= max(values[seat] for values in after)


@pytest.mark.parametrize("gaps", [(0, 0, 0), (4, 0, 1), (0, 7, 7), (2, 0, 10)])
def test_with_4_2_1_at_once_it_is_best_to_stand(gaps: tuple[int, ...]) -> None:
    top = hand_index((4, 2, 1))
    others = [MatchPosition(gaps, 3, (True, True), lying, 3) for lying in (top, hand_index((6, 6, 2)))]
    for position in (MatchPosition(gaps, 3, (True,)), *others):
        assert [keeps[top] for keeps in match_plan(position).turn.best] == [None] * 3


def test_a_third_seat_without_a_chance_still_matters() -> None:
    """It takes points from the others, so their chances are not those of a match of two."""
    ahead, other, out = match_values((0, 0, -13), 4)
    assert out == 0
    assert ahead + other == pytest.approx(1)
    assert match_value(0, 4) - ahead > 0.005


def test_an_extra_round_between_two_is_a_match_of_two() -> None:
    sheet = ((0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0)) * 2
    state = table(3, sheet=sheet)
    assert values(state)[1] == pytest.approx(match_value(0, 1))
    assert values(state)[0] == 0


@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_once_a_third_player_has_left_it_is_a_match_of_two(leaver: int) -> None:
    state = table(3, (6, 4, 4), sheet=((1, 0, 0), (0, 3, 0))).without(leaver)
    assert values(state)[leaver] == 0
    assert sum(values(state)) == 1
    assert secondary_values(state).figures[leaver] == state.points[leaver]
    for faces in [(5, 4, 1), (6, 6, 1)]:
        if state.to_act is not None:
            state = state.apply(ALL, faces)
            state = state.apply(Stand(), ()) if state.rolls else state
    one, other = state.next_round().order
    lead = state.next_round().points[one] - state.next_round().points[other]
    assert values(state)[one] == pytest.approx(match_value(lead, 7))


def test_once_a_fourth_player_has_left_the_others_play_for_the_match() -> None:
    state = table(4, sheet=((1, 0, 0, 0), (0, 3, 0, 0)))
    assert objective(state).name == "point"
    state = state.without(3)
    assert objective(state).name == "match"
    assert values(state) == pytest.approx((*match_values((1, 3, 0), 8), 0), abs=1e-12)


def test_only_what_matters_is_remembered() -> None:
    behind = ((0, 1, 0, 0), (0, 3, 0, 0), (0, 1, 2, 0)), ((0, 1, 0, 0),)
    one, other = (table(4, (6, 4, 4), sheet=sheet).apply(Roll((1, 2, 3)), (6, 2, 1)) for sheet in behind)
    assert choices(one) == choices(other)
    for seats, *sheets in (
        (2, ((1, 0), (0, 1), (0, 3)), ((0, 3), (0, 1), (1, 0))),
        (3, ((1, 0, 0), (0, 1, 0), (0, 3, 0)), ((0, 3, 0), (0, 1, 0), (1, 0, 0))),
        (3, ((0, 3, 0),) * 8, ((0, 3, 0),) * 7 + ((0, 3, 2),)),
    ):
        one, other = (table(seats, sheet=sheet).apply(ALL, (6, 2, 1)) for sheet in sheets)
        assert choices(one) is choices(other)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_best_action_is_that_of_the_first_choice(players: int) -> None:
    state, chance = TenRounds.start(players, 0), Random(players)
    while not state.outcome:
        if state.to_act is None:
            state = state.next_round()
            continue
        assert best(state) == choices(state)[0].action
        action = chance.choice(state.actions)
        thrown = len(action.dice) if isinstance(action, Roll) else 0
        state = state.apply(action, tuple(chance.choices(range(1, 7), k=thrown)))


def test_from_four_players_up_the_goal_says_that_the_score_is_left_out() -> None:
    assert objective(table(2)) == objective(table(3)) == Objective("match", "chance to win the game")
    assert objective(table(4)) == Objective(
        "point", "chance to win the point", "From four players up, advice is for the point, whatever the score."
    )
    lineup = Lineup(parse_players("Ann,Ben,Cas,Dee"), starting_seat=0, game="ten-rounds")
    lines: list[str] = []
    asyncio.run(
        TextTable(Match(lineup, ScriptedDice([(6, 4, 2)])), input_lines(["", "odds", "q"]), lines.append).play()
    )
    assert objective(table(4)).note in lines


def test_best_play_for_the_point_costs_nothing_there() -> None:
    best, one_line = rules.for_the_point().best, rules.LADDER["one line"]
    assert rules.point_price(best, rules.BEST) == pytest.approx((0, 0), abs=1e-15)
    assert all(0 < price < 0.001 for price in rules.match_price(best, rules.BEST)), "the lead is left out"
    starting, second = rules.point_price(best, rules.beaten_by(one_line))
    assert abs(starting) < 1e-15 < second, "only its replies lose"


def test_a_decided_match_is_played_for_the_point() -> None:
    state = table(2, sheet=((1, 0),) * 9).apply(ALL, (6, 5, 4))
    best = choices(state)[0]
    assert best.value == 1
    assert best.chances == max(choice.chances for choice in choices(state))


def test_the_lead_matters_when_only_a_bonus_can_turn_the_match() -> None:
    """docs/paper/solution.md, "Four Twenty-One": three ahead in the last round, 4-2-1 guards against 4-2-1."""
    stays = {
        lead: {
            hand: tuple(sorted(choices(position.apply(ALL, hand))[0].kept))
            for hand in ((1, 3, 4), (1, 4, 5), (1, 2, 5))
        }
        for lead, position in ((0, table(2)), (3, table(2, sheet=((1, 0),) * 6 + ((0, 1),) * 3)))
    }
    assert stays[0] != stays[3]


def test_others_matter_once_their_hands_lie_there() -> None:
    assert not others_matter(table(3).apply(ALL, (6, 4, 2)))
    assert others_matter(table(3, (6, 6, 2)).apply(Roll((1, 2, 3)), (5, 4, 1))) is False, "one roll each: no choice"
    first = table(3).apply(ALL, (6, 4, 2)).apply(Roll((2, 3)), (6, 3)).apply(Stand(), ())
    assert others_matter(first.apply(ALL, (5, 4, 1)))


def test_to_stand_where_a_roll_gains_next_to_nothing_hardly_changes_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/paper/solution.md: less than 1e-11; the most is 6.5e-12, at a lead of 18 with 6 rounds left."""

    def values_of_leads() -> dict[tuple[int, int], float]:
        for remembered in (
            ten_rounds_match.match_value,
            ten_rounds_match._starting_payoff,
            ten_rounds_match.beaten,
            point_plan,
        ):
            remembered.cache_clear()
        return {(lead, left): match_value(lead, left) for lead in range(-30, 31) for left in (1, 2, 4, 6, 10)}

    with monkeypatch.context() as changed:
        changed.setattr(stopping, "INDIFFERENT", 0.0)
        exact = values_of_leads()
    shown = values_of_leads()
    assert shown != exact
    assert shown == pytest.approx(exact, abs=1e-11, rel=0)


def test_rounding_does_not_decide_between_equal_choices() -> None:
    """Otherwise the last bits would decide the values of the others: here nothing but a triple or 4-2-1 counts."""
    payoffs = [float(strength >= STRENGTH[hand_index((1, 1, 1))]) for strength in STRENGTH]
    for seed in range(20):
        chance = Random(seed)
        rounded = [payoff + 1e-15 * chance.random() for payoff in payoffs]
        assert turn([rounded] * 3).best == turn([payoffs] * 3).best


def large(seats: int) -> TenRounds:
    """A round in which two seats of a large table hold the best hand, and the fourth has rolled once."""
    state = table(seats).apply(ALL, (6, 6, 5)).apply(Roll((3,)), (1,)).apply(Stand(), ())
    for hand in ((6, 6, 1), (5, 4, 3)):
        state = state.apply(ALL, hand).apply(Stand(), ())
    return state.apply(ALL, (6, 6, 3))


@pytest.mark.parametrize("seats", [14, 40, 200])
def test_more_than_twelve_play_as_twelve_and_their_chances_are_estimates(seats: int) -> None:
    """At twelve as at any larger table: two hold the best hand, and nine are to come."""
    twelve, more = point_plan(hand_index((6, 6, 1)), 2, 9, 2), large(seats)
    for choice in choices(more):
        assert choice.value == twelve.turn.choosing(tuple(sorted(choice.kept)), 1)
        assert values_after(more, choice.action)[3] == pytest.approx(choice.value)
    holding, mine, *others = twelve.holding((3, 6, 6), 1)
    chances = values(more)
    assert chances[:4] == pytest.approx((holding, holding, 0, mine))
    assert chances[4:] == pytest.approx([sum(others) / (seats - 4)] * (seats - 4)), "all to come share alike"
    assert sum(chances) == pytest.approx(1)
    assert [is_estimated(table(each)) for each in (2, 12, seats)] == [False, False, True]
    assert not is_estimated(large(13).without(12)), "once twelve are left they are exact"


@pytest.mark.parametrize("players", [2, 3])
def test_perfect_play_wins_as_often_as_computed(players: int) -> None:
    lineup = Lineup(parse_players(",".join(["bot:Perfect"] * players)), starting_seat=0, game="ten-rounds")
    wins = sum(outcome.places[0] == (0,) for outcome in play_matches(lineup, 40, SEED))
    assert abs(wins / 40 - match_values((0,) * players, 10)[0]) < 4 * sqrt(0.25 / 40)


def test_a_row_that_two_threads_ask_for_at_once_is_whole_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    follow = stopping.follow
    plan, other = (solve_plan(3, 1, 2, [3] * 3, point) for _ in range(2))
    rows = []

    def meanwhile(*arguments: Any) -> Any:
        monkeypatch.setattr(stopping, "follow", follow)
        rows.append(plan.before())
        return follow(*arguments)

    monkeypatch.setattr(stopping, "follow", meanwhile)
    rows.append(plan.before())
    assert rows == [other.before()] * 2
    assert len(rows[0]) == 4
