"""Writes numbers, dice and names in English."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_letters

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
"""The words for 0 to 9, by number: the most dice that keys can select."""


def dice_in_words(count: int) -> str:
    """Return "one die", "two dice" and so on, up to nine."""
    return f"{NUMBERS[count]} {'die' if count == 1 else 'dice'}"


def dice_shown(count: int) -> str:
    """Return "One die shows one face", "Two dice show two faces" and so on, up to nine."""
    return f"{dice_in_words(count).capitalize()} {'shows one face' if count == 1 else f'show {NUMBERS[count]} faces'}"


def dice_by_position(dice: Iterable[int]) -> str:
    """Return die positions in words: "die 4", "dice 1, 2 and 4"."""
    positions = [str(die) for die in dice]
    return f"{'die' if len(positions) == 1 else 'dice'} {join_words(positions)}"


def pluralize(number: int, one: str, many: str) -> str:
    """Return a number of things in one word or another: "1 roll", "2,000 rolls".

    >>> pluralize(1, "roll", "rolls"), pluralize(2000, "roll", "rolls"), pluralize(0, "roll", "rolls")
    ('1 roll', '2,000 rolls', '0 rolls')
    """
    return f"{number:,} {one if number == 1 else many}"


def in_words(number: int) -> str:
    """Return a number in words, in digits from 10: "no", "three", "12"."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def times(count: int) -> str:
    """Return how often: "once", "twice", "7 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def all_of(number: int, one: str, many: str) -> str:
    """Return a number of things in words, in digits from 5: "one laptop", "both laptops", "all 5 laptops"."""
    if number < 3:
        return (f"no {one}", f"one {one}", f"both {many}")[number]
    return f"all {NUMBERS[number] if number < 5 else number} {many}"


def join_words(names: Iterable[str]) -> str:
    """Return names as a list: "Ann", "Ann and Ben", "Ann, Ben and Cleo"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def join_faces(faces: Iterable[int]) -> str:
    """Return faces with a space between them: "6 5 5 1"."""
    return " ".join(map(str, faces))


def ordinal(number: int) -> str:
    """Return "1st", "2nd", "3rd", "4th" and so on."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def sentence_case(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def minutes(seconds: int) -> str:
    """Return a time in words: "1 minute", "3 minutes"."""
    return pluralize(seconds // 60, "minute", "minutes")


def is_you(name: str) -> bool:
    """Return whether sentences address a player as "you", the name of the seat."""
    return name.casefold() == "you"


def mid_sentence(name: str) -> str:
    """Return a name as it is written inside a sentence: "you", "Ann"."""
    return "you" if is_you(name) else name


def possessive(name: str) -> str:
    """Return the possessive of a name inside a sentence: "your", "Ann's"."""
    return "your" if is_you(name) else f"{name}'s"


def your_turn(name: str) -> str:
    """Return the sentence that asks a person to act: "Your turn", "Ann, your turn"."""
    return "Your turn" if is_you(name) else f"{name}, your turn"


def name_and_verb(name: str, about_another: str, about_you: str) -> str:
    """Return a sentence about a player: the name and a verb in the third person, or in the second after "You".

    >>> name_and_verb("Ann", "buys the drinks", "buy the drinks")
    'Ann buys the drinks'
    """
    return f"{name} {about_you if is_you(name) else about_another}"


def in_another_name(sentence: str, name: str, other: str) -> str:
    """Return a sentence that begins with a name and a regular verb about another name.

    >>> in_another_name("You buy the drinks", "You", "Ann"), in_another_name("Ann wins, 6 to 4", "Ann", "You")
    ('Ann buys the drinks', 'You win, 6 to 4')
    """
    after = sentence.removeprefix(f"{name} ")
    rest = after.lstrip(ascii_letters)
    verb = after.removesuffix(rest).removesuffix("s")
    return f"{other} {verb}{'' if is_you(other) else 's'}{rest}"
