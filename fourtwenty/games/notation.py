"""Positions: states as one line of text. This module has the part of the notation that all games share.

The seats come in table order, then the fields of the round: ``*6551 >4332 x1 - roll 1``. ``*`` marks the starting
seat, ``>`` the seat to act, ``-`` dice that are not thrown yet, ``x1`` the first seat that dropped out, or each of the
first ones if they did so together, ``L1`` the first seat that left the match. A game gives the form of its fields, and
builds a state from them; marks and the round trip are here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from fourtwenty.games.game import Faces, State, check_seats

SEAT_FORM = (
    r"(?P<starts>\*?)(?P<acts>>?)"
    r"(?:{plays}|x(?P<out>[1-9][0-9]{{0,3}})|L(?P<left>[1-9][0-9]{{0,3}}){rest})"
)
"""The regular expression of a seat; the game has those of a seat that plays, and of the rest of one that left."""

COUNT_FORM = "[1-9][0-9]{0,5}"


S = TypeVar("S", bound=State)


class Form(Struct, frozen=True):
    """The fields of a game in a position, as regular expressions."""

    seat: str
    """Those of a seat that plays."""
    round: str
    """Those of the round, after the seats."""
    example: str
    left: str = ""
    """Those of a seat that has left, as ``format_left`` of ``format_position`` writes them."""


class ParsedPosition(Struct, frozen=True):
    """A position, parsed but not yet checked against the rules."""

    seats: tuple[dict[str, str], ...]
    """``[seat][group]``: the groups of the regular expression of a seat; empty where a group found nothing."""
    fields: dict[str, str]
    """``[group]``: the groups of the regular expression of the round."""

    def marked(self, group: str) -> int | None:
        """Return the first seat in which a group found something."""
        return next((seat for seat, groups in enumerate(self.seats) if groups[group]), None)

    def numbered(self, group: str) -> tuple[int, ...]:
        """Return the seats that have a number in a group, by that number."""
        return tuple(seat for _, seat in sorted((int(g[group]), seat) for seat, g in enumerate(self.seats) if g[group]))

    def hands(self, group: str = "hand") -> tuple[Faces, ...]:
        """Return ``[seat]``: the dice of a group, empty where they are not thrown yet or absent."""
        return tuple(tuple(map(int, seat[group].strip("-"))) for seat in self.seats)


def read_position(text: str, form: Form, build: Callable[[ParsedPosition], S | None]) -> S:
    """Return the state of a position; ``build`` makes it from the fields, and returns None when no match comes to it.

    It need not look at what ``State.to_text`` writes differently. Raises ValueError with a sentence unless the state
    has exactly this position.
    """
    line = " ".join(text.removeprefix("\ufeff").split())  # the byte order mark of a file that it comes from
    state = build(_parsed(line, form))
    if state is None:
        raise ValueError(f"No match comes to {line!r}.")
    if state.to_text() != line:
        raise ValueError(f"The position contradicts itself; perhaps {state.to_text()!r} is meant.")
    return state


def _parsed(line: str, form: Form) -> ParsedPosition:
    """Parse a position. Raises ValueError with a sentence when its form does not match."""
    found = re.fullmatch(f"(?P<seats>.+?) {form.round}", line)
    if not found:
        raise ValueError(f"A position is written as {form.example!r}.")
    either, seats = SEAT_FORM.format(plays=form.seat, rest=form.left), []
    for word in found["seats"].split():
        seat = re.fullmatch(either, word)
        if not seat:
            raise ValueError(f"{word[:40]!r} is no seat; a position is written as {form.example!r}.")
        seats.append({group: text or "" for group, text in seat.groupdict().items()})
    check_seats(len(seats))
    return ParsedPosition(tuple(seats), found.groupdict())


def format_position(
    state: State,
    out: tuple[int, ...],
    format_seat: Callable[[int], str],
    fields: str,
    together: int = 1,
    format_left: Callable[[int], str] = lambda seat: "",  # noqa: ARG005
) -> str:
    """Return the position of a state.

    ``format_seat`` writes a seat that is not out, ``format_left`` the rest of one that has left; ``fields`` follow the
    seats. The first ``together`` seats of ``out`` dropped out together.
    """

    def written(seat: int) -> str:
        if seat in out:
            return f"x{1 if seat in out[:together] else out.index(seat) + 1}"
        if seat in state.departed:
            return f"L{state.departed.index(seat) + 1}{format_left(seat)}"
        return f"{'*' * (seat == state.starting_seat)}{'>' * (seat == state.to_act)}{format_seat(seat)}"

    return f"{' '.join(map(written, range(state.seats)))} {fields}"


def digits(faces: Faces) -> str:
    """Return dice as a position writes them: "6551", or "-" when they are not yet thrown."""
    return "".join(map(str, faces)) or "-"
