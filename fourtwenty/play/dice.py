"""The dice that are thrown: fair ones, whose every face follows from a committed seed; typed and scripted ones.

What a face means is the rules' business (``games``); which seat throws when is the match's.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import count
from typing import ClassVar, NoReturn, Protocol

from fourtwenty.games.game import Faces
from fourtwenty.games.words import NUMBERS, dice_in_words
from fourtwenty.play.text import is_harmful

SEED_BYTES = 32
"""Length of a seed: 256 bits."""

SAFE_DIGITS = 32
"""Length of a seed that nobody can find by trying them all, in hexadecimal digits: 128 bits."""

LONGEST_WORD = 60
"""Length of the longest word that a player may add, in characters."""

FACES = {str(face): face for face in range(1, 7)}
"""What may be typed for a die."""


class Dice(Protocol):
    """Where faces come from. Asking twice gives the same answer or, where that cannot be, an error."""

    kind: ClassVar[str]
    """What such dice are called in the journal and in records."""

    @property
    def source(self) -> bytes:
        """The bytes to keep with a match, from which the same dice can be made again."""

    @property
    def chance(self) -> bytes:
        """The bytes that bots draw from when they leave something to chance."""

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the faces of these dice, by position from 1, at a seat's so-many-th throw of the match, from 1."""

    def draw(self, seats: int) -> int:
        """Return the seat drawn by lot to start, from 0."""


class FairDice:
    """Dice that anyone can verify once the seed is shown (docs/fair-dice.md).

    A face is a pure function of seed, context, seat, throw and die, so it depends neither on the order of asking nor
    on what was asked before, and stopping and resuming cannot change it.

    >>> dice = FairDice(bytes(32))
    >>> dice.throw(seat=0, throw=1, dice=(1, 2, 3, 4)) == dice.throw(0, 1, (1,)) + dice.throw(0, 1, (2, 3, 4))
    True
    """

    kind: ClassVar[str] = "fair"

    def __init__(self, seed: bytes, given: bool = False, context: bytes = b"") -> None:
        """Take a seed of exactly 32 bytes, whether a player gave it, and the context of the match if it has one.

        Raises ValueError for a seed of any other length.
        """
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        self.seed = seed
        self.given = given
        """Whether a player gave the seed; then somebody may know the dice."""
        self._key = hmac.digest(seed, context, "sha256") if context else seed

    @classmethod
    def fresh(cls) -> FairDice:
        """Return dice with a new seed from the operating system's entropy."""
        return cls(secrets.token_bytes(SEED_BYTES))

    def at(self, context: bytes) -> FairDice:
        """Return dice of the same seed in a match of this context."""
        return FairDice(self.seed, self.given, context)

    @property
    def short(self) -> bool:
        """Whether the seed can be found from its commitment by trying all seeds as short."""
        return len(self.seed.hex().lstrip("0")) < SAFE_DIGITS

    @property
    def source(self) -> bytes:
        """The seed."""
        return self.seed

    @property
    def chance(self) -> bytes:
        """The key that every face follows from."""
        return self._key

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, 64 hexadecimal digits: shown before the first roll, it pins every roll to come."""
        return sha256(self.seed).hexdigest()

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> Faces:
        """Return the faces of these dice, by position from 1, at a seat's so-many-th throw of the match, from 1."""
        return tuple(1 + _below(6, self._key, f"face {seat} {throw} {die}") for die in dice)

    def draw(self, seats: int) -> int:
        """Return the seat drawn by lot to start, from 0."""
        return _drawn(seats, self._key)


