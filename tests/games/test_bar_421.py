"""The rules of 421: the order of all hands, every ruling of docs/rulings.md by name, and what always holds."""

from __future__ import annotations

from itertools import chain, combinations_with_replacement, permutations
from random import Random

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from fourtwenty.games.bar_421 import GAME, TOKENS, Bar421, rank
from fourtwenty.games.game import Action, Faces, IllegalAction, InvalidAction, Meter, Roll, Stand, at_stake
from fourtwenty.games.three_rolls import ROLL_ALL

ORDER = """
421 111
556 446 336 226 116 665 445 335 225 115 664 554 334 224 114 663 553 443 223 113 662 552 442 332 661 551 441 331 221
666 555 444 333 222
654 543 432 321
653 652 643 651 642 641 632 542 631 541 532 621 531 521 431
112
""".split()  # noqa: SIM905 - one line a class


def faces(text: str) -> Faces:
    return tuple(map(int, text))


def charge(*hands: str, pot: int = TOKENS, tokens: tuple[int, ...] | None = None) -> Bar421:
    """Everybody's roll of a charge round, the first seat starting."""
    state = Bar421.start(len(hands), starting_seat=0)
    state = replace(state, pot=pot, tokens=tokens or state.tokens)
    for hand in hands:
        state = state.apply(ROLL_ALL, faces(hand))
    return state


def discharge(*tokens: int, starting_seat: int = 0) -> Bar421:
    """A discharge about to begin; seats without tokens are out."""
    out = tuple(seat for seat, held in enumerate(tokens) if not held)
    return replace(Bar421.start(len(tokens), starting_seat=starting_seat), tokens=tokens, pot=0, out=out)


def stand_with(state: Bar421, *hands: str) -> Bar421:
    for hand in hands:
        state = state.apply(ROLL_ALL, faces(hand)).apply(Stand(), ())
    return state


def test_the_order_of_all_56_hands() -> None:
    assert sorted({"".join(sorted(hand)) for hand in ORDER}) == [
        "".join(map(str, hand)) for hand in combinations_with_replacement(range(1, 7), 3)
    ]
    ranks = [rank(faces(hand)) for hand in ORDER]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == 56, "two hands tie only when they show the same faces"


@pytest.mark.parametrize(
    ("hand", "name", "tokens"),
    [
        ("421", "421", 10), ("111", "Triple 1", 7), ("663", "Two alike", 3), ("442", "Two alike", 2),
        ("554", "Two alike", 4), ("116", "Two alike", 6), ("221", "Two alike", 1), ("222", "Barracks", 2),
        ("555", "Barracks", 5), ("456", "Sequence", 2), ("123", "Sequence", 2), ("125", "Other", 1),
        ("112", "Nenette", 2),
    ],
)  # fmt: skip
def test_what_hands_are_and_what_they_are_worth(hand: str, name: str, tokens: int) -> None:
    for order in permutations(faces(hand)):
        assert (rank(order).name, rank(order).tokens) == (name, tokens)


def test_124_is_421_against_the_sheets_example() -> None:
    """docs/rulings.md, 421, "1-2-4": the sheet's "125 is stronger than 124" overlooks it."""
    assert rank((1, 2, 4)) > rank((1, 2, 5))


def test_the_nenette_is_112_and_the_weakest_of_all() -> None:
    assert min(combinations_with_replacement(range(1, 7), 3), key=rank) == (1, 1, 2)
    assert rank((2, 2, 1)) > rank((1, 1, 2))


def test_everybody_rolls_one_die_for_the_start_and_the_highest_starts() -> None:
    state = Bar421.start(3, starting_seat=None)
    assert state.actions == (Roll((1,)),)
    for face in (3, 6, 2):
        state = state.apply(Roll((1,)), (face,))
    assert (state.to_act, state.starting_seat) == (1, 1)


def test_those_tied_for_the_start_roll_again() -> None:
    state = Bar421.start(3, starting_seat=None)
    for face in (6, 2, 6, 4, 4, 1, 2):
        assert state.starting_seat is None
        state = state.apply(Roll((1,)), (face,))
    assert state.starting_seat == 2


