"""Provides faces: fair dice from a committed seed, typed dice, and scripted dice."""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import count
from typing import ClassVar, NoReturn, Protocol

from fourtwenty.console import strip_controls
from fourtwenty.games.english import NUMBERS, dice_shown
from fourtwenty.games.game import Faces

SEED_BYTES = 32

DIGESTS = 2**256

SAFE_DIGITS = 32
"""Least hexadecimal digits of a seed that cannot be found by trying all: 128 bits."""


class Dice(Protocol):
    """The source of a match's faces. Equal arguments give equal faces, except with scripted dice."""

    kind: ClassVar[str]
    """The kind of dice in the journal and in records."""
    typed: ClassVar[bool] = False
    """Whether people roll real dice and type the faces."""
    shared: ClassVar[bool] = False
    """Whether several machines throw the dice together."""
    given: bool = False
    """Whether a player gave the seed and may know the dice."""
    seed: bytes | None = None
    """The seed of fair dice, secret until the match is over; None for other dice."""
    bot_seed: bytes
    """The bytes that decide the bots' random choices."""

    @property
    def commitment(self) -> str | None:
        """SHA-256 of the seed, 64 hexadecimal digits, which fixes all rolls; None without a seed."""
        return sha256(self.seed).hexdigest() if self.seed else None

    @property
    def trust_warning(self) -> str:
        """Why somebody may know the dice, in a sentence or two; empty for a drawn seed."""
        return ""

    def with_context(self, context: bytes) -> Dice:  # noqa: ARG002
        """Return the dice in this ``match_context``; only fair dice depend on it."""
        return self

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the faces of the dice at these positions in a throw of the seat; both count from 1."""

    def draw(self, seats: int) -> int:
        """Draw the starting seat, from 0; it follows from the bytes that decide the bots' choices."""
        return drawn_seat(seats, self.bot_seed)


class FairDice(Dice):
    """Dice that anyone can verify once the seed is shown (docs/fair-dice.md).

    A face depends only on seed, context, seat, throw and position, so quitting and resuming cannot change it.

    >>> dice = FairDice(bytes(32))
    >>> dice.throw(seat=0, throw=1, dice=(1, 2, 3, 4)) == dice.throw(0, 1, (1,)) + dice.throw(0, 1, (2, 3, 4))
    True
    """

    kind: ClassVar[str] = "fair"

    def __init__(self, seed: bytes, given: bool = False, context: bytes = b"") -> None:
        """Take a seed of 32 bytes and whether a player gave it. Raises ValueError for another length."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        self.seed: bytes = seed
        self.given = given
        self.bot_seed = hmac.digest(seed, context, "sha256") if context else seed

    @classmethod
    def fresh(cls) -> FairDice:
        """Return dice with a new seed of the operating system's entropy."""
        return cls(secrets.token_bytes(SEED_BYTES))

    def with_context(self, context: bytes) -> FairDice:
        return FairDice(self.seed, self.given, context)

    @property
    def short(self) -> bool:
        """Whether the seed can be found from its commitment by trying all."""
        return len(self.seed.hex().lstrip("0")) < SAFE_DIGITS

    @property
    def trust_warning(self) -> str:
        if not self.given:
            return ""
        short = " It is so short that its seal gives it away." if self.short else ""
        return f"The seed was given, not drawn: whoever gave it may know the dice.{short}"

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        return thrown_faces(self.bot_seed, seat, throw, dice)


class ManualDice(Dice):
    """Real dice with typed faces. The draw and the bots' choices follow from stored random bytes."""

    kind: ClassVar[str] = "typed"
    typed: ClassVar[bool] = True

    def __init__(self, source: bytes) -> None:
        self.source = self.bot_seed = source

    @classmethod
    def fresh(cls) -> ManualDice:
        """Return dice with a new secret source for the draw and the bots."""
        return cls(secrets.token_bytes(SEED_BYTES))

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> NoReturn:  # noqa: ARG002
        raise ValueError("Real dice do not roll by themselves; their faces are typed.")


