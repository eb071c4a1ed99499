"""The rules of Four Twenty-One: the order of all hands, every ruling of docs/rulings.md, and what always holds."""

from __future__ import annotations

from itertools import chain, combinations_with_replacement, permutations
from random import Random

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from fourtwenty.games import bar_421
from fourtwenty.games.game import Action, Faces, IllegalAction, InvalidAction, Meter, Roll, Stand
from fourtwenty.games.ten_rounds import TenRounds, place, rank
from fourtwenty.games.three_rolls import ROLL_ALL

ORDER = """
421
666 555 444 333 222 111
665 664 663 662 661 556 554 553 552 551 446 445 443 442 441 336 335 334 332 331 226 225 224 223 221 116 115 114 113 112
654 653 652 651 643 642 641 632 631 621 543 542 541 532 531 521 432 431 321
""".split()  # noqa: SIM905 - one line a class


def faces(text: str) -> Faces:
    return tuple(map(int, text))


def stand_with(state: TenRounds, *hands: str) -> TenRounds:
    """Everybody rolls once and stands; the others need not say so when the first player rolled once."""
    for hand in hands:
        state = state.apply(ROLL_ALL, faces(hand))
        if state.rolls:
            state = state.apply(Stand(), ())
    return state


def at_round(number: int, *points: int, starting_seat: int = 0) -> TenRounds:
    """A round about to begin, everybody's points made in the first one."""
    sheet = (points, *[(0,) * len(points)] * (number - 2))
    return replace(TenRounds.start(len(points), starting_seat=starting_seat), sheet=sheet)


def test_the_order_of_all_56_hands() -> None:
    assert sorted("".join(sorted(hand)) for hand in ORDER) == [
        "".join(map(str, hand)) for hand in combinations_with_replacement(range(1, 7), 3)
    ]
    ranks = [rank(faces(hand)) for hand in ORDER]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == 56, "two hands tie only when they show the same faces"


def test_the_order_of_the_dice_does_not_matter() -> None:
    for hand in ORDER:
        assert len({rank(order) for order in permutations(faces(hand))}) == 1


def test_the_two_games_have_different_rankings() -> None:
    assert rank((6, 6, 6)) > rank((1, 1, 1))
    assert bar_421.rank((1, 1, 1)) > bar_421.rank((6, 6, 6))


def test_everybody_rolls_one_die_for_the_start() -> None:
    state = TenRounds.start(3, starting_seat=None)
    for face in (5, 5, 2, 3, 4):
        assert state.actions == (Roll((1,)),)
        state = state.apply(Roll((1,)), (face,))
    assert (state.starting_seat, state.to_act) == (1, 1)


def test_later_rounds_pass_the_start_clockwise() -> None:
    state = stand_with(TenRounds.start(3, starting_seat=2), "653", "652", "651").next_round()
    assert state.starting_seat == 0
    assert stand_with(state, "653", "652", "651").next_round().starting_seat == 1


def test_dice_set_aside_may_be_taken_back() -> None:
    state = TenRounds.start(2, starting_seat=0).apply(ROLL_ALL, (4, 2, 6))
    state = state.apply(Roll((3,)), (5,))
    state = state.apply(Roll((1, 2)), (6, 6))
    assert state.hand(0) == (6, 6, 5)
    assert state.to_act == 1, "after the third roll the turn is over"


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_followers_roll_at_most_as_often_as_the_first_player_did(rolls: int) -> None:
    state = TenRounds.start(3, starting_seat=0)
    for _ in range(rolls):
        state = state.apply(ROLL_ALL, (6, 5, 3))
    if rolls < 3:
        state = state.apply(Stand(), ())
    assert (state.to_act, state.cap) == (1, rolls)
    for _ in range(rolls):
        assert state.to_act == 1
        state = state.apply(ROLL_ALL, (6, 5, 2))
    assert state.to_act == 2
    state = state.apply(ROLL_ALL, (6, 5, 1))
    if rolls > 1:
        state = state.apply(Stand(), ())
    assert state.to_act is None, "they may stop earlier"


def test_the_best_of_a_round_gets_one_point() -> None:
    state = stand_with(TenRounds.start(3, starting_seat=0), "665", "111", "654")
    assert (state.best, state.scored) == (1, (0, 1, 0))
    assert state.next_round().points == (0, 1, 0)
    assert [state.next_round().standing(seat).tally for seat in (0, 1)] == ["·  0 points", "1  1 point"]


