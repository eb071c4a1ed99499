"""Positions: states as one line of text. This module has the part of the notation that all games share.

The seats come in table order, then the fields of the round: ``*6551 >4332 x1 - roll 1``. ``*`` marks the starting
seat, ``>`` the seat to act, ``-`` dice that are not thrown yet, ``x1`` the first seat that dropped out, or each of the
first ones if they did so together, ``L1`` the first seat that left the match. A game gives the form of its fields, and
builds a state from them; marks, turns and the round trip are here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TypeVar

from msgspec import Struct

from fourtwenty.games.game import Faces, State
from fourtwenty.games.roll_off import RollOff
from fourtwenty.games.words import dice_in_words

SEAT_FORM = (
    r"(?P<starts>\*?)(?P<acts>>?)"
    r"(?:{plays}|x(?P<out>[1-9][0-9]{{0,3}})|L(?P<left>[1-9][0-9]{{0,3}}){rest})"
)
"""The regular expression of a seat; the game has those of a seat that plays, and of the rest of one that left."""

COUNT_FORM = "[1-9][0-9]{0,5}"
"""The regular expression of a number that counts from 1."""


S = TypeVar("S", bound=State)


class Form(Struct, frozen=True):
    """The fields of a game in a position, as regular expressions."""

    seat: str
    """Those of a seat that plays."""
    round: str
    """Those of the round, after the seats."""
    example: str
    """A whole position."""
    left: str = ""
    """Those of a seat that has left, as ``format_left`` of ``format_position`` writes them."""


class ParsedPosition(Struct, frozen=True):
    """A position, parsed but not yet checked against the rules."""

    seats: tuple[dict[str, str], ...]
    """``[seat][group]``: the groups of the regular expression of a seat; empty where a group found nothing."""
    fields: dict[str, str]
    """``[group]``: the groups of the regular expression of the round."""
    starting_seat: int | None
    """The seat with ``*``."""
    to_act: int | None
    """The seat with ``>``."""
    out: tuple[int, ...]
    """The seats that dropped out, in the order in which they did; those with the same number in ascending order."""
    left: tuple[int, ...]
    """The seats that left the match, in the order in which they did."""
    together: int
    """The number of seats with ``x1``, at least one: more dropped out together."""

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that have neither dropped out nor left."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.out + self.left)

    def hands(self, group: str = "hand") -> tuple[Faces, ...]:
        """Return ``[seat]``: the dice of a group, empty where they are not thrown yet or absent."""
        return tuple(tuple(map(int, seat[group].strip("-"))) for seat in self.seats)


def read_position(text: str, form: Form, build: Callable[[ParsedPosition], S]) -> S:
    """Return the state of a position; ``build`` makes it from the fields, and raises ValueError if it is impossible.

    Raises ValueError with a sentence unless the state has exactly this position.
    """
    line = " ".join(text.removeprefix("\ufeff").split())  # the byte order mark of a file that it comes from
    state = build(_parsed(line, form))
    if state.position() != line:
        raise ValueError(f"The position contradicts itself; perhaps {state.position()!r} is meant.")
    return state


def _parsed(line: str, form: Form) -> ParsedPosition:
    """Parse a position. Raises ValueError with a sentence when the form does not match, or a mark is used twice."""
    found = re.fullmatch(f"(?P<seats>.+?) {form.round}", line)
    if not found:
        raise ValueError(f"A position is written as {form.example!r}.")
    either = SEAT_FORM.format(plays=form.seat, rest=form.left)
    seats = tuple(_parse_seat(word, either, form.example) for word in found["seats"].split())
    if len(seats) < 2:
        raise ValueError("A match needs two seats or more.")
    starting_seat = _marked_seat(seats, "starts", "*")
    to_act = _marked_seat(seats, "acts", ">")
    dropped_out = sorted((int(groups["out"]), seat) for seat, groups in enumerate(seats) if groups["out"])
    together = max(1, sum(number == 1 for number, _ in dropped_out))
    if [number for number, _ in dropped_out] != [_out_number(index, together) for index in range(len(dropped_out))]:
        raise ValueError("Seats that have dropped out are x1, x2 and so on, in their order.")
    out = tuple(seat for _, seat in dropped_out)
    leavers = sorted((int(groups["left"]), seat) for seat, groups in enumerate(seats) if groups["left"])
    if [number for number, _ in leavers] != [*range(1, len(leavers) + 1)]:
        raise ValueError("Seats that have left are L1, L2 and so on, in their order.")
    left = tuple(seat for _, seat in leavers)
    if starting_seat in out + left or to_act in out + left:
        raise ValueError("A seat that has dropped out neither begins nor acts.")
    parsed = ParsedPosition(seats, found.groupdict(), starting_seat, to_act, out, left, together)
    if left and not parsed.remaining:
        raise ValueError("One seat at least remains.")
    return parsed


def _out_number(index: int, together: int) -> int:
    """The number behind ``x`` of a seat, from its index in the order in which the seats dropped out."""
    return 1 if index < together else index + 1


def _parse_seat(word: str, seat_form: str, example: str) -> dict[str, str]:
    found = re.fullmatch(seat_form, word)
    if not found:
        raise ValueError(f"{word[:40]!r} is no seat; a position is written as {example!r}.")
    return {group: text or "" for group, text in found.groupdict().items()}


def _marked_seat(seats: Sequence[dict[str, str]], group: str, mark: str) -> int | None:
    marked = [seat for seat, groups in enumerate(seats) if groups[group]]
    if len(marked) > 1:
        raise ValueError(f"{mark} stands before one seat only.")
    return marked[0] if marked else None


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
            return f"x{_out_number(out.index(seat), together)}"
        if seat in state.left:
            return f"L{state.left.index(seat) + 1}{format_left(seat)}"
        return f"{'*' * (seat == state.starting_seat)}{'>' * (seat == state.to_act)}{format_seat(seat)}"

    return f"{' '.join(map(written, range(state.seats)))} {fields}"


def digits(faces: Faces) -> str:
    """Return dice as a position writes them: "6551", or "-" when they are not yet thrown."""
    return "".join(map(str, faces)) or "-"


def count_turns(order: Sequence[int], hands: Sequence[Faces], rolls: int) -> int:
    """Return the number of turns that have ended, when the seat to act has made ``rolls`` rolls.

    Raises ValueError unless the seats with hands come first in ``order``.

    >>> hands = ((), (6, 5, 1), ())
    >>> count_turns((1, 2, 0), hands, rolls=0), count_turns((1, 2, 0), hands, rolls=2)
    (1, 0)
    """
    thrown = sum(map(bool, hands))
    if thrown > len(order) or not all(hands[seat] for seat in order[:thrown]):
        raise ValueError("Hands lie in turn, from the seat that began the round; the others have -.")
    if rolls and not thrown:
        raise ValueError("Roll 1 is the first of a turn, of the seat that has no hand yet.")
    return thrown - (rolls > 0)


def read_lap(roll_off: RollOff, parsed: ParsedPosition) -> RollOff:
    """Return the lap of a roll-off in a parsed position: the seats that are in it, and the dice they have thrown.

    ``roll_off`` is its first lap. Raises ValueError with a sentence when no such lap is possible.
    """
    thrown = parsed.hands("thrown")
    seats = tuple(seat for seat in roll_off.seats if parsed.seats[seat]["thrown"]) or roll_off.seats
    faces = tuple(takewhile(bool, (thrown[seat] for seat in seats)))
    if len(seats) < 2 or len(faces) == len(seats) or any(len(dice) != roll_off.dice_each for dice in faces):
        raise ValueError(
            f"In a roll-off two seats or more have = and {dice_in_words(roll_off.dice_each)}, the last of them =-."
        )
    return RollOff(seats, roll_off.dice_each, faces)
