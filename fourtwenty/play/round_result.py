"""Finds the order of the seats after a round, and the throw that decided, for the page of its result."""

from __future__ import annotations

from itertools import chain

from msgspec import Struct

from fourtwenty.games.game import Faces, Roll, State, hand_after
from fourtwenty.games.replay import replay
from fourtwenty.play.match import Match


class DecidingThrow(Struct, frozen=True):
    """The throw that made the hand of ``Report.seat``."""

    hand: Faces
    before: Faces
    """The hand before the throw; empty before a first roll."""
    dice: tuple[int, ...]
    """The positions of the thrown dice; none for a hand of a position in which the match began."""


def deciding_throw(match: Match) -> DecidingThrow:
    """Return the last throw of the round that made the hand which decided it."""
    seat = match.state.report(match.names).seat
    hand = match.state.hand(seat)
    found = DecidingThrow(hand, (), ())
    for before, event, _ in replay(match.start, match.events):
        action = event.action
        theirs = event.seat == seat and before.round == match.state.round
        if theirs and isinstance(action, Roll) and hand_after(before, action, event.faces) == hand:
            found = DecidingThrow(hand, before.hand(seat), action.dice)
    return found


def seats_by_place(state: State) -> tuple[int, ...]:
    """Return all seats: first seats with a place, best first, then seats that play on, then seats that left."""
    placed = tuple(chain.from_iterable(state.places))
    playing = tuple(seat for seat in range(state.seats) if seat not in placed and seat not in state.departed)
    return (*placed, *playing, *(seat for seat in reversed(state.departed) if seat not in placed))


def last_rounds(match: Match) -> tuple[State, ...]:
    """Return ``[seat]``: the state at the end of its last round; the present one if it left or has played none."""
    found = [match.state] * match.state.seats
    for _, _, after in replay(match.start, match.events):
        if after.to_act is None:
            for seat in after.remaining:
                found[seat] = after
    return tuple(match.state if seat in match.state.departed else state for seat, state in enumerate(found))
