"""The lines of the log of a match: what only the rolls before can tell."""

from __future__ import annotations

from fourtwenty.games.game import Event, Faces, Leave, Roll
from fourtwenty.games.replay import replay
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import MatchLog, event_line

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)


def played(throws: list[tuple[tuple[int, ...], Faces]]) -> Match:
    """Play these rolls, each the dice and their faces."""
    match = Match(TWO, ScriptedDice([faces for _, faces in throws]))
    for dice, _ in throws:
        match.act(Roll(dice))
    return match


def test_who_is_one_away_three_times_running_is_told_so_and_no_earlier() -> None:
    everything, last = (1, 2, 3, 4), (4,)
    match = played(
        [
            (everything, (6, 5, 5, 3)),
            (everything, (1, 1, 1, 1)),
            (last, (5,)),  # 21 misses by one, too
            (everything, (1, 1, 1, 1)),
            (everything, (6, 5, 5, 3)),
            (everything, (6, 5, 5, 1)),
            (last, (3,)),
            (last, (3,)),
            (last, (1,)),
            (last, (3,)),
        ]
    )
    lines = [line for line in MatchLog(match).so_far() if line.startswith("Ann")]
    assert lines == [
        "Ann rolled 6 5 5 3: 19, one away.",
        "Ann kept 6 5 5, rolled 5: 21, one too many.",
        "Ann rolled 6 5 5 3: 19, one away. Three times one away.",
        "Ann kept 6 5 5, rolled 3: 19, one away. Four times one away.",
        "Ann kept 6 5 5, rolled 1: 17.",
    ]
    *_, step = replay(match.start, match.events)
    assert event_line(match, step.before, step.event, match.events[:-1]) == "Ben kept 6 5 5, rolled 3: 19, one away."


def test_who_leaves_after_three_misses_leaves_and_no_more() -> None:
    everything, last = (1, 2, 3, 4), (4,)
    ones = (everything, (1, 1, 1, 1))
    match = played([(everything, (6, 5, 5, 3)), ones, (last, (3,)), ones, (last, (3,)), ones])
    assert MatchLog(match).so_far()[-2].endswith("Three times one away.")
    leaves = Event(0, Leave(), ())
    assert event_line(match, match.state, leaves, match.events) == "Ann is out of this game."


def test_misses_beyond_nine_are_counted_in_digits() -> None:
    everything, last = (1, 2, 3, 4), (4,)
    ones = (everything, (1, 1, 1, 1))
    match = played([(everything, (6, 5, 5, 3)), *[ones, (last, (3,))] * 9])
    assert MatchLog(match).so_far()[-1].endswith("10 times one away.")


def test_a_match_that_begins_in_the_middle_has_the_hands_of_its_position() -> None:
    start = Match(TWO, ScriptedDice([])).game.parse(">6553 *1111 roll 2")
    match = Match(TWO, ScriptedDice([(3,), (1, 1, 1, 1), (3,)]), start=start)
    for dice in ((4,), (1, 2, 3, 4), (4,)):
        match.act(Roll(dice))
    assert [line for line in MatchLog(match).so_far() if "times" in line] == []
