"""What the tests of rooms over a broker in memory share: the keys of their table, and people who act at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fourtwenty.games.game import Action
from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.wire.client import Client, ClientMatch

KEYS = RoomKeys.from_code("K7QF-3XMP")
LASTING = "ten-rounds"
"""A game that no roll ends early: whatever the dice, there is still something to lose, to miss and to wait for."""


def first(actions: Sequence[Action]) -> Action:
    return actions[0]


def act(client: Client, choose: Callable[[Sequence[Action]], Action] = first) -> None:
    """Let the person here do what is chosen, by default roll as few dice as the rules allow, if it is their turn."""
    match = client.room.match
    if match is None or match.state is None or match.to_act is None or client.deciding or not client.copy.synced:
        return
    seats = ClientMatch(client, match)
    if seats.is_local(match.to_act):
        seats.submit(choose(match.state.actions))