def test_in_the_charge_the_weakest_takes_from_the_pot_what_the_strongest_is_worth() -> None:
    """The sheet's example: Triple 1, a sequence, a nenette: the third takes 7."""
    state = charge("111", "456", "112")
    assert state.to_act is None
    assert (state.weakest, state.moved) == (2, 7)
    after = state.next_round()
    assert (after.tokens, after.pot, after.starting_seat) == ((0, 0, 7), 14, 2)
    assert after.actions == (ROLL_ALL,)


def test_the_charge_allows_one_roll() -> None:
    state = Bar421.start(2, starting_seat=0).apply(ROLL_ALL, (1, 1, 2))
    assert state.to_act == 1
    with pytest.raises(IllegalAction, match="The first roll takes all three dice"):
        state.apply(Roll((1,)), (4,))


def test_the_weakest_takes_at_most_what_the_pot_holds() -> None:
    state = charge("421", "653", "112", pot=4, tokens=(9, 8, 0))
    assert state.moved == 4
    after = state.next_round()
    assert after.tokens == (9, 8, 4)
    assert not after.charging


def test_all_21_in_the_charge_lose_at_once() -> None:
    state = charge("421", "653", "112", pot=4, tokens=(0, 0, 17))
    assert state.outcome is not None
    assert state.outcome.places == ((0, 1), (2,))
    with pytest.raises(IllegalAction, match="The match is over"):
        state.next_round()


def test_no_tokens_after_the_charge_is_out_and_safe() -> None:
    after = charge("421", "653", "112", pot=4, tokens=(0, 9, 8)).next_round()
    assert after.out == (0,)
    assert after.clockwise, "our reading: only who leaves in the discharge turns the direction"
    assert (after.starting_seat, after.order) == (2, (2, 1)), "the weakest starts the first discharge round too"
    assert not after.standing(0).playing


def test_the_discharge_allows_three_rolls_of_any_dice_and_to_stand() -> None:
    state = discharge(10, 11)
    assert state.actions == (ROLL_ALL,)
    state = state.apply(ROLL_ALL, (2, 4, 5))
    assert len(state.actions) == 8
    state = state.apply(Roll((1, 2)), (5, 4))
    assert state.hand(0) == (5, 4, 5)
    state = state.apply(ROLL_ALL, (6, 5, 4))
    assert state.to_act == 1, "after the third roll the turn is over"
    assert state.apply(ROLL_ALL, (1, 2, 3)).apply(Stand(), ()).to_act is None


def test_the_strongest_gives_the_weakest_what_its_hand_is_worth_at_most_what_it_holds() -> None:
    state = stand_with(discharge(8, 6, 7), "663", "653", "112")
    assert (state.strongest, state.weakest, state.moved) == (0, 2, 3)
    assert state.next_round().tokens == (5, 6, 10)
    assert stand_with(discharge(8, 6, 7), "421", "653", "112").moved == 8


def test_who_has_no_tokens_left_leaves_and_the_direction_turns() -> None:
    state = stand_with(discharge(5, 5, 5, 6), "421", "653", "643", "112")
    after = state.next_round()
    assert (after.out, after.clockwise) == ((0,), False)
    assert after.order == (3, 2, 1), "the weakest starts, the other way round"
    again = stand_with(after, "653", "421", "112").next_round()
    assert (again.out, again.clockwise) == ((0, 2), True)


def test_those_tied_for_the_weakest_roll_off_and_the_tokens_stay() -> None:
    state = charge("663", "653", "653", "653")
    assert state.to_act == 1
    assert state.actions == (ROLL_ALL,)
    assert [state.hand(seat) for seat in range(4)] == [(6, 6, 3), (), (), ()]
    for hand in ("421", "112", "112"):
        state = state.apply(ROLL_ALL, faces(hand))
    assert state.to_act == 2, "again, those who are still tied"
    assert [state.hand(seat) for seat in range(4)] == [(6, 6, 3), (6, 5, 3), (), ()]
    state = state.apply(ROLL_ALL, (2, 1, 1)).apply(ROLL_ALL, (4, 2, 1))
    assert (state.weakest, state.moved) == (2, 3)
    assert state.hand(2) == (6, 5, 3)


def test_those_tied_for_the_strongest_roll_off_in_the_discharge_only() -> None:
    assert charge("421", "421", "112").weakest == 2
    assert charge("421", "421", "112").report("ABC").seat == 0
    state = stand_with(discharge(7, 7, 7), "421", "421", "112")
    assert (state.to_act, state.weakest) == (0, None)
    state = state.apply(ROLL_ALL, (1, 1, 2)).apply(ROLL_ALL, (6, 6, 5))
    assert (state.strongest, state.weakest, state.moved) == (1, 2, 7)
    assert state.report("ABC").hand == "B's hand: 421, worth 10"


