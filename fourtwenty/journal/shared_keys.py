"""Reads, writes and checks the keys of shared dice in records and the history."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Self

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, to_builtins

from fourtwenty.games.english import join_words
from fourtwenty.games.game import Event, Roll, State
from fourtwenty.play.shared_dice import (
    KEY_BYTES,
    START_DRAW,
    DiceStep,
    Machine,
    SharedDice,
    ShownKey,
    contributor_changes,
    contributors,
    contributors_by_step,
    earlier_key,
    match_digest,
)

Number = Annotated[int, Meta(ge=0)]


class HexBytes(bytes):
    """Bytes as hexadecimal digits in a document, and their number."""

    least = most = KEY_BYTES


class Key(HexBytes):
    """A key, an anchor, a seed or a commitment."""


class TableId(HexBytes):
    """The identifier of a table."""

    least, most = 1, 64


def read_digits(kind: type[HexBytes], value: object) -> HexBytes:
    """Return bytes of a kind from digits, a ``dec_hook`` of msgspec. Raises ValueError for others."""
    least, most = kind.least, kind.most
    if not isinstance(value, str) or not re.fullmatch(f"([0-9a-f]{{2}}){{{least},{most}}}", value):
        digits = f"{2 * least}" if least == most else f"{2 * least} to {2 * most}"
        raise ValueError(f"expected {digits} lowercase hexadecimal digits")
    return kind(bytes.fromhex(value))


class MachineKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A machine at the table."""

    seats: tuple[Number, ...]
    public: Key
    tip: Key
    page: Key | UnsetType = UNSET
    """For a page, its machine's public key; unset for a program."""
    key: Key
    """Its deepest key known to everybody."""
    step: Number
    """The step of that key; 0 when it is the anchor."""


class SharedKeys(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=SharedDice.kind):
    """The keys of all finished steps of shared dice.

    After the draw, each roll of the match is a step of its seat.
    """

    table: TableId
    machines: tuple[MachineKeys, ...]
    contributors: tuple[tuple[Number, tuple[Number, ...]], ...]
    """The contributing machines at step 1 and at each change."""
    void: tuple[Number, ...]
    """The numbers of the void steps, ascending."""
    lot: bool
    """Whether the first step not void drew the starting seat."""

    @classmethod
    def of(cls, dice: SharedDice, rolls: int) -> SharedKeys:
        """Return the keys of any draw and of so many rolls, without later ones."""
        over = dice.steps[:-1] if dice.missing else dice.steps
        fallen = [number for number, step in enumerate(over, 1) if not step.void]
        lot = bool(fallen) and over[fallen[0] - 1].seat == START_DRAW
        over = over[: (*fallen, len(over) + 1)[min(rolls + lot, len(fallen))] - 1]
        return cls(
            TableId(dice.table),
            tuple(_machine(dice.table, *each, len(over)) for each in zip(dice.machines, dice.shown, strict=True)),
            contributors=tuple(contributor_changes([step.contributors for step in over])),
            void=tuple(number for number, step in enumerate(over, 1) if step.void),
            lot=lot,
        )

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Read the keys of ``to_json``. Raises ValueError for other bytes."""
        try:
            return convert(json.loads(text), cls, dec_hook=read_digits)
        except (ValidationError, RecursionError) as error:
            raise ValueError("these bytes aren't keys of shared dice") from error

    def to_json(self) -> bytes:
        """Return the keys as JSON, as in a record."""
        return json.dumps(to_builtins(self, enc_hook=bytes.hex), separators=(",", ":")).encode()

    @property
    def machines_at_start(self) -> tuple[Machine, ...]:
        """The machines as known before the match."""
        return tuple(Machine(each.public, each.tip, each.seats, each.page or b"") for each in self.machines)

    def digest(self, game: str, players: Sequence[tuple[str, str]], first: int | None) -> bytes:
        """Return the digest of these keys' match (``match_digest``), with the seat that was to start."""
        return match_digest(self.table, self.machines_at_start, game, players, None if self.lot else first)

    def check(self, seats: int, rolling: Sequence[int]) -> None:
        """Raise ValueError unless the keys suit so many seats, and rolls by these."""
        steps = self.lot + len(rolling) + len(self.void)
        if sorted(seat for machine in self.machines for seat in machine.seats) != [*range(seats)]:
            raise ValueError("dice.machines: every seat belongs to one machine")
        if not all(machine.seats for machine in self.machines):
            raise ValueError("dice.machines: every machine has a seat")
        if [*self.void] != sorted(set(self.void)) or not all(1 <= step <= steps for step in self.void):
            raise ValueError("dice.void: expected steps of the match, in order, each once")
        for _, opened in self.contributors:
            if not opened or [*opened] != sorted(set(opened)) or opened[-1] >= len(self.machines):
                raise ValueError("dice.contributors: expected numbers of machines, in order, each once")
        for number, machine in enumerate(self.machines, 1):
            if machine.step > steps:
                raise ValueError(f"dice.machines[{number}].step: expected a step from 0 to {steps}")
            if machine.page and len(machine.seats) > 1:
                raise ValueError(f"dice.machines[{number}].seats: a page has one seat")
        try:
            contributors_by_step(self.contributors, steps)
        except ValueError as error:
            raise ValueError(f"dice.contributors: {error}") from error

    def dice(self, match: bytes, rolling: Sequence[int]) -> SharedDice:
        """Return the dice of a match's digest and rolls. Raises ValueError for a wrong key."""
        falling = iter([START_DRAW, *rolling] if self.lot else rolling)
        by_step = contributors_by_step(self.contributors, self.lot + len(rolling) + len(self.void))
        void = {*self.void}
        steps = [  # faces do not depend on the seat of a void step
            DiceStep(0, each, True) if number in void else DiceStep(next(falling, 0), each)
            for number, each in enumerate(by_step, 1)
        ]
        shown = [ShownKey(each.step, each.key) for each in self.machines]
        return SharedDice.restored(self.table, self.machines_at_start, match, steps, shown)


