"""What the rules of 421 and Four Twenty-One share: turns of up to three rolls of any dice, and roll-offs."""

from __future__ import annotations

from itertools import combinations

from fourtwenty.games.game import Action, Faces, Roll, Stand, check_faces, rolled
from fourtwenty.games.roll_off import RollOff

DICE = (1, 2, 3)
"""The positions of a hand's dice."""

ROLLS = 3
"""Rolls a turn may have at most."""

ROLL_ALL = Roll(DICE)
"""The first roll of a turn."""

CHOICES: tuple[Action, ...] = (
    Stand(),
    *(Roll(dice) for size in DICE for dice in combinations(DICE, size)),
)
"""What may be done after a roll, while rolls are left."""


class ThreeDice:
    """The base of both states; what is left to them is what hands are worth and what a round moves."""

    starter: int | None
    """The seat that begins the round; None while it is being rolled for."""
    hands: tuple[Faces, ...]
    """The hands of this round by seat, empty before a first roll."""
    turns: int
    """How many seats have ended their turn in this round."""
    rolls: int
    """How many rolls the seat to act has made in its turn."""
    roll_off: RollOff | None
    """The roll-off that goes on."""

    @property
    def order(self) -> tuple[int, ...]:
        """The seats of this round in the order they play."""
        raise NotImplementedError

    @property
    def seats(self) -> int:
        """Number of seats in the match, those that are out included."""
        return len(self.hands)

    @property
    def starting_seat(self) -> int | None:
        """The seat that begins this round; None while it is being rolled for."""
        return self.starter

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; None when the round is over."""
        if self.roll_off:
            return self.roll_off.to_act
        return self.order[self.turns] if self.turns < len(self.order) else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every legal action of the seat to act; empty when the round is over."""
        if self.roll_off:
            return (self.roll_off.roll,)
        if self.to_act is None:
            return ()
        return CHOICES if self.rolls else (ROLL_ALL,)

    def hand(self, seat: int) -> Faces:
        """Return the dice of a seat by position; fewer than three in a roll for the start."""
        thrown = self.roll_off.thrown(seat) if self.roll_off else None
        return self.hands[seat] if thrown is None else thrown

    def check(self, action: Action) -> str | None:
        """Say in one sentence why an action is not legal now; None when it is."""
        if self.to_act is None:
            return "The round is over."
        if action in self.actions:
            return None
        if self.roll_off:
            return "This is a roll-off: one roll, and it stands."
        if not self.rolls:
            return "The first roll takes all three dice."
        return "A hand has three dice."

    def thrown(self, roll: Roll, faces: Faces) -> Faces:
        """Return the hand to act with these faces thrown; the other dice keep their places.

        Raises InvalidAction when the faces cannot have been thrown.
        """
        check_faces(faces, len(roll.dice))
        assert self.to_act is not None
        return rolled(self.hands[self.to_act], roll, faces)
