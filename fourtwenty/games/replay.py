"""Events played again from a state: the one place where a finished round gives way to the next by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fourtwenty.games.game import Event, State


class Step(NamedTuple):
    """One event between two states."""

    before: State
    event: Event
    after: State


def replay(start: State, events: Iterable[Event]) -> Iterator[Step]:
    """Yield every event with the states around it; the next round begins when there is an event in it.

    Raises IllegalAction or InvalidAction at the first event that the rules forbid.
    """
    state = start
    for event in events:
        if state.to_act is None:
            state = state.next_round()
        after = state.apply(event.action, event.faces)
        yield Step(state, event, after)
        state = after
