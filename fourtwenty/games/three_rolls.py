"""Rules that 421 and Four Twenty-One share: turns of up to three rolls of any dice, and roll-offs.

The ranks of hands, and the tokens or points of a round, are in the file of each game.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games.game import LEAVE_IS_NO_TURN, Action, Faces, Leave, Roll, Stand, check_faces, rolled
from fourtwenty.games.roll_off import RollOff

DICE = (1, 2, 3)
"""The die positions of a hand."""

ROLLS = 3
"""The most rolls of a turn."""

ROLL_ALL = Roll(DICE)
"""The first roll of a turn."""

CHOICES: tuple[Action, ...] = (
    Stand(),
    *(Roll(dice) for size in DICE for dice in combinations(DICE, size)),
)
"""The legal actions after a roll, while rolls are left."""


class ThreeDice(Struct, frozen=True, dict=True):
    """The part of the state that both games share. The fields of each game follow, by keyword."""

    starting_seat: int | None
    """The seat that acts first in this round; None during the roll-off for the start."""
    hands: tuple[Faces, ...]
    """``[seat]``: the hands of this round, empty before a first roll."""
    turns: int = 0
    """The number of turns that have ended in this round."""
    rolls: int = 0
    """The number of rolls that the seat to act has made in its turn."""
    roll_off: RollOff | None = None
    """The roll-off in progress."""
    left: tuple[int, ...] = ()
    """The seats that have left the match, in their order."""

    @property
    def order(self) -> tuple[int, ...]:
        """The seats of this round in turn order."""
        raise NotImplementedError

    @property
    def seats(self) -> int:
        """The number of seats in the match, including those that are out."""
        return len(self.hands)

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that may still have to roll in this match, ascending: those of this round."""
        return tuple(sorted(self.order))

    @property
    def alone(self) -> bool:
        """Whether one seat remains, since the others have left: then the match is over."""
        return bool(self.left) and len(self.order) == 1

    @cached_property
    def to_act(self) -> int | None:
        """The seat to act; None when the round is over."""
        if self.roll_off:
            return self.roll_off.to_act
        order = self.order
        return order[self.turns] if self.turns < len(order) and len(order) > 1 else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every legal action of the seat to act; empty when the round is over."""
        if self.roll_off:
            return (self.roll_off.roll,)
        if self.to_act is None:
            return ()
        return CHOICES if self.rolls else (ROLL_ALL,)

    def hand(self, seat: int) -> Faces:
        """Return the hand of a seat; empty before its first roll, and in a roll-off the dice of that."""
        thrown = self.roll_off.thrown(seat) if self.roll_off else None
        return self.hands[seat] if thrown is None else thrown

    def others(self, seat: int) -> tuple[Faces, ...]:
        """Return the hands of the other seats in this round; empty before a first roll."""
        return tuple(hand for other, hand in enumerate(self.hands) if other != seat)

    def check(self, action: Action) -> str | None:
        """Return a sentence that says why an action is not legal now; None when it is legal."""
        if self.to_act is None:
            return "The round is over."
        if isinstance(action, Leave):
            return LEAVE_IS_NO_TURN
        if self.roll_off:
            return None if action == self.roll_off.roll else "This is a roll-off: one roll, and it stands."
        if not self.rolls:
            return None if action == ROLL_ALL else "The first roll takes all three dice."
        if isinstance(action, Roll) and action.dice[-1] > len(DICE):
            return "A hand has three dice."
        return None

    def thrown(self, roll: Roll, faces: Faces) -> Faces:
        """Return the hand of the seat to act after a roll. Raises InvalidAction when its dice cannot show the faces."""
        check_faces(faces, len(roll.dice))
        assert self.to_act is not None
        return rolled(self.hands[self.to_act], roll, faces)

    def hands_after(self, roll: Roll, faces: Faces) -> tuple[Faces, ...]:
        """Return ``hands`` after a roll of the seat to act. Raises InvalidAction as ``thrown``."""
        seat = self.to_act
        assert seat is not None
        return (*self.hands[:seat], self.thrown(roll, faces), *self.hands[seat + 1 :])

    def _dropped(self, seat: int) -> Self:
        """Return the state with a seat of this round out of its turn order; its hand is put away.

        When the seat began the round, the next one did. When it is to act, the turn passes on. When one seat remains,
        the table is cleared. A roll-off is left as it is.
        """
        turn = self.order.index(seat)
        others = tuple(other for other in self.order if other != seat)
        dropped = replace(
            self,
            left=(*self.left, seat),
            starting_seat=others[0] if seat == self.starting_seat else self.starting_seat,
            hands=(*self.hands[:seat], (), *self.hands[seat + 1 :]),
            turns=self.turns - (turn < self.turns),
            rolls=0 if turn == self.turns else self.rolls,
        )
        return dropped._cleared(others[0]) if len(others) == 1 else dropped

    def _cleared(self, starting_seat: int | None) -> Self:
        """Return the state before the first turn of this round, which a seat begins."""
        hands = ((),) * self.seats
        return replace(self, starting_seat=starting_seat, hands=hands, turns=0, rolls=0, roll_off=None)


def check_start(seats: int, starting_seat: int | None) -> None:
    """Raise ValueError for fewer than two seats, or a starting seat that is none of them."""
    if seats < 2:
        raise ValueError("A match needs two seats or more.")
    if starting_seat is not None and not 0 <= starting_seat < seats:
        raise ValueError(f"There is no seat {starting_seat} at a table of {seats}.")
