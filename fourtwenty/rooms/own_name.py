"""Finds the name of the person at this machine for the others at a table, without a question."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from fourtwenty.file_storage import lineup_file
from fourtwenty.games.english import is_you
from fourtwenty.play.lineup import Lineup, Seat, free_name
from fourtwenty.rooms.names import check_seat


def own_name() -> str:
    """Return the name of the person at this machine: the first of the last line-up, or the user's."""
    seats: Sequence[Seat] = ()
    with suppress(OSError, ValueError):
        seats = Lineup.load(lineup_file()).seats
    people = [seat.name for seat in seats if not seat.bot]
    from getpass import getuser

    with suppress(OSError, KeyError, ImportError):  # no user of this number; the last two up to Python 3.12
        people.append(getuser().capitalize())
    return next((name for name in people if not check_seat(Seat(name), ())), "Host")


def named(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return players with names for other machines: "You" becomes the person at this machine."""
    others = [seat for seat in seats if not is_you(seat.name)]
    if len(others) == len(seats):
        return tuple(seats)
    name = free_name(own_name(), others)
    return tuple(replace(seat, name=name) if is_you(seat.name) else seat for seat in seats)
