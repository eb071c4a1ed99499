"""Seats that leave: a match carries on without them, in every game, from the rules to the journal and the record."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.bar_421 import TOKENS, Bar421
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Event, IllegalAction, InvalidAction, Leave, Roll, Stand, State
from fourtwenty.games.replay import replay, state_after
from fourtwenty.games.ten_rounds import TenRounds
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, RecordError, read_record, verify_record, write_record
from fourtwenty.odds import solver_for
from fourtwenty.play.bots import BOTS
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import MatchLog
from fourtwenty.play.tally import bettors, candidates
from fourtwenty.review.analysis import rounds_of
from fourtwenty.review.figures import measured

NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"]

games = st.sampled_from(sorted(GAMES))
seeds = st.integers(0, 2**32)


class Departure(NamedTuple):
    """A match that was played at random."""

    start: State
    events: list[Event]
    states: list[State]
    """Every state, from the start to the end, those between two rounds too."""


def story(key: str, seats: int, seed: int, leaves: float = 0.05, loaded: bool = False) -> Departure:
    """A match of random actions in which seats leave at random; loaded dice fall so that hands tie."""
    game, chance = GAMES[key], Random(seed)
    start = state = game.start(seats, None if not game.draws_start and seed % 2 else seed % seats)
    told = Departure(start, [], [start])
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


def places(state: State) -> tuple[tuple[int, ...], ...]:
    assert state.outcome
    return state.outcome.places


# -- what always holds -------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(games, st.integers(2, 6), seeds, st.booleans())
def test_a_match_goes_on_without_those_who_leave_and_they_come_last(
    key: str, seats: int, seed: int, loaded: bool
) -> None:
    told = story(key, seats, seed, loaded=loaded)
    end, left = told.states[-1], [event.seat for event in told.events if event.action == Leave()]
    assert end.outcome
    order = [seat for shared in end.outcome.places for seat in shared]
    assert sorted(order) == [*range(seats)]
    assert order[seats - len(left) :] == left[::-1], "leavers last, later leavers before earlier ones"
    assert all(end.outcome.place(seat) == seats - index for index, seat in enumerate(left))
    assert [step.event for step in replay(told.start, told.events)] == told.events
    report = end.report(NAMES)
    if GAMES[key].counts_last_place:
        assert report.headline.startswith(NAMES[order[-1]])


@settings(deadline=None, max_examples=60)
@given(games, st.integers(2, 6), seeds, st.booleans())
def test_every_state_of_such_a_match_is_sound(key: str, seats: int, seed: int, loaded: bool) -> None:
    remaining = set(range(seats))
    for state in story(key, seats, seed, loaded=loaded).states:
        assert remaining >= set(state.remaining), "it never grows"
        remaining = set(state.remaining)
        assert state.to_act is None or state.to_act in remaining
        assert not remaining & set(state.departed)
        assert GAMES[key].parse(state.to_text()) == state
        for seat in range(seats):
            standing = state.standing(seat)
            assert (standing.note == "left") == (seat in state.departed)
            assert standing.playing == (seat in remaining)
        if state.to_act is not None:
            assert state.actions
            assert not any(isinstance(action, Leave) for action in state.actions)
            assert state.caption()
            assert state.preview(())


@pytest.mark.parametrize("key", GAMES)
def test_leaving_is_no_action_and_nobody_leaves_twice(key: str) -> None:
    state = GAMES[key].start(3, 0)
    assert state.check(Leave()) == "Leaving isn't a turn: the others carry on without that seat."
    with pytest.raises(IllegalAction, match="Leaving isn't a turn"):
        state.apply(Leave(), ())
    with pytest.raises(InvalidAction):
        state_after(state, Event(1, Leave(), (1,)))
    state = state.without(1)
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
    ("key", "headline"),
    [("420", "Ben buys the drinks"), ("421", "Ben picks up the tab"), ("ten-rounds", "Ann wins")],
)
def test_a_match_of_two_is_over_when_one_leaves(key: str, headline: str) -> None:
    for first in (0, 1):
        state = GAMES[key].start(2, first).without(1)
        assert places(state) == ((0,), (1,))
        report = state.report(NAMES)
        assert (report.headline, report.seat, report.hand) == (headline, 0, "Ann stays")
        assert [state.standing(seat).note for seat in (0, 1)] == ["stayed", "left"]


# -- 420: docs/rulings.md, 420, "carrying on without a seat" --------------------------------------------------------


def test_the_others_keep_their_hands_and_the_number_of_the_roll() -> None:
    table = FourTwenty.read("*6551 4332 >6541 5521 roll 3")
    assert table.without(1).to_text() == "*6551 L1 >6541 5521 roll 3", "its turn was before"
    assert table.without(3).to_text() == "*6551 4332 >6541 L1 roll 3", "its turn is to come"
    assert table.without(2).to_text() == "*6551 4332 L1 >5521 roll 3", "the turn passes on"
    assert FourTwenty.read("*6551 4332 >6541 roll 3").without(2).to_text() == "*>6551 4332 L1 roll 4"


def test_the_next_seat_is_player_1_when_player_1_leaves() -> None:
    assert FourTwenty.read("*6551 >- - roll 1").without(0).to_text() == "L1 *>- - roll 1"
    assert FourTwenty.read(">6551 *4332 4432 x1 roll 2").without(1).to_text() == ">6551 L1 *4432 x1 roll 2"


def test_who_leaves_first_buys_the_drinks() -> None:
    state = FourTwenty.read("*6551 >6553 4432 4432 roll 2").without(2)
    assert state.caption() == "Round 1 of 2"
    state = state.apply(Roll((1, 2, 3, 4)), (1, 1, 1, 1)).apply(Roll((1, 2, 3, 4)), (6, 5, 5, 4))
    state = state.next_round()
    assert (state.departed, state.remaining) == ((2,), (0, 1))
    state = state.without(1)
    assert places(state) == ((3,), (0,), (1,), (2,))
    assert state.report(NAMES).headline == "Cleo buys the drinks"


def test_a_last_20_leaves_the_other_seat_safe_when_somebody_has_left() -> None:
    state = FourTwenty.read("*>6551 4432 L1 roll 2").apply(Roll((4,)), (4,))
    assert state.report(NAMES).headline == "Cleo buys the drinks"
    assert places(state) == ((0,), (1,), (2,))


# -- 421: docs/rulings.md, 421, "carrying on without a seat" --------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 6), seeds, st.booleans())
def test_who_leaves_421_takes_its_tokens_along_and_nobody_else_gains_or_loses_one(
    seats: int, seed: int, loaded: bool
) -> None:
    told = story("421", seats, seed, leaves=0.1, loaded=loaded)
    assert isinstance(told.start, Bar421)
    assert told.start.in_play == TOKENS
    for step in replay(told.start, told.events):
        if step.event.action != Leave():
            continue
        before = step.before
        after, leaver = step.after, step.event.seat
        assert isinstance(before, Bar421)
        assert isinstance(after, Bar421)
        assert after.in_play == before.in_play - before.tokens[leaver]
        assert after.tokens == (*before.tokens[:leaver], 0, *before.tokens[leaver + 1 :])
        assert (after.pot, after.round, after.clockwise, after.out) == (
            before.pot, before.round, before.clockwise, before.out,
        )  # fmt: skip
        if not after.outcome:
            assert after.hands == (*before.hands[:leaver], (), *before.hands[leaver + 1 :])


def test_in_the_charge_the_pot_stays_and_the_round_goes_on() -> None:
    state = Bar421.read("*665:5 >-:4 -:2 pot 10 round 4 roll 1")
    assert state.without(0).to_text() == "L1 *>-:4 -:2 pot 10 round 4 roll 1", "its turn was before"
    assert state.without(1).to_text() == "*665:5 L1 >-:2 pot 10 round 4 roll 1", "the turn passes on"
    settled = Bar421.read("*665:5 654:4 >-:2 pot 10 round 4 roll 1").without(2)
    assert settled.to_text() == "*665:5 654w:4 L1 pot 10 round 4 roll 1"
    assert settled.next_round().to_text() == "-:5 *>-:9 L1 pot 5 round 5 roll 1"


def test_who_leaves_the_charge_with_all_the_tokens_dealt_or_with_none_changes_nothing_for_the_others() -> None:
    state = Bar421.read("*665:11 >-:0 -:0 pot 10 round 4 roll 1")
    assert state.without(0).to_text() == "L1 *>-:0 -:0 pot 10 round 4 roll 1"
    assert state.without(1).to_text() == "*665:11 L1 >-:0 pot 10 round 4 roll 1"
    all_taken = rolled(state.without(0), "421", "665")
    assert places(all_taken) == ((1,), (2,), (0,)), "all that are left in the charge: it has lost at once"
    dealt = rolled(state.without(1), "653")
    assert dealt.next_round().to_text() == "-:11 L1 *>-:5 pot 5 round 5 roll 1"


def test_in_the_discharge_the_round_goes_on_with_the_tokens_that_are_left() -> None:
    state = Bar421.read(">665:3 *421:9 x1 -:9 x2 round 14 roll 2 reversed")
    assert state.without(1).to_text() == "*>665:3 L1 x1 -:9 x2 round 14 roll 2 reversed", "its turn was before"
    assert state.without(0).to_text() == "L1 *421:9 x1 >-:9 x2 round 14 roll 1 reversed", "the turn passes on"
    assert state.without(3).to_text() == ">665:3 *421:9 x1 L1 x2 round 14 roll 2 reversed", "its turn is to come"
    settled = Bar421.read("*665:6 654:9 >-:6 round 14 roll 1").without(2)
    assert settled.to_text() == "*665s:6 654w:9 L1 round 14 roll 1", "no turn is to come"
    assert settled.next_round().to_text() == "-:1 *>-:14 L1 round 15 roll 1"


def test_the_match_is_over_when_one_seat_holds_all_tokens_that_are_left() -> None:
    state = Bar421.read("*421:1 >-:2 L1 round 14 roll 1")
    over = rolled(state, "112")
    assert places(over) == ((0,), (1,), (2,))
    assert over.report(NAMES).headline == "Cleo picks up the tab"


def test_who_leaves_between_two_rounds_takes_the_tokens_of_the_last_one_along() -> None:
    between = rolled(Bar421.read("*421:3 >-:9 -:4 -:5 round 14 roll 1"), "112", "665", "654")
    assert between.next_round().to_text() == "x1 *>-:12 -:4 -:5 round 15 roll 1 reversed"
    assert between.without(1).to_text() == "x1 L1 -:4 *>-:5 round 15 roll 1 reversed"
    with pytest.raises(IllegalAction, match="no longer takes part"):
        between.without(0)


def test_who_is_alone_keeps_its_tokens_and_the_match_is_over() -> None:
    for text in ("*665:20 >-:1 round 9 roll 1", "*665:1 >654:20 round 9 roll 2", "*665:4 >-:0 pot 17 round 3 roll 1"):
        state = Bar421.read(text)
        for leaver in (0, 1):
            alone = state.without(leaver)
            assert places(alone) == ((1 - leaver,), (leaver,))
            assert alone.tokens[1 - leaver] == state.tokens[1 - leaver]
            assert alone.caption()
            assert Bar421.read(alone.to_text()) == alone


def test_seats_that_were_safe_together_share_their_place_when_others_leave() -> None:
    over = Bar421.read("*>-:3 -:9 x1 -:9 x1 round 14 roll 1").without(1).without(3)
    assert places(over) == ((2, 4), (0,), (3,), (1,))


def test_a_roll_off_goes_on_without_the_seat() -> None:
    starting = Bar421.start(3, None).apply(Roll((1,)), (3,)).apply(Roll((1,)), (5,))
    assert starting.without(2).to_text() == "-:0 *>-:0 L1 pot 21 round 1 roll 1"
    assert starting.without(1).to_text() == "-=3:0 L1 >-=-:0 pot 21 round 1 roll 1"
    tied = Bar421.read("*112=665:5 >112=-:4 112=-:2 pot 10 round 4 roll 1")
    assert tied.without(1).to_text() == "*112=665:5 L1 >112=-:2 pot 10 round 4 roll 1"
    assert tied.without(1).without(2).outcome
    two = Bar421.read("*112=665:5 >112=-:4 421:2 pot 10 round 4 roll 1")
    assert two.without(1).to_text() == "*112w:5 L1 421:2 pot 10 round 4 roll 1"
    assert two.without(2).to_text() == "*112=665:5 >112=-:4 L1 pot 10 round 4 roll 1"


def test_a_roll_off_of_the_discharge_goes_on_without_the_seat() -> None:
    strongest = Bar421.read("*421=665:5 >421=-:4 653:6 654:6 round 9 roll 1")
    assert strongest.without(1).to_text() == "*421s:5 L1 653w:6 654:6 round 9 roll 1", "one is strongest"
    assert strongest.without(2).to_text() == "*421=665:5 >421=-:4 L1 654:6 round 9 roll 1", "the weakest left"
    weakest = Bar421.read("*421s:5 665:4 >112=-:6 112=-:6 round 9 roll 1")
    assert weakest.without(2).to_text() == "*421s:5 665:4 L1 112w:6 round 9 roll 1", "one is weakest"
    assert weakest.without(1).to_text() == "*421s:5 L1 >112=-:6 112=-:6 round 9 roll 1"


def test_when_the_strongest_leaves_a_roll_off_for_the_weakest_the_next_strongest_gives() -> None:
    state = Bar421.read("*421s:5 665:4 112=653:6 >112=-:6 round 9 roll 1")
    assert state.without(0).to_text() == "L1 *665s:4 112=653:6 >112=-:6 round 9 roll 1", "the roll-off goes on"
    tied = Bar421.read("*421s:5 665:2 665:2 112=653:6 >112=-:6 round 9 roll 1").without(0)
    assert tied.to_text() == "L1 *>665=-:2 665=-:2 112:6 112:6 round 9 roll 1", "first the strongest"
    alike = Bar421.read("*421s:9 112=653:6 >112=-:6 round 9 roll 1").without(0)
    assert alike.to_text() == "L1 *>112=-:6 112=-:6 round 9 roll 1", "both are strongest and weakest"


# -- Four Twenty-One: docs/rulings.md, Four Twenty-One, "carrying on without a seat" --------------------------------


def test_points_stay_on_the_sheet_but_the_seat_comes_last() -> None:
    state = TenRounds.read("*653:0111 >665:1000 -:0000 roll 2 of 2").without(0)
    assert state.to_text() == "L1:0111 *>665:1000 -:0000 roll 2 of 3"
    assert state.standing(0).tally == "· 1 1 1  3 points"


def test_the_next_seat_begins_the_round_with_all_its_rolls_unless_a_turn_has_ended() -> None:
    assert TenRounds.read("*665 >- - roll 1 of 1").without(0).to_text() == "L1 *>- - roll 1 of 3"
    assert TenRounds.read("*665 >654 - roll 2 of 2").without(0).to_text() == "L1 *>654 - roll 2 of 3"
    assert TenRounds.read("*665 654 >- roll 1 of 1").without(0).to_text() == "L1 *654 >- roll 1 of 1"


def test_the_best_of_the_hands_that_remain_gets_the_point() -> None:
    state = TenRounds.read("*421+2 665 >- roll 1 of 1")
    assert state.without(2).to_text() == "*421+3 665 L1 roll 1 of 1"
    assert state.without(0).without(2).outcome
    state = state.without(0).apply(Roll((1, 2, 3)), (6, 5, 4))
    assert state.to_text() == "L1 *665+1 654 roll 1 of 1"
    assert state.next_round().to_text() == "L1:0 -:1 *>-:0 roll 1 of 3"


def test_one_of_two_who_play_on_wins_when_the_other_leaves() -> None:
    extra = TenRounds.read("*>-:1010101010 -:0101010101 -:0000000000 roll 1 of 3")
    with pytest.raises(IllegalAction):
        extra.without(2)
    over = extra.without(0)
    assert places(over) == ((1,), (2,), (0,))
    assert over.report(NAMES).headline == "Ben wins"


def test_the_tied_roll_off_for_the_point_without_the_seat() -> None:
    tied = TenRounds.read("*>421=-:0 421=-:0 421=-:1 roll 1 of 3")
    assert tied.without(0).to_text() == "L1:0 *>421=-:0 421=-:1 roll 1 of 3"
    assert tied.without(0).without(2).outcome


# -- a match of several machines: its bots, journal, record, review and figures ------------------------------------


def left_at(key: str, seats: int, seed: int, leaves: tuple[int, ...], history: History | None = None) -> Match:
    """A match of bots of all characters, in which a seat leaves after each of these numbers of events."""
    chance, characters = Random(seed), list(BOTS)
    bots = tuple(Seat(NAMES[seat], characters[(seat + seed) % len(characters)]) for seat in range(seats))
    match = Match(
        Lineup(bots, game=key, starting_seat=0 if GAMES[key].draws_start else None),
        FairDice(seed.to_bytes(32)),
        journal=history.journal() if history else None,
        identifier="0" * 32,
    )
    while not match.state.outcome:
        if len(match.events) in leaves and (not match.events or match.events[-1].action != Leave()):
            remaining = (match.state if match.state.to_act is not None else match.state.next_round()).remaining
            match.record(Event(chance.choice(remaining), Leave(), ()))
        elif match.state.to_act is None:
            match.next_round()
        else:
            match.act(match.bot_action())
    return match


events = st.lists(st.integers(0, 30), min_size=1, max_size=3).map(tuple)


@settings(deadline=None, max_examples=20)
@given(games, st.integers(2, 5), seeds, events)
def test_bots_play_on_and_a_record_tells_who_left(key: str, seats: int, seed: int, leaves: tuple[int, ...]) -> None:
    record = Record.from_match(left_at(key, seats, seed, leaves))
    assert record.places
    assert read_record(write_record(record)) == record
    assert verify_record(record).outcome
    wrong = replace(record, actions=tuple(action for action in record.actions if not action.leave))
    if wrong != record:
        with pytest.raises(RecordError):
            verify_record(wrong)


@pytest.mark.parametrize("key", GAMES)
def test_a_match_with_seats_that_left_is_there_again_with_its_results(key: str, history: History) -> None:
    match = left_at(key, 4, 7, (3, 9), history)
    leavers = [event.seat for event in match.events if event.action == Leave()]
    assert len(leavers) == 2
    (entry,) = history.page()
    again = history.match(entry.id)
    assert (again.events, again.state, again._throws) == (match.events, match.state, match._throws)
    assert [entry.seats[seat].place for seat in leavers] == [4, 3]
    assert [*measured(history)][-1] == entry.id
    (totals,) = history.statistics(NAMES[leavers[0]])
    assert (totals.matches, totals.last) == (1, 1)
    (totals,) = history.statistics(NAMES[leavers[1]])
    assert (totals.matches, totals.last) == (1, 0)


@settings(deadline=None, max_examples=12)
@given(games, st.integers(2, 4), seeds, events)
def test_a_leave_is_no_decision_and_no_luck_and_the_account_of_every_seat_is_right(
    key: str, seats: int, seed: int, leaves: tuple[int, ...]
) -> None:
    match = left_at(key, seats, seed, leaves)
    for each in rounds_of(match):
        for moment in each.moments:
            if moment.leaves:
                assert (moment.forced, moment.mistake, moment.loss, moment.luck) == (True, False, 0, 0)
                assert moment.values_after[moment.event.seat] == 0
        for seat in range(seats):
            ledger = each.ledger(seat)
            assert ledger.result == pytest.approx(ledger.start + ledger.luck + ledger.others - ledger.errors)


@settings(deadline=None, max_examples=12)
@given(games, st.integers(3, 5), seeds)
def test_the_odds_are_those_of_the_seats_that_remain(key: str, seats: int, seed: int) -> None:
    told = story(key, seats, seed, leaves=0.1)
    for state in [state for state in told.states if state.departed][:12]:
        odds = solver_for(state)
        values = odds.values(state)
        assert all(values[seat] == 0 for seat in state.departed)
        safe = sum(seat not in (*state.remaining, *state.departed) for seat in range(seats)) if key == "421" else 0
        others = len(state.remaining) - 1 if key == "421" and len(state.remaining) > 1 else 1
        if key in ("420", "421") or (key == "ten-rounds" and state.to_act is not None):
            assert sum(values) == pytest.approx(others + safe)
        if state.to_act is not None:
            assert odds.best(state) == odds.choices(state)[0].action
        fewer = without_leavers(state)
        if (
            fewer and odds.objective(fewer).name == odds.objective(state).name
        ):  # Four Twenty-One: with two seats the match
            assert odds.values(fewer) == pytest.approx(
                [values[seat] for seat in range(seats) if seat not in state.departed]
            )
        assert odds.secondary_values(state) is None or len(odds.secondary_values(state).figures) == seats  # type: ignore[union-attr]
        assert odds.placement_odds(state).last in (
            None,
            tuple(float(seat == state.departed[0]) for seat in range(seats)),
        )


def without_leavers(state: State) -> State | None:
    """The state of a table that never had the seats that left; None where there is none."""
    *texts, fields = re.split(r" (?=pot|round|roll)", state.to_text(), maxsplit=1)
    words = [word for word in texts[0].split() if not word.startswith("L")]
    with suppress(ValueError):
        return GAMES[state.key].parse(" ".join([*words, fields]))
    return None


def test_real_dice_are_not_taken_back_from_before_a_seat_left() -> None:
    match = Match(Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0, typed=True))
    match.act(Roll((1, 2, 3, 4)), (6, 5, 5, 1))
    match.record(Event(0, Leave(), ()))
    assert not match.can_take_back
    match.act(Roll((1, 2, 3, 4)), (6, 5, 5, 1))
    assert match.take_back().seat == 1
    with pytest.raises(IllegalAction, match="only their faces can be typed again"):
        match.record(Event(2, Leave(), ()))


def test_the_log_says_who_left() -> None:
    match = Match(Lineup((Seat("Ann"), Seat("Ben"), Seat("You")), starting_seat=0), FairDice(bytes(32)))
    match.record(Event(1, Leave(), ()))
    match.record(Event(2, Leave(), ()))
    assert MatchLog(match).so_far()[-3:] == [
        "Ben is out of this game.",
        "You are out of this game.",
        "Ben buys the drinks.",
    ]


def test_nobody_bets_on_drinks_that_a_seat_that_left_buys() -> None:
    match = Match(Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo"), Seat("Dan")), starting_seat=0, typed=True))
    match.record(Event(1, Leave(), ()))
    match.act(Roll((1, 2, 3, 4)), (6, 5, 5, 4))
    assert match.state.to_act is None
    assert not match.state.outcome
    assert not candidates(match)
    assert not bettors(match)


def ben_left() -> Match:
    lineup = Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)
    match = Match(lineup, FairDice(bytes(32)), identifier="0" * 32)
    match.record(Event(1, Leave(), ()))
    return match


NO_ACTION = r"actions\[1\]: expected a roll with its faces, stand: true, or leave: true"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"seat": 1, "leave": False}, NO_ACTION),
        ({"seat": 1, "leave": True, "faces": []}, NO_ACTION),
        ({"seat": 3, "leave": True}, r"actions\[1\]\.seat: expected a seat from 0 to 2"),
    ],
)
def test_a_leave_that_is_none_is_refused(action: dict[str, object], reason: str) -> None:
    match = ben_left()
    record = json.loads(write_record(Record.from_match(match)))
    assert record["actions"] == [{"seat": 1, "leave": True}]
    record["actions"] = [action]
    with pytest.raises(ValueError, match=reason):
        read_record(json.dumps(record))


def test_a_seat_that_leaves_twice_is_wrong() -> None:
    match = ben_left()
    record = Record.from_match(match)
    with pytest.raises(RecordError, match=r"^action 2, Ben: This seat no longer takes part in the match\.$"):
        verify_record(replace(record, actions=record.actions * 2))
