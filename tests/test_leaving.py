"""Seats that leave: a match goes on without them, in every game, from the rules to the journal and the record."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourtwenty.games import GAMES
from fourtwenty.games.bar_421 import TOKENS, Bar421
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Event, IllegalAction, InvalidAction, Leave, Roll, Stand, State
from fourtwenty.games.replay import replay, state_after
from fourtwenty.games.ten_rounds import TenRounds

NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"]

games = st.sampled_from(sorted(GAMES))
seeds = st.integers(0, 2**32)


class Story(NamedTuple):
    """A match that was played at random."""

    start: State
    events: list[Event]
    states: list[State]
    """Every state, from the start to the end, those between two rounds too."""


def story(key: str, seats: int, seed: int, leaves: float = 0.05, loaded: bool = False) -> Story:
    """A match of random actions in which seats leave at random; loaded dice fall so that hands tie."""
    game, chance = GAMES[key], Random(seed)
    start = state = game.start(seats, None if not game.draws and seed % 2 else seed % seats)
    told = Story(start, [], [start])
    while not state.outcome:
        if chance.random() < leaves:
            candidates = (state if state.to_act is not None else state.next_round()).remaining
            event = Event(chance.choice(candidates), Leave(), ())
        elif state.to_act is None:
            state = state.next_round()
            told.states.append(state)
            continue
        else:
            action = chance.choice(state.actions)
            thrown = action.dice if isinstance(action, Roll) else ()
            faces = tuple(chance.choice((4, 2, 1) if loaded and key != "420" else range(1, 7)) for _ in thrown)
            event = Event(state.to_act, action, faces)
        told.events.append(event)
        state = state_after(state, event)
        told.states.append(state)
    return told


def rolled(state: State, *hands: str) -> State:
    """The state once the seats to act have rolled these hands, and stood where they may roll on."""
    for hand in hands:
        state = state.apply(state.actions[0], tuple(map(int, hand)))
        if Stand() in state.actions and state.hand(state.to_act or 0):
            state = state.apply(Stand(), ())
    return state


# -- what always holds -------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(games, st.integers(2, 6), seeds, st.booleans())
def test_a_match_goes_on_without_those_who_leave_and_they_come_last(
    key: str, seats: int, seed: int, loaded: bool
) -> None:
    told = story(key, seats, seed, loaded=loaded)
    end, left = told.states[-1], [event.seat for event in told.events if event.action == Leave()]
    assert end.outcome
    places = [seat for shared in end.outcome.places for seat in shared]
    assert sorted(places) == [*range(seats)]
    assert places[seats - len(left) :] == left[::-1], "leavers last, later leavers before earlier ones"
    assert all(end.outcome.place(seat) == seats - index for index, seat in enumerate(left))
    assert [step.event for step in replay(told.start, told.events)] == told.events
    report = end.report(NAMES)
    assert dict(report.facts).get("Left", "").startswith(NAMES[left[0]] if left else "")
    if GAMES[key].tallies_last:
        assert report.headline.startswith(NAMES[places[-1]])


@settings(deadline=None, max_examples=60)
@given(games, st.integers(2, 6), seeds, st.booleans())
def test_every_state_of_such_a_match_is_sound(key: str, seats: int, seed: int, loaded: bool) -> None:
    remaining = set(range(seats))
    for state in story(key, seats, seed, loaded=loaded).states:
        assert remaining >= set(state.remaining), "it never grows"
        remaining = set(state.remaining)
        assert state.to_act is None or state.to_act in remaining
        assert not remaining & set(state.left)
        assert GAMES[key].position(state.position()) == state
        for seat in range(seats):
            standing = state.standing(seat)
            assert (standing.note == "left") == (seat in state.left)
            assert standing.playing == (seat in remaining)
        if isinstance(state, Bar421):
            assert sum(state.tokens) + state.pot == TOKENS
        if state.to_act is not None:
            assert state.actions
            assert not any(isinstance(action, Leave) for action in state.actions)
            assert state.caption()
            assert state.preview(())


@pytest.mark.parametrize("key", GAMES)
def test_leaving_is_no_action_and_nobody_leaves_twice(key: str) -> None:
    state = GAMES[key].start(3, 0)
    assert state.check(Leave()) == "Leaving is no turn: the others go on without a seat."
    with pytest.raises(IllegalAction, match="Leaving is no turn"):
        state.apply(Leave(), ())
    with pytest.raises(InvalidAction):
        state_after(state, Event(1, Leave(), (1,)))
    state = state.without(1)
    assert state.tell(Leave(), ()) == "leaves; the others go on."
    for seat in (1, 3, -1):
        with pytest.raises(IllegalAction, match=r"^This seat no longer takes part in the match\.$"):
            state.without(seat)
    over = state.without(0)
    assert over.to_act is None
    assert over.check(Leave()) == "The round is over."
    for step in (over.next_round, lambda: over.without(2)):
        with pytest.raises(IllegalAction, match=r"^The match is over\.$"):
            step()


@pytest.mark.parametrize(
    ("key", "headline", "facts"),
    [
        ("420", "Ben buys the drinks", {"Safe": "Ann", "Left": "Ben"}),
        ("421", "Ben picks up the tab", {"Safe": "Ann", "Left": "Ben"}),
        ("ten-rounds", "Ann wins", {"Points": "Ann 0, Ben 0", "Left": "Ben"}),
    ],
)
def test_a_match_of_two_is_over_when_one_leaves(key: str, headline: str, facts: dict[str, str]) -> None:
    for first in (0, 1):
        state = GAMES[key].start(2, first).without(1)
        assert state.outcome
        assert state.outcome.places == ((0,), (1,))
        report = state.report(NAMES)
        assert (report.headline, report.seat, report.hand, dict(report.facts)) == (headline, 0, "Ann stays", facts)
        assert [state.standing(seat).note for seat in (0, 1)] == ["stayed", "left"]


# -- 420: docs/rulings.md, 420, "going on without a seat" --------------------------------------------------------


def test_the_others_keep_their_hands_and_the_number_of_the_roll() -> None:
    table = FourTwenty.read("*6551 4332 >6541 5521 roll 3")
    assert table.without(1).position() == "*6551 L1 >6541 5521 roll 3", "its turn was before"
    assert table.without(3).position() == "*6551 4332 >6541 L1 roll 3", "its turn is to come"
    assert table.without(2).position() == "*6551 4332 L1 >5521 roll 3", "the turn passes on"
    assert FourTwenty.read("*6551 4332 >6541 roll 3").without(2).position() == "*>6551 4332 L1 roll 4"


def test_the_next_seat_is_player_1_when_player_1_leaves() -> None:
    assert FourTwenty.read("*6551 >- - roll 1").without(0).position() == "L1 *>- - roll 1"
    assert FourTwenty.read(">6551 *4332 4432 x1 roll 2").without(1).position() == ">6551 L1 *4432 x1 roll 2"


def test_who_leaves_first_buys_the_drinks() -> None:
    state = FourTwenty.read("*6551 >6553 4432 4432 roll 2").without(2)
    assert state.caption() == "Round 1 of 2 · roll 2"
    state = state.apply(Roll((1, 2, 3, 4)), (1, 1, 1, 1)).apply(Roll((1, 2, 3, 4)), (6, 5, 5, 4))
    assert dict(state.report(NAMES).facts)["Left"] == "Cleo"
    state = state.next_round()
    assert (state.left, state.remaining) == ((2,), (0, 1))
    state = state.without(1)
    assert state.outcome
    assert state.outcome.places == ((3,), (0,), (1,), (2,))
    report = state.report(NAMES)
    assert report.headline == "Cleo buys the drinks"
    assert report.facts == (("Safe", "Dan, then Ann"), ("Left", "Cleo and Ben"))


def test_a_last_20_leaves_the_other_seat_safe_when_somebody_has_left() -> None:
    state = FourTwenty.read("*>6551 4432 L1 roll 2").apply(Roll((4,)), (4,))
    report = state.report(NAMES)
    assert report.headline == "Cleo buys the drinks"
    assert dict(report.facts)["Safe"] == "Ann, then Ben"


# -- 421: docs/rulings.md, 421, "going on without a seat" --------------------------------------------------------


def test_in_the_charge_the_tokens_go_back_to_the_pot_and_the_round_goes_on() -> None:
    state = Bar421.read("*665:5 >-:4 -:2 pot 10 round 4 roll 1")
    assert state.without(0).position() == "L1 *>-:4 -:2 pot 15 round 4 roll 1"
    assert state.without(1).position() == "*665:5 L1 >-:2 pot 14 round 4 roll 1"
    settled = Bar421.read("*665:5 654:4 >-:2 pot 10 round 4 roll 1").without(2)
    assert settled.position() == "*665:5 654w:4 L1 pot 12 round 4 roll 1"


def test_in_the_discharge_a_new_charge_begins() -> None:
    state = Bar421.read(">665:3 *421:9 x1 -:9 x2 round 14 roll 2 reversed")
    charge = state.without(1)
    assert charge.position() == "*>-:3 L1 x1 -:9 x2 pot 9 round 14 roll 1 reversed"
    assert charge.automatic
    after = rolled(charge, "421", "665")
    assert after.next_round().position() == "-:3 L1 x1 *>-:18 x2 round 15 roll 1 reversed"
    assert after.next_round().without(0).outcome


def test_seats_that_were_safe_together_share_their_place_after_a_new_charge() -> None:
    charge = Bar421.read("*>-:3 -:9 x1 -:9 x1 round 14 roll 1").without(1)
    discharge = rolled(charge, "421", "665").next_round()
    assert discharge.position() == "-:3 L1 x1 *>-:18 x1 round 15 roll 1"
    over = discharge.without(3)
    assert over.outcome
    assert over.outcome.places == ((2, 4), (0,), (3,), (1,))
    assert over.report(NAMES).facts == (("Safe", "Cleo and Eve, then Ann"), ("Left", "Ben and Dan"))


def test_the_tab_is_for_the_first_who_left_though_another_holds_all_tokens() -> None:
    state = Bar421.read("*421:1 >-:20 L1 round 14 roll 1")
    over = rolled(state, "112")
    assert over.outcome
    assert over.outcome.places == ((0,), (1,), (2,))
    report = over.report(NAMES)
    assert report.headline == "Cleo picks up the tab"
    assert report.facts[-2:] == (("Safe", "Ann, then Ben"), ("Left", "Cleo"))


def test_a_roll_off_goes_on_without_the_seat() -> None:
    starting = Bar421.start(3, None).apply(Roll((1,)), (3,)).apply(Roll((1,)), (5,))
    assert starting.without(2).position() == "-:0 *>-:0 L1 pot 21 round 1 roll 1"
    assert starting.without(1).position() == "-=3:0 L1 >-=-:0 pot 21 round 1 roll 1"
    tied = Bar421.read("*112=665:5 >112=-:4 112=-:2 pot 10 round 4 roll 1")
    assert tied.without(1).position() == "*112=665:5 L1 >112=-:2 pot 14 round 4 roll 1"
    assert tied.without(1).without(2).outcome
    two = Bar421.read("*112=665:5 >112=-:4 421:2 pot 10 round 4 roll 1")
    assert two.without(1).position() == "*112w:5 L1 421:2 pot 14 round 4 roll 1"
    assert two.without(2).position() == "*112=665:5 >112=-:4 L1 pot 12 round 4 roll 1"


# -- Four Twenty-One: docs/rulings.md, Four Twenty-One, "going on without a seat" --------------------------------


def test_points_stay_on_the_sheet_but_the_seat_comes_last() -> None:
    state = TenRounds.read("*653:0111 >665:1000 -:0000 roll 2 of 2").without(0)
    assert state.position() == "L1:0111 *>665:1000 -:0000 roll 2 of 3"
    assert state.standing(0).tally == "· 1 1 1  3 points"


def test_the_next_seat_begins_the_round_with_all_its_rolls_unless_a_turn_has_ended() -> None:
    assert TenRounds.read("*665 >- - roll 1 of 1").without(0).position() == "L1 *>- - roll 1 of 3"
    assert TenRounds.read("*665 >654 - roll 2 of 2").without(0).position() == "L1 *>654 - roll 2 of 3"
    assert TenRounds.read("*665 654 >- roll 1 of 1").without(0).position() == "L1 *654 >- roll 1 of 1"


def test_the_best_of_the_hands_that_remain_gets_the_point() -> None:
    state = TenRounds.read("*421+2 665 >- roll 1 of 1")
    assert state.without(2).position() == "*421+3 665 L1 roll 1 of 1"
    assert state.without(0).without(2).outcome
    state = state.without(0).apply(Roll((1, 2, 3)), (6, 5, 4))
    assert state.position() == "L1 *665+1 654 roll 1 of 1"
    assert state.next_round().position() == "L1:0 -:1 *>-:0 roll 1 of 3"


def test_one_of_two_who_play_on_wins_when_the_other_leaves() -> None:
    extra = TenRounds.read("*>-:1010101010 -:0101010101 -:0000000000 roll 1 of 3")
    with pytest.raises(IllegalAction):
        extra.without(2)
    over = extra.without(0)
    assert over.outcome
    assert over.outcome.places == ((1,), (2,), (0,))
    assert over.report(NAMES).headline == "Ben wins"


def test_the_tied_roll_off_for_the_point_without_the_seat() -> None:
    tied = TenRounds.read("*>421=-:0 421=-:0 421=-:1 roll 1 of 3")
    assert tied.without(0).position() == "L1:0 *>421=-:0 421=-:1 roll 1 of 3"
    assert tied.without(0).without(2).outcome