def test_when_all_show_the_same_the_strongest_is_rolled_off_first_then_the_weakest_of_the_others() -> None:
    state = stand_with(discharge(7, 7, 7), "653", "653", "653")
    for hand in ("421", "111", "112"):
        state = state.apply(ROLL_ALL, faces(hand))
    assert (state.strongest, state.to_act) == (0, 1)
    state = state.apply(ROLL_ALL, (1, 1, 2)).apply(ROLL_ALL, (6, 6, 5))
    assert (state.weakest, state.moved) == (1, 1)


def test_who_holds_all_21_picks_up_the_tab() -> None:
    state = stand_with(discharge(0, 4, 17, starting_seat=1), "421", "653")
    assert state.outcome is not None
    assert state.outcome.places == ((0,), (1,), (2,))
    assert state.report(["Ann", "Ben", "Cleo"]).headline == "Cleo picks up the tab"


def test_seats_that_are_safe_together_after_the_charge_share_the_first_place() -> None:
    """docs/rulings.md, 421, "places"."""
    last = charge("421", "653", "112", "652", "651", pot=4, tokens=(9, 0, 4, 0, 4))
    state = last.next_round()
    assert (state.out, state.clockwise, state.order) == ((1, 3), True, (2, 4, 0))
    assert state.to_text() == "-:9 x1 *>-:8 x1 -:4 round 2 roll 1"
    state = stand_with(state, "112", "653", "421").next_round()
    assert state.to_text() == "x3 x1 *>-:17 x1 -:4 round 3 roll 1 reversed"
    assert Bar421.read(state.to_text()) == state
    state = stand_with(state, "112", "421")
    assert state.outcome is not None
    assert state.outcome.places == ((1, 3), (0,), (4,), (2,))
    assert [state.outcome.place(seat) for seat in range(5)] == [3, 1, 5, 1, 4]


def test_reports_and_captions_read_like_the_table() -> None:
    state = charge("111", "456", "112")
    report = state.report(["Ann", "Ben", "You"])
    assert report.headline == "You take 7 tokens from the pot"
    assert (report.seat, report.hand) == (0, "Ann's hand: Triple 1, worth 7")
    after = state.next_round()
    assert after.caption() == "Charge · round 2 · pot 14"
    assert after.standing(2).tally == "7 tokens"
    first = discharge(10, 11).apply(ROLL_ALL, (4, 4, 2))
    assert first.caption() == "Discharge · round 1 · roll 2 of 3"
    assert first.preview(()) == "Select the dice to roll again, or stand"
    assert first.preview((3,)) == "Keep 4 4, roll one die"
    assert first.preview((1, 2, 3)) == "Keep nothing: roll all three"
    assert first.describe_roll(Roll((3,)), (6,)) == "kept 4 4, rolled 6: Two alike, 6."
    assert first.describe_roll(Stand(), ()) == "stood with 4 4 2: Two alike, 2."
    assert first.standing(0).detail == "4 4 2 = Two alike, 2"
    assert [first.meter(seat, first.hand(seat)) for seat in (0, 1)] == [
        Meter(10, 21, "10", of_tally=True),
        Meter(11, 21, "11", of_tally=True),
    ]
    assert first.describe_roll(Roll((1, 2)), (4, 1)) == "kept 2, rolled 4 1: 421, 10. Nothing beats it!"


def test_the_last_die_decides_where_it_can_make_421() -> None:
    assert at_stake(GAME, (4, 2, 0)) == "A 1 makes 4 2 1!"
    assert at_stake(GAME, (0, 1, 2)) == "A 4 makes 4 2 1!"
    assert not at_stake(GAME, (4, 4, 0))
    assert not at_stake(GAME, (0,)), "the die that decides who starts"


def test_the_last_tokens_are_said_to_be_the_last() -> None:
    assert stand_with(discharge(1, 20), "421", "653").report("AB").headline == "B picks up the tab"
    assert (
        stand_with(discharge(1, 10, 10), "421", "653", "655").report("ABC").headline
        == "A gives B the last token and is safe"
    )
    assert stand_with(discharge(4, 7, 10), "421", "653", "655").report("ABC").headline == (
        "A gives B the last 4 tokens and is safe"
    )


