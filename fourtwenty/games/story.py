"""Stories of a finished match: what happened, in a sentence with its dice. This module has the stories of all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from msgspec import Struct

from fourtwenty.games.english import in_words, name_and_verb, pluralize, times
from fourtwenty.games.game import Faces, Roll, hand_after
from fourtwenty.games.replay import Step

T = TypeVar("T")

Names = Sequence[str]
"""``[seat]``: the players' names."""

Rounds = Sequence[Sequence[Step]]
"""``[round][event]``: all steps of a match."""


class Story(Struct, frozen=True):
    """Something that happened in a match."""

    level: int
    """How far it went, such as the number of misses: the greater, the rarer."""
    sentence: str
    """Without a full stop."""
    seat: int
    """The seat of ``dice``."""
    dice: Faces
    """The dice to draw beside the sentence."""
    one_in: int = 0
    """Its rarity, where a player chose a roll of that chance; 0 where matches must be counted."""


FindStories = Callable[[Names, Rounds], Iterator[Story]]
"""Yields the stories of one kind; each is a function of the match alone."""

StepsOf = Callable[[Rounds], Iterator[Step]]
"""Yields the steps of a match that a kind of story is about."""

PartPlayed = Callable[[Rounds, int], str]
"""Returns what came of a seat in a few words; of a seat that has left it knows nothing."""


def often(count: int) -> str:
    """Return how often, in words: "once", "twice", "seven times"."""
    return times(count) if count < 3 else f"{in_words(count)} times"


def hand_of(step: Step) -> Faces:
    """Return the hand that a step leaves, also at the end of a round."""
    return hand_after(step.before, step.event.action, step.event.faces)


def rolls_of(rounds: Rounds) -> Iterator[Step]:
    """Yield the steps of a match that roll, in order, with roll-offs."""
    return (step for played in rounds for step in played if isinstance(step.event.action, Roll))


def by_seat(steps: Iterator[Step]) -> dict[int, list[Step]]:
    """Return steps by seat, in order."""
    found: dict[int, list[Step]] = {}
    for step in steps:
        found.setdefault(step.event.seat, []).append(step)
    return found


def sorted_hand(step: Step) -> Faces:
    """Return the hand that a step leaves, highest die first."""
    return tuple(sorted(hand_of(step), reverse=True))


def runs(values: Iterable[T | None]) -> Iterator[tuple[T, int, int]]:
    """Yield each run of equal values as its value, its length and the index of its last element.

    >>> list(runs([4, 4, None, 2]))
    [(4, 2, 1), (2, 1, 3)]
    """
    last = -1
    for value, equal in groupby(values):
        count = len([*equal])
        last += count
        if value is not None:
            yield value, count, last


def counted(
    names: Names, rounds: Rounds, of: StepsOf, counts: Callable[[Faces], bool], did: str, you_did: str = ""
) -> Iterator[Story]:
    """Yield how often each seat had a hand of a kind after these steps; ``you_did`` replaces ``did`` after "You"."""
    for seat, own in by_seat(step for step in of(rounds) if counts(hand_of(step))).items():
        was = name_and_verb(names[seat], did, you_did or did)
        yield Story(len(own), f"{was} {often(len(own))}", seat, hand_of(own[-1]))


def in_a_row(
    names: Names, rounds: Rounds, of: StepsOf, value: Callable[[Step], object], did: str, you_did: str = ""
) -> Iterator[Story]:
    """Yield each run of these steps of a seat with the same value, except None; ``did`` has a place for the value."""
    for seat, own in by_seat(of(rounds)).items():
        for found, count, last in runs(map(value, own)):
            was = name_and_verb(names[seat], did.format(found), (you_did or did).format(found))
            yield Story(count, f"{was} {often(count)} in a row", seat, hand_of(own[last]))


def same_face(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield how many dice in a row showed a seat the same face."""
    for seat, own in by_seat(rolls_of(rounds)).items():
        dice = [(face, step) for step in own for face in step.event.faces]
        for face, count, last in runs([face for face, _ in dice]):
            rolled = f"{names[seat]} rolled a {face} with {in_words(count)} dice in a row"
            yield Story(count, rolled, seat, hand_of(dice[last][1]))


def few_rolls(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    """Yield that a match was over early."""
    count, end = sum(1 for _ in rolls_of(rounds)), rounds[-1][-1]
    yield Story(-count, f"The game was over after {pluralize(count, 'roll', 'rolls')}", end.event.seat, hand_of(end))
