"""The turn machine without a screen: every request, its answers, and the promise that nothing unsaved is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from long_tests import PRODUCT
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Event, Faces, IllegalAction, InvalidAction, Roll, Stand, State
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice, ManualDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, PlayedElsewhereError, SaveError
from fourtwenty.play.turns import BotDecides, Decide, EnterFaces, Request, Turns

ANN, BEN, STEADY = Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")
TWO = Lineup((ANN, BEN), starting_seat=0)
TYPED = replace(TWO, typed=True)
WITH_BOT = Lineup((ANN, STEADY), starting_seat=0, typed=True)
ALL_FOUR, ALL_THREE = Roll((1, 2, 3, 4)), Roll((1, 2, 3))
NOTHING: frozenset[int] = frozenset()
SEED = bytes(range(32))


def turns_of(lineup: Lineup, *throws: Faces, start: State | None = None) -> Turns:
    """Return the turns of a match whose dice fall as written."""
    return Turns(Match(lineup, ScriptedDice(throws), start))


def typed_turns(lineup: Lineup, start: State | None = None) -> Turns:
    return Turns(Match(lineup, ManualDice(b"chance"), start))


def asked(turns: Turns) -> Request | None:
    """Return the request of the moment; mypy takes that of a function anew, but thinks that a property stays."""
    return turns.request


def faces_request(turns: Turns) -> EnterFaces:
    assert isinstance(turns.request, EnterFaces)
    return turns.request


def roll_real(turns: Turns, roll: Roll, *hands: Faces) -> None:
    """Decide to roll once for each of these faces, and enter them."""
    for faces in hands:
        turns.decide(roll)
        turns.enter(faces)


# -- dice that fall by themselves ------------------------------------------------------------------------------------


def test_people_decide_bots_have_decided_and_the_round_ends() -> None:
    turns = turns_of(Lineup((ANN, STEADY), starting_seat=0), (6, 5, 5, 1), (5, 5, 3, 1), (4,))
    assert asked(turns) == Decide(0, frozenset({1, 2, 3, 4})), "the forced roll is selected"
    assert turns.forced == ALL_FOUR
    assert turns.decide(ALL_FOUR) == Event(0, ALL_FOUR, (6, 5, 5, 1))
    assert asked(turns) == BotDecides(1, ALL_FOUR)
    assert turns.decide(ALL_FOUR) == Event(1, ALL_FOUR, (5, 5, 3, 1))
    assert asked(turns) == Decide(0, NOTHING)
    assert turns.forced is None
    assert turns.decide(Roll((4,))) == Event(0, Roll((4,)), (4,))
    assert turns.request is None
    assert [event.seat for event in turns.match.events] == [0, 1, 0]


def test_the_next_round_is_asked_for_once_the_match_has_begun_it() -> None:
    turns = turns_of(Lineup((ANN, BEN, STEADY), starting_seat=0), (6, 5, 5, 4))
    turns.decide(ALL_FOUR)
    assert turns.request is None
    turns.match.next_round()
    assert asked(turns) == Decide(1, frozenset({1, 2, 3, 4}))


def test_a_bot_thinks_once_and_only_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = turns_of(Lineup((ANN, STEADY), starting_seat=0), (6, 5, 5, 1), (5, 5, 3, 1))
    thoughts: list[State] = []

    def think() -> Action:
        thoughts.append(turns.match.state)
        return ALL_FOUR

    monkeypatch.setattr(turns.match, "bot_action", think)
    turns.decide(ALL_FOUR)
    assert thoughts == []
    assert turns.request is turns.request
    turns.decide(ALL_FOUR)
    assert len(thoughts) == 1


def test_what_the_rules_forbid_changes_nothing() -> None:
    turns = turns_of(TWO, (6, 5, 5, 1))
    with pytest.raises(IllegalAction, match="The first roll takes all four dice"):
        turns.decide(Roll((1,)))
    with pytest.raises(IllegalAction, match="pass in 420"):
        turns.decide(Stand())
    assert turns.match.events == []
    assert asked(turns) == Decide(0, frozenset({1, 2, 3, 4}))


def test_a_selection_that_may_not_be_rolled_is_explained() -> None:
    turns = turns_of(TWO, (6, 4, 2, 1), (1, 1, 1, 1))
    turns.decide(ALL_FOUR)
    turns.decide(ALL_FOUR)
    assert turns.refusal(()) == "Select at least one die to roll."
    assert turns.refusal({1, 2}) == "2 + 1 = 3. You need at least 10 to keep two dice."
    assert turns.refusal({9}) == "There is no die 9: a hand has four."
    assert turns.refusal({3, 4}) is None


@pytest.mark.parametrize("game", ["421", "ten-rounds"])
def test_a_turn_of_three_dice_ends_with_a_stand(game: str) -> None:
    start = {"421": "*>-:9 -:12 round 9 roll 1"}
    lineup = Lineup((ANN, BEN), starting_seat=0, game=game)
    turns = turns_of(
        lineup, (6, 4, 2), (1,), (6, 6, 5), start=GAMES[game].parse(start[game]) if game in start else None
    )
    turns.decide(ALL_THREE)
    assert asked(turns) == Decide(0, NOTHING)
    assert Stand() in turns.match.state.actions
    turns.decide(Roll((1,)))
    assert turns.decide(Stand()) == Event(0, Stand(), ())
    assert asked(turns) == Decide(1, frozenset({1, 2, 3}))


def test_a_bot_of_ten_rounds_stands_with_the_best_hand() -> None:
    turns = turns_of(Lineup((STEADY, ANN), starting_seat=0, game="ten-rounds"), (4, 2, 1))
    turns.decide(ALL_THREE)
    assert asked(turns) == BotDecides(0, Stand())
    assert turns.decide(Stand()) == Event(0, Stand(), ())


def test_the_start_is_rolled_for_with_one_die_until_one_is_higher() -> None:
    turns = turns_of(Lineup((ANN, BEN), game="421"), (5,), (5,), (6,), (2,), (4, 2, 1))
    for seat in (0, 1, 0, 1):
        assert asked(turns) == Decide(seat, frozenset({1}))
        turns.decide(Roll((1,)))
    assert asked(turns) == Decide(0, frozenset({1, 2, 3}))


# -- real dice -------------------------------------------------------------------------------------------------------


def test_a_roll_of_real_dice_is_decided_and_then_entered() -> None:
    turns = typed_turns(TYPED)
    assert turns.decide(ALL_FOUR) is None
    assert asked(turns) == EnterFaces(0, ALL_FOUR, "forced", (), 4)
    assert turns.match.events == [], "nothing has been rolled yet"
    assert turns.enter((6, 5, 5, 1)) == Event(0, ALL_FOUR, (6, 5, 5, 1))
    roll_real(turns, ALL_FOUR, (1, 1, 1, 1))
    assert asked(turns) == Decide(0, NOTHING)
    turns.decide(Roll((3, 4)))
    assert asked(turns) == EnterFaces(0, Roll((3, 4)), "choice", (6, 5, 5, 1), 4)
    turns.back()
    assert asked(turns) == Decide(0, frozenset({3, 4})), "the dice are still selected"
    turns.decide(Roll((4,)))
    assert turns.enter((4,)) == Event(0, Roll((4,)), (4,))
    assert turns.request is None


def test_an_illegal_roll_of_real_dice_is_refused_before_anybody_rolls_it() -> None:
    turns = typed_turns(TYPED)
    with pytest.raises(IllegalAction, match="The first roll takes all four dice"):
        turns.decide(Roll((1,)))
    assert isinstance(turns.request, Decide)


@pytest.mark.parametrize("faces", [(), (6, 5), (6, 5, 5, 7), (6, 5, 5, 1, 1)])
def test_faces_that_do_not_answer_the_request_change_nothing(faces: Faces) -> None:
    turns = typed_turns(TYPED)
    turns.decide(ALL_FOUR)
    request = faces_request(turns)
    with pytest.raises(InvalidAction):
        turns.enter(faces)
    assert asked(turns) == request
    assert request.refusal(faces)
    assert request.refusal((6, 5, 5, 1)) is None


def test_an_answer_to_another_request_is_refused() -> None:
    turns = typed_turns(TYPED)
    with pytest.raises(IllegalAction, match="No faces"):
        turns.enter((6, 5, 5, 1))
    turns.back()
    assert asked(turns) == Decide(0, frozenset({1, 2, 3, 4}))
    turns.decide(ALL_FOUR)
    with pytest.raises(IllegalAction, match="No decision"):
        turns.decide(ALL_FOUR)
    assert asked(turns) == EnterFaces(0, ALL_FOUR, "forced", (), 4)


def test_people_roll_for_a_bot_which_stands_by_itself() -> None:
    turns = typed_turns(replace(WITH_BOT, game="ten-rounds"))
    roll_real(turns, ALL_THREE, (6, 4, 2))
    roll_real(turns, Roll((1,)), (6,))
    turns.decide(Stand())
    request = EnterFaces(1, ALL_THREE, "bot", (), 3)
    assert asked(turns) == request
    turns.back()
    assert asked(turns) == request, "the bot has chosen"
    turns.enter((4, 2, 1))
    assert asked(turns) == BotDecides(1, Stand())
    assert turns.decide(Stand()) == Event(1, Stand(), ())


def test_the_last_roll_is_taken_back_and_only_its_faces_are_entered_again() -> None:
    turns = typed_turns(TYPED)
    roll_real(turns, ALL_FOUR, (6, 5, 5, 1), (5, 5, 3, 1))
    turns.decide(Roll((4,)))
    assert turns.take_back() == Event(1, ALL_FOUR, (5, 5, 3, 1)), "the roll that is not entered yet is forgotten"
    again = EnterFaces(1, ALL_FOUR, "taken back", (), 4)
    assert asked(turns) == again
    turns.back()
    assert asked(turns) == again
    with pytest.raises(IllegalAction, match="No decision"):
        turns.decide(ALL_FOUR)
    with pytest.raises(IllegalAction, match="No roll can be taken back"):
        turns.take_back()
    turns.enter((5, 5, 3, 2))
    assert asked(turns) == Decide(0, NOTHING)
    assert [event.faces for event in turns.match.events] == [(6, 5, 5, 1), (5, 5, 3, 2)]


def test_a_selection_is_forgotten_when_a_roll_is_taken_back() -> None:
    turns = typed_turns(TYPED)
    roll_real(turns, ALL_FOUR, (6, 5, 5, 1), (5, 5, 3, 1))
    turns.decide(Roll((4,)))
    turns.back()
    turns.take_back()
    turns.enter((5, 5, 3, 1))
    assert asked(turns) == Decide(0, NOTHING)


def test_a_selection_is_forgotten_when_its_seat_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the three games the next seat's first roll is of all dice, which hides it: here that roll is a choice too."""
    turns = typed_turns(replace(TYPED, game="ten-rounds"))
    roll_real(turns, ALL_THREE, (6, 6, 1))
    turns.decide(Roll((3,)))
    turns.back()
    assert asked(turns) == Decide(0, frozenset({3}))
    monkeypatch.setattr(Turns, "forced", None)
    turns.decide(Stand())
    assert asked(turns) == Decide(1, NOTHING)