def test_421_on_the_very_first_roll_gets_two_more_whoever_rolls_it() -> None:
    state = stand_with(TenRounds.start(3, starting_seat=0), "665", "421", "654")
    assert state.scored == (0, 3, 0)
    state = TenRounds.start(2, starting_seat=0).apply(ROLL_ALL, (4, 2, 6)).apply(Roll((3,)), (1,)).apply(Stand(), ())
    assert state.bonus == (), "not on a later roll"
    state = state.apply(ROLL_ALL, (4, 2, 1)).apply(Stand(), ())
    state = state.apply(ROLL_ALL, (6, 6, 6)).apply(ROLL_ALL, (6, 6, 5))
    assert state.scored == (1, 2), "the follower keeps them when the roll-off goes to the other"


def test_those_tied_for_best_roll_off_for_the_point() -> None:
    state = stand_with(TenRounds.start(3, starting_seat=0), "665", "566", "654")
    assert state.to_act == 0
    for hand in ("653", "563", "111", "653"):
        assert state.best is None
        state = state.apply(ROLL_ALL, faces(hand))
    assert (state.best, state.hand(0)) == (0, (6, 6, 5))


def test_after_ten_rounds_the_highest_total_wins() -> None:
    state = stand_with(at_round(10, 3, 4, 2), "653", "652", "651")
    assert state.outcome is None, "4 and 4: tied for first"
    state = stand_with(at_round(10, 3, 4, 2), "652", "653", "651")
    assert state.outcome is not None
    assert state.outcome.places == ((1,), (0,), (2,))
    assert state.report(["Ann", "Ben", "Cleo"]).headline == "Ben wins with 5 points"
    assert stand_with(at_round(9, 3, 9, 2), "652", "653", "651").outcome is None


def test_equal_points_share_a_place_but_the_first() -> None:
    """docs/rulings.md, Four Twenty-One, "places"."""
    state = stand_with(at_round(10, 2, 5, 2, 1), "652", "653", "651", "641")
    assert state.outcome is not None
    assert state.outcome.places == ((1,), (0, 2), (3,))
    assert [state.outcome.place(seat) for seat in range(4)] == [2, 1, 2, 4]


def test_those_tied_for_first_play_further_rounds_among_themselves() -> None:
    tied = stand_with(at_round(10, 3, 4, 2, starting_seat=1), "652", "651", "653")
    assert tied.outcome is None, "Ben and Cleo roll 652 and 651, and Ann's 653 makes 4 and 4"
    extra = tied.next_round()
    assert (extra.points, extra.order, extra.starting_seat) == ((4, 4, 2), (0, 1), 0)
    assert extra.caption() == "Extra round 1 · roll 1 of 3"
    assert [extra.standing(seat).playing for seat in range(3)] == [True, True, False]
    assert extra.standing(2).tally == "2 · · · · · · · · ·  2 points"
    won = stand_with(extra, "652", "653")
    assert won.outcome is not None
    assert won.outcome.places == ((1,), (0,), (2,))


def test_reports_and_previews_read_like_the_table() -> None:
    state = stand_with(TenRounds.start(3, starting_seat=0), "665", "421", "654")
    report = state.report(["Ann", "You", "Cleo"])
    assert report.headline == "You get 3 points"
    assert report.hand == "Your hand: 4-2-1"
    after = state.next_round()
    assert after.standing(1).tally == "3  3 points"
    assert after.standing(0).tally == "·  0 points"
    first = after.apply(ROLL_ALL, (4, 4, 2))
    assert first.caption() == "Round 2 of 10 · roll 2 of 3"
    assert first.preview(()) == "Select the dice to roll again, or stand"
    assert first.preview((3,)) == "Keep 4 4, roll one die"
    assert first.describe_roll(Roll((3,)), (6,)) == "kept 4 4, rolled 6: Double 4."
    assert after.describe_roll(ROLL_ALL, (4, 2, 1)) == "rolled 4 2 1: 4-2-1 at once, 2 points. Nothing beats it!"
    with pytest.raises(IllegalAction, match="The round is not over"):
        first.report(["Ann", "You", "Cleo"])


def test_a_roll_off_is_one_roll_of_all_its_dice() -> None:
    start = TenRounds.start(2, starting_seat=None)
    with pytest.raises(InvalidAction):
        start.apply(Roll((1,)), (7,))
    tie = stand_with(TenRounds.start(2, starting_seat=0), "665", "665")
    for action in (Stand(), Roll((1,))):
        with pytest.raises(IllegalAction, match="This is a roll-off: one roll, and it stands"):
            tie.apply(action, ())


