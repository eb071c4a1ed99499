"""The keys of shared dice as a record has them, and the check of the machines that opened them.

How a record is written, read and verified is in record.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from fourtwenty.games.game import Event, Roll, State
from fourtwenty.games.words import listed
from fourtwenty.play.shared_dice import (
    LOT,
    DiceStep,
    Machine,
    SharedDice,
    ShownKey,
    contributor_changes,
    contributors,
    earlier_key,
)


class SharedKeys(Struct, frozen=True):
    """The keys from which the faces of shared dice follow, of all steps that are over."""

    table: bytes
    machines: tuple[Machine, ...]
    shown: tuple[ShownKey, ...]
    """The deepest key of every machine."""
    contributors: tuple[tuple[int, ...], ...]
    """The machines that contributed to each step, from step 1."""
    void: tuple[int, ...]
    """The numbers of the void steps, ascending."""
    lot: bool
    """Whether the first step that is not void drew the starting seat."""

    @classmethod
    def of(cls, dice: SharedDice) -> SharedKeys:
        """Return the keys of dice, without those that are open already for a running step."""
        over = dice.steps[:-1] if dice.missing else dice.steps
        shown = [
            each if each.step <= len(over) else ShownKey(len(over), earlier_key(dice.table, each.key))
            for each in dice.shown
        ]
        return cls(
            dice.table,
            dice.machines,
            tuple(shown),
            contributors=tuple(step.contributors for step in over),
            void=tuple(number for number, step in enumerate(over, 1) if step.void),
            lot=any(step.seat == LOT and not step.void for step in over),
        )

    def fallen(self) -> Iterator[int]:
        """Yield the number of every step that is not void: that of the lot, if there is one, then of every roll."""
        void = {*self.void}
        return (number for number in range(1, len(self.contributors) + 1) if number not in void)

    def dice(self, match: bytes, rolling: Iterable[int]) -> SharedDice:
        """Return the dice of a match with this digest, in which these seats roll one after the other.

        Raises ValueError when a key is missing, or does not lead to its tip.
        """
        throws = [*([LOT] if self.lot else []), *rolling]
        fallen = [*self.fallen()]
        if len(fallen) != len(throws):
            raise ValueError(f"{len(fallen)} steps have fallen, and {len(throws)} are in the record.")
        seats = dict(zip(fallen, throws, strict=True))
        void = {*self.void}
        steps = [  # no face depends on who was to roll in a void step
            DiceStep(seats.get(number, 0), each, number in void) for number, each in enumerate(self.contributors, 1)
        ]
        return SharedDice.restored(self.table, self.machines, match, steps, self.shown)

    def to_json(self) -> dict[str, object]:
        """Return the field ``dice`` of a record."""
        machines = [
            {
                "seats": machine.seats,
                "public": machine.public.hex(),
                "tip": machine.tip.hex(),
                "key": shown.key.hex(),
                "step": shown.step,
            }
            for machine, shown in zip(self.machines, self.shown, strict=True)
        ]
        return {
            "kind": SharedDice.kind,
            "table": self.table.hex(),
            "machines": machines,
            "contributors": contributor_changes(self.contributors),
            "void": self.void,
            "lot": self.lot,
        }


class Contributions:
    """Checks that the contributors to every step were the machines with a seat that took part then.

    A record does not say whether a player left before a step or during it, so each machine that took part between two
    rolls may be among the contributors.
    """

    def __init__(self, keys: SharedKeys) -> None:
        """Take the keys of a record, whose events are checked from the first one on."""
        self._keys = keys
        self._rolls = keys.fallen()
        if keys.lot:
            next(self._rolls)
        self._checked = 0
        """Number of steps that are checked."""
        self._taking_part: list[tuple[int, ...]] = []
        """Machines that took part since the last roll, state by state."""

    def wrong(self, state: State, event: Event) -> str | None:
        """Return the error of the steps up to the one of this event in this state, in a sentence; None without."""
        self._taking_part.append(contributors(self._keys.machines, state))
        return self._wrong_up_to(next(self._rolls)) if isinstance(event.action, Roll) else None

    def wrong_at_end(self, state: State) -> str | None:
        """Return the error of the steps after the last roll, in a sentence, with the last state; None without."""
        after = state if state.outcome or state.to_act is not None else state.next_round()
        self._taking_part.append(contributors(self._keys.machines, after))
        return self._wrong_up_to(len(self._keys.contributors))

    def _wrong_up_to(self, last: int) -> str | None:
        steps = range(self._checked + 1, last + 1)
        allowed, self._taking_part, self._checked = self._taking_part, [], last
        for number in steps:
            opened = self._keys.contributors[number - 1]
            if opened not in allowed:
                return f"Step {number} is by {_machines(opened)}, and {_machines(allowed[-1])} took part."
        return None


def _machines(numbers: Sequence[int]) -> str:
    """Machines in words, counted from 1: "machines 1 and 3"."""
    return f"{'machine' if len(numbers) == 1 else 'machines'} {listed(str(number + 1) for number in numbers)}"
