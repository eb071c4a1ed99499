"""A match measured: the accounts close, and luck is fair."""

from __future__ import annotations

from itertools import product

import pytest
from long_tests import PRODUCT
from msgspec.structs import replace

from fourtwenty.games.game import Faces, Roll
from fourtwenty.odds.four_twenty_solver import choices, initial_values, values, values_after
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import Ledger, Round, rounds_of
from fourtwenty.review.highlights import costliest, learners, luckiest, puzzle_of

PEOPLE = Lineup(parse_players("Ann,Ben"), starting_seat=0)
ROLL_ALL = Roll((1, 2, 3, 4))


def played(bots: str, number: int) -> Match:
    match = Match(Lineup(parse_players(bots), starting_seat=number % 2), FairDice(number.to_bytes(32, "big")))
    match.play_out()
    return match


def scripted(*rolls: tuple[tuple[int, ...], Faces]) -> tuple[Match, Round]:
    match = Match(PEOPLE, ScriptedDice(faces for _, faces in rolls))
    for dice, _ in rolls:
        match.act(Roll(dice))
    (only,) = rounds_of(match)
    return match, only


def residual(ledger: Ledger) -> float:
    return ledger.result - (ledger.start + ledger.luck + ledger.others - ledger.errors)


@pytest.mark.long(*PRODUCT)
def test_the_accounts_of_random_matches_close() -> None:
    for number in range(200):
        match = played(",".join(["bot:Random"] * (2 + number % 3)), number)
        for each in rounds_of(match):
            ledgers = [each.ledger(seat) for seat in range(len(match.names))]
            assert all(abs(residual(ledger)) < 1e-9 for ledger in ledgers)
            assert all(moment.loss > -1e-12 for moment in each.moments)
            assert sum(ledger.start for ledger in ledgers) == pytest.approx(1)
            assert sorted(ledger.result for ledger in ledgers)[-1] == sum(ledger.result for ledger in ledgers) == 1
            for seat, ledger in enumerate(ledgers):
                if not each.start.standing(seat).playing:
                    assert ledger == Ledger(0, 0, 0, 0, 0, 0, 0)


def test_a_match_that_begins_between_two_rounds() -> None:
    start = Match(replace(PEOPLE, seats=parse_players("Ann,Ben,Cleo")), ScriptedDice([(6, 5, 5, 4)]))
    start.act(ROLL_ALL)
    match = Match(start.lineup, ScriptedDice([(6, 5, 5, 4)]), start.state)
    match.next_round()
    match.act(ROLL_ALL)
    (only,) = rounds_of(match)
    assert only.start == start.state.next_round()
    assert [round(residual(only.ledger(seat)), 9) for seat in range(3)] == [0, 0, 0]


def test_a_round_by_hand() -> None:
    _, only = scripted(
        (ROLL_ALL.dice, (6, 5, 5, 1)), (ROLL_ALL.dice, (4, 3, 3, 2)), ((1, 4), (3, 2)), (ROLL_ALL.dice, (6, 5, 5, 4))
    )
    first, _, mistake, last = only.moments
    assert first.forced
    assert first.values[0] == initial_values(2).round[0]
    assert mistake.mistake
    assert mistake.choice.kept == (5, 5)
    assert 100 * mistake.loss == pytest.approx(2.46, abs=0.005)
    assert only.mistakes == (mistake,)
    assert last.values_after == (0, 1)
    assert last.luck == 1 - last.expected[1]
    ann, ben = only.ledger(0), only.ledger(1)
    assert (ann.start, ann.result) == (initial_values(2).round[0], 0)
    assert (ann.errors, ann.decisions) == (mistake.loss, 1)
    assert ann.luck == first.luck + mistake.luck
    assert ben.others == pytest.approx(ann.errors - ann.luck), "of two, one gives what the other loses"


@pytest.mark.parametrize("hands", [((6, 5, 5, 1), (4, 3, 3, 2)), ((6, 6, 2, 1), (6, 5, 4, 2))])
def test_luck_is_nothing_on_average(hands: tuple[Faces, Faces]) -> None:
    _, only = scripted((ROLL_ALL.dice, hands[0]), (ROLL_ALL.dice, hands[1]))
    state = only.moments[-1].after
    for choice in choices(state):
        assert isinstance(choice.action, Roll)
        meant = values_after(state, choice.action)[0]
        throws = list(product(range(1, 7), repeat=len(choice.action.dice)))
        luck = [values(state.apply(choice.action, faces))[0] - meant for faces in throws]
        assert sum(luck) / len(throws) == pytest.approx(0, abs=1e-12)


