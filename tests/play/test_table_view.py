"""A view of a table: what each person sees, is asked, and may not do, in all three games."""

from __future__ import annotations

import pytest
from msgspec import json

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Faces, Leave, Roll
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.table_view import ChoiceView, Question, TableView, Throw, last_line, table_view, throw_of

ANN_AND_BEN = (Seat("Ann"), Seat("Ben"))


def played(*throws: Faces, game: str = "420") -> Match:
    """Return a match of Ann, who starts, and Ben, with these first rolls of a seat."""
    match = Match(Lineup(ANN_AND_BEN, starting_seat=0, game=game), ScriptedDice(throws))
    for _ in throws:
        match.act(match.state.actions[0])
    return match


def seen(match: Match, seat: int) -> TableView:
    """Return the view of the person in a seat."""
    state = match.state
    spoken = ["You" if each == seat else name for each, name in enumerate(match.names)]
    asked = state.to_act == seat
    return table_view(
        state,
        match.names,
        len(match.events),
        "",
        mine=[seat],
        acting=state.to_act,
        asked=asked,
        spoken=spoken,
    )


def asked(view: TableView) -> Question:
    assert view.ask
    return view.ask


def test_a_choice_of_420() -> None:
    view = seen(played((6, 5, 5, 1), (1, 2, 3, 4)), 0)
    ask = asked(view)
    assert len(ask.choices) == 16
    assert ask.choices["4"] == ChoiceView("", "Keep 6 5 5, roll one die", 800, 750, "Roll one die")
    refusal = "5 + 5 + 1 = 11. You need at least 15 to keep three dice."
    assert ask.choices["1"] == ChoiceView(refusal, refusal, 550, 750, "Roll one die")
    assert ask.choices["1234"].label == "Roll all four"
    assert ask.choices[""].refusal == "Select at least one die to roll."
    assert (ask.stand, ask.picked, ask.event) == (None, (), 2)


def test_only_the_seat_to_act_is_asked() -> None:
    match = played((6, 5, 5, 1), (1, 2, 3, 4))
    assert seen(match, 1).ask is None
    assert [(seat.acts, seat.mine) for seat in seen(match, 1).seats] == [(True, False), (False, True)]


def test_what_is_forced_is_selected() -> None:
    assert asked(seen(played(), 0)).picked == (1, 2, 3, 4)
    assert asked(seen(played((6, 6, 6, 6), (1, 1, 1, 1)), 0)).picked == (1, 2, 3, 4)


def test_a_hand_of_a_seat() -> None:
    ann, ben = seen(played((6, 5, 5, 1)), 1).seats
    assert (ann.name, ann.dice, ann.total, ann.meter, ann.out) == ("Ann", (6, 5, 5, 1), "17", 850, False)
    assert (ben.dice, ben.total, ben.meter) == ((), "", 0)


def test_somebody_away_at_the_end_is_not_awaited() -> None:
    match = played((6, 5, 5, 4))
    view = table_view(match.state, match.names, 1, "", acting=1, away=[1])
    assert not any(seat.away or seat.acts for seat in view.seats)


@pytest.mark.parametrize("game", GAMES)
def test_every_view_is_read_back_from_json(game: str) -> None:
    match = played(*[(6, 5, 4, 3)[: GAMES[game].hand_size]] * 2, game=game)
    for seat in range(2):
        view = seen(match, seat)
        assert json.decode(json.encode(view), type=TableView) == view
        assert view.title == GAMES[game].name
        assert view.hand == GAMES[game].hand_size


def test_standing_is_offered_where_the_game_has_it() -> None:
    state = GAMES["ten-rounds"].start(2, 0).apply(Roll((1, 2, 3)), (6, 5, 3))
    view = table_view(state, ["Ann", "Ben"], 1, "", mine=[0], acting=0, asked=True)
    assert asked(view).stand == ""
    assert asked(view).choices["13"].label == "Roll two dice"
    assert asked(view).choices["123"].label == "Roll all three"


def test_the_end_speaks_to_the_person() -> None:
    match = played((6, 5, 5, 4))
    assert seen(match, 0).result == ("Ben buys the drinks.",)
    assert seen(match, 1).result == ("You buy the drinks.",)
    assert seen(played(), 0).result is None


def test_the_line_of_a_roll_and_of_the_round_that_it_ends() -> None:
    match = played((6, 5, 5, 1))
    assert last_line(match, match.start, ["You", "Ben"]) == "You rolled 6 5 5 1: 17."
    match = played((6, 5, 5, 4))
    assert last_line(match, match.start, ["Ann", "You"]).endswith(" You buy the drinks.")


def test_a_throw_tells_what_its_last_die_decides() -> None:
    match = played((6, 5, 5, 1), (1, 1, 1, 1))
    event = Event(0, Roll((4,)), (2,))
    assert throw_of(match.state, event) == Throw(0, (4,), (2,), "A 4 makes 20!")
    with pytest.raises(AssertionError):
        throw_of(match.state, Event(0, Leave(), ()))
