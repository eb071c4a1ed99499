"""The rules of 420: every ruling of docs/rulings.md by name, and the counts that follow from them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, strategies as st

from fourtwenty.games.four_twenty import DICE, GAME, MIN_KEPT_TOTAL, ROLL_ALL, FourTwenty, parse_hand
from fourtwenty.games.game import Faces, IllegalAction, InvalidAction, Meter, Roll, Stand, at_stake

HANDS = list(product(range(1, 7), repeat=4))
CHOICES = [dice for size in DICE for dice in combinations(DICE, size)]


def table(*hands: Faces, out: tuple[int, ...] = (), starting_seat: int = 0, rolls: int | None = None) -> FourTwenty:
    """A position with these hands; unless said otherwise, everybody has rolled once and Player 1 is to roll."""
    return FourTwenty(hands, out, starting_seat, len(hands) - len(out) if rolls is None else rolls)


def first_rolls(state: FourTwenty, *hands: Faces) -> FourTwenty:
    for hand in hands:
        state = state.apply(ROLL_ALL, hand)
    return state


# -- what may be rerolled ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", CHOICES)
def test_every_choice_of_every_hand_against_the_rule_written_as_an_average(dice: tuple[int, ...]) -> None:
    """Dice may stay when they average five or more; a hand over 20 must go; one of 20 is never to move."""
    for hand in HANDS:
        stay = [face for die, face in enumerate(hand, 1) if die not in dice]
        may = sum(stay) >= 5 * len(stay) and (sum(hand) < 20 or not stay) and sum(hand) != 20
        assert (table(hand, (1, 1, 1, 1)).check(Roll(dice)) is None) == may


def test_the_actions_are_the_choices_that_nothing_speaks_against() -> None:
    for hand in HANDS:
        state = table(hand, (1, 1, 1, 1))
        assert set(state.actions) == {Roll(dice) for dice in CHOICES if state.check(Roll(dice)) is None}


def test_the_rule_is_one_table() -> None:
    """docs/rulings.md, 420, "what may be rerolled": by the dice thrown, the least total of those that stay."""
    assert MIN_KEPT_TOTAL == {1: 15, 2: 10, 3: 5, 4: 0}


def test_sums_are_judged_not_each_die() -> None:
    assert table((6, 4, 1, 1), (1, 1, 1, 1)).check(Roll((3, 4))) is None
    assert table((6, 6, 3, 1), (1, 1, 1, 1)).check(Roll((4,))) is None


def test_hands_by_total() -> None:
    """1,296 ordered hands, 126 as multisets; a first roll wins in 35 (docs/rulings.md, 420, "first-roll win")."""

    def side(hand: Faces) -> str:
        return "20" if sum(hand) == 20 else "over" if sum(hand) > 20 else "under"

    assert Counter(map(side, HANDS)) == {"20": 35, "over": 35, "under": 1226}
    assert Counter(side(hand) for hand in {tuple(sorted(hand)) for hand in HANDS}) == {"20": 5, "over": 7, "under": 114}


def test_legal_pairs_of_hand_and_dice_that_stay() -> None:
    """297 as multisets; four dice thrown 121, three 94, two 61, one 21."""
    pairs = {
        (hand, tuple(face for die, face in enumerate(hand, 1) if die not in roll.dice))
        for hand in {tuple(sorted(hand)) for hand in HANDS}
        for roll in table(hand, (1, 1, 1, 1)).actions
    }
    assert Counter(4 - len(stay) for _, stay in pairs) == {4: 121, 3: 94, 2: 61, 1: 21}


@pytest.mark.parametrize(
    ("hand", "dice", "sentence"),
    [
        ((5, 4, 3, 3), (3, 4), "5 + 4 = 9. You need at least 10 to keep two dice."),
        ((6, 5, 3, 1), (4,), "6 + 5 + 3 = 14. You need at least 15 to keep three dice."),
        ((4, 1, 1, 1), (2, 3, 4), "4 is not enough. You need at least 5 to keep one die."),
        ((6, 6, 5, 5), (1,), "22 is over 20: roll all four."),
        ((), (1,), "The first roll takes all four dice."),
        ((6, 5, 3, 1), (5,), "There is no die 5: a hand has four."),
        ((6, 5, 3, 1), (4, 7), "There is no die 7: a hand has four."),
    ],
)
def test_a_forbidden_roll_says_why(hand: Faces, dice: tuple[int, ...], sentence: str) -> None:
    state = table(hand, (1, 1, 1, 1) if hand else (), rolls=2 if hand else 0)
    assert state.check(Roll(dice)) == sentence
    with pytest.raises(IllegalAction) as refusal:
        state.apply(Roll(dice), (1,) * len(dice))
    assert str(refusal.value) == sentence


def test_there_is_no_pass() -> None:
    state = table((6, 5, 5, 1), (1, 1, 1, 1))
    assert state.check(Stand()) == "You can't pass in 420: every turn is a roll."
    with pytest.raises(InvalidAction, match="at least one die"):
        Roll(())


@pytest.mark.parametrize("dice", [(0,), (1, 0), (1, 1), (-1,), (True,), (2, True), ("1",), (1.0,)])
def test_what_is_no_roll_of_any_game_is_not_a_valid_action(dice: tuple[int, ...]) -> None:
    with pytest.raises(InvalidAction):
        Roll(dice)


@pytest.mark.parametrize("faces", [(), (1, 2, 3), (1, 2, 3, 7), (0, 1, 2, 3), (1, 2, 3, True), (1, 2, 3, 4, 5)])
def test_faces_no_dice_can_show_are_refused(faces: Faces) -> None:
    with pytest.raises(InvalidAction, match="Four dice show four faces from 1 to 6"):
        FourTwenty.start(2, starting_seat=0).apply(ROLL_ALL, faces)


@pytest.mark.parametrize(
    ("hand", "dice", "preview"),
    [
        ((6, 5, 5, 1), (4,), "Keep 6 5 5, roll one die"),
        ((6, 5, 5, 1), (1, 4), "Keep 5 5, roll two dice"),
        ((6, 5, 5, 1), (2, 3, 4), "Keep 6, roll three dice"),
        ((6, 5, 5, 1), (1, 2, 3, 4), "Keep nothing: roll all four"),
        ((6, 5, 5, 1), (), "Select the dice to roll; keep the others"),
        ((5, 4, 3, 3), (3, 4), "5 + 4 = 9. You need at least 10 to keep two dice."),
        ((6, 6, 5, 5), (1,), "22 is over 20: roll all four"),
        ((4, 4, 4, 4), (), "No die is 5 or more: roll all four"),
        ((), (), "First roll: all four dice"),
    ],
)
def test_the_line_under_the_hand(hand: Faces, dice: tuple[int, ...], preview: str) -> None:
    assert table(hand, (1, 1, 1, 1) if hand else (), rolls=2 if hand else 0).preview(dice) == preview


# -- a round -----------------------------------------------------------------------------------------------------


def test_dice_keep_their_places() -> None:
    state = table((6, 1, 5, 2), (1, 1, 1, 1)).apply(Roll((4, 2)), (3, 4))
    assert state.hand(0) == (6, 3, 5, 4)


def test_first_roll_win() -> None:
    state = FourTwenty.start(3, starting_seat=1).apply(ROLL_ALL, (6, 5, 5, 4))
    assert state.winner == 1
    assert state.to_act is None
    assert state.actions == ()
    assert state.report("ABC").headline == "B is out on the first roll"


def test_mid_lap_win_ends_the_round_at_once() -> None:
    state = first_rolls(FourTwenty.start(3, starting_seat=0), (6, 5, 5, 1), (6, 5, 5, 1), (6, 5, 5, 1))
    state = state.apply(Roll((4,)), (2,)).apply(Roll((4,)), (4,))
    assert state.winner == 1
    assert state.rolls == 5
    with pytest.raises(IllegalAction, match="The round is over"):
        state.apply(ROLL_ALL, (1, 1, 1, 1))


def test_over_20_the_reset_is_the_turn() -> None:
    state = first_rolls(FourTwenty.start(2, starting_seat=0), (6, 6, 5, 5), (1, 1, 1, 1))
    assert state.actions == (ROLL_ALL,)
    assert state.standing(0).note == "over"
    assert state.apply(ROLL_ALL, (1, 2, 3, 4)).to_act == 1


def test_turns_go_clockwise_from_player_one() -> None:
    state = FourTwenty.start(4, starting_seat=2)
    turns = []
    for _ in range(8):
        turns.append(state.to_act)
        state = state.apply(ROLL_ALL, (1, 1, 1, 1))
    assert turns == [2, 3, 0, 1, 2, 3, 0, 1]


@pytest.mark.parametrize(("seats", "first"), [(1, 0), (0, 0), (2, 2), (2, 3), (2, -1), (2, None)])
def test_no_match_without_two_seats_and_a_first_among_them(seats: int, first: int | None) -> None:
    with pytest.raises(ValueError, match="seat"):
        FourTwenty.start(seats, first)


# -- the evening -------------------------------------------------------------------------------------------------

WINNING = (6, 5, 5, 4)


def test_two_players_one_round() -> None:
    state = FourTwenty.start(2, starting_seat=1).apply(ROLL_ALL, WINNING)
    assert state.outcome is not None
    assert state.outcome.places == ((1,), (0,))
    assert state.report(["Ann", "Ben"]).headline == "Ann buys the drinks"
    with pytest.raises(IllegalAction, match="The match is over"):
        state.next_round()


def test_you_buy_the_drinks() -> None:
    state = FourTwenty.start(2, starting_seat=1).apply(ROLL_ALL, WINNING)
    assert state.report(["You", "Ben"]).headline == "You buy the drinks"
    assert (
        FourTwenty.start(3, starting_seat=0).apply(ROLL_ALL, WINNING).report(["You", "B", "C"]).headline
        == "You are out on the first roll"
    )


def test_the_winner_drops_out_and_the_others_clear_their_hands() -> None:
    state = first_rolls(FourTwenty.start(3, starting_seat=0), (1, 1, 1, 1), WINNING).next_round()
    assert state == FourTwenty(hands=((), (), ()), out=(1,), starting_seat=2, rolls=0)
    assert state.standing(1).note == "won round 1"
    assert not state.standing(1).playing


@pytest.mark.parametrize(
    ("winner", "starts_next"),
    [
        pytest.param(0, 1, id="player-one-has-left"),
        pytest.param(1, 2, id="the-seat-to-the-left-has-left"),
        pytest.param(2, 1, id="another-seat-has-left"),
    ],
)
def test_next_player_one_is_the_next_seat_in_to_the_left_of_the_last(winner: int, starts_next: int) -> None:
    state = FourTwenty.start(3, starting_seat=0)
    state = first_rolls(state, *[(1, 1, 1, 1)] * winner, WINNING)
    assert state.winner == winner
    assert state.next_round().starting_seat == starts_next
    assert state.next_round().to_act == starts_next


def test_next_player_one_passes_over_seats_that_are_out() -> None:
    state = table((), (), (), (1, 1, 1, 1), WINNING, out=(0, 2), starting_seat=3, rolls=2)
    assert state.winner == 4
    assert state.next_round().starting_seat == 1


def test_nine_players_play_eight_rounds() -> None:
    state = FourTwenty.start(9, starting_seat=4)
    starts = []
    for number in range(1, 9):
        assert state.round == number
        starts.append(state.starting_seat)
        state = first_rolls(state, (1, 1, 1, 1), WINNING)
        if not state.outcome:
            state = state.next_round()
    assert starts == [4, 6, 8, 1, 3, 6, 1, 6]
    assert state.outcome is not None
    assert state.outcome.places == tuple((seat,) for seat in (5, 7, 0, 2, 4, 8, 3, 1, 6))


def test_a_round_that_goes_on_has_no_next_round_and_no_report() -> None:
    state = FourTwenty.start(2, starting_seat=0)
    assert state.outcome is None
    for early in (state.next_round, lambda: state.report("AB")):
        with pytest.raises(IllegalAction, match="not over"):
            early()


# -- as the table reads ------------------------------------------------------------------------------------------


def notes(state: FourTwenty) -> list[tuple[str, str]]:
    return [(state.standing(seat).detail, state.standing(seat).note) for seat in range(state.seats)]


def test_a_round_reads_like_the_table() -> None:
    state = FourTwenty.start(3, starting_seat=1)
    assert state.caption() == "Round 1 of 2"
    assert state.describe_roll(ROLL_ALL, (6, 5, 5, 1)) == "rolled 6 5 5 1: 17."
    assert state.describe_roll(ROLL_ALL, (6, 6, 5, 4)) == "rolled 6 6 5 4: 21, one too many."
    state = first_rolls(state, (6, 5, 5, 1), (6, 6, 5, 4))
    assert all(state.standing(seat).playing for seat in range(3))
    assert notes(state) == [("", ""), ("6 5 5 1 = 17", ""), ("6 6 5 4 = 21", "over")]
    assert [state.meter(seat, state.hand(seat)).label for seat in range(3)] == ["Make exactly 20", "17", "21 over"]
    assert (state.roll, first_rolls(state, (4, 3, 3, 2)).roll) == (1, 2)
    state = first_rolls(state, (4, 3, 3, 2))
    assert state.describe_roll(Roll((4,)), (4,)) == "kept 6 5 5, rolled 4: 20! Out and safe."
    assert state.describe_roll(Roll((4,)), (3,)) == "kept 6 5 5, rolled 3: 19, one away."
    assert state.describe_roll(Roll((4,)), (6,)) == "kept 6 5 5, rolled 6: 22, over."
    assert state.describe_roll(Roll((1, 4)), (3, 2)) == "kept 5 5, rolled 3 2: 15."


def test_a_twenty_at_once_says_how_rare_it_is() -> None:
    state = FourTwenty.start(2, starting_seat=0)
    assert state.describe_roll(ROLL_ALL, (6, 5, 5, 4)) == "rolled 6 5 5 4: 20 at the first roll, 1 in 37!"
    throws = [*product(range(1, 7), repeat=4)]
    assert round(len(throws) / sum(GAME.is_winning(throw) for throw in throws)) == 37


def test_the_meter_moves_back_to_what_is_kept_and_has_a_tick_at_what_may_be_kept() -> None:
    state = first_rolls(FourTwenty.start(2, starting_seat=0), (6, 5, 5, 1), (4, 3, 3, 2))
    assert state.meter(0, (6, 5, 5, 1)) == Meter(17, 20, "17")
    assert state.meter(0, (6, 5, 5, 0)) == Meter(16, 20, "16 + ?", least=15)
    assert state.meter(0, (6, 0, 5, 0)) == Meter(11, 20, "11 + ? + ?", least=10)
    assert state.meter(0, (0, 0, 0, 0)).value == 0


def test_the_last_die_decides_where_it_can_make_twenty() -> None:
    assert at_stake(GAME, (6, 5, 5, 0)) == "A 4 makes 20!"
    assert at_stake(GAME, (0, 6, 6, 6)) == "A 2 makes 20!"
    assert not at_stake(GAME, (6, 0, 5, 0)), "two dice are in the air"
    assert not at_stake(GAME, (6, 6, 1, 0)), "no face is enough"
    assert not at_stake(GAME, (6, 5, 5, 4))


def test_a_win_reads_like_the_table() -> None:
    state = first_rolls(FourTwenty.start(3, starting_seat=1), (6, 5, 5, 1), (6, 6, 5, 5), (4, 3, 3, 2))
    won = state.apply(Roll((4,)), (4,))
    assert (won.caption(), won.preview(())) == ("Round 1 of 2", "The round is over")
    assert notes(won)[1] == ("6 5 5 4 = 20", "won round 1")
    assert (won.standing(1).playing, won.meter(1, won.hand(1)).label) == (True, "20!")
    names = ["Ann", "Ben", "Cleo"]
    assert (won.report(names).headline, won.report(names).hand) == ("Ben is out on roll 4", "Ben's 20")
    last = first_rolls(won.next_round(), (1, 1, 1, 1), WINNING)
    assert (last.caption(), notes(last)[0]) == ("Round 2 of 2", ("6 5 5 4 = 20", "won round 2"))
    assert (last.report(names).headline, last.report(names).hand) == ("Cleo buys the drinks", "Ann's 20")


def test_a_table_to_think_about() -> None:
    """The first of the hands is to act, and the others follow; nobody has won."""
    state = FourTwenty.from_hands([(6, 5, 5, 1), (), (6, 6, 5, 5)])
    assert (state.to_act, state.order) == (0, (0, 1, 2))
    assert state.apply(Roll((4,)), (1,)).to_act == 1


@pytest.mark.parametrize(
    ("hands", "refusal"),
    [
        ([(6, 5, 5, 1), WINNING], "6 5 5 4 is 20: the round is over"),
        ([], "A match needs two seats or more."),
        ([(6, 5, 5, 1)], "A match needs two seats or more."),
        ([(9, 9, 9, 9), ()], "Four dice show four faces from 1 to 6."),
        ([(6, 5, 5, 0), ()], "Four dice show four faces from 1 to 6."),
        ([(), (6, 6, 6)], "Four dice show four faces from 1 to 6."),
        ([(6, 6, 6, 1, 1), ()], "Four dice show four faces from 1 to 6."),
    ],
)
def test_hands_that_no_round_has_are_refused(hands: list[Faces], refusal: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(refusal)}$") as refused:
        FourTwenty.from_hands(hands)
    assert not isinstance(refused.value, IllegalAction), "there is no action"


def test_the_first_seat_is_drawn_before_a_match() -> None:
    sentence = "420 draws its first seat by lot: pass it as starting_seat."
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        FourTwenty.start(3, None)


def test_a_hand_is_four_digits_or_not_yet_rolled() -> None:
    assert (parse_hand("6551"), parse_hand("-")) == ((6, 5, 5, 1), ())
    for text in ("", "655", "65511", "6557", "6550", "655a", "----", "٦٥٥١"):
        with pytest.raises(InvalidAction, match=r"isn't a hand\. Type four dice from 1 to 6"):
            parse_hand(text)


@given(seats=st.integers(2, 12), first=st.integers(0, 11), chance=st.randoms(use_true_random=False))
def test_any_legal_play_keeps_the_invariants(seats: int, first: int, chance: Random) -> None:
    state = FourTwenty.start(seats, first % seats)
    for _ in range(200):
        assert sorted((*state.order, *state.out)) == list(range(seats))
        assert all(len(hand) in (0, 4) for hand in state.hands)
        assert all(not state.hands[seat] for seat in state.out)
        assert (state.to_act is None) == any(sum(hand) == 20 for hand in state.hands)
        if state.outcome:
            assert sorted(state.outcome.places) == [(seat,) for seat in range(seats)]
            return
        if state.to_act is None:
            state = state.next_round()
            continue
        seat, before = state.to_act, state
        roll = chance.choice(state.actions)
        faces = tuple(chance.choice((3, 4, 5, 6, 6)) for _ in roll.dice)
        state = state.apply(roll, faces)
        assert before.hands[:seat] == state.hands[:seat]
        assert before.hands[seat + 1 :] == state.hands[seat + 1 :]
        stay = [die for die in DICE if die not in roll.dice]
        assert [before.hands[seat][die - 1] for die in stay] == [state.hands[seat][die - 1] for die in stay]
        assert state.rolls == before.rolls + 1