def test_the_roll_that_ended_the_match_is_taken_back() -> None:
    turns = typed_turns(TYPED)
    roll_real(turns, ALL_FOUR, (6, 5, 5, 4))
    assert turns.request is None
    turns.take_back()
    assert asked(turns) == EnterFaces(0, ALL_FOUR, "taken back", (), 4)
    turns.enter((6, 5, 5, 3))
    assert asked(turns) == Decide(1, frozenset({1, 2, 3, 4}))


def test_dice_that_fell_by_themselves_are_not_taken_back() -> None:
    turns = turns_of(TWO, (6, 5, 5, 1))
    turns.decide(ALL_FOUR)
    with pytest.raises(IllegalAction, match="have fallen"):
        turns.take_back()
    assert asked(turns) == Decide(1, frozenset({1, 2, 3, 4}))


@pytest.mark.parametrize(
    ("roll", "origin", "question"),
    [
        (ALL_FOUR, "forced", "Roll all four dice, then type four faces from 1 to 6"),
        (Roll((3, 4)), "choice", "Roll dice 3 and 4, then type two faces from 1 to 6"),
        (Roll((4,)), "bot", "Roll die 4, then type its face, 1 to 6"),
        (Roll((1, 2)), "taken back", "Type what dice 1 and 2 showed: two faces from 1 to 6"),
    ],
)
def test_faces_are_asked_for_in_a_sentence(roll: Roll, origin: str, question: str) -> None:
    assert EnterFaces(0, roll, origin, (6, 5, 5, 1), 4).question == question  # type: ignore[arg-type]