def test_a_roll_off_is_one_roll_of_all_its_dice() -> None:
    start = Bar421.start(2, starting_seat=None)
    with pytest.raises(InvalidAction):
        start.apply(Roll((1,)), (7,))
    tie = charge("653", "653")
    for action in (Stand(), Roll((1,))):
        with pytest.raises(IllegalAction, match="This is a roll-off: one roll, and it stands"):
            tie.apply(action, ())


def test_when_the_round_is_over_nobody_acts() -> None:
    state = charge("111", "456", "112")
    assert state.actions == ()
    assert state.preview(()) == "The round is over"
    with pytest.raises(IllegalAction, match="The round is over"):
        state.apply(ROLL_ALL, (1, 2, 3))


def test_a_round_that_goes_on_has_no_next_round_and_no_report() -> None:
    state = discharge(10, 11)
    assert state.outcome is None
    for early in (state.next_round, lambda: state.report(["Ann", "Ben"])):
        with pytest.raises(IllegalAction, match="The round is not over"):
            early()


def test_impossible_faces_and_seats_are_refused() -> None:
    state = discharge(10, 11)
    with pytest.raises(InvalidAction):
        state.apply(ROLL_ALL, (1, 2))
    with pytest.raises(InvalidAction):
        state.apply(ROLL_ALL, (1, 2, 3)).apply(Stand(), (1,))
    with pytest.raises(IllegalAction, match="A hand has three dice"):
        state.apply(ROLL_ALL, (1, 2, 3)).apply(Roll((4,)), (1,))
    with pytest.raises(ValueError, match="two seats"):
        Bar421.start(1, 0)
    for first in (-1, 2, 3):
        with pytest.raises(ValueError, match=f"no seat {first}"):
            Bar421.start(2, first)


def notes(state: Bar421) -> list[str]:
    return [state.standing(seat).note for seat in range(state.seats)]


def test_the_roll_for_the_start_reads_like_the_table() -> None:
    state = Bar421.start(3, starting_seat=None)
    assert state.order == (0, 1, 2), "until somebody starts, as they sit"
    assert state.caption() == "Who starts? One die each, the highest"
    assert state.preview(()) == "One die each: the highest starts"
    assert state.describe_roll(Roll((1,)), (5,)) == "rolled 5 for the start."
    state = state.apply(Roll((1,)), (5,))
    assert (state.standing(0).detail, state.standing(0).tally) == ("5", "no tokens")
    assert notes(state) == ["rolled", "to roll", "to roll"]


def test_the_tokens_of_a_round_move_one_by_one() -> None:
    state = charge("652", "665", pot=7, tokens=(10, 4))
    moving = [(*(each.standing(seat).tally for seat in (0, 1)), pot(each)) for each in (*state.transfer, state)]
    assert moving == [
        ("10 tokens", "4 tokens", "7 in the pot"),
        ("11 tokens", "4 tokens", "6 in the pot"),
        ("12 tokens", "4 tokens", "5 in the pot"),
        ("13 tokens", "4 tokens", "4 in the pot"),
        ("14 tokens", "4 tokens", "3 in the pot"),
        ("15 tokens", "4 tokens", "2 in the pot"),
    ]
    assert not any(each.actions or each.outcome for each in state.transfer)
    assert state.next_round().transfer == ()
    giving = stand_with(discharge(10, 11), "442", "112")
    assert [each.tokens for each in giving.transfer] == [(10, 11), (9, 12)]
    assert (giving.pot_meter, Bar421.start(2, None).pot_meter) == (None, None)


def pot(state: Bar421) -> str:
    assert state.pot_meter
    assert state.pot_meter.value == state.pot_meter.full - sum(seat.value for seat in meters(state))
    return state.pot_meter.label


def meters(state: Bar421) -> list[Meter]:
    return [state.meter(seat, ()) for seat in range(state.seats)]


