"""Reports the changes in a room since the last look, in sentences. text_room.py has the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourtwenty.rooms.room import Participant
from fourtwenty.rooms.wire.view import RoomView


def laptop_named(participant: Participant) -> str:
    """Return a page's device after a space: " on a phone"; empty for programs."""
    return " on a phone" if participant.page else ""


def changes(before: RoomView, now: RoomView) -> Iterator[str]:
    if before.connected and not now.connected:
        yield now.no_connection
    elif now.connected and not before.connected:
        yield "The table is back."
    if now.held and not before.held:
        yield f"{now.held}."
    yield from _seats(before.participants if now.matches == before.matches else (), now.participants)
    yield from (f"{name} watches." for name in now.spectators if name not in before.spectators)
    if now.connected and now.playing == before.playing:
        yield from (f"{each.name} is away." for each in now.missed if each not in before.missed)
        yield from (f"{each.name} is back." for each in before.missed if each not in now.missed)
    for machine, others in now.agreed:
        if (machine, others) not in before.agreed:
            yield f"{now.match_participants[machine].name} wants to carry on without {now.named(others)}."
    yield from (sentence for sentence in now.dispute if sentence not in before.dispute)
    if now.may_end and not before.may_end:
        yield "Type carry on to end this game without a result, or wait."
    if now.may_be_left and now.may_be_left != before.may_be_left:
        yield f"{now.waited}. Type carry on to play without {now.named(now.may_be_left)}, or wait."
    if before.starter and now.starter and now.matches == before.matches:
        if now.starter.author != before.starter.author:
            yield "You start the game." if now.starts_next else f"{now.starter.name} starts the game."
        elif now.may_start and not before.may_start:
            yield "Nobody has started the game. Type start to start it."


def _seats(before: Sequence[Participant], now: Sequence[Participant]) -> Iterator[str]:
    earlier, later = ({participant.author: participant for participant in each} for each in (before, now))
    for author in dict.fromkeys((*earlier, *later)):
        left, came = earlier.get(author), later.get(author)
        if left and (not came or came.players != left.players):
            yield f"{left.labels} {'gets' if len(left.players) == 1 else 'get'} up."
        if came and (not left or came.players != left.players):
            verb = "sits" if len(came.players) == 1 else "sit"
            yield f"{came.labels} {verb} down{laptop_named(came)}."
