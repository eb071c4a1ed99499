"""Throws the dice of several machines, each with a chain of keys (docs/fair-dice.md). No network.

Every throw is a step: all contributors open their keys, the player's machine last.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any, ClassVar, Self

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games.game import Faces, State, check_seat
from fourtwenty.play.dice import Dice, drawn_seat, thrown_faces

START_DRAW = -1
"""The seat of the step for the starting seat."""

CHAIN_LENGTH = 65_536

KEY_BYTES = 32


def earlier_key(table: bytes, key: bytes, steps: int = 1) -> bytes:
    """Return the key some steps before this one; nobody can compute a later one."""
    prefix = b"420 chain" + table
    for _ in range(steps):
        key = sha256(prefix + key).digest()
    return key


def match_digest(
    table: bytes,
    machines: Sequence[Machine],
    game: str,
    players: Sequence[tuple[str, str]],
    starting_seat: int | None,
) -> bytes:
    """Return the SHA-256 of all agreements, which enters every face. ``players`` are (name, kind)."""
    named = [each.named for each in machines]
    seats = [{"name": name, "kind": kind} for name, kind in players]
    return sha256(json.dumps([table.hex(), named, game, seats, starting_seat]).encode()).digest()


class Machine(Struct, frozen=True):
    """A machine with shared dice: public key, anchor of its keys, and seats from 0."""

    public: bytes
    anchor: bytes
    seats: tuple[int, ...]
    page: bytes = b""
    """For a page, its machine's public key; empty for a program."""

    @property
    def named(self) -> dict[str, Any]:
        """The ordered fields in the digest of a match."""
        named = {"seats": self.seats, "public": self.public.hex(), "tip": self.anchor.hex()}
        return named | ({"page": self.page.hex()} if self.page else {})


class DiceStep(Struct, frozen=True):
    """A step of shared dice: a roll, or the draw of the starting seat."""

    seat: int
    """The seat that rolls, or START_DRAW."""
    contributors: tuple[int, ...]
    """The machines that open keys for the faces, ascending."""
    void: bool = False
    """Whether it was given up for a missing key; it has no faces, and its keys are spent."""


class ShownKey(Struct, frozen=True):
    """A machine's deepest key known to everybody; earlier keys follow from it."""

    step: int
    key: bytes


def contributors(machines: Sequence[Machine], state: State) -> tuple[int, ...]:
    """Return the machines that contribute in this state, with a seat that still takes part."""
    return tuple(number for number, machine in enumerate(machines) if {*machine.seats}.intersection(state.remaining))


