"""Defines actions, events and the protocol ``State``. Chance is an argument of ``apply``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

from fourtwenty.games.english import dice_shown, join_faces

T = TypeVar("T")

Faces = tuple[int, ...]
"""Faces of dice, each from 1 to 6, in the order of the die positions."""


class InvalidAction(ValueError):  # noqa: N818 - said of an action, as in "an invalid action"
    """An action of no game, or faces that dice cannot show. The message is a sentence for players."""


class IllegalAction(ValueError):  # noqa: N818
    """A valid action that is illegal now. The message is a sentence for players."""


class Roll(Struct, frozen=True):
    """Throw these dice and keep the others. Raises InvalidAction for no dice, and for impossible or repeated positions.

    >>> Roll((4, 1))
    Roll(dice=(1, 4))
    """

    dice: tuple[int, ...]
    """The die positions to throw, from 1, stored in ascending order."""

    def __post_init__(self) -> None:
        if not self.dice:
            raise InvalidAction("Select at least one die to roll.")
        if any(type(die) is not int or die < 1 for die in self.dice) or len(set(self.dice)) < len(self.dice):
            raise InvalidAction("Dice are named by number, from 1, each once.")
        force_setattr(self, "dice", tuple(sorted(self.dice)))


class Stand(Struct, frozen=True):
    """End the turn and keep the whole hand. 420 has no such action."""


class Leave(Struct, frozen=True):
    """Give up the seat for the match. Never in ``State.actions``; ``State.without`` carries it out."""


LEAVE_IS_NOT_A_TURN = "Leaving isn't a turn: the others carry on without that seat."
"""The refusal of a ``Leave`` by ``State.check``."""

Action = Roll | Stand | Leave
"""An action of the seat to act, or ``Leave`` by any seat."""


class Event(Struct, frozen=True):
    """An action with the faces that came. The list of events is the record of a match."""

    seat: int
    """The seat that acted or left, also out of turn."""
    action: Action
    faces: Faces
    """The faces thrown, in the order of ``action.dice``; empty for a stand and a leave."""


class Standing(Struct, frozen=True):
    """One seat as the screen shows it."""

    hand: Faces
    """The dice by position; empty before the round's first roll."""
    total: str
    """The value of the hand in a few words; empty without a hand."""
    note: str
    """The state of the seat in a word or two, such as "won round 2"; may be empty."""
    playing: bool
    """True until the seat is out."""
    score: str = ""
    """The score so far: "3 points", "no tokens"; empty where the game has none."""
    sheet: str = ""
    """The points of each round so far, "·" for none: "3 · 1"; empty where rounds have no points."""

    @property
    def tally(self) -> str:
        """The points round by round, if there are any, and the score: "3 · 1  4 points"."""
        return f"{self.sheet}  {self.score}" if self.sheet else self.score

    @property
    def detail(self) -> str:
        """The hand and its value, as "6 5 5 1 = 17"; empty without a hand."""
        return f"{join_faces(self.hand)} = {self.total}" if self.total else join_faces(self.hand)


class Meter(Struct, frozen=True):
    """A seat's progress as a bar, followed by the value."""

    value: int
    """The length of the full part, from 0, cut at ``full``."""
    full: int
    label: str
    least: int = 0
    """The value to reach, marked by a tick; 0 for none."""
    least_label: str = ""
    """That value in words where a sentence below does not say it, such as "to beat: Double 1"; may be empty."""
    of_tally: bool = False
    """Whether it shows ``Standing.tally``, and not the hand."""


class Report(Struct, frozen=True):
    """The result of a round, or of the match, as the screen shows it."""

    headline: str
    """The result and the seats that it puts out, in short sentences, the last without a full stop."""
    seat: int
    """The seat whose hand decided it."""
    hand: str
    """The name and value of that hand: "Ann's 20"."""


