"""Saves the matches of a room to the local history; play goes on if the history is unreadable. No screen."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from fourtwenty.journal.history import History
from fourtwenty.play.flow import retry_while_locked
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match, SaveError
from fourtwenty.rooms.local_machine import catch_up, match_from_room
from fourtwenty.rooms.room import RoomMatch


async def stored_id(room_match: RoomMatch, history: History | None) -> int | None:
    """Return a room match's id in a history; None if it is not there, or cannot be read."""

    def find() -> int | None:
        return history.find(room_match.identifier) if history and history.is_begun() else None

    with suppress(SaveError):
        return await retry_while_locked(find, asyncio.sleep)
    return None


async def is_unfinished_here(room_match: RoomMatch, history: History | None) -> bool:
    """Return whether a match of the room has ended, but not in a history."""
    id = await stored_id(room_match, history) if room_match.over else None  # noqa: A001
    with suppress(SaveError, ValueError):
        if history and id is not None:
            return (await retry_while_locked(partial(history.match, id), asyncio.sleep)).state.outcome is None
    return False


async def match_so_far(room_match: RoomMatch, history: History | None, options: Lineup, missed: bool = True) -> Match:
    """Return a room's match: from a history with its journal, else a fresh one, with this machine's own options.

    If ``missed``, a match from the history gets the events that this machine has missed. Raises ValueError before the
    draw.
    """

    def resume(id: int) -> Match:  # noqa: A002
        assert history
        match = history.resume(id)
        match.dice = room_match.dice
        if missed:
            catch_up(match, room_match)
        return match

    id = await stored_id(room_match, history)  # noqa: A001
    if id is not None:
        with suppress(SaveError, ValueError):
            return await retry_while_locked(partial(resume, id), asyncio.sleep)
    match = match_from_room(room_match)
    match.lineup = replace(match.lineup, monocolor=options.monocolor, coach=options.coach)
    match.coaching = [] if options.coach == "off" else [(len(match.events), options.coach)]
    return match
