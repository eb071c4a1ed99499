"""What the table, the bots and the records need of any game; the rules themselves live one file a game.

A state is a frozen value. Chance is an argument: ``apply`` takes the faces that were thrown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, Self

from fourtwenty.games.words import NUMBERS as NUMBERS  # exported for modules that import it from here
from fourtwenty.games.words import dice_by_place as dice_by_place
from fourtwenty.games.words import dice_in_words as dice_in_words
from fourtwenty.games.words import spaced as spaced

Faces = tuple[int, ...]
"""Faces of dice, each from 1 to 6, in the order of the dice's positions."""


class InvalidAction(ValueError):  # noqa: N818 - the field's word, as python-chess's IllegalMoveError is of its own
    """Not an action of any game, or faces that no dice can show. The message is a sentence for players."""


class IllegalAction(ValueError):  # noqa: N818
    """A valid action that the rules do not allow now. The message is a sentence for players."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Throw these dice; the others stay.

    >>> Roll((4, 1))
    Roll(dice=(1, 4))
    """

    dice: tuple[int, ...]
    """Positions of the dice to throw, counted from 1 as on the screen, ascending."""

    def __post_init__(self) -> None:
        if not self.dice:
            raise InvalidAction("Select at least one die to roll.")
        if any(type(die) is not int or die < 1 for die in self.dice) or len(set(self.dice)) < len(self.dice):
            raise InvalidAction("Dice are named by their places, from 1, each once.")
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Stand:
    """Keep the hand as it lies and end the turn, in the games that have it."""


Action = Roll | Stand


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; the list of them is the record of a match."""

    seat: int
    """Whose action it was, counted from 0."""
    action: Action
    faces: Faces
    """The faces thrown, in the order of ``action.dice``; empty for a stand."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands, for display."""

    hand: Faces
    """The dice on the table, by position; empty before the round's first roll."""
    total: str
    """What the hand is worth in the game's own terms; empty without a hand."""
    note: str
    """The seat's state in a few words, such as "out in round 2"."""
    playing: bool
    """Whether the seat is still in the match."""
    tally: str = ""
    """What the seat has gathered so far, drawn: tokens in a row, points round by round."""

    @property
    def detail(self) -> str:
        """The hand and what it is worth, as "6 5 5 1 = 17"; empty without a hand."""
        return f"{spaced(self.hand)} = {self.total}" if self.total else spaced(self.hand)


@dataclass(frozen=True, slots=True)
class Report:
    """What a round, or the match, came to, for display."""

    headline: str
    """The news in one short sentence without a full stop."""
    seat: int
    """The seat whose hand decided it."""
    facts: tuple[tuple[str, str], ...]
    """Label and value of each thing worth knowing, in reading order."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished match ended."""

    places: tuple[int, ...]
    """Every seat, the best first."""


class State(Protocol):
    """A position of a match: an immutable value from which everything else follows."""

    key: ClassVar[str]
    """The name of its game in records and on the command line."""

    @property
    def seats(self) -> int:
        """Number of seats in the match, those that are out included."""

    @property
    def round(self) -> int:
        """Number of the round, from 1."""

    @property
    def starting_seat(self) -> int | None:
        """The seat that began this round; None while that is being rolled for."""

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; None when the round is over."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every legal action of the seat to act; empty when the round is over."""

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""

    def hand(self, seat: int) -> Faces:
        """Return the dice of a seat by position; empty before its first roll, fewer where a roll-off takes fewer."""

    def check(self, action: Action) -> str | None:
        """Say in one sentence why an action is not legal now; None when it is."""

    def apply(self, action: Action, faces: Faces) -> Self:
        """Return the state after an action of the seat to act.

        Raises IllegalAction when the rules forbid it, InvalidAction when the faces cannot have been thrown.
        """

    def next_round(self) -> Self:
        """Return the next round's first state. Raises IllegalAction while the round or after the match is over."""

    def caption(self) -> str:
        """Say where the match stands: the round, the roll."""

    def standing(self, seat: int) -> Standing:
        """Return how a seat stands."""

    def preview(self, dice: Collection[int]) -> str:
        """Say what throwing these dice, any number of them, would mean, or why it may not be done."""

    def tell(self, action: Action, faces: Faces) -> str:
        """Say what an action made of the hand that is to act, in plain words, without the player's name."""

    def report(self, names: Sequence[str]) -> Report:
        """Report the round that is over, and the match when it is, with these names by seat."""

    def position(self) -> str:
        """Write the whole state as one short line, which ``Game.position`` reads."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its name, its credits and how it starts."""

    key: str
    """The game's name in records and on the command line."""
    name: str
    """The game's name as shown."""
    credit: str
    """Whose game it is, in short lines; always shown with it."""
    motto: str
    """What it is about, in a few words."""
    gist: str
    """How it ends and for whom, in one sentence."""
    ends: tuple[str, str]
    """What befalls the first of the places of a finished match, and the last."""
    dice: int
    """How many dice make a hand."""
    emblem: Faces
    """A hand that everybody at the table hopes for."""
    pair: tuple[str, str] | None
    """What the two sides of a match of two are called, the one who starts first; None when they have no names."""
    starting_title: str
    """What the seat is called that begins a round."""
    draws: bool
    """Whether lots are drawn for who starts a match; otherwise, where nobody is set, they roll for it."""
    start: Callable[[int, int | None], State]
    """The first state, from the number of seats and the seat that starts; None lets them roll for it."""
    position: Callable[[str], State]
    """The state written as one line by ``State.position``; raises ValueError with a sentence for any other text."""


def rolled(hand: Faces, roll: Roll, faces: Faces) -> Faces:
    """Return a hand with these dice showing these faces; the others keep their places.

    >>> rolled((6, 5, 5, 1), Roll((1, 4)), (2, 3))
    (2, 5, 5, 3)
    """
    dice = dict(enumerate(hand, 1)) | dict(zip(roll.dice, faces, strict=True))
    return tuple(dice.values())


def laid(state: State, action: Action, faces: Faces) -> Faces:
    """Return the dice of the seat to act as they lie after an action, before any of them is cleared away."""
    assert state.to_act is not None
    hand = state.hand(state.to_act)
    return rolled(hand, action, faces) if isinstance(action, Roll) else hand


def check_faces(faces: Faces, dice: int) -> None:
    """Raise InvalidAction unless these are that many faces from 1 to 6."""
    if len(faces) != dice or any(type(face) is not int or not 1 <= face <= 6 for face in faces):
        show = (
            "One die shows one face" if dice == 1 else f"{dice_in_words(dice).capitalize()} show {NUMBERS[dice]} faces"
        )
        raise InvalidAction(f"{show} from 1 to 6.")
