"""The dice that are thrown: fair ones, whose every face follows from a committed seed, and scripted ones.

What a face means is the rules' business (``games``); which seat throws when is the match's.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from itertools import count
from typing import ClassVar, Protocol

from fourtwenty.games.game import Faces

SEED_BYTES = 32
"""Length of a seed: 256 bits."""


class Dice(Protocol):
    """Where faces come from. Asking twice gives the same answer or, where that cannot be, an error."""

    kind: ClassVar[str]
    """What such dice are called in the journal and in records."""

    @property
    def chance(self) -> bytes:
        """What bots that leave something to chance draw from; kept with the match, so that they stay the same."""

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the faces of these dice, by position from 1, at a seat's so-many-th throw of the match, from 1."""

    def draw(self, seats: int) -> int:
        """Return the seat drawn by lot to start, from 0."""


class FairDice:
    """Dice that anyone can verify once the seed is shown (design.md, "Dice anyone can trust").

    A face is a pure function of seed, seat, throw and die, so it depends neither on the order of asking nor on
    what was asked before, and stopping and resuming cannot change it.

    >>> dice = FairDice(bytes(32))
    >>> dice.throw(seat=0, throw=1, dice=(1, 2, 3, 4)) == dice.throw(0, 1, (1,)) + dice.throw(0, 1, (2, 3, 4))
    True
    """

    kind: ClassVar[str] = "fair"

    def __init__(self, seed: bytes) -> None:
        """Take a seed of exactly 32 bytes. Raises ValueError for any other length."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        self.seed = seed

    @classmethod
    def fresh(cls) -> FairDice:
        """Return dice with a new seed from the operating system's entropy."""
        return cls(secrets.token_bytes(SEED_BYTES))

    @property
    def chance(self) -> bytes:
        """The seed."""
        return self.seed

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, 64 hexadecimal digits: shown before the first roll, it pins every roll to come."""
        return sha256(self.seed).hexdigest()

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the faces of these dice, by position from 1, at a seat's so-many-th throw of the match, from 1."""
        return tuple(1 + self._below(6, f"face {seat} {throw} {die}") for die in dice)

    def draw(self, seats: int) -> int:
        """Return the seat drawn by lot to start, from 0."""
        return self._below(seats, f"first {seats}")

    def _below(self, limit: int, label: str) -> int:
        """A number from 0 to below the limit: HMAC-SHA256 of the label, values that would favour some rejected."""
        fair = 2**256 - 2**256 % limit
        for attempt in count():
            digest = hmac.digest(self.seed, f"{label} {attempt}".encode(), "sha256")
            value = int.from_bytes(digest, "big")
            if value < fair:
                return value % limit
        raise AssertionError("count() does not end")


class ScriptedDice:
    """Dice that fall as written, one group of faces a throw: for tests, examples and pictures.

    >>> ScriptedDice([(6, 5, 5, 1), (4,)]).throw(seat=0, throw=1, dice=(1, 2, 3, 4))
    (6, 5, 5, 1)
    """

    kind: ClassVar[str] = "scripted"
    chance = b""

    def __init__(self, throws: Iterable[Faces], first: int = 0) -> None:
        self._throws = iter(throws)
        self._first = first

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the next faces written. Raises ValueError when there are none, or not as many as dice."""
        faces = next(self._throws, ())
        if len(faces) != len(dice):
            raise ValueError(f"Seat {seat} throws dice {dice} for the {throw}. time; the script says {faces}.")
        return faces

    def draw(self, seats: int) -> int:  # noqa: ARG002
        """Return the seat the script starts with."""
        return self._first


def parse_seed(text: str) -> bytes:
    """Read a seed of 1 to 64 hexadecimal digits, zeros to the left being understood. Raises ValueError otherwise."""
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", text):
        raise ValueError("a seed is 1 to 64 hexadecimal digits")
    return bytes.fromhex(text.zfill(2 * SEED_BYTES))