def _machine(table: bytes, machine: Machine, shown: ShownKey, last: int) -> MachineKeys:
    """A machine's keys, with its deepest one of this step at most."""
    step = min(shown.step, last)
    key = earlier_key(table, shown.key, shown.step - step)
    page = Key(machine.page) if machine.page else UNSET
    return MachineKeys(
        seats=machine.seats, public=Key(machine.public), tip=Key(machine.anchor), page=page, key=Key(key), step=step
    )


class Contributions:
    """Checks that every step's contributors were the machines with a seat that took part.

    A record does not say whether a player left before a step or during it, so each machine that took part between two
    rolls may contribute.
    """

    def __init__(self, dice: SharedDice) -> None:
        self._dice = dice
        self._rolls = iter(dice.roll_steps)
        self._checked = 0
        self._taking_part: list[tuple[int, ...]] = []
        """Machines that took part since the last roll, by state."""

    def wrong(self, state: State, event: Event) -> str | None:
        """Return the error of steps up to this event's, in a sentence; None without."""
        self._taking_part.append(contributors(self._dice.machines, state))
        return self._wrong_up_to(next(self._rolls)) if isinstance(event.action, Roll) else None

    def wrong_at_end(self, state: State) -> str | None:
        """Return the error of steps after the last roll, in a sentence; None without."""
        after = state if state.outcome or state.to_act is not None else state.next_round()
        self._taking_part.append(contributors(self._dice.machines, after))
        return self._wrong_up_to(len(self._dice.steps))

    def _wrong_up_to(self, last: int) -> str | None:
        steps = range(self._checked + 1, last + 1)
        allowed, self._taking_part, self._checked = self._taking_part, [], last
        for number in steps:
            opened = self._dice.steps[number - 1].contributors
            if opened not in allowed:
                return f"Step {number} is by {_machines(opened)}, and {_machines(allowed[-1])} took part."
        return None


def _machines(numbers: Sequence[int]) -> str:
    return f"{'machine' if len(numbers) == 1 else 'machines'} {join_words(str(number + 1) for number in numbers)}"
