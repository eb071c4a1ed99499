"""The room of a table as people at one machine see it, and what has changed since they last looked, in sentences.

Who sits, watches or is away, the connection, and going on without somebody. The match itself is in text_room.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fourtwenty.games.words import listed, minutes
from fourtwenty.rooms.room import Sitting

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.client import Client


class Seen(Struct, frozen=True):
    """The room at one moment."""

    connected: bool = True
    sitting: tuple[Sitting, ...] = ()
    """The machines that sit for the next match."""
    dealer: str = ""
    """The name of the machine that starts the next match; empty while nobody who is here sits."""
    deals: bool = False
    """Whether this machine starts the next match."""
    may_start: bool = False
    """Whether this machine may start the next match, because it deals or the dealer has not done so for long."""
    here: int = 0
    """Number of machines that sit and are not away."""
    seats: int = 0
    """Number of players who sit there."""
    matches: int = 0
    playing: bool = False
    away: tuple[str, ...] = ()
    """The names of the machines that sit or play, and are away."""
    spectators: tuple[str, ...] = ()
    may_be_left: tuple[str, ...] = ()
    """The names of the machines without which the others may go on now."""
    patience: int = 0
    """Seconds after which the others may go on without a machine."""
    agreed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The names of the machines that would go on, each with those that it would go on without."""

    @classmethod
    def of(cls, client: Client) -> Seen:
        """Return the room as a client has it now."""
        room, play = client.room, client.room.play
        sitting, here = tuple(room.sittings.values()), client.sitting_here
        playing = play if play and room.playing else None
        seated = [playing.sittings[machine] for machine in playing.remaining] if playing else sitting

        def names(machines: Sequence[int] | frozenset[int]) -> tuple[str, ...]:
            return tuple(playing.sittings[machine].name for machine in sorted(machines)) if playing else ()

        return cls(
            connected=client.connected,
            sitting=sitting,
            dealer=client.dealer.name if client.dealer else "",
            deals=client.deals,
            may_start=client.may_start,
            here=len(here),
            seats=sum(len(each.players) for each in here),
            matches=len(room.plays),
            playing=room.playing,
            away=tuple(each.name for each in seated if client.away(each.author)),
            spectators=tuple(client.spectators),
            may_be_left=names(client.may_be_left),
            patience=playing.patience if playing else 0,
            agreed=tuple(
                (name, names(others))
                for others, machines in (playing.agreed.items() if playing else ())
                for name in names(frozenset(machines))
            ),
        )


def players_named(sitting: Sitting) -> str:
    """Return the players of a machine in words: "Ann and Steady (bot)"."""
    return listed(seat.label for seat in sitting.players)


def laptop_named(sitting: Sitting) -> str:
    """Return what a guest of another machine plays on, after a space: " on a phone"; empty for others."""
    return " on a phone" if sitting.host_name else ""


def changes(before: Seen, now: Seen) -> Iterator[str]:
    """Yield what has changed, in sentences."""
    if before.connected and not now.connected:
        yield "No connection to the table. Trying again."
    elif now.connected and not before.connected:
        yield "The table is back."
    yield from _seats(before.sitting if now.matches == before.matches else (), now.sitting)
    yield from (f"{name} watches." for name in now.spectators if name not in before.spectators)
    if now.connected and now.playing == before.playing:
        yield from (f"{name} is away." for name in now.away if name not in before.away)
        yield from (f"{name} is back." for name in before.away if name not in now.away)
    for name, others in now.agreed:
        if (name, others) not in before.agreed:
            yield f"{name} wants to go on without {listed(others)}."
    if now.may_be_left and now.may_be_left != before.may_be_left:
        names = listed(now.may_be_left)
        yield f"The table has waited {minutes(now.patience)} for {names}. Type go on to go on without {names}, or wait."
    if before.dealer and now.dealer and now.matches == before.matches:
        if now.dealer != before.dealer:
            yield "You start the game." if now.deals else f"{now.dealer} starts the game."
        elif now.may_start and not before.may_start:
            yield "Nobody has started the game. Type start to start it."


def _seats(before: Sequence[Sitting], now: Sequence[Sitting]) -> Iterator[str]:
    earlier, later = ({sitting.author: sitting for sitting in each} for each in (before, now))
    for author in dict.fromkeys((*earlier, *later)):
        left, came = earlier.get(author), later.get(author)
        if left and came != left and (not came or came.players != left.players):
            yield f"{players_named(left)} {'gets' if len(left.players) == 1 else 'get'} up."
        if came and came != left and (not left or came.players != left.players):
            verb = "sits" if len(came.players) == 1 else "sit"
            yield f"{players_named(came)} {verb} down{laptop_named(came)}."