def test_when_the_round_is_over_nobody_acts() -> None:
    state = stand_with(TenRounds.start(2, starting_seat=0), "665", "654")
    assert state.actions == ()
    assert state.preview(()) == "The round is over"
    with pytest.raises(IllegalAction, match="The round is over"):
        state.apply(ROLL_ALL, (1, 2, 3))


def test_a_round_that_goes_on_and_a_match_that_is_over_have_no_next_round() -> None:
    with pytest.raises(IllegalAction, match="The round is not over"):
        TenRounds.start(2, starting_seat=0).next_round()
    assert at_round(10, 4, 2).outcome is None, "the tenth round is to be played"
    with pytest.raises(IllegalAction, match="The match is over"):
        stand_with(at_round(10, 3, 1), "665", "654").next_round()


def test_impossible_faces_and_seats_are_refused() -> None:
    state = TenRounds.start(2, starting_seat=0)
    with pytest.raises(InvalidAction):
        state.apply(ROLL_ALL, (1, 2))
    assert state.apply(ROLL_ALL, (1, 2, 3)).check(Stand()) is None
    with pytest.raises(InvalidAction):
        state.apply(ROLL_ALL, (1, 2, 3)).apply(Stand(), (1,))
    with pytest.raises(IllegalAction, match="A hand has three dice"):
        state.apply(ROLL_ALL, (1, 2, 3)).apply(Roll((4,)), (1,))
    with pytest.raises(ValueError, match="two seats"):
        TenRounds.start(1, 0)
    for first in (-1, 2, 3):
        with pytest.raises(ValueError, match=f"no seat {first}"):
            TenRounds.start(2, first)


def test_a_bonus_can_leave_two_tied_for_first_in_an_extra_round_too() -> None:
    state = at_round(11, 4, 4, 3, 4)
    state = state.apply(ROLL_ALL, (6, 4, 2)).apply(Roll((1,)), (1,)).apply(Stand(), ())
    for _ in range(2):
        state = state.apply(ROLL_ALL, (4, 2, 1)).apply(Stand(), ())
    for hand in ("421", "665", "664"):
        state = state.apply(ROLL_ALL, faces(hand))
    assert (state.scored, state.outcome) == ((1, 2, 0, 2), None)
    again = state.next_round()
    assert (again.points, again.order) == ((5, 6, 3, 6), (1, 3))
    assert again.caption() == "Extra round 2 · roll 1 of 3"
    won = stand_with(again, "653", "654")
    assert won.outcome is not None
    assert won.outcome.places == ((3,), (1,), (0,), (2,))


def notes(state: TenRounds) -> list[str]:
    return [state.standing(seat).note for seat in range(state.seats)]


def test_the_roll_for_the_start_reads_like_the_table() -> None:
    state = TenRounds.start(3, starting_seat=None)
    assert state.order == (0, 1, 2), "until somebody starts, as they sit"
    assert state.caption() == "Who starts? One die each, the highest"
    assert state.preview(()) == "One die each: the highest starts"
    assert state.describe_roll(Roll((1,)), (5,)) == "rolled 5 for the start."
    state = state.apply(Roll((1,)), (5,))
    assert (state.standing(0).detail, state.standing(0).tally) == ("5", "0 points")
    assert notes(state) == ["rolled", "to roll", "to roll"]
    state = state.apply(Roll((1,)), (5,)).apply(Roll((1,)), (2,))
    assert notes(state) == ["to roll", "to roll", "rolled"], "the third has lost, and rolls no more"


def test_the_roll_that_takes_the_lead_says_so() -> None:
    first = TenRounds.start(2, starting_seat=0).apply(ROLL_ALL, (4, 4, 2))
    assert first.describe_roll(Roll((3,)), (6,)).endswith(": Double 4."), "there is nobody to lead yet"
    second = first.apply(Stand(), ())
    assert second.describe_roll(ROLL_ALL, (4, 4, 3)) == "rolled 4 4 3: Double 4, in the lead."
    assert second.describe_roll(ROLL_ALL, (4, 4, 2)) == "rolled 4 4 2: Double 4.", "a tie leads nowhere"
    assert second.describe_roll(ROLL_ALL, (4, 2, 1)).endswith("Nothing beats it!")