class Outcome(Struct, frozen=True):
    """The result of a finished match."""

    places: tuple[tuple[int, ...], ...]
    """Every seat, best first; the seats of a tuple, ascending, share a place."""

    def place(self, seat: int) -> int:
        """Return the place of a seat, from 1."""
        return place_in(self.places, seat)


def place_in(places: Sequence[Collection[int]], seat: int) -> int:
    """Return the place of a seat, from 1, by the seats of each place. Raises ValueError for a seat without one."""
    before = 0
    for shared in places:
        if seat in shared:
            return before + 1
        before += len(shared)
    raise ValueError(f"there is no seat {seat}")


class LazyProperty(Generic[T]):
    """A property of a frozen state, computed once: ``cached_property`` without the lock of 3.11 (cpython#87634)."""

    def __init__(self, derive: Callable[[Any], T]) -> None:
        self._derive = derive
        self._name = derive.__name__
        self.__doc__ = derive.__doc__

    def __get__(self, state: Any, owner: object = None) -> T:
        """Return the value and store it in the state; on the class, return the property."""
        if state is None:
            return self  # type: ignore[return-value]
        value = state.__dict__[self._name] = self._derive(state)
        return value


class State(Protocol):
    """The state of a match: a frozen value; everything else is derived from it."""

    key: ClassVar[str]
    """The key of the game in records and on the command line."""

    def __hash__(self) -> int: ...

    # -- the match -----------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """The number of seats in the match, including seats that are out."""

    @property
    def departed(self) -> tuple[int, ...]:
        """The seats that have left, in order; the first of them comes last."""

    @property
    def remaining(self) -> tuple[int, ...]:
        """The seats that may still have to roll in this match, ascending. They never grow."""

    @property
    def outcome(self) -> Outcome | None:
        """The result of the match; None while it goes on."""

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The places settled so far, best first, as in ``Outcome``; seats that left get theirs only at the end."""

    @property
    def round(self) -> int:
        """The number of the round, from 1."""

    @property
    def starting_seat(self) -> int | None:
        """The seat that acts first in this round; None during the roll-off for the start."""

    def next_round(self) -> Self:
        """Return the next round's first state. Raises IllegalAction during a round and after the match."""

    def without(self, seat: int) -> Self:
        """Return the state once a seat has left; it comes last, before seats that left earlier.

        Between rounds it leaves the next one. One remaining seat ends the match. Raises IllegalAction with a sentence
        for a seat that is out or has left, or after the match (docs/rulings.md, "carrying on without a seat").
        """

    # -- the turn ------------------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the round is over."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every legal action of the seat to act; empty when the round is over."""

    @property
    def automatic(self) -> int:
        """The approximate number of rounds ahead without a choice: roll-offs, 421's charge; 0 for none."""

    @property
    def transfer(self) -> tuple[Self, ...]:
        """The states, for display, before each token that moves at the end of this round; empty where none moves."""

    def hand(self, seat: int) -> Faces:
        """Return a seat's hand or roll-off dice; empty before a roll. Raises ValueError for other seats."""

    def check(self, action: Action) -> str | None:
        """Return why an action is not legal now, in a sentence; None when it is legal."""

    def apply(self, action: Action, faces: Faces) -> Self:
        """Return the state after an action of the seat to act with these faces.

        Raises IllegalAction when the rules forbid the action, InvalidAction for faces that its dice cannot show.
        """

    # -- what players read ---------------------------------------------------------------------------------------------

    def caption(self) -> str:
        """Return the round and the roll, the line above the table."""

    def standing(self, seat: int) -> Standing:
        """Return a seat as the table shows it."""

    def meter(self, seat: int, hand: Faces) -> Meter:
        """Return the meter of a seat with this hand; 0 is a die that is selected or has not landed."""

    @property
    def pot_meter(self) -> Meter | None:
        """The tokens that belong to no seat yet, shown below the hand; None where there are none."""

    def preview(self, dice: Collection[int]) -> str:
        """Return what a selection of dice keeps, without a full stop, or why it may not be rolled.

        The reason for a roll without a choice has none either: it continues a sentence.
        """

    def describe_roll(self, action: Action, faces: Faces) -> str:
        """Return the sentence about a roll or a stand, without a name."""

    def report(self, names: Sequence[str]) -> Report:
        """Return the result of the round or match; ``names[seat]``. Raises IllegalAction during a round."""

    # -- as text -------------------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """Return the whole state as a line that ``Game.parse`` reads."""


