"""The odds of 421: exact where that is claimed, held against the engine and against each other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import sqrt
from statistics import mean

import pytest
from hypothesis import given, settings, strategies as st
from ladder_421 import LADDER, safe_with, safe_with_best_play
from long_tests import RULES_AND_ODDS, mostly_long
from msgspec.structs import replace
from reference_solver import improve_safe

from fourtwenty.games.bar_421 import TOKENS, Bar421, rank
from fourtwenty.games.game import Faces, Roll, Stand
from fourtwenty.odds.bar_421_first import STEPS
from fourtwenty.odds.bar_421_match import charges, estimate, safe_of_two, splits, token_values
from fourtwenty.odds.bar_421_round import BY_STRENGTH, STRENGTH, STRENGTH_OF, RoundTable, _rows, plan
from fourtwenty.odds.bar_421_solver import (
    choices,
    is_estimated,
    objective,
    others_matter,
    placement_odds,
    secondary_values,
    values,
    values_after,
)
from fourtwenty.odds.stopping import FIRST, HANDS, KEEPS, THROWN, dot, follow, options, turn
from fourtwenty.play.format import percent
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.simulation import play_matches

ALL = Roll((1, 2, 3))
THROWS: list[Faces] = list(product(range(1, 7), repeat=3))
SEED = bytes(31) + b"\x2a"


def discharge(*tokens: int, hands: tuple[Faces, ...] = ()) -> Bar421:
    """A round of the discharge: seat 0 starts, the first seats stand with their first rolls."""
    state = replace(Bar421.start(len(tokens), 0), tokens=tokens, pot=0)
    for hand in hands:
        state = state.apply(ALL, hand).apply(Stand(), ())
    return state


def test_all_hands_and_all_ways_to_let_dice_stay() -> None:
    assert len(HANDS) == 56
    assert len(KEEPS) == 28
    assert [sum(chances.values()) for chances in THROWN.values()] == pytest.approx([1] * 28)
    cases = Counter(tuple(sorted(throw)) for throw in THROWS)
    assert list(FIRST) == [cases[hand] / 216 for hand in HANDS]
    assert len(options((6, 5, 1))) == 8
    assert [option.kept_sorted for option in options((5, 5, 5))] == [(5, 5, 5), (5, 5), (5,), ()]


@pytest.mark.parametrize("total", [2, 3, 9, 17, TOKENS])
def test_what_two_players_are_worth_is_the_fixed_point(total: int) -> None:
    """docs/paper/solution.md, "421": found by value iteration; another step changes nothing."""
    safe = safe_of_two(total)
    assert len(safe) == total
    assert improve_safe(safe) == pytest.approx(safe, abs=1e-14)
    off = [0.0, *(share + 0.1 for share in safe[1:])]
    assert max(map(abs, (new - old for new, old in zip(improve_safe(off), safe, strict=True)))) < 0.1, (
        "it is drawn back"
    )


def test_the_fewer_of_21_tokens_the_better() -> None:
    assert sorted(safe_of_two(TOKENS)[1:], reverse=True) == [*safe_of_two(TOKENS)[1:]]


@mostly_long(
    ("mine", "theirs"), [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1)], [(1, 1), (2, 1), (1, 3)], *RULES_AND_ODDS
)
def test_two_players_with_few_tokens_as_every_pair_of_hands_ends_by_the_rules(mine: int, theirs: int) -> None:
    """The rules end the round for each pair of hands; each seat then tries every set of dice at every roll."""
    start, later = Bar421.read(f"*>-:{mine} -:{theirs} L1 round 9 roll 1"), safe_of_two(mine + theirs)

    def not_paid(first: Faces, second: Faces) -> float:
        """The probability that the starting seat does not pay, once both stand with these hands."""
        end = start
        for hand in (first, second):
            end = end.apply(ALL, hand).apply(Stand(), ())
        throws = ((4, 2, 1), (1, 1, 2))
        tied = (end.apply(ALL, one).apply(ALL, other) for one, other in permutations(throws))
        return mean(map(value, tied if end.roll_off else [end]))

    def value(end: Bar421) -> float:
        if end.outcome:
            return float(end.outcome.place(0) == 1)
        after = end.next_round()
        begins = later[after.tokens[after.starting_seat or 0]]
        return begins if after.starting_seat == 0 else 1 - begins

    def best_turn(paid: dict[Faces, float]) -> float:
        """The value of a turn of three rolls at best; ``paid[hand]`` is what the seat gets for its last hand."""
        best = paid
        for _ in range(2):
            rolled = {
                kept: mean(best[tuple(sorted((*kept, *throw)))] for throw in product(range(1, 7), repeat=3 - len(kept)))
                for kept in KEEPS
            }
            best = {
                hand: max(paid[hand], *(rolled[kept] for size in range(3) for kept in combinations(hand, size)))
                for hand in paid
            }
        return mean(best[tuple(sorted(throw))] for throw in THROWS)

    replies = {first: best_turn({second: 1 - not_paid(first, second) for second in HANDS}) for first in HANDS}
    starts = best_turn({first: 1 - reply for first, reply in replies.items()})
    assert values(start) == pytest.approx((starts, 1 - starts, 0), abs=1e-12)


@pytest.mark.parametrize(
    ("tokens", "solved"),
    [
        ((1, 1, 1), (0.6426, 0.6653, 0.6921)),
        ((1, 1, 4), (0.6543, 0.6787, 0.6670)),
        ((10, 1, 1), (0.4702, 0.7510, 0.7788)),
        ((2, 10, 8), (0.7761, 0.5837, 0.6402)),
    ],
)
def test_three_players_with_fewer_tokens_are_estimated(tokens: tuple[int, ...], solved: tuple[float, ...]) -> None:
    """Solved by docs/paper/solve_421.py with another number of tokens: the estimate is up to four points off."""
    assert token_values(tokens) == pytest.approx(estimate(tokens), abs=0)
    assert token_values(tokens) == pytest.approx(solved, abs=0.04)
    assert token_values(tokens) != pytest.approx(solved, abs=0.001)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_the_estimates_with_fewer_tokens_let_one_seat_pay(seats: int) -> None:
    for total in range(seats, TOKENS):
        tokens = (1,) * (seats - 1) + (total - seats + 1,)
        assert sum(token_values(tokens)) == pytest.approx(seats - 1, abs=1e-6)
        assert sum(token_values((0,) * (seats - 1) + (total - seats + 1,), seats - 1)) == pytest.approx(
            seats - 1, abs=1e-6
        )
        assert token_values((0,) * seats, total) == pytest.approx([1 - 1 / seats] * seats, abs=1e-6)


def test_two_are_exact_with_any_number_of_tokens_and_four_with_all() -> None:
    assert not is_estimated(Bar421.read("*>-:3 -:5 L1 round 9 roll 1"))
    assert not is_estimated(Bar421.read("*>-:3 -:5 x1 L1 round 9 roll 1"))
    assert not is_estimated(Bar421.read("*>-:3 -:5 L1 pot 6 round 3 roll 1"))
    assert not is_estimated(Bar421.read("*>-:3 -:5 -:13 L1 round 9 roll 1")), "who left had none"
    assert not is_estimated(Bar421.read("*>-:3 -:5 -:6 -:7 L1 round 9 roll 1"))
    assert is_estimated(Bar421.read("*>-:3 -:5 -:12 L1 round 9 roll 1"))
    assert is_estimated(Bar421.read("*>-:3 -:5 -:5 -:7 L1 round 9 roll 1"))
    assert is_estimated(Bar421.read("*>-:3 -:5 -:0 L1 pot 12 round 3 roll 1"))


def test_best_play_of_two_is_not_unique() -> None:
    """docs/paper/solution.md, "421": two choices are equal."""
    one_left = discharge(1, 20, hands=((1, 1, 6),)).apply(ALL, (6, 6, 5)).apply(ALL, (2, 3, 6))
    first, second, third, *_ = choices(one_left)
    assert {first.kept, second.kept} == {(2, 6), (3, 6)}
    assert first.value == pytest.approx(0.066673, abs=5e-7)
    assert second.value == pytest.approx(first.value, abs=1e-15)
    assert third.value < first.value - 0.01


@pytest.mark.parametrize("split", [(13, 1, 7), (6, 2, 9, 4)])
def test_another_step_of_best_replies_changes_nothing(split: tuple[int, ...]) -> None:
    """The rows of the starting seat, which the data has, are those of best replies to its hands."""
    stored, seats = _rows(RoundTable(split, ())), len(split)
    # The second seat of four faces so many hands of the others that three of the 56 are enough here.
    strengths = range(len(HANDS)) if seats == 3 else (STRENGTH_OF[hand] for hand in ((1, 1, 2), (6, 6, 4), (4, 2, 1)))
    for strength in strengths:
        row = plan(RoundTable(split, (strength,))).before()
        for column, step in enumerate(STEPS[seats]):
            turns = slice(column * seats, (column + 1) * seats)
            assert stored[strength][turns] == pytest.approx(row[turns], abs=seats * step / 2)
    assert plan(RoundTable(split, ())).before()[:seats] == pytest.approx(token_values(split), abs=1e-7)


def test_the_starting_seat_of_four_reads_chances_within_one_unit_of_their_last_digit() -> None:
    """Chances to be best and worst are kept in steps of 0.05 points, tokens in hundredths; values are not touched."""
    stored = _rows(RoundTable((6, 2, 9, 4), ()))
    for hand in ((6, 6, 4), (6, 5, 3), (6, 5, 4)):
        strength = STRENGTH_OF[hand]
        exact = plan(RoundTable((6, 2, 9, 4), (strength,))).before()
        (value, *chances, tokens), (exact_value, *exact_chances, exact_tokens) = stored[strength][::4], exact[::4]
        assert percent(value) == percent(exact_value)
        for chance, right in zip(chances, exact_chances, strict=True):
            assert float(percent(chance).rstrip("%")) == pytest.approx(100 * right, abs=0.1)
        assert float(f"{tokens:.1f}") == pytest.approx(exact_tokens, abs=0.06)


@pytest.mark.parametrize("seats", [3, 4])
def test_one_seat_pays_and_a_token_less_is_better_than_one_more(seats: int) -> None:
    for split in splits(seats):
        assert sum(token_values(split)) == pytest.approx(seats - 1, abs=1e-12)
        one, *others = split
        for taker in range(seats - 1) if one > 1 else ():
            more = [held + (other == taker) for other, held in enumerate(others)]
            assert token_values(split)[0] < token_values((one - 1, *more))[0]
    for *held, pot in charges(seats):
        assert sum(token_values(tuple(each - 1 for each in held), pot)) == pytest.approx(seats - 1, abs=1e-12)
    even = [1 - 1 / seats] * seats
    assert token_values((0,) * seats, TOKENS) == pytest.approx(even, abs=1e-12), "nobody chooses anything in the charge"


@pytest.mark.parametrize(
    ("split", "played"),
    [((1, 1, 1, 18), (0.854, 0.852, 0.871, 0.422)), ((6, 5, 5, 5), (0.712, 0.754, 0.766, 0.768))],
)
def test_four_players_as_another_program_played_them(split: tuple[int, ...], played: tuple[float, ...]) -> None:
    """2,000 matches each, of bots that replied to estimates: four standard errors, and what that costs."""
    assert token_values(split) == pytest.approx(played, abs=0.02)


def test_at_three_the_tokens_1_1_19_as_they_were_played() -> None:
    """1,500 matches of perfect bots of another program: 82.1, 84.2 and 33.7 % are safe, each within 1.2 points."""
    assert token_values((1, 1, 19)) == pytest.approx((0.821, 0.842, 0.337), abs=0.012)


def test_values_do_not_depend_on_the_seats_and_the_direction() -> None:
    clockwise = discharge(5, 7, 9, hands=((6, 5, 2),)).apply(ALL, (3, 3, 1))
    behind = replace(Bar421.start(4, 0), tokens=(5, 9, 0, 7), pot=0, round=7, clockwise=False, out=(2,))
    behind = behind.apply(ALL, (2, 6, 5)).apply(Stand(), ()).apply(ALL, (1, 3, 3))
    assert behind.to_act == 3
    one, two, three = values(clockwise)
    assert values(behind) == (one, three, 1.0, two)
    assert [choice.value for choice in choices(behind)] == [choice.value for choice in choices(clockwise)]


@pytest.mark.parametrize("seats", [5, 19, 21])
def test_in_the_estimate_one_seat_pays_and_the_fewer_tokens_the_better(seats: int) -> None:
    for tokens in splits(seats):
        safe = token_values(tokens)
        assert sum(safe) == pytest.approx(seats - 1, abs=1e-12)
        by_tokens = sorted(zip(tokens, safe, strict=True))
        assert [value for _, value in by_tokens] == sorted(safe, reverse=True)


def test_a_seat_of_five_pays_in_proportion_to_what_it_would_pay_against_one() -> None:
    """Against the 13 tokens of all others a seat with 8 starts or the other does, and so on for each seat."""
    two = safe_of_two(TOKENS)
    alone = [(1 - two[held] + two[TOKENS - held]) / 2 for held in (8, 6, 4, 2, 1)]
    pays = [1 - safe for safe in token_values((8, 6, 4, 2, 1))]
    assert [each / sum(alone) for each in alone] == pytest.approx(pays)
    assert token_values((1, 2, 4, 6, 8)) == pytest.approx(token_values((8, 6, 4, 2, 1))[::-1]), (
        "it looks at no order of the seats"
    )


@pytest.mark.parametrize("seats", [3, 4])
def test_where_values_are_known_the_estimate_is_within_four_points(seats: int) -> None:
    """docs/paper, "421": of the discharge and of the charge. It is never exact but before the first throw."""
    known = [(split, 0) for split in splits(seats)]
    known += [(tuple(each - 1 for each in held), pot) for *held, pot in charges(seats) if pot > 1]
    off = [
        abs(guess - value)
        for tokens, pot in known
        for guess, value in zip(estimate(tokens, pot), token_values(tokens, pot), strict=True)
    ]
    assert 0.03 < max(off) < 0.04
    assert mean(off) < 0.01


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_charge_is_worth_what_its_throws_are_on_average(seats: int) -> None:
    state = replace(Bar421.start(seats, 0), tokens=(3, *[1] * (seats - 1)), pot=18 - (seats - 1), round=3)
    for hand in ((6, 6, 5), (3, 2, 2), (6, 5, 3), (6, 6, 5), (1, 1, 2))[: seats - 1]:
        state = state.apply(ALL, hand)
    after = [values(state.apply(ALL, faces)) for faces in THROWS]
    assert values(state) == pytest.approx([sum(column) / len(after) for column in zip(*after, strict=True)], abs=1e-9)
    ended = state.apply(ALL, (5, 5, 1))
    off = 1e-12 if seats < 5 else 1e-3
    assert values(ended) == pytest.approx(values(ended.next_round()), abs=off), "of a crowd it is an estimate"


@pytest.mark.parametrize("tokens", [(6, 0, 14, 0, 0), (0, 0, 19, 0, 0), (0, 0, 5, 0, 5), (4, 2, 2, 4, 0), (1, 0, 1, 0)])
def test_the_charge_of_a_crowd_is_worth_what_its_throws_are_on_average(tokens: tuple[int, ...]) -> None:
    """Seats with equal tokens are looked at together, unless their order matters because three or fewer stay in."""
    state = replace(Bar421.start(len(tokens), 0), tokens=tokens, pot=TOKENS - sum(tokens), round=3)
    for hand in ((6, 6, 5), (3, 2, 2), (6, 5, 3), (6, 6, 5), (1, 1, 2))[: len(tokens)]:
        after = [values(state.apply(ALL, faces)) for faces in THROWS]
        mean = [sum(column) / len(after) for column in zip(*after, strict=True)]
        assert values(state) == pytest.approx(mean, abs=1e-9)
        figures = [secondary_values(state.apply(ALL, faces)).figures for faces in THROWS]
        mean = [sum(column) / len(figures) for column in zip(*figures, strict=True)]
        assert secondary_values(state).figures == pytest.approx(mean, abs=1e-9)
        state = state.apply(ALL, hand)


payoffs = st.lists(st.floats(0, 1), min_size=len(HANDS), max_size=len(HANDS))


@given(payoffs, payoffs)
@settings(max_examples=20)
def test_a_turn_ends_as_its_policy_says(payoff: list[float], other: list[float]) -> None:
    best = turn([payoff] * 3)
    assert sum(best.ends()) == pytest.approx(1)
    assert dot(best.ends(), payoff) == pytest.approx(best.value, abs=1e-9)
    assert follow(best.best, [other] * 3).value == pytest.approx(dot(best.ends(), other), abs=1e-9)


def test_only_five_seats_and_more_are_estimates() -> None:
    assert [is_estimated(Bar421.start(seats, 0)) for seats in (2, 3, 4, 5)] == [False, False, False, True]
    out = replace(discharge(7, 7, 7), out=(3,), tokens=(7, 7, 7, 0), hands=((),) * 4)
    assert not is_estimated(out)
    assert placement_odds(Bar421.start(3, None)).last == (1 / 3,) * 3


def test_the_last_choice_of_a_round_by_counting() -> None:
    """Three hold 7 each, two stand with 6 5 2 and 5 3 3: the third, with 4 1 6 and one roll left, counts its cases."""
    state = discharge(7, 7, 7, hands=((6, 5, 2), (5, 3, 3))).apply(ALL, (4, 1, 6)).apply(Roll((3,)), (5,))
    for choice in choices(state):
        thrown = choice.action.dice if isinstance(choice.action, Roll) else ()
        tokens = Fraction(0)
        best = Fraction(0)
        safe = 0.0
        throws = list(product(range(1, 7), repeat=len(thrown)))
        for faces in throws:
            ended = state.apply(choice.action, faces)
            safe += values(ended if ended.roll_off else ended.next_round())[2]
            hand = [4, 1, 5]
            for die, face in zip(thrown, faces, strict=True):
                hand[die - 1] = face
            mine = rank(tuple(hand))
            if mine > rank((5, 3, 3)):
                tokens -= min(mine.tokens, 7)
                best += 1
            elif mine == rank((5, 3, 3)):  # rolled off, and 6 5 2 is the weakest
                tokens -= Fraction(min(mine.tokens, 7), 2)
                best += Fraction(1, 2)
            elif mine < rank((6, 5, 2)):
                tokens += rank((5, 3, 3)).tokens
            elif mine == rank((6, 5, 2)):
                tokens += Fraction(rank((5, 3, 3)).tokens, 2)
        assert choice.amount == pytest.approx(float(7 + tokens / len(throws)))
        assert choice.value == pytest.approx(safe / len(throws), abs=1e-7), "the data of three has seven digits"
        assert choice.chances[0] == pytest.approx(float(best / len(throws)))
    found = choices(state)
    assert found[0].value == max(choice.value for choice in found)


@pytest.mark.parametrize(
    "state",
    [
        discharge(11, 10).apply(ALL, (4, 2, 6)),
        discharge(3, 18, hands=((6, 6, 5),)).apply(ALL, (4, 2, 6)),
        discharge(7, 9, 5, hands=((6, 5, 2),)).apply(ALL, (3, 3, 1)),
        discharge(7, 9, 5, hands=((6, 5, 2), (3, 3, 4))).apply(ALL, (3, 3, 1)),
        discharge(6, 5, 5, 5).apply(ALL, (6, 4, 2)),
        Bar421.read("*>642:9 -:12 x1 round 9 roll 2"),
    ],
)
def test_luck_is_nothing_on_average(state: Bar421) -> None:
    assert state.to_act is not None
    for choice in choices(state):
        meant = values_after(state, choice.action)
        assert meant[state.to_act] == pytest.approx(choice.value, abs=1e-12)
        assert sum(meant) == pytest.approx(state.seats - 1, abs=1e-6), "one seat pays, and who is safe does not"
        throws = list(product(range(1, 7), repeat=len(choice.action.dice))) if isinstance(choice.action, Roll) else [()]
        after = [values(state.apply(choice.action, faces))[state.to_act] for faces in throws]
        if state.apply(choice.action, throws[0]).to_act == state.to_act:
            assert sum(after) / len(after) == pytest.approx(choice.value, abs=1e-12)
    assert values(state)[state.to_act] == pytest.approx(choices(state)[0].value, abs=1e-12)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_chances_and_tokens_add_up_at_every_step(players: int) -> None:
    state = Bar421.start(players, None)
    for face in (6, *range(1, players)):
        state = state.apply(Roll((1,)), (face,))
    throws = iter([(6, 5, 3), (6, 5, 2), (1, 1, 2), (4, 2, 1), (3, 3, 3)] * 20)
    for _ in range(60):
        assert sum(values(state)) == pytest.approx(players - 1)
        more = secondary_values(state)
        assert sum(more.figures) == pytest.approx(TOKENS) or (state.charging and sum(more.figures) < TOKENS)
        if state.outcome:
            break
        if state.to_act is None:
            state = state.next_round()
        else:
            action = state.actions[0] if len(state.actions) == 1 else choices(state)[0].action
            faces = next(throws)[: len(action.dice)] if isinstance(action, Roll) else ()
            state = state.apply(action, faces)


def test_before_anybody_has_rolled_two_are_even() -> None:
    assert values(Bar421.start(2, None)) == pytest.approx((0.5, 0.5))
    assert values(Bar421.start(2, 0)) == pytest.approx((0.5, 0.5)), "in the charge nobody chooses anything"


def test_a_roll_off_leaves_everybody_in_it_the_same_chance() -> None:
    state = discharge(11, 10, hands=((6, 5, 2), (6, 5, 2)))
    assert state.roll_off
    even = values(state)
    assert even[0] == pytest.approx((safe_of_two(21)[11 + 1] + 1 - safe_of_two(21)[10 + 1]) / 2)
    ahead = values(state.apply(ALL, (4, 2, 1)))
    behind = values(state.apply(ALL, (1, 1, 2)))
    assert ahead[0] > even[0] > behind[0]


@pytest.mark.parametrize(
    "state",
    [
        Bar421.start(3, 0).apply(ALL, (6, 6, 5)).apply(ALL, (3, 2, 2)).apply(ALL, (3, 2, 2)),
        discharge(7, 7, 7, hands=((6, 6, 5), (3, 2, 2), (3, 2, 2))),
    ],
)
def test_the_lowest_of_a_roll_off_of_the_weakest_takes(state: Bar421) -> None:
    """Seats 1 and 2 roll off what 6 6 5 is worth: the cases of seat 2 are counted, after the throw of seat 1."""
    for mine in ((1, 1, 2), (5, 5, 1), (6, 5, 3), (4, 2, 1)):
        higher = Fraction(sum(rank(faces) > rank(mine) for faces in THROWS), len(THROWS))
        level = Fraction(sum(rank(faces) == rank(mine) for faces in THROWS), len(THROWS))
        held = state.tokens[1] + rank((6, 6, 5)).tokens * (higher + level / 2)
        assert secondary_values(state.apply(ALL, mine)).figures[1] == pytest.approx(float(held), abs=1e-12)


@pytest.mark.parametrize("hand", [(6, 5, 3), (3, 2, 2), (6, 6, 5), (5, 5, 1)])
def test_the_first_of_five_is_weakest_when_none_of_four_replies_is_weaker(hand: Faces) -> None:
    """The model of docs/paper, "421": each of the four plays as if it were the last, and a tie is half a win."""
    mine = STRENGTH_OF[hand]
    moves = [rank(HANDS[other]).tokens for other in BY_STRENGTH]
    payoffs = [
        ((other > mine) + (other == mine) / 2) * moves[other] - ((other < mine) + (other == mine) / 2) * moves[mine]
        for other in STRENGTH
    ]
    ends = turn([payoffs] * 3).ends()
    weaker = sum(chance * ((other < mine) + (other == mine) / 2) for chance, other in zip(ends, STRENGTH, strict=True))
    seats = 5
    row = _rows(RoundTable((5, 4, 4, 4, 4), ()))[mine]
    assert row[seats] == pytest.approx(weaker**4, abs=1e-12), "all four are weaker, and it is the strongest"
    assert row[2 * seats] == pytest.approx((1 - weaker) ** 4, abs=1e-12), "none is weaker, and it is the weakest"


def test_standing_is_a_choice_and_rolls_that_leave_the_same_faces_are_one() -> None:
    found = choices(discharge(11, 10, hands=((4, 2, 1),)).apply(ALL, (6, 6, 5)))
    assert [choice.action for choice in found if isinstance(choice.action, Stand)] == [Stand()]
    assert len(found) == 6
    stand = next(choice for choice in found if choice.action == Stand())
    assert stand.classes == (0, 0, 1, 0, 0, 0, 0)
    everything = next(choice for choice in found if choice.kept == ())
    assert sum(everything.classes) == pytest.approx(1)
    assert everything.classes[0] == pytest.approx(6 / 216)


def test_others_matter_once_their_hands_lie_there() -> None:
    assert not others_matter(discharge(11, 10).apply(ALL, (3, 2, 2)))
    assert others_matter(discharge(11, 10, hands=((4, 2, 1),)).apply(ALL, (3, 2, 2)))


def test_perfect_play_wins_as_often_as_computed_and_beats_the_others() -> None:
    lineup = Lineup(parse_players("bot:Perfect,bot:Perfect"), starting_seat=0, game="421")
    wins = sum(outcome.places[0] == (0,) for outcome in play_matches(lineup, 30, SEED))
    assert abs(wins / 30 - 0.5) < 4 * sqrt(0.25 / 30)
    lineup = Lineup(parse_players("bot:Steady,bot:Perfect"), starting_seat=0, game="421")
    pays = sum(outcome.places[-1] == (0,) for outcome in play_matches(lineup, 30, SEED))
    assert pays > 17


@pytest.mark.parametrize("hands", [((6, 6, 5),), ((6, 5, 4), (2, 3, 3)), ((4, 2, 1),)])
def test_with_several_to_come_one_seat_pays(hands: tuple[Faces, ...]) -> None:
    assert sum(values(discharge(6, 5, 4, 3, 3, hands=hands))) == pytest.approx(4, abs=1e-6)


def test_once_a_seat_has_left_the_goal_is_another() -> None:
    state = discharge(9, 8, 4)
    assert objective(state).label == "chance to stay safe"
    assert objective(state.without(2)).label == "chance to lose all tokens"


def test_against_itself_best_play_is_worth_a_half_and_every_rule_on_the_ladder_less() -> None:
    assert safe_with_best_play() == pytest.approx(0.5, abs=1e-10)
    prices = [0.5 - safe_with(rule) for rule in LADDER.values()]
    assert prices == sorted(prices, reverse=True)
    assert prices[-1] > 0
