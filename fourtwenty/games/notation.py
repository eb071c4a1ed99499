"""Reads and writes positions: states as one line of text, as far as all games share the notation.

The seats come in table order, then the fields of the round: ``*6551 >4332 x1 - roll 1``. ``*`` marks the starting
seat, ``>`` the seat to act, ``-`` dice not thrown yet, ``x1`` the first seat that dropped out (or each of the first,
if together), ``L1`` the first seat that left the match.
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
"""The regular expression around the parts of a seat that each game defines."""

COUNT_FORM = "[1-9][0-9]{0,5}"


S = TypeVar("S", bound=State)


class Form(Struct, frozen=True):
    """The fields of a game in a position, as regular expressions."""

    seat: str
    """A seat that plays."""
    round: str
    """The round, after the seats."""
    example: str
    left: str = ""
    """The rest of a seat that has left, from ``format_left`` of ``format_position``."""


class ParsedPosition(Struct, frozen=True):
    """A position, parsed but not yet checked against the rules."""

    seats: tuple[dict[str, str], ...]
    """``[seat][group]``: groups of a seat's regular expression; empty without a match."""
    fields: dict[str, str]
    """``[group]``: groups of the round's regular expression."""

    def marked(self, group: str) -> int | None:
        """Return the first seat where a group matched."""
        return next((seat for seat, groups in enumerate(self.seats) if groups[group]), None)

    def numbered(self, group: str) -> tuple[int, ...]:
        """Return the seats with a number in a group, by that number."""
        return tuple(seat for _, seat in sorted((int(g[group]), seat) for seat, g in enumerate(self.seats) if g[group]))

    def hands(self, group: str = "hand") -> tuple[Faces, ...]:
        """Return ``[seat]``: the dice of a group, empty before they are thrown or where absent."""
        return tuple(tuple(map(int, seat[group].strip("-"))) for seat in self.seats)


def read_position(text: str, form: Form, build: Callable[[ParsedPosition], S | None]) -> S:
    """Return the state of a position; ``build`` returns None for fields of an impossible match.

    ``build`` may ignore other spellings: raises ValueError with a sentence unless ``to_text`` gives this position.
    """
    line = " ".join(text.removeprefix("\ufeff").split())  # a byte order mark from a file
    state = build(_parsed(line, form))
    if state is None:
        raise ValueError(f"No match comes to {line!r}.")
    if state.to_text() != line:
        raise ValueError(f"The position contradicts itself; perhaps {state.to_text()!r} is meant.")
    return state


def _parsed(line: str, form: Form) -> ParsedPosition:
    """Parse a position. Raises ValueError with a sentence for another form."""
    found = re.fullmatch(f"(?P<seats>.+?) {form.round}", line)
    if not found:
        raise ValueError(f"A position is written as {form.example!r}.")
    either, seats = SEAT_FORM.format(plays=form.seat, rest=form.left), []
    for word in found["seats"].split():
        seat = re.fullmatch(either, word)
        if not seat:
            raise ValueError(f"{word[:40]!r} is not a seat; a position is written as {form.example!r}.")
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
    """Return the position of a state, whose ``fields`` follow the seats.

    ``format_left`` writes the rest of a seat that left. The first ``together`` seats of ``out`` dropped out together.
    """

    def written(seat: int) -> str:
        if seat in out:
            return f"x{1 if seat in out[:together] else out.index(seat) + 1}"
        if seat in state.departed:
            return f"L{state.departed.index(seat) + 1}{format_left(seat)}"
        return f"{'*' * (seat == state.starting_seat)}{'>' * (seat == state.to_act)}{format_seat(seat)}"

    return f"{' '.join(map(written, range(state.seats)))} {fields}"


def digits(faces: Faces) -> str:
    """Return dice as a position has them: "6551", "-" before the throw."""
    return "".join(map(str, faces)) or "-"