def test_the_hand_shows_the_faces_typed_so_far() -> None:
    request = EnterFaces(0, Roll((1, 4)), "choice", (6, 5, 5, 1), 4)
    assert request.hand_with(()) == (0, 5, 5, 0)
    assert request.hand_with((2,)) == (2, 5, 5, 0)
    assert request.hand_with((2, 3)) == (2, 5, 5, 3)
    assert EnterFaces(0, Roll((1,)), "forced", (), 3).hand_with((5,)) == (5, 0, 0), "a roll-off takes one die"


# -- the journal -----------------------------------------------------------------------------------------------------


class FullDisk:
    """A journal that refuses as long as it has a reason; it compares the match with what it is about to write."""

    def __init__(self) -> None:
        self.refuses: Exception | None = None
        self.saved = True
        self.written: list[object] = []

    def write(self, *details: object) -> None:
        if self.refuses:
            raise self.refuses
        self.written += details

    def begin(self, *_: object) -> None:
        self.write("begin")

    def record(self, match: Match, event: Event, *_: object) -> None:
        assert len(match.events) == sum(isinstance(each, Event) for each in self.written), "written before it changes"
        self.write(event)

    def take_back(self, match: Match, *_: object) -> None:
        assert match.taken_back is None, "written before the match changes"
        self.write("take back")

    def play_unsaved(self) -> None:
        self.refuses = None


