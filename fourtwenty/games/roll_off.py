"""Roll-offs: tied seats throw dice until one wins. Each game ranks throws itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import Struct

from fourtwenty.games.game import Faces, Roll, check_faces


class RollOff(Struct, frozen=True):
    """One lap of a roll-off."""

    seats: tuple[int, ...]
    """The seats that roll, two or more, in turn order."""
    dice_each: int
    faces: tuple[Faces, ...] = ()
    """The throws so far, in the order of ``seats``."""

    @property
    def to_act(self) -> int:
        """The seat that throws next."""
        return self.seats[len(self.faces)]

    @property
    def roll(self) -> Roll:
        """The only legal action."""
        return _all(self.dice_each)

    def thrown(self, seat: int) -> Faces | None:
        """Return a seat's throw; empty before it, None for a seat outside the roll-off."""
        if seat not in self.seats:
            return None
        index = self.seats.index(seat)
        return self.faces[index] if index < len(self.faces) else ()

    def throw(self, faces: Faces, strength: Callable[[Faces], Any], lowest: bool = False) -> RollOff | int:
        """Return the roll-off after a throw: this lap, the next lap of the tied seats, or the winning seat.

        The highest ``strength`` wins, or the lowest if ``lowest``. Raises InvalidAction for impossible faces.

        >>> half = RollOff((0, 2), dice_each=1, faces=((4,),))
        >>> half.throw((6,), sum), half.throw((4,), sum)
        (2, RollOff(seats=(0, 2), dice_each=1, faces=()))
        """
        check_faces(faces, self.dice_each)
        return RollOff(self.seats, self.dice_each, (*self.faces, faces))._settled(strength, lowest)

    def without(self, seat: int, strength: Callable[[Faces], Any], lowest: bool = False) -> RollOff | int:
        """Return ``throw``'s result once a seat has left the match; unchanged for a seat outside the roll-off."""
        throws = [(other, self.thrown(other)) for other in self.seats if other != seat]
        seats = tuple(other for other, _ in throws)
        lap = RollOff(seats, self.dice_each, tuple(thrown for _, thrown in throws if thrown))
        return seats[0] if len(seats) == 1 else lap._settled(strength, lowest)

    def _settled(self, strength: Callable[[Faces], Any], lowest: bool) -> RollOff | int:
        if len(self.faces) < len(self.seats):
            return self
        best = (min if lowest else max)(map(strength, self.faces))
        tied = tuple(seat for seat, thrown in zip(self.seats, self.faces, strict=True) if strength(thrown) == best)
        return tied[0] if len(tied) == 1 else RollOff(tied, self.dice_each)


@cache
def _all(dice: int) -> Roll:
    return Roll(tuple(range(1, dice + 1)))