class ScriptedDice(Dice):
    """Dice with prescribed faces, a tuple for each throw: for tests, examples and pictures.

    >>> ScriptedDice([(6, 5, 5, 1), (4,)]).throw(seat=0, throw=1, dice=(1, 2, 3, 4))
    (6, 5, 5, 1)
    """

    kind: ClassVar[str] = "scripted"
    bot_seed = b""

    def __init__(self, throws: Iterable[Faces], starting_seat: int = 0) -> None:
        self._throws = iter(throws)
        self._starting_seat = starting_seat

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the next faces. Raises ValueError unless there is one for each die."""
        faces = next(self._throws, ())
        if len(faces) != len(dice):
            raise ValueError(f"Seat {seat} throws dice {dice} for the {throw}. time; the script says {faces}.")
        return faces

    def draw(self, seats: int) -> int:  # noqa: ARG002
        """Return the starting seat of the script."""
        return self._starting_seat


def fresh_identifier() -> str:
    """Return a new match identifier: 128 bits of entropy as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def match_context(identifier: str, game: str, players: Sequence[tuple[str, str]]) -> bytes:
    """Return the bytes in every face beside the seed (docs/fair-dice.md); ``players`` are (name, kind)."""
    seats = [{"name": name, "kind": kind} for name, kind in players]
    return json.dumps([identifier, game, seats]).encode()


def thrown_faces(key: bytes, seat: int, throw: int, dice: Iterable[int]) -> Faces:
    """Return the faces of a throw. The label is part of docs/fair-dice.md."""
    return tuple([1 + uniform_int(6, key, f"face {seat} {throw} {die}") for die in dice])


def drawn_seat(seats: int, key: bytes) -> int:
    """Return the drawn starting seat, from 0. The label is part of docs/fair-dice.md."""
    return uniform_int(seats, key, f"first {seats}")


def uniform_int(limit: int, key: bytes, label: str) -> int:
    """Return a uniform number in ``range(limit)``: HMAC-SHA256 of the label, without modulo bias."""
    for attempt in count():
        value = int.from_bytes(hmac.digest(key, f"{label} {attempt}".encode(), "sha256"), "big")
        if value < DIGESTS - DIGESTS % limit:
            return value % limit
    raise AssertionError("count() does not end")


def uniform_float(key: bytes, label: str) -> float:
    """Return a uniform number from 0 up to 1: the first 53 bits of the label's HMAC-SHA256."""
    return (int.from_bytes(hmac.digest(key, label.encode(), "sha256")[:7], "big") >> 3) / 2**53


def parse_seed(text: str) -> bytes:
    """Read a seed of 1 to 64 hexadecimal digits, zeros added on the left. Raises ValueError for other text."""
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", text):
        raise ValueError("a seed is 1 to 64 hexadecimal digits")
    return bytes.fromhex(text.zfill(2 * SEED_BYTES))


def parse_faces(text: str, dice: int) -> Faces:
    """Read the faces of rolled dice, separated or not. Raises ValueError with a sentence for other text.

    >>> parse_faces("6 5,51", dice=4)
    (6, 5, 5, 1)
    """
    faces: Faces = ()
    for character in text:
        faces = type_face(faces, character, dice)
    if len(faces) < dice:
        raise ValueError(f"{dice_shown(dice)}: {NUMBERS[dice - len(faces)]} more.")
    return faces


def type_face(typed: Faces, character: str, dice: int) -> Faces:
    """Return the typed faces with one more; a space or comma changes nothing. Raises ValueError."""
    if character.isspace() or character == ",":
        return typed
    face = int(character) if character.isdecimal() else 0
    if not 1 <= face <= 6:
        raise ValueError(f"A die shows a face from 1 to 6, not {strip_controls(character)}.")
    if len(typed) == dice:
        raise ValueError(f"{dice_shown(dice)}, no more.")
    return (*typed, face)