def kept(turns: Turns | None = None) -> tuple[FullDisk, Turns]:
    journal, turns = FullDisk(), turns or Turns(Match(TWO, FairDice(SEED)))
    turns.match.save_to(journal)  # type: ignore[arg-type]
    return journal, turns


def test_a_roll_that_cannot_be_kept_is_not_shown_and_lies_as_it_fell() -> None:
    journal, turns = kept()
    journal.refuses = SaveError("the disk is full")
    request, state = turns.request, turns.match.state
    for _ in range(3):
        with pytest.raises(SaveError):
            turns.decide(ALL_FOUR)
        assert (turns.request, turns.match.state, turns.match.events) == (request, state, [])
    journal.refuses = None
    event = turns.decide(ALL_FOUR)
    assert event == Match(TWO, FairDice(SEED)).act(ALL_FOUR), "the first throw of the seed, not the fourth"
    assert journal.written == ["begin", event]


def test_players_who_play_on_unsaved_get_the_roll_that_fell() -> None:
    journal, turns = kept()
    journal.refuses = SaveError("the disk is full")
    with pytest.raises(SaveError):
        turns.decide(ALL_FOUR)
    turns.match.play_unsaved()
    assert turns.decide(ALL_FOUR) == Match(TWO, FairDice(SEED)).act(ALL_FOUR)


