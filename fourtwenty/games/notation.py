"""A position as one short line of text: what all games write alike. What their seats hold, each game says itself.

The seats come in table order, then the numbers of the round: ``*6551 >4332 x1 - roll 1``. ``*`` marks the seat that
began the round, ``>`` the one to act, ``-`` dice not yet thrown, ``x1`` who was the first to drop out. The games read a
position by the rules themselves: what they make of it must be written as it was read, so nothing can contradict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from fourtwenty.games.game import Faces, State
from fourtwenty.games.roll_off import RollOff
from fourtwenty.games.words import dice_in_words

SEAT = r"(?P<begins>\*?)(?P<acts>>?)(?:{}|x(?P<out>[1-9][0-9]{{0,3}}))"
"""The form of a seat, around that of what it holds."""

NUMBER = "[1-9][0-9]{0,5}"
"""The form of a number that counts from 1."""


@dataclass(frozen=True, slots=True)
class Written:
    """A position's text, taken apart."""

    seats: tuple[dict[str, str], ...]
    """By seat, what the game's form found; empty where it found nothing."""
    numbers: dict[str, str]
    """What the game's form found behind the seats."""
    begins: int | None
    """The seat marked as the one that began the round."""
    acts: int | None
    """The seat marked as the one to act."""
    out: tuple[int, ...]
    """Who has dropped out, in their order."""

    def hands(self, name: str = "hand") -> tuple[Faces, ...]:
        """Return dice by seat; empty where they are not yet thrown, or not written."""
        return tuple(tuple(map(int, seat[name].strip("-"))) for seat in self.seats)


def take_apart(text: str, seat: str, numbers: str, example: str) -> Written:
    """Take a position's text apart by the forms of a seat and of the numbers behind the seats.

    Raises ValueError with a sentence when it has another form, or a mark is there twice.
    """
    form = re.fullmatch(f"(?P<seats>.+?) {numbers}", " ".join(text.split()))
    if not form:
        raise ValueError(f"A position is written as {example!r}.")
    seats = []
    for word in form["seats"].split():
        found = re.fullmatch(SEAT.format(seat), word)
        if not found:
            raise ValueError(f"{word[:40]!r} is no seat; a position is written as {example!r}.")
        seats.append({name: held or "" for name, held in found.groupdict().items()})
    if len(seats) < 2:
        raise ValueError("A match needs two seats or more.")
    marked = {name: [place for place, held in enumerate(seats) if held[name]] for name in ("begins", "acts", "out")}
    for name, mark in (("begins", "*"), ("acts", ">")):
        if len(marked[name]) > 1:
            raise ValueError(f"{mark} stands before one seat only.")
    out = tuple(sorted(marked["out"], key=lambda place: int(seats[place]["out"])))
    if [int(seats[place]["out"]) for place in out] != list(range(1, len(out) + 1)):
        raise ValueError("Seats that have dropped out are x1, x2 and so on, in their order.")
    begins, acts = (next(iter(marked[name]), None) for name in ("begins", "acts"))
    if begins in out or acts in out:
        raise ValueError("A seat that has dropped out neither begins nor acts.")
    return Written(tuple(seats), form.groupdict(), begins, acts, out)


def put_together(state: State, out: tuple[int, ...], held: Callable[[int], str], numbers: str) -> str:
    """Return a position's text, from what every seat that is not out holds and the numbers behind the seats."""
    seats = (
        f"x{out.index(seat) + 1}"
        if seat in out
        else f"{'*' * (seat == state.starting_seat)}{'>' * (seat == state.to_act)}{held(seat)}"
        for seat in range(state.seats)
    )
    return f"{' '.join(seats)} {numbers}"


def digits(faces: Faces) -> str:
    """Return dice as a position writes them: "6551", or "-" when they are not yet thrown."""
    return "".join(map(str, faces)) or "-"


def turns_ended(order: Sequence[int], hands: Sequence[Faces], rolls: int) -> int:
    """Return how many seats have ended their turn, one after the other in this order; the next has made these rolls.

    Raises ValueError when hands lie elsewhere.
    """
    thrown = sum(map(bool, hands))
    if thrown > len(order) or not all(hands[seat] for seat in order[:thrown]):
        raise ValueError("Hands lie in turn, from the seat that began the round; the others have -.")
    if rolls and not thrown:
        raise ValueError("Roll 1 is the first of a turn, of the seat that has no hand yet.")
    return thrown - (rolls > 0)


def roll_off_again(roll_off: RollOff, written: Written) -> RollOff:
    """Return a later lap of a roll-off: of those seats only that are written with dice of it, and those dice.

    Raises ValueError when no roll-off can stand so.
    """
    thrown = written.hands("thrown")
    seats = tuple(seat for seat in roll_off.seats if written.seats[seat]["thrown"]) or roll_off.seats
    faces = tuple(takewhile(bool, (thrown[seat] for seat in seats)))
    if len(seats) < 2 or len(faces) == len(seats) or any(len(dice) != roll_off.dice for dice in faces):
        raise ValueError(
            f"In a roll-off two seats or more have = and {dice_in_words(roll_off.dice)}, the last of them =-."
        )
    return RollOff(seats, roll_off.dice, faces)


def check_written(state: State, text: str) -> None:
    """Raise ValueError unless this is how the state is written."""
    if state.position() != " ".join(text.split()):
        raise ValueError(f"The position contradicts itself; perhaps {state.position()!r} is meant.")
