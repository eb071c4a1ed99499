"""The name that the others at a table see of the person at this machine. Nothing is asked here."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from fourtwenty.file_storage import lineup_file
from fourtwenty.games.english import is_you
from fourtwenty.play.lineup import Lineup, Seat, check_name, free_name

UNNAMED = ("You", "Guest")
"""Names of a person that the others at a table could not tell apart."""


def own_name() -> str:
    """Return the name of the person at this machine: the first of the last line-up, or the user's."""
    try:
        people = [seat.name for seat in Lineup.load(lineup_file()).seats if not seat.bot and seat.name not in UNNAMED]
    except (OSError, ValueError):
        people = []
    if people:
        return people[0]
    from getpass import getuser

    try:
        name = getuser().capitalize()
    except (OSError, KeyError, ImportError):  # no user of this number; the last two up to Python 3.12
        return "Host"
    return "Host" if check_name(name, ()) else name


def named(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return players with names for other machines: "You" becomes the person at this machine."""
    others = [seat for seat in seats if not is_you(seat.name)]
    if len(others) == len(seats):
        return tuple(seats)
    name = free_name(own_name(), others)
    return tuple(replace(seat, name=name) if is_you(seat.name) else seat for seat in seats)
