"""Implements what 421 and Four Twenty-One share: turns of up to three rolls of any dice, and roll-offs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations, takewhile
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games.english import dice_in_words, join_faces, ordinal
from fourtwenty.games.game import (
    LEAVE_IS_NOT_A_TURN,
    Action,
    Faces,
    IllegalAction,
    LazyProperty,
    Leave,
    Meter,
    Roll,
    Stand,
    Tip,
    check_faces,
    check_seat,
    check_seats,
    roll_in_words,
    rolled,
)
from fourtwenty.games.notation import ParsedPosition, digits
from fourtwenty.games.roll_off import RollOff

DICE = (1, 2, 3)

ROLLS = 3

ROLL_ALL = Roll(DICE)
"""The first roll of a turn."""

CHOICES: tuple[Action, ...] = (
    Stand(),
    *(Roll(dice) for size in DICE for dice in combinations(DICE, size)),
)
"""The legal actions after a roll, except the last one."""

STAKE = "A {face} makes 4 2 1!"
"""The sentence while the last die tumbles beside two of 4, 2 and 1."""

STAND_TIP = Tip(
    "stand",
    "Happy with your hand? Press s, or Stand, to keep it and end your turn.",
    available=lambda state: Stand() in state.actions,
    done=lambda _, action: isinstance(action, Stand),
)
"""The tip of the games with ``Stand``."""


class ThreeDice(Struct, frozen=True, dict=True):
    """The state that both games share; each game adds fields by keyword."""

    starting_seat: int | None
    hands: tuple[Faces, ...]
    """``[seat]``: the hands of this round, empty before a first roll."""
    turns: int = 0
    """The number of turns that have ended in this round."""
    rolls: int = 0
    """The number of rolls that the seat to act has made in its turn."""
    roll_off: RollOff | None = None
    departed: tuple[int, ...] = ()

    # -- defined by each game -----------------------------------------------------------------------------------------

    @staticmethod
    def rank(hand: Faces) -> Any:
        """Return the rank of three faces; greater is stronger."""
        raise NotImplementedError

    @LazyProperty
    def order(self) -> tuple[int, ...]:
        """The seats of this round in turn order."""
        raise NotImplementedError

    @property
    def rolls_allowed(self) -> int:
        """The most rolls of a turn."""
        raise NotImplementedError

    @property
    def _seeks_weakest(self) -> bool:
        """Whether the weakest throw wins a roll-off of the round."""
        return False

    @property
    def _tie(self) -> str:
        """The stake of a round's roll-off, in words."""
        raise NotImplementedError

    def _made(self, hand: Faces) -> str:
        raise NotImplementedError

    def _settled(self) -> Self:
        """Return the state with the result of a round after its turns, or a roll-off for it."""
        raise NotImplementedError

    def _rolled_off(self, seat: int) -> Self:
        """Return the state once a roll-off of the round has a winner."""
        raise NotImplementedError

    def _decided_by(self, seat: dict[str, str]) -> bool:
        """Return whether a seat's groups in a position say that it won the round's roll-off."""
        raise NotImplementedError

    # -- the rules ----------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def remaining(self) -> tuple[int, ...]:
        return tuple(sorted(self.order))

    @property
    def automatic(self) -> int:
        return int(self.starting_seat is None)

    @property
    def transfer(self) -> tuple[Self, ...]:
        return ()

    @property
    def pot_meter(self) -> Meter | None:
        return None

    @property
    def alone(self) -> bool:
        """Whether one seat remains and the match is over, since others left."""
        return bool(self.departed) and len(self.order) == 1

    @LazyProperty
    def to_act(self) -> int | None:
        if self.roll_off:
            return self.roll_off.to_act
        order = self.order
        return order[self.turns] if self.turns < len(order) and len(order) > 1 else None

    @property
    def actions(self) -> tuple[Action, ...]:
        if self.roll_off:
            return (self.roll_off.roll,)
        if self.to_act is None:
            return ()
        return CHOICES if self.rolls else (ROLL_ALL,)

    def hand(self, seat: int) -> Faces:
        check_seat(seat, self.seats)
        thrown = self.roll_off.thrown(seat) if self.roll_off else None
        return self.hands[seat] if thrown is None else thrown

    def others(self, seat: int) -> tuple[Faces, ...]:
        """Return the other seats' hands in this round; empty before a first roll."""
        return tuple(hand for other, hand in enumerate(self.hands) if other != seat)

    def check(self, action: Action) -> str | None:
        if action in self.actions:
            return None
        if self.to_act is None:
            return "The round is over."
        if isinstance(action, Leave):
            return LEAVE_IS_NOT_A_TURN
        if self.roll_off:
            return "This is a roll-off: one roll, and it stands."
        if not self.rolls:
            return "The first roll takes all three dice."
        return "A hand has three dice."

    def apply(self, action: Action, faces: Faces) -> Self:
        refusal = self.check(action)
        if refusal:
            raise IllegalAction(refusal)
        if self.roll_off:
            return self._decided(self.roll_off.throw(faces, *self._sought))
        if isinstance(action, Roll):
            return self._rolled(self.hands_after(action, faces))
        check_faces(faces, 0)
        return self._turn_ended()

    @property
    def _sought(self) -> tuple[Callable[[Faces], Any], bool]:
        """The strength of a throw in a roll-off, and whether the lowest wins."""
        return (sum, False) if self.starting_seat is None else (self.rank, self._seeks_weakest)

    def _tied(self, seats: Sequence[int], lowest: bool = False) -> tuple[int, ...]:
        ranks = [self.rank(self.hands[seat]) for seat in seats]
        level = min(ranks) if lowest else max(ranks)
        return tuple([seat for seat, ranked in zip(seats, ranks, strict=True) if ranked == level])

    def _rolled(self, hands: tuple[Faces, ...]) -> Self:
        after = replace(self, hands=hands, rolls=self.rolls + 1)
        return after._turn_ended() if after.rolls == after.rolls_allowed else after

    def _turn_ended(self) -> Self:
        return replace(self, turns=self.turns + 1, rolls=0)._settled()

    def _decided(self, after: RollOff | int) -> Self:
        if isinstance(after, RollOff):
            return replace(self, roll_off=after)
        if self.starting_seat is None:
            return replace(self, roll_off=None, starting_seat=after)
        return replace(self, roll_off=None)._rolled_off(after)

    def hands_after(self, roll: Roll, faces: Faces) -> tuple[Faces, ...]:
        """Return ``hands`` after a roll of the seat to act. Raises InvalidAction as ``rolled``."""
        seat = self.to_act
        assert seat is not None
        return (*self.hands[:seat], rolled(self.hands[seat], roll, faces), *self.hands[seat + 1 :])

    def _dropped(self, seat: int) -> Self:
        """Return the state without a seat's hand and turn in this round.

        The start and the turn pass to the next seat. One remaining seat clears the table. A roll-off is unchanged.
        """
        turn = self.order.index(seat)
        others = tuple(other for other in self.order if other != seat)
        dropped = replace(
            self,
            departed=(*self.departed, seat),
            starting_seat=others[0] if seat == self.starting_seat else self.starting_seat,
            hands=(*self.hands[:seat], (), *self.hands[seat + 1 :]),
            turns=self.turns - (turn < self.turns),
            rolls=0 if turn == self.turns else self.rolls,
        )
        return dropped._cleared(others[0]) if len(others) == 1 else dropped

    def _cleared(self, starting_seat: int | None) -> Self:
        """Return the state before this round's first turn; None for an unknown starting seat."""
        hands = ((),) * self.seats
        return replace(self, starting_seat=starting_seat, hands=hands, turns=0, rolls=0, roll_off=None)

    # -- display ------------------------------------------------------------------------------------------------------

    def preview(self, dice: Collection[int]) -> str:
        if self.to_act is None:
            return "The round is over"
        if self.starting_seat is None:
            return "One die each: the highest starts"
        if self.roll_off:
            return f"A tie: three dice once more, {self._tie}"
        if not self.rolls:
            return "First roll: all three dice" if self.rolls_allowed > 1 else "One roll of all three dice"
        if not dice:
            return "Select the dice to roll again, or stand"
        kept = tuple(face for die, face in zip(DICE, self.hands[self.to_act], strict=True) if die not in dice)
        if not kept:
            return "Keep nothing: roll all three"
        return f"Keep {join_faces(kept)}, roll {dice_in_words(len(dice))}"

    def describe_roll(self, action: Action, faces: Faces) -> str:
        assert self.to_act is not None
        if self.starting_seat is None:
            return f"rolled {faces[0]} for the start."
        if self.roll_off:
            return f"rolled off {join_faces(faces)}: {self._made(faces)}."
        if not isinstance(action, Roll):
            return f"stood with {join_faces(self.hands[self.to_act])}: {self._made(self.hands[self.to_act])}."
        hand = rolled(self.hands[self.to_act], action, faces)
        return f"{roll_in_words(self.hands[self.to_act], action, faces)}: {self._made(hand)}{self._word(hand)}"

    def _word(self, hand: Faces) -> str:
        return ". Nothing beats it!" if is_421(hand) else "."

    def _note(self, seat: int, settled: str) -> str:
        """Return a playing seat's state in a few words; ``settled`` is its result so far."""
        thrown = self.roll_off.thrown(seat) if self.roll_off else None
        if self.starting_seat is None:  # seats left out of a lap have rolled too
            return "to roll" if thrown == () else "rolled"
        if thrown is not None:
            return "rolled" if thrown else "rolls off"
        if settled or self.alone:
            return settled or "stayed"
        hand = self.hands[seat]
        return (
            ordinal(1 + sum(self.rank(other) > self.rank(hand) for other in self.hands if other)) if hand else "to roll"
        )

    # -- as text ------------------------------------------------------------------------------------------------------

    def _with_hands(self, parsed: ParsedPosition) -> Self | None:
        """Return this round with a position's hands and their result; None when impossible."""
        if self.alone:
            return self._cleared(self.order[0])
        if self.starting_seat is None:
            return replace(self, roll_off=RollOff(self.order, dice_each=1))._with_lap(parsed)
        hands, rolls = parsed.hands(), int(parsed.fields["roll"]) - 1
        thrown = {seat for seat, hand in enumerate(hands) if hand}
        if thrown != set(self.order[: len(thrown)]) or rolls >= self.rolls_allowed or (rolls and not thrown):
            return None
        state = replace(self, hands=hands, turns=len(thrown) - (rolls > 0), rolls=rolls)._settled()
        while state.roll_off:
            decides = next((seat for seat in state.roll_off.seats if state._decided_by(parsed.seats[seat])), None)
            if decides is None:
                return state._with_lap(parsed)
            state = replace(state, roll_off=None)._rolled_off(decides)
        return state

    def _with_lap(self, parsed: ParsedPosition) -> Self | None:
        """Return the state with a position's lap of its roll-off; None when impossible."""
        assert self.roll_off
        thrown, dice_each = parsed.hands("thrown"), self.roll_off.dice_each
        seats = tuple(seat for seat in self.roll_off.seats if parsed.seats[seat]["thrown"]) or self.roll_off.seats
        faces = tuple(takewhile(bool, (thrown[seat] for seat in seats)))
        possible = len(faces) < len(seats) > 1 and all(len(dice) == dice_each for dice in faces)
        return replace(self, roll_off=RollOff(seats, dice_each, faces)) if possible else None

    def _tie_text(self, seat: int) -> str:
        """Return a seat's roll-off throw for a position; empty without one."""
        thrown = self.roll_off.thrown(seat) if self.roll_off else None
        return "" if thrown is None else f"={digits(thrown)}"


def is_421(hand: Faces) -> bool:
    """Return whether a hand is 4 2 1, in any order."""
    return sorted(hand) == [1, 2, 4]


def first_roll_off(seats: int, starting_seat: int | None) -> RollOff | None:
    """Return a match's first roll-off; None with a starting seat. Raises ValueError as ``Game.start``."""
    check_seats(seats)
    if starting_seat is None:
        return RollOff(tuple(range(seats)), dice_each=1)
    check_seat(starting_seat, seats)
    return None