def test_the_meter_moves_back_to_the_least_that_the_kept_dice_make() -> None:
    state = TenRounds.start(2, starting_seat=0).apply(ROLL_ALL, (6, 6, 2))
    assert state.meter(0, (6, 6, 0)) == Meter(place((6, 6, 1)), 56, "")
    assert [place(hand) for hand in ((1, 2, 3), (4, 2, 1), (0, 0, 0), ())] == [1, 56, 1, 0]


def test_a_round_reads_like_the_table() -> None:
    state = TenRounds.start(4, starting_seat=0)
    assert state.caption() == "Round 1 of 10 · roll 1 of 3"
    assert state.preview(()) == "First roll: all three dice"
    assert state.describe_roll(ROLL_ALL, (6, 5, 3)) == "rolled 6 5 3: Unmatched."
    first = state.apply(ROLL_ALL, (4, 2, 6))
    assert first.preview((1, 2, 3)) == "Keep nothing: roll all three"
    assert first.preview((1, 3)) == "Keep 2, roll two dice"
    assert first.describe_roll(Roll((3,)), (1,)) == "kept 4 2, rolled 1: 4-2-1. Nothing beats it!"
    assert first.describe_roll(Stand(), ()) == "stood with 4 2 6: Unmatched."
    state = stand_with(state, "653", "421", "653")
    assert notes(state) == ["2nd", "1st", "2nd", "to roll"]
    assert state.standing(1).detail == "4 2 1 = 4-2-1"
    assert [state.meter(seat, state.hand(seat)) for seat in (0, 1, 3)] == [
        Meter(place((6, 5, 3)), 56, "Unmatched", least=56, least_label="to beat: 4-2-1"),
        Meter(56, 56, "4-2-1", least=place((6, 5, 3)), least_label="to beat: Unmatched"),
        Meter(0, 56, "", least=56, least_label="to beat: 4-2-1"),
    ]
    tied = stand_with(state, "421")
    assert tied.caption() == "Round 1 of 10"
    assert tied.preview(()) == "A tie: three dice once more, the best gets the point"
    assert tied.describe_roll(ROLL_ALL, (6, 5, 3)) == "rolled off 6 5 3: Unmatched."
    assert notes(tied) == ["3rd", "rolls off", "3rd", "rolls off"]
    assert [tied.hand(seat) for seat in range(4)] == [(6, 5, 3), (), (6, 5, 3), ()]
    over = tied.apply(ROLL_ALL, (6, 6, 5)).apply(ROLL_ALL, (1, 1, 2))
    assert over.caption() == "Round 1 of 10"
    assert over.report("ABCD").headline == "B gets 3 points, D 2 for 4-2-1 at once"
    assert notes(over) == ["3rd", "+3", "3rd", "+2"]


def test_the_tenth_round_reads_like_the_table() -> None:
    tied = stand_with(at_round(10, 3, 3, 2), "653", "652", "654")
    assert tied.caption() == "Round 10 of 10"
    assert tied.next_round().standing(2).tally == "2 · · · · · · · · 1  3 points"
    over = stand_with(at_round(10, 4, 3, 2), "653", "652", "651")
    assert over.standing(0).tally.endswith("1  5 points"), "the last point is on the sheet"


@given(st.integers(2, 5), st.integers(0, 2**64))
def test_points_add_up_and_somebody_can_always_act(seats: int, seed: int) -> None:
    chance = Random(seed)  # a draw for each die would take 13 s
    state = TenRounds.start(seats, chance.choice([None, *range(seats)]))
    for _ in range(200):
        assert all(1 <= sum(points) <= 1 + 2 * seats for points in state.sheet)
        if state.outcome:
            assert sorted(chain(*state.outcome.places)) == list(range(seats))
            assert len(state.outcome.places[0]) == 1, "the first place is played out"
            by_place = [[state.scored[seat] + state.points[seat] for seat in shared] for shared in state.outcome.places]
            assert all(len(set(points)) == 1 for points in by_place)
            assert sorted(by_place, reverse=True) == by_place
            break
        if state.to_act is None:
            state = state.next_round()
            continue
        assert state.to_act in state.order
        action: Action = chance.choice(state.actions)
        thrown = tuple(chance.choices(range(1, 7), k=len(action.dice))) if isinstance(action, Roll) else ()
        state = state.apply(action, thrown)