class TypedDice:
    """Real dice: people roll them on the bar and type what they show, so every roll comes with its faces.

    The lot and what bots leave to chance follow from random bytes that are kept with the match.
    """

    kind: ClassVar[str] = "typed"

    def __init__(self, chance: bytes) -> None:
        self.chance = chance

    @classmethod
    def fresh(cls) -> TypedDice:
        """Return dice beside chance from the operating system's entropy."""
        return cls(secrets.token_bytes(SEED_BYTES))

    @property
    def source(self) -> bytes:
        """The random bytes."""
        return self.chance

    def throw(self, seat: int, throw: int, dice: tuple[int, ...]) -> NoReturn:  # noqa: ARG002
        """Raise ValueError: nobody but people can throw these dice."""
        raise ValueError("Real dice do not roll by themselves; their faces are typed.")

    def draw(self, seats: int) -> int:
        """Return the seat drawn by lot to start, from 0."""
        return _drawn(seats, self.chance)


class ScriptedDice:
    """Dice that fall as written, one group of faces a throw: for tests, examples and pictures.

    >>> ScriptedDice([(6, 5, 5, 1), (4,)]).throw(seat=0, throw=1, dice=(1, 2, 3, 4))
    (6, 5, 5, 1)
    """

    kind: ClassVar[str] = "scripted"
    chance = source = b""

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


def fresh_identifier() -> str:
    """Return an identifier for a match: 128 bits of the operating system's entropy, 32 hexadecimal digits."""
    return secrets.token_hex(16)


def match_context(identifier: str, game: str, players: Sequence[tuple[str, str]], words: Sequence[str]) -> bytes:
    """Return the context of a match, which every face follows from beside the seed (docs/fair-dice.md).

    Players are (name, kind) by seat, as in a record; words are by seat, empty where none was added.
    """
    seats = [{"name": name, "kind": kind} for name, kind in players]
    return json.dumps([identifier, game, seats, list(words)]).encode()


def check_word(word: str) -> str | None:
    """Say in one sentence why the dice cannot follow from a word; None when they can."""
    if len(word) > LONGEST_WORD:
        return f"A word has {LONGEST_WORD} characters at most."
    if any(is_harmful(character) for character in word):
        return "A word is one line of text."
    return None


def _drawn(seats: int, key: bytes) -> int:
    """The seat that the lot falls on."""
    return _below(seats, key, f"first {seats}")


def _below(limit: int, key: bytes, label: str) -> int:
    """A number from 0 to below the limit: HMAC-SHA256 of the label, values that would favour some rejected."""
    fair = 2**256 - 2**256 % limit
    for attempt in count():
        value = int.from_bytes(hmac.digest(key, f"{label} {attempt}".encode(), "sha256"), "big")
        if value < fair:
            return value % limit
    raise AssertionError("count() does not end")


def parse_seed(text: str) -> bytes:
    """Read a seed of 1 to 64 hexadecimal digits, zeros to the left being understood. Raises ValueError otherwise."""
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", text):
        raise ValueError("a seed is 1 to 64 hexadecimal digits")
    return bytes.fromhex(text.zfill(2 * SEED_BYTES))


def parse_faces(text: str, dice: int) -> Faces:
    """Read what so many rolled dice show, spaces between the faces or not. Raises ValueError with a sentence otherwise.

    >>> parse_faces("6 5 51", dice=4)
    (6, 5, 5, 1)
    """
    faces: Faces = ()
    for character in text:
        faces = type_face(faces, character, dice)
    if len(faces) < dice:
        raise ValueError(f"{_shown(dice)}: {NUMBERS[dice - len(faces)]} more.")
    return faces


def type_face(typed: Faces, character: str, dice: int) -> Faces:
    """Return the faces typed so far, of so many rolled dice, with one more; a space adds none.

    Raises ValueError with a sentence when the character is no face, or all are there already.
    """
    if character.isspace():
        return typed
    if character not in FACES:
        named = character if character.isprintable() else "that"
        raise ValueError(f"A die shows a face from 1 to 6, not {named}.")
    if len(typed) == dice:
        raise ValueError(f"{_shown(dice)}, no more.")
    return (*typed, FACES[character])


def _shown(dice: int) -> str:
    number = NUMBERS[dice]
    return f"{dice_in_words(dice).capitalize()} {'shows one face' if dice == 1 else f'show {number} faces'}"