def test_an_account_in_words() -> None:
    ledger = Ledger(start=0.5, result=1, luck=0.31, others=0.215, errors=0.025, decisions=5, hints=1)
    assert residual(ledger) == pytest.approx(0)
    assert ledger.words("You") == "Your luck +31.0 points, the others +21.5 points; choices cost 2.5 points."
    assert ledger.words("Ann") == "Ann's luck +31.0 points, the others +21.5 points; choices cost 2.5 points."
    assert ledger.skill == pytest.approx(0.5)
    assert ledger.skill_words() == "0.50 points lost per decision (5 decisions, 1 with a hint)"
    both = ledger + ledger
    assert (both.result, both.decisions, both.skill) == (2, 10, ledger.skill)
    many = both + both + both + both + both
    assert many.skill_words() == "0.50 points lost per decision: sound (50 decisions, 10 with a hint)"
    nothing = Ledger(start=0.5, result=0, luck=-0.25, others=-0.25, errors=0, decisions=0, hints=0)
    assert nothing.skill is None
    assert nothing.skill_words() == "no decisions"
    assert nothing.words("Ann") == "Ann's luck −25.0 points, the others −25.0 points; nothing to choose."


def test_skill_tells_the_characters_apart() -> None:
    skill = {}
    for name in ("Perfect", "Sober", "Tipsy"):
        ledgers = [
            each.ledger(0) for number in range(30) for each in rounds_of(played(f"bot:{name},bot:Steady", number))
        ]
        skill[name] = 100 * sum(ledger.errors for ledger in ledgers) / sum(ledger.decisions for ledger in ledgers)
    assert skill["Perfect"] == 0
    assert 0.05 < skill["Sober"] < 0.4 < skill["Tipsy"]


def test_hints_are_noted() -> None:
    match, only = scripted((ROLL_ALL.dice, (6, 5, 5, 1)), (ROLL_ALL.dice, (4, 3, 3, 2)), ((4,), (1,)))
    assert only.ledger(0).hints == 0
    match.hints.add(2)
    (only,) = rounds_of(match)
    assert [moment.hinted for moment in only.moments] == [False, False, True]
    assert only.ledger(0).hints == 1


def test_a_hint_where_there_is_nothing_to_choose_is_not_counted() -> None:
    match, _ = scripted((ROLL_ALL.dice, (6, 5, 5, 1)))
    match.hints.add(0)
    (only,) = rounds_of(match)
    (first,) = only.moments
    assert first.forced
    assert first.hinted
    assert only.ledger(0).hints == 0


def test_an_unfinished_round_is_measured_as_far_as_it_went() -> None:
    _, only = scripted((ROLL_ALL.dice, (6, 5, 5, 1)), (ROLL_ALL.dice, (4, 3, 3, 2)))
    ledger = only.ledger(0)
    assert ledger.result == values(only.moments[-1].after)[0]
    assert abs(residual(ledger)) < 1e-12


def test_highlights_are_of_people_first_and_in_order() -> None:
    match = played("bot:Tipsy,bot:Random,bot:Random", 3)
    rounds = rounds_of(match)
    assert learners(match) == (0, 1, 2), "in a match of bots, all"
    seats = match.lineup.seats
    match.lineup = replace(match.lineup, seats=(Seat("Ann"), seats[1], Seat("Cleo")))
    assert learners(match) == (0, 2)
    found = costliest(rounds, learners(match))
    losses = [each.moment.loss for each in found]
    assert losses == sorted(losses, reverse=True)
    assert len(costliest(rounds, [1], most=3)) == 3
    every = [(each, moment) for each in rounds for moment in each.moments]
    assert losses[0] == max(moment.loss for _, moment in every if moment.event.seat != 1)
    lucky = luckiest(rounds)
    assert lucky
    assert lucky.moment.luck == max(moment.luck for _, moment in every)
    assert rounds[lucky.round_index].moments[lucky.step - 1] is lucky.moment
    puzzle = puzzle_of(match, found[0].moment)
    assert puzzle.seat == found[0].seat
    assert puzzle.answer(found[0].moment.event.action).verdict.startswith("Same mistake: ")
