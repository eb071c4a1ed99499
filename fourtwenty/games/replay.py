"""Applies the events of a match again, from its first state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from fourtwenty.games.game import Event, Leave, State, check_faces


class Step(NamedTuple):
    """An event between two states."""

    before: State
    event: Event
    after: State


@lru_cache(maxsize=64)  # at a table of several machines, the room and the match ask for the same states
def state_after(state: State, event: Event) -> State:
    """Return the state after an event of the seat to act, or of a seat that leaves.

    Raises IllegalAction or InvalidAction when the rules forbid it. Turn order is not checked.
    """
    if isinstance(event.action, Leave):
        check_faces(event.faces, 0)
        return state.without(event.seat)
    return state.apply(event.action, event.faces)


def replay(start: State, events: Iterable[Event]) -> Iterator[Step]:
    """Yield every event with the states around it. A next round begins with its first event.

    Raises IllegalAction or InvalidAction at the first event that the rules forbid.

    >>> from fourtwenty.games.four_twenty import ROLL_ALL, FourTwenty
    >>> events = [Event(0, ROLL_ALL, (6, 5, 5, 1)), Event(1, ROLL_ALL, (6, 5, 5, 4))]
    >>> [step.after.to_text() for step in replay(FourTwenty.start(2, starting_seat=0), events)]
    ['*6551 >- roll 1', '*6551 6554 roll 1']
    """
    state = start
    for event in events:
        if state.to_act is None:
            state = state.next_round()
        after = state_after(state, event)
        yield Step(state, event, after)
        state = after


def rounds_of_steps(start: State, events: Iterable[Event]) -> tuple[tuple[Step, ...], ...]:
    """Return the steps of ``replay`` by round; a round that goes on is the last. Raises as ``replay``."""
    rounds: list[list[Step]] = []
    over = True
    for step in replay(start, events):
        if over:
            rounds.append([])
        rounds[-1].append(step)
        over = step.after.to_act is None
    return tuple(map(tuple, rounds))