def test_typed_faces_and_a_roll_taken_back_wait_for_the_journal_too() -> None:
    journal, turns = kept(typed_turns(TYPED))
    turns.decide(ALL_FOUR)
    journal.refuses = SaveError("the disk is full")
    request = turns.request
    with pytest.raises(SaveError):
        turns.enter((6, 5, 5, 1))
    assert asked(turns) == request
    journal.refuses = None
    turns.enter((6, 5, 5, 1))
    journal.refuses = SaveError("the disk is full")
    request = turns.request
    with pytest.raises(SaveError):
        turns.take_back()
    assert asked(turns) == request


def test_a_match_that_another_table_has_resumed_is_not_played_on() -> None:
    journal, turns = kept()
    journal.refuses = PlayedElsewhereError()
    with pytest.raises(PlayedElsewhereError):
        turns.decide(ALL_FOUR)
    assert turns.match.events == []


def test_a_resumed_match_asks_for_what_it_asked_for_before(home: Path, history: History) -> None:
    turns = Turns(Match(TYPED, journal=history.journal()))
    roll_real(turns, ALL_FOUR, (6, 5, 5, 1), (5, 5, 3, 1))
    assert asked(Turns(history.match(1))) == asked(turns) == Decide(0, NOTHING)
    turns.take_back()
    assert asked(Turns(history.match(1))) == asked(turns) == EnterFaces(1, ALL_FOUR, "taken back", (), 4)
    assert home.exists()


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@settings(max_examples=40)
@pytest.mark.long(*PRODUCT)
def test_random_legal_answers_give_the_match_of_its_actions(game: str, data: st.DataObject) -> None:
    seed = data.draw(st.binary(min_size=32, max_size=32))
    lineup = Lineup((ANN, STEADY, BEN), game=game)
    match, straight = (Match(lineup, FairDice(seed), identifier="0" * 32) for _ in range(2))
    turns = Turns(match)
    for _ in range(30):
        request = turns.request
        if request is None:
            if match.state.outcome:
                break
            match.next_round()
            straight.next_round()
            continue
        assert isinstance(request, Decide | BotDecides)
        any_action = st.sampled_from(match.state.actions)
        action = request.action if isinstance(request, BotDecides) else data.draw(any_action)
        assert turns.decide(action) == straight.act(action)
    assert (match.state, match.events) == (straight.state, straight.events)


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
@settings(max_examples=40)
@pytest.mark.long(*PRODUCT)
def test_random_answers_with_real_dice_leave_the_events_that_were_not_taken_back(
    game: str, data: st.DataObject
) -> None:
    lineup = Lineup((ANN, STEADY, BEN), game=game, typed=True)
    turns = typed_turns(lineup)
    match = turns.match
    for _ in range(30):
        request = turns.request
        if match.can_take_back and data.draw(st.integers(0, 4)) == 0:
            taken = turns.take_back()
            assert faces_request(turns).roll == taken.action
        elif request is None:
            if match.state.outcome:
                break
            match.next_round()
        elif isinstance(request, EnterFaces):
            if data.draw(st.booleans()):
                turns.back()
                assert isinstance(turns.request, Decide) == (request.origin in ("choice", "forced"))
            else:
                dice = len(request.roll.dice)
                faces = tuple(data.draw(st.lists(st.integers(1, 6), min_size=dice, max_size=dice)))
                assert turns.enter(faces) == Event(request.seat, request.roll, faces)
        elif isinstance(request, BotDecides):
            assert turns.decide(request.action) == Event(request.seat, Stand(), ())
        else:
            action = data.draw(st.sampled_from(match.state.actions))
            event = turns.decide(action)
            assert (event is None) == isinstance(action, Roll)
    straight = Match(lineup, ManualDice(b"chance"), match.start)
    for event in match.events:
        if straight.state.to_act is None:
            straight.next_round()
        straight.act(event.action, event.faces)
    if straight.state.to_act is None and match.state.to_act is not None:
        straight.next_round()
    assert (straight.state, straight.events) == (match.state, match.events)
