"""Rolling off: seats that must be told apart throw dice until one stands alone. What a throw is worth, a game says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from fourtwenty.games.game import Faces, Roll, check_faces


@dataclass(frozen=True, slots=True)
class RollOff:
    """One lap of a roll-off."""

    seats: tuple[int, ...]
    """Who rolls, in turn; two or more."""
    dice: int
    """How many dice each throws."""
    faces: tuple[Faces, ...] = ()
    """What has been thrown so far."""

    @property
    def to_act(self) -> int:
        """The seat whose throw it is."""
        return self.seats[len(self.faces)]

    @property
    def roll(self) -> Roll:
        """The one action there is."""
        return Roll(tuple(range(1, self.dice + 1)))

    def thrown(self, seat: int) -> Faces | None:
        """Return what a seat threw: nothing yet is empty; None when it has no part in it."""
        if seat not in self.seats:
            return None
        place = self.seats.index(seat)
        return self.faces[place] if place < len(self.faces) else ()

    def throw(self, faces: Faces, strength: Callable[[Faces], Any], lowest: bool = False) -> RollOff | int:
        """Return what follows a throw: the lap going on, another lap of those tied, or the seat that stands alone.

        It is the strongest, or the weakest where the lowest is sought.

        Raises InvalidAction when the faces cannot have been thrown.
        """
        check_faces(faces, self.dice)
        lap = replace(self, faces=(*self.faces, faces))
        if len(lap.faces) < len(lap.seats):
            return lap
        most = (min if lowest else max)(map(strength, lap.faces))
        tied = tuple(seat for seat, thrown in zip(lap.seats, lap.faces, strict=True) if strength(thrown) == most)
        return tied[0] if len(tied) == 1 else RollOff(tied, self.dice)
