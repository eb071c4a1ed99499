"""The tally of an evening and the bets: values, and the history that they survive in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from run_sql import run_sql

from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice, ManualDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.tally import Played, bet, bet_lines, bettors, candidates, evenings, tally_of, tonight

THREE = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")), starting_seat=0)
NINE = datetime(2026, 11, 21, 21, tzinfo=UTC)


def bought(buyer: str, hour: float, game: str = "420") -> Played:
    """A match in which one of three buys the drinks, so many hours after nine."""
    others = [name for name in ("Ann", "Ben", "Steady") if name != buyer]
    places = ((others[0], 1), (others[1], 2), (buyer, 3))
    return Played(game, NINE + timedelta(hours=hour), places)


def test_the_tally_counts_who_buys() -> None:
    tally = tally_of(THREE, [bought("Ann", 0), bought("Ben", 1), bought("Ann", 2)])
    assert tally.standings == ("Ann ▕▆▏▕▆▏", "Ben ▕▆▏", "Steady –")
    assert not tally.reached


def test_more_glasses_than_fit_beside_each_other_are_counted() -> None:
    tally = tally_of(THREE, [bought("Ann", 0)] * 6 + [bought("Ben", 0)] * 5)
    assert tally.standings == ("Ann 6 × ▕▆▏", "Ben ▕▆▏▕▆▏▕▆▏▕▆▏▕▆▏", "Steady –")


def test_ten_rounds_counts_who_wins() -> None:
    lineup = Lineup(THREE.seats, game="ten-rounds")
    assert tally_of(lineup, [bought("Ann", 0, "ten-rounds")]).standings == ("Ann 0 wins", "Ben 1", "Steady 0")


def test_only_the_game_and_the_players_of_the_line_up_count() -> None:
    two = Lineup(seats=(Seat("ben"), Seat("Cleo")))
    played = [bought("Ann", 0), bought("Ben", 1), bought("Ben", 2, "421")]
    assert tally_of(two, played).standings == ("ben ▕▆▏", "Cleo –")
    assert tally_of(two, played[:1]).standings == (), "nobody of them has bought"


def test_the_tally_starts_again_when_somebody_is_first() -> None:
    lineup = Lineup(THREE.seats, first_to=3)
    played = [bought("Ann", 0), bought("Ben", 1), bought("Ann", 2), bought("Ann", 3)]
    assert not tally_of(lineup, played[:3]).reached
    assert tally_of(lineup, played).standings == ("Ann ▕▆▏▕▆▏▕▆▏", "Ben ▕▆▏", "Steady –")
    assert tally_of(lineup, played).reached == "Ann is first to 3 drinks. The tally starts again."
    assert tally_of(lineup, [*played, bought("Ben", 4)]).standings == ("Ann –", "Ben ▕▆▏", "Steady –")
    you = Lineup((Seat("You"), Seat("Ben")), first_to=3)
    mine = [Played("420", NINE, (("Ben", 1), ("You", 2)))] * 3
    assert tally_of(you, mine).reached == "You are first to 3 drinks. The tally starts again."


def test_an_evening_ends_after_six_hours_without_a_game() -> None:
    played = [bought("Ann", 0), bought("Ben", 5), bought("Ann", 30), bought("Ben", 35.9)]
    assert evenings(played) == [(played[0], played[1]), (played[2], played[3])]
    assert tonight(played, NINE + timedelta(hours=41.8)) == (played[2], played[3])
    assert tonight(played, NINE + timedelta(hours=41.9)) == ()
    assert tonight([], NINE) == ()


def test_exactly_six_hours_without_a_game_end_an_evening() -> None:
    played = [bought("Ann", 0), bought("Ben", 6)]
    assert evenings(played) == [(played[0],), (played[1],)]
    assert tonight(played[:1], NINE + timedelta(hours=6)) == ()


def test_a_clock_that_ran_a_week_ahead_does_not_own_the_evenings_of_that_week() -> None:
    week = 7 * 24
    played = [bought("Ann", week), bought("Ann", week + 1), bought("Ben", 0)]
    assert evenings(played) == [(played[0], played[1]), (played[2],)]
    assert tonight(played, NINE + timedelta(hours=1)) == (played[2],)
    assert tonight(played[:2], NINE) == (), "put right, the clock begins an evening"


# -- bets -----------------------------------------------------------------------------------------------------------


def after_one_round() -> Match:
    """A match in which Ann has made 20 at once, and is out."""
    match = Match(THREE, ScriptedDice([(6, 5, 5, 4), (1, 1, 1, 1), (6, 5, 5, 4)]))
    assert bettors(match) == candidates(match) == (), "nobody bets while a round is played"
    match.act(match.state.actions[0])
    return match


def test_a_person_who_is_out_bets_once() -> None:
    match = after_one_round()
    assert (bettors(match), candidates(match)) == ((0,), (1, 2))
    for seat, on in ((1, 2), (0, 0)):
        with pytest.raises(ValueError, match="out"):
            bet(match, seat, on)
    bet(match, 0, 1)
    assert bettors(match) == ()
    with pytest.raises(ValueError, match="once a game"):
        bet(match, 0, 2)


def test_a_bet_is_settled_when_it_is_lost_and_said_once_more_at_the_end() -> None:
    four = Lineup((Seat("You"), Seat("Ben"), Seat("Cleo"), Seat("Dora")), starting_seat=0)
    match = Match(four, ScriptedDice([(6, 5, 5, 4)] * 3))
    match.act(match.state.actions[0])
    bet(match, 0, 1)
    assert [*bet_lines(match)] == ["You bet on Ben."]
    match.next_round()
    match.act(match.state.actions[0])
    bet(match, 1, 3)
    assert [*bet_lines(match)] == ["You bet on Ben: wrong, you owe a drink.", "Ben bet on Dora."]
    match.next_round()
    match.act(match.state.actions[0])
    assert [*bet_lines(match)] == ["You bet on Ben: wrong, you owe a drink.", "Ben bet on Dora: right."]


def test_a_bet_that_was_lost_in_an_earlier_round_is_not_said_again_before_the_end() -> None:
    five = Lineup(tuple(map(Seat, ("Ann", "Ben", "Cleo", "Dora", "Emil"))), starting_seat=0)
    match = Match(five, ScriptedDice([(6, 5, 5, 4)] * 3))
    match.act(match.state.actions[0])
    bet(match, 0, 1)
    said = []
    for _ in range(2):
        match.next_round()
        match.act(match.state.actions[0])
        said.append([*bet_lines(match)])
    assert said == [["Ann bet on Ben: wrong, Ann owes a drink."], []]


def test_a_bet_ends_when_the_roll_that_allowed_it_is_taken_back(history: History) -> None:
    match = Match(THREE, ManualDice(b"chance"), journal=history.journal())
    match.act(match.state.actions[0], (6, 5, 5, 4))
    bet(match, 0, 1)
    match.take_back()
    match.act(match.state.actions[0], (1, 1, 1, 1))
    assert match.bets == history.match(1).bets == {}


def test_bets_are_kept(history: History) -> None:
    kept = Match(THREE, FairDice(bytes(32)), journal=history.journal())
    kept.add_bet(0, 1)
    assert history.match(1).bets == {0: 1}
    while not kept.state.outcome:
        if kept.state.to_act is None:
            kept.next_round()
        else:
            kept.act(kept.state.actions[0])
    (played,) = history.played()
    assert played == Played.of(kept, played.ended)


def test_a_damaged_row_is_left_out_of_the_tally(history: History) -> None:
    for number in range(3):
        Match(
            Lineup((Seat("A", "Bold"), Seat("B", "Bold"))), FairDice(bytes([number] * 32)), journal=history.journal()
        ).play_out()
    assert len(history.played()) == 3
    run_sql(history, "UPDATE match SET game = 'none' WHERE id = 1")
    run_sql(history, "UPDATE match SET played = 'yesterday' WHERE id = 2")
    assert len(history.played()) == 1