def test_the_charge_reads_like_the_table() -> None:
    state = Bar421.start(4, starting_seat=0)
    assert state.caption() == "Charge · round 1 · pot 21"
    assert state.preview(()) == "One roll of all three dice"
    assert state.describe_roll(ROLL_ALL, (6, 5, 3)) == "rolled 6 5 3: Other, 1."
    for hand in ("653", "421", "653"):
        state = state.apply(ROLL_ALL, faces(hand))
    assert notes(state) == ["2nd", "1st", "2nd", "to roll"]
    assert all(state.standing(seat).playing for seat in range(4))
    state = state.apply(ROLL_ALL, faces("332"))
    assert notes(state) == ["rolls off", "1st", "rolls off", "2nd"]
    assert state.preview(()) == "A tie: three dice once more, the weakest takes"
    assert state.describe_roll(ROLL_ALL, (1, 1, 2)) == "rolled off 1 1 2: Nenette, 2."
    state = state.apply(ROLL_ALL, faces("112")).apply(ROLL_ALL, faces("111"))
    assert notes(state) == ["weakest", "1st", "3rd", "2nd"]
    assert state.report("ABCD").hand == "B's hand: 421, worth 10"


def test_the_discharge_reads_like_the_table() -> None:
    state = discharge(7, 7, 7)
    assert state.preview(()) == "First roll: all three dice"
    assert state.describe_roll(ROLL_ALL, (4, 2, 1)) == "rolled 4 2 1: 421, 10. Nothing beats it!"
    assert state.apply(ROLL_ALL, (4, 4, 2)).preview((1, 2)) == "Keep 2, roll two dice"
    tied = stand_with(state, "421", "421", "112")
    assert tied.caption() == "Discharge · round 1"
    assert tied.preview(()) == "A tie: three dice once more, the strongest gives"
    tied = stand_with(state, "112", "421", "112")
    assert tied.preview(()) == "A tie: three dice once more, the weakest takes"
    assert notes(tied) == ["rolls off", "strongest", "rolls off"]
    one = stand_with(state, "653", "643", "112")
    assert one.caption() == "Discharge · round 1"
    assert notes(one) == ["strongest", "2nd", "weakest"]
    assert one.report("ABC").headline == "C takes 1 token from A"
    assert one.report(["you", "B", "C"]).headline == "C takes 1 token from you"


def test_a_departure_reads_like_the_table() -> None:
    state = stand_with(discharge(5, 5, 5, 6), "421", "653", "643", "112")
    assert state.report(["Ann", "Ben", "Cleo", "You"]).headline == "Ann gives you the last 5 tokens and is safe"
    after = state.next_round()
    assert after.caption() == "Discharge · round 2 · roll 1 of 3 · play reversed"
    assert notes(after) == ["safe", "to roll", "to roll", "to roll"]
    nobody = stand_with(after, "421", "653", "112")
    assert nobody.report("ABCD").headline == "B takes 10 tokens from D"
    assert not nobody.next_round().clockwise, "nobody leaves, nothing turns"
    back = stand_with(after, "653", "421", "112")
    assert back.next_round().out == (0, 2)
    assert back.next_round().clockwise


@given(st.integers(2, 6), st.integers(0, 2**64))
def test_tokens_are_conserved_and_somebody_can_always_act(seats: int, seed: int) -> None:
    chance = Random(seed)  # a draw for each die would take 13 s
    state = Bar421.start(seats, chance.choice([None, *range(seats)]))
    for _ in range(150):
        assert sum(state.tokens) + state.pot == TOKENS
        assert sorted({*state.order, *state.out}) == list(range(seats))
        if state.outcome:
            assert sorted(chain(*state.outcome.places)) == list(range(seats))
            assert len(state.outcome.places[-1]) == 1, "only one picks up the tab"
            assert all(len(shared) == 1 for shared in state.outcome.places[1:]), "only after the charge"
            break
        if state.to_act is None:
            state = state.next_round()
            assert all(state.tokens[seat] for seat in state.order) or state.charging
            continue
        assert state.to_act in state.order
        action: Action = chance.choice(state.actions)
        thrown = tuple(chance.choices(range(1, 7), k=len(action.dice))) if isinstance(action, Roll) else ()
        state = state.apply(action, thrown)


@pytest.mark.parametrize(("pot", "rounds"), [(21, 6), (8, 2), (5, 2), (4, 1), (1, 1), (0, 0)])
def test_a_charge_plays_itself_for_about_a_round_for_four_tokens(pot: int, rounds: int) -> None:
    """A round takes 3.5 tokens on average at a table of two, 4.2 at one of three, 4.7 at one of four."""
    assert replace(Bar421.start(3, starting_seat=0), pot=pot).automatic == rounds