class Guide(Struct, frozen=True):
    """A table for players to look up."""

    heading: str
    rows: tuple[tuple[str, str], ...]
    """Label and value of each line, from the top."""


class Tip(Struct, frozen=True):
    """A tip for newcomers at the table."""

    name: str
    """Its name in the settings, saved once it is dismissed. It never changes."""
    text: str
    """A sentence of at most 80 characters; ``{last}`` is the number of dice in a hand."""
    available: Callable[[Any], bool]
    """Whether the tip fits a state that asks a person to act."""
    done: Callable[[Any, Action], bool] = lambda _state, _action: False
    """Whether an action in such a state dismisses the tip."""
    only_after_tip: bool = False
    """Whether it must be shown before an action dismisses it: a rule may be followed unknowingly."""


class Game(Struct, frozen=True):
    """The names and credits of a game, and the functions that create its states."""

    key: str
    name: str
    credit: str
    """The author or origin in short lines, always shown with the name."""
    tagline: str
    """The game in a few words, below its name."""
    summary: str
    """The end of a match in one sentence."""
    is_winning: Callable[[Faces], bool]
    """Whether a hand is the best one: a 20, or 4 2 1."""
    is_near_miss: Callable[[Faces], bool]
    """Whether a hand is one away from the best."""
    chance_text: str
    """The first of ``Solver.LABELS`` after a chance, as in "one in six to be out"."""
    last_die_text: str
    """The sentence while the last die tumbles; ``{face}`` makes the hand."""
    guide: Guide
    tips: tuple[Tip, ...]
    result_verbs: tuple[str, str]
    """Verb phrases for the first and the last place of a finished match: "wins", "comes last"."""
    tally: tuple[str, str]
    """The unit of an evening's tally, singular and plural: "drink" and "drinks"."""
    glass: str
    """The sign for one of them, "▕▆▏"; empty where numbers say it."""
    counts_last_place: bool
    """Whether reports and the tally name the last place instead of the first."""
    hand_size: int
    """The number of dice of a hand."""
    logo_hand: Faces
    """A best hand, shown with the name."""
    draws_start: bool
    """True when the starting seat of a match is drawn, False when the seats roll off for it."""
    start: Callable[[int, int | None], State]
    """Creates the first state from the number of seats and the starting seat; None for a roll-off.

    Raises ValueError with a sentence for None if ``draws_start``, fewer than two seats, or an unknown starting seat.
    """
    parse: Callable[[str], State]
    """Creates the state of a ``State.to_text`` line. Raises ValueError with a sentence for others."""

    @property
    def title(self) -> str:
        """The name with the author, where there is one: "420 by Mark Steere"."""
        author = self.credit.partition("\n")[0]
        return f"{self.name} {author}" if author.startswith("by ") else self.name

    @property
    def rules(self) -> str:
        """The page with the rules, the author and our readings, in Markdown."""
        from importlib.resources import files  # a start does without

        return files("fourtwenty.games").joinpath(f"{self.key}.md").read_text("utf-8")


def plays_itself(state: State) -> bool:
    """Return whether nobody chooses anything in this round, as in 421's charge; the throws for the start are before."""
    return bool(state.automatic) and state.starting_seat is not None


def describe(described: object, protocol: type) -> None:
    """Copy missing docstrings from a base or the protocol, for ``help`` and editors."""
    spaces = (*getattr(described, "__mro__", (described,)), protocol)
    for space in spaces:
        for name, member in vars(space).items():
            if isinstance(member, FunctionType | property | LazyProperty) and not member.__doc__:
                found = (vars(other)[name].__doc__ for other in spaces if name in vars(other))
                member.__doc__ = next(filter(None, found), None)


