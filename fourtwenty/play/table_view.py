"""Makes the view of a table for one person: a frozen value with all sentences, which a front end only has to draw."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.english import NUMBERS, dice_in_words
from fourtwenty.games.game import Event, Faces, InvalidAction, Meter, Roll, Stand, State, at_stake, hand_after
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import event_line


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it."""

    name: str
    mark: int
    """Its number, from 0: front ends choose a colour and a mark by it."""
    dice: Faces = ()
    """The hand; empty before the round's first roll."""
    total: str = ""
    meter: int | None = None
    """The length of its meter in thousandths; None once it is out."""
    note: str = ""
    """The state of the seat in a word or two, such as "won round 2"; may be empty."""
    tally: str = ""
    """The score so far; empty where the game has none."""
    acts: bool = False
    """Whether its action or its dice are awaited."""
    out: bool = False
    """Whether it no longer plays."""
    mine: bool = False
    """Whether the person who sees the view plays it."""
    away: bool = False
    """Whether its machine is away while the match goes on."""


class ChoiceView(Struct, frozen=True, array_like=True):
    """A selection of dice as the person to act sees it."""

    refusal: str
    """Why these dice may not be rolled, in a sentence; empty if they may."""
    preview: str
    """The kept dice in words, or the refusal again."""
    meter: int
    """The length of the meter of the kept dice, in thousandths."""
    tick: int | None
    """The length that it must reach, in thousandths; None for none."""
    label: str
    """The words on the button that rolls them."""


class Question(Struct, frozen=True):
    """The question to the person who sees the view: which dice to roll, or whether to stand."""

    event: int
    """The number of events before the answer."""
    choices: dict[str, ChoiceView]
    """Every selection, by its die positions: "", "1", "12"."""
    stand: str | None
    """Why the seat may not stand, in a sentence, empty if it may; None where nobody can."""
    picked: tuple[int, ...]
    """The dice that are selected at first."""


class Throw(Struct, frozen=True):
    """A roll with its faces, to be shown falling."""

    seat: int
    dice: tuple[int, ...]
    faces: Faces
    stake: str
    """The sentence while its last die tumbles; empty for none."""


class TableView(Struct, frozen=True):
    """A match as a seat sees it."""

    title: str
    """The name of the game."""
    caption: str
    """The round and the roll."""
    line: str
    """The last event and the seat to act, in sentences."""
    events: int
    """The number of events so far."""
    hand: int
    """The number of dice of a hand."""
    seats: tuple[SeatView, ...]
    ask: Question | None
    """None if it is not this person's turn."""
    result: tuple[str, ...] | None
    """The sentences at the end of the match; None before it."""


def table_view(
    state: State,
    names: Sequence[str],
    events: int,
    line: str,
    *,
    mine: Collection[int] = (),
    acting: int | None = None,
    asked: bool = False,
    away: Collection[int] = (),
    spoken: Sequence[str] = (),
    note: Callable[[State, int], str] = lambda state, seat: state.standing(seat).note,
) -> TableView:
    """Return a state as a person sees it, or as nobody in particular does.

    ``mine`` are the seats that they play, ``acting`` is the seat whose action or dice are awaited, ``away`` the seats
    that are not here; ``asked``: whether they choose now. ``spoken`` are the names in sentences, if some are other
    ones, such as "You".
    """
    game = GAMES[state.key]
    seats = tuple(
        _seat_view(state, seat, names[seat], note(state, seat), seat == acting, seat in mine, seat in away)
        for seat in range(state.seats)
    )
    return TableView(
        game.name,
        state.caption(),
        line,
        events,
        game.hand_size,
        seats,
        _question(state, game.hand_size, events) if asked else None,
        (f"{state.report(spoken or names).headline}.",) if state.outcome else None,
    )


def _seat_view(state: State, seat: int, name: str, note: str, acts: bool, mine: bool, away: bool) -> SeatView:
    standing, over = state.standing(seat), state.outcome is not None
    meter = state.meter(seat, standing.hand) if standing.playing else None
    return SeatView(
        name,
        seat,
        standing.hand,
        standing.total,
        _share(meter, meter.value) if meter else None,
        note,
        standing.score,
        acts and not over,
        not standing.playing,
        mine,
        away and not over,
    )


def _question(state: State, hand_size: int, events: int) -> Question:
    """Return what the seat to act is asked, with every selection of its dice."""
    actions = state.actions
    forced = actions[0] if len(actions) == 1 else None
    dice = range(1, hand_size + 1)
    picks = [pick for count in range(hand_size + 1) for pick in combinations(dice, count)]
    return Question(
        events,
        {"".join(map(str, pick)): _choice_view(state, pick, hand_size) for pick in picks},
        "" if Stand() in actions else None,
        forced.dice if isinstance(forced, Roll) else (),
    )


def _choice_view(state: State, pick: tuple[int, ...], hand_size: int) -> ChoiceView:
    """Return a selection of dice of the seat to act."""
    seat = state.to_act
    assert seat is not None
    try:
        refusal = state.check(Roll(pick)) or ""
    except InvalidAction as error:
        refusal = str(error)
    stay = tuple([0 if die in pick else face for die, face in enumerate(state.hand(seat), 1)])
    meter = state.meter(seat, stay)
    label = f"Roll {_roll_in_words(len(pick), hand_size)}" if pick else "Tap dice to roll"
    tick = _share(meter, meter.least) if meter.least else None
    return ChoiceView(refusal, state.preview(pick), _share(meter, meter.value), tick, label)


def _roll_in_words(dice: int, hand_size: int) -> str:
    """Return a number of dice as on a button: "two dice", "all four"."""
    return f"all {NUMBERS[dice]}" if dice == hand_size else dice_in_words(dice)


def throw_of(before: State, event: Event) -> Throw:
    """Return an event that is a roll as it is shown, by the state before it."""
    assert isinstance(event.action, Roll)
    hand = list(hand_after(before, event.action, event.faces))
    hand[event.action.dice[-1] - 1] = 0
    return Throw(event.seat, event.action.dice, event.faces, at_stake(GAMES[before.key], tuple(hand)))


def last_line(match: Match, before: State, names: Sequence[str]) -> str:
    """Return the line of a match's last event, by the state before it, and the result of a round that it ends."""
    event = match.events[-1]
    line = event_line(match, before, event, match.events[:-1], names[event.seat])
    return f"{line} {match.state.report(names).headline}." if match.state.to_act is None else line


def _share(meter: Meter, value: int) -> int:
    """Return a length of a meter in thousandths of its whole."""
    return min(1000, 1000 * value // meter.full)