class SharedDice(Dice):
    """Dice of several machines: nobody can choose or foresee a face if one machine is honest.

    All contributors open a step's keys. Steps count from 1, machines from 0. A wrong order raises ValueError.
    """

    kind: ClassVar[str] = "shared"
    shared: ClassVar[bool] = True
    bot_seed = b""
    """Nothing: these dice are public, so each machine has a secret for its bots."""

    def __init__(self, table: bytes, machines: Sequence[Machine], match: bytes) -> None:
        """Take the table, its machines, and the match's digest. Raises ValueError when inconsistent."""
        seats = sorted(seat for machine in machines for seat in machine.seats)
        if seats != [*range(len(seats))] or not all(machine.seats for machine in machines):
            raise ValueError("Every seat belongs to one machine, and every machine has a seat.")
        if any(len(digest) != KEY_BYTES for digest in (match, *(machine.anchor for machine in machines))):
            raise ValueError(f"An anchor, and the digest of a match, has {KEY_BYTES} bytes.")
        self.table = table
        self.machines = tuple(machines)
        self.match = match
        self.steps: list[DiceStep] = []
        """All steps; only the last can be running."""
        self.shown = [ShownKey(0, machine.anchor) for machine in machines]
        self._seats = len(seats)
        self.throws: Counter[int] = Counter()
        """The number of throws of each seat that have fallen; the draw is one of START_DRAW."""
        self._fallen: dict[tuple[int, int], bytes] = {}
        """HMAC with the joint key, by seat and its throw from 1."""

    @classmethod
    def restored(
        cls,
        table: bytes,
        machines: Sequence[Machine],
        match: bytes,
        steps: Sequence[DiceStep],
        shown: Sequence[ShownKey],
    ) -> Self:
        """Return dice with these steps and deepest keys. Raises ValueError when inconsistent."""
        dice = cls(table, machines, match)
        if len(shown) != len(dice.machines):
            raise ValueError("Every machine has one deepest key.")
        dice.shown = [*shown]
        falls: dict[int, tuple[int, int]] = {}
        for number, step in enumerate(steps, 1):
            dice.begin(step.seat, step.contributors)
            if step.void:
                dice.steps[-1] = step
            elif not dice.missing:
                falls[number] = dice._next_throw(step.seat)
        if not all(0 <= each.step <= len(steps) and len(each.key) == KEY_BYTES for each in shown):
            raise ValueError(f"A key has {KEY_BYTES} bytes and belongs to a step.")
        keys = [each.key for each in shown]
        for number in range(len(steps), 0, -1):
            if number in falls:
                opened = [keys[machine] for machine in steps[number - 1].contributors]
                dice._fallen[falls[number]] = dice._joint(number, opened)
            keys = [
                earlier_key(table, key) if number <= each.step else key for key, each in zip(keys, shown, strict=True)
            ]
        for machine, key in enumerate(keys):
            if key != dice.machines[machine].anchor:
                raise ValueError(f"The key of machine {machine + 1} does not lead to its anchor.")
        return dice

    # -- the steps -------------------------------------------------------------------------------------------------

    def begin(self, seat: int, contributors: Sequence[int]) -> int:
        """Begin the step of a seat, or of START_DRAW, and return its number.

        Raises ValueError while a step is running, without contributors, for an unknown machine or seat, for a draw
        after a throw, and at the end of the chains.
        """
        if self.missing:
            raise ValueError(f"Step {len(self.steps)} is still running.")
        if seat != START_DRAW:
            check_seat(seat, self._seats)
        if seat == START_DRAW and self.throws:
            raise ValueError("The draw is made once, before the first throw.")
        ordered = tuple(sorted(set(contributors)))
        if len(ordered) < len(contributors) or not ordered or not 0 <= ordered[0] <= ordered[-1] < len(self.machines):
            raise ValueError("A step has one contributor or more, each once.")
        if len(self.steps) == CHAIN_LENGTH:
            raise ValueError(f"The chains are at their end, after {CHAIN_LENGTH} steps.")
        self.steps.append(DiceStep(seat, ordered))
        return len(self.steps)

    @property
    def missing(self) -> tuple[int, ...]:
        """The running step's contributors that have not opened, ascending; empty when none is running."""
        if not self.steps or self.steps[-1].void:
            return ()
        number = len(self.steps)
        return tuple([machine for machine in self.steps[-1].contributors if self.shown[machine].step < number])

    @property
    def roll_steps(self) -> list[int]:
        """The numbers of the steps that are rolls, without void ones; the last may be running."""
        return [step for step, each in enumerate(self.steps, 1) if not each.void and each.seat != START_DRAW]

    def check_key(self, machine: int, key: bytes) -> bool:
        """Return whether a machine's next key for the running step is this one."""
        if machine not in self.missing or len(key) != KEY_BYTES:
            return False
        shown = self.shown[machine]
        return earlier_key(self.table, key, len(self.steps) - shown.step) == shown.key

    def open(self, machine: int, key: bytes) -> None:
        """Open a machine's key; the last one ends the step. Raises ValueError unless ``check_key``."""
        if not self.check_key(machine, key):
            raise ValueError(f"Machine {machine} has other keys to open now.")
        number = len(self.steps)
        self.shown[machine] = ShownKey(number, key)
        if not self.missing:
            step = self.steps[-1]
            keys = [self.shown[each].key for each in step.contributors]
            self._fallen[self._next_throw(step.seat)] = self._joint(number, keys)

    def void(self) -> None:
        """Give the running step up, with its keys spent. Raises ValueError when none is running."""
        if not self.missing:
            raise ValueError("No step is running.")
        self.steps[-1] = replace(self.steps[-1], void=True)

    def _next_throw(self, seat: int) -> tuple[int, int]:
        self.throws[seat] += 1
        return seat, self.throws[seat]

    def _joint(self, number: int, keys: Sequence[bytes]) -> bytes:
        """The joint key of a step, from its contributors' keys in machine order."""
        return sha256(b"420 joint" + self.match + number.to_bytes(4, "big") + b"".join(keys)).digest()

    # -- the faces -------------------------------------------------------------------------------------------------

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Raises ValueError before the step's last key."""
        key = self._fallen.get((seat, throw))
        if key is None or seat == START_DRAW:
            raise ValueError(f"The dice of seat {seat} for throw {throw} have not fallen.")
        return thrown_faces(key, seat, throw, dice)

    def predicted(self, key: bytes, dice: tuple[int, ...]) -> Faces:
        """Return the faces of the step with this key, the last missing one. Raises ValueError for another."""
        missing = self.missing
        if len(missing) != 1 or self.steps[-1].seat == START_DRAW or not self.check_key(missing[0], key):
            raise ValueError("No roll waits for this key only.")
        seat, contributors = self.steps[-1].seat, self.steps[-1].contributors
        keys = [key if each in missing else self.shown[each].key for each in contributors]
        return thrown_faces(self._joint(len(self.steps), keys), seat, self.throws[seat] + 1, dice)

    def draw(self, seats: int) -> int:
        """Raises ValueError before the draw's last key."""
        key = self._fallen.get((START_DRAW, 1))
        if key is None:
            raise ValueError("The draw has not fallen.")
        return drawn_seat(seats, key)


Changes = Sequence[tuple[int, Sequence[int]]]
"""A step, from 1, and the ascending contributors from then on."""


def contributor_changes(by_step: Sequence[tuple[int, ...]]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the changes of contributors, step by step.

    >>> contributor_changes([(0, 1), (0, 1), (1,)])
    [(1, (0, 1)), (3, (1,))]
    """
    return [(number, each) for number, each in enumerate(by_step, 1) if number == 1 or each != by_step[number - 2]]


def contributors_by_step(changes: Changes, steps: int) -> list[tuple[int, ...]]:
    """Return the contributors of each step, from their changes.

    Raises ValueError unless the first is at step 1, and each is later and changes something.
    """
    starts = [start for start, _ in changes]
    if starts[:1] != [1][:steps] or starts != sorted(set(starts)) or starts[-1:] > [steps]:
        raise ValueError("The contributors change from step 1 on, in the order of the steps.")
    by_step: list[tuple[int, ...]] = []
    for (_, each), (start, end) in zip(changes, pairwise([*starts, steps + 1]), strict=True):
        if by_step and by_step[-1] == tuple(each):
            raise ValueError(f"The contributors do not change at step {start}.")
        by_step += [tuple(each)] * (end - start)
    return by_step