@lru_cache
def turn_order(seats: int, starting_seat: int, out: tuple[int, ...] = (), step: int = 1) -> tuple[int, ...]:
    """Return the seats in play in turn order, clockwise, or back with a step of -1.

    >>> turn_order(4, starting_seat=2, out=(3,))
    (2, 0, 1)
    """
    around = ((starting_seat + step * turn) % seats for turn in range(seats))
    return tuple(seat for seat in around if seat not in out)


def check_seats(seats: int) -> None:
    """Raise ValueError for fewer than two seats."""
    if seats < 2:
        raise ValueError("A match needs two seats or more.")


def check_seat(seat: int, seats: int) -> None:
    """Raise ValueError unless a seat is one of so many, from 0."""
    if not 0 <= seat < seats:
        raise ValueError(f"There is no seat {seat} at a table of {seats}.")


def check_remains(state: State, seat: int) -> None:
    """Raise IllegalAction unless a seat still takes part and may leave."""
    if seat not in state.remaining:
        raise IllegalAction("This seat no longer takes part in the match.")


def check_round_over(state: State) -> None:
    """Raise IllegalAction while the round goes on."""
    if state.to_act is not None:
        raise IllegalAction("The round is not over.")


def check_next_round(state: State) -> None:
    """Raise IllegalAction unless another round follows this one."""
    if state.outcome:
        raise IllegalAction("The match is over.")
    check_round_over(state)


def rolled(hand: Faces, roll: Roll, faces: Faces) -> Faces:
    """Return a hand after a roll with these faces. Raises InvalidAction when its dice cannot show them.

    >>> rolled((6, 5, 5, 1), Roll((1, 4)), (2, 3))
    (2, 5, 5, 3)
    """
    check_faces(faces, len(roll.dice))
    dice = list(hand) or [0] * len(faces)
    for die, face in zip(roll.dice, faces, strict=True):
        dice[die - 1] = face
    return tuple(dice)


def roll_in_words(hand: Faces, roll: Roll, faces: Faces) -> str:
    """Return a roll of a hand in words: the kept and the new faces.

    >>> roll_in_words((6, 5, 5, 1), Roll((4,)), (4,)), roll_in_words((), Roll((1, 2)), (4, 1))
    ('kept 6 5 5, rolled 4', 'rolled 4 1')
    """
    kept = [face for die, face in enumerate(hand, 1) if die not in roll.dice]
    return f"kept {join_faces(kept)}, rolled {join_faces(faces)}" if kept else f"rolled {join_faces(faces)}"


def hand_after(state: State, action: Action, faces: Faces) -> Faces:
    """Return the hand of the seat to act after an action, also at the end of a round."""
    assert state.to_act is not None
    hand = state.hand(state.to_act)
    return rolled(hand, action, faces) if isinstance(action, Roll) else hand


def at_stake(game: Game, hand: Faces) -> str:
    """Return in a sentence what the last die of a hand decides, 0 before it lands; empty for nothing.

    >>> from fourtwenty.games.four_twenty import GAME
    >>> at_stake(GAME, (6, 5, 5, 0)), at_stake(GAME, (1, 1, 0, 6)), at_stake(GAME, (6, 5, 0, 0))
    ('A 4 makes 20!', '', '')
    """
    if hand.count(0) != 1:
        return ""
    die = hand.index(0)
    wanted = [face for face in range(1, 7) if game.is_winning((*hand[:die], face, *hand[die + 1 :]))]
    return game.last_die_text.format(face=wanted[0]) if wanted else ""


def check_faces(faces: Faces, dice: int) -> None:
    """Raise InvalidAction unless there are ``dice`` faces, each from 1 to 6."""
    possible = len(faces) == dice
    for face in faces:
        possible = possible and type(face) is int and 1 <= face <= 6
    if not possible:
        raise InvalidAction(f"{dice_shown(dice)} from 1 to 6.")
