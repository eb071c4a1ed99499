"""Practice: puzzles drawn from the solver, by game and level, and the daily one. The results are kept elsewhere."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from itertools import count

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll, State
from fourtwenty.odds import odds_of
from fourtwenty.odds.interface import Choice, choice_of
from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.dice import FairDice
from fourtwenty.play.puzzle import Puzzle

LEVELS = {"easy": (0.05, 0.12), "medium": (0.02, 0.05), "hard": (0.005, 0.02)}
"""The difference of win probability between the best choice and the second best, from and below, by level.

A larger one is of a hand that nobody would break up.
"""

WEEK = ("easy", "easy", "medium", "medium", "medium", "hard", "hard")
"""The level of the daily puzzle, from Monday to Sunday."""

PLAYERS = ("You", "Ben", "Cleo", "Dmitri")
"""The names by seat."""

PUZZLE_SEATS = {"420": 4}
"""The most seats of a puzzle, by game; two in the others."""

OBVIOUS = ("Steady", "Bold")
"""The characters that choose without odds. In a puzzle one of them is wrong."""

PUZZLE_DIGITS = 9
"""Values that agree to so many digits are equal: the last bits differ from one version of Python to another."""


class PracticeOptions(Struct, frozen=True):
    """The first puzzle of practice: its game, its level, or that of the day."""

    game: str
    level: str = "easy"
    """One of ``LEVELS``."""
    daily: bool = False
    """Whether the puzzle of the day comes first."""
    mine: bool = False
    """Whether the own mistakes that are due come first."""
    name: str = ""
    """The name of the player whose mistakes these are; empty for the first person of the line-up."""


def fresh_seed() -> str:
    """Return a new seed for ``drawn_puzzle``, from the operating system's entropy."""
    return secrets.token_hex(16)


def daily(game: str, day: date) -> Puzzle:
    """Return the puzzle of a day, which is the same for everybody."""
    return drawn_puzzle(game, daily_level(day), f"daily {day.isoformat()}")


def daily_level(day: date) -> str:
    """Return the level of the puzzle of a day: it rises in the course of the week."""
    return WEEK[day.weekday()]


def drawn_puzzle(game: str, level: str, seed: str) -> Puzzle:
    """Return the puzzle of a game and a level that follows from a seed.

    Matches are played until one of them has such positions; their dice follow from the seed by SHA-256.
    """
    for attempt in count():
        source = sha256(f"fourtwenty {game} {level} {seed} {attempt}".encode()).digest()
        puzzles = list(_puzzles(game, level, source))
        if puzzles:
            return puzzles[_below(source, len(puzzles))]
    raise AssertionError("count() does not end")


def _below(source: bytes, limit: int) -> int:
    """Return an index below a limit that follows from a source; the modulo bias of 256 bits is nothing."""
    return int.from_bytes(sha256(source).digest(), "big") % limit


def _puzzles(game: str, level: str, source: bytes) -> Iterator[Puzzle]:
    """Yield the puzzles of a level in one match, which is played by best play."""
    seats = 2 + _below(source, PUZZLE_SEATS.get(game, 2) - 1)
    dice = FairDice(source)
    throws = [0] * seats
    state = GAMES[game].start(seats, 0)
    while not state.outcome:
        seat = state.to_act
        if seat is None:
            state = state.next_round()
            continue
        choices = odds_of(state).choices(state)
        if _suits(level, state, choices):
            names = PLAYERS[seats - seat : seats] + PLAYERS[: seats - seat]
            yield Puzzle(state, names, choices)
        action = _best(choices).action
        throws[seat] += isinstance(action, Roll)
        faces = dice.throw(seat, throws[seat], action.dice) if isinstance(action, Roll) else ()
        state = state.apply(action, faces)


def _best(choices: tuple[Choice, ...]) -> Choice:
    """Return the best choice; of equal ones the one that keeps the lowest dice, on every machine."""
    return max(choices, key=lambda choice: (round(choice.value, PUZZLE_DIGITS), [-face for face in choice.kept]))


def _suits(level: str, state: State, choices: tuple[Choice, ...]) -> bool:
    """Return whether a position is a puzzle of a level: exact, unclear without odds, and clear with them."""
    if len(choices) < 2 or odds_of(state).approximate(state):
        return False
    least, below = LEVELS[level]
    if not least <= round(choices[0].value - choices[1].value, PUZZLE_DIGITS) < below:
        return False
    obvious = (CHARACTERS[name].rule(_no_chance)(state) for name in OBVIOUS)
    return any(choice_of(choices, state, action) is not choices[0] for action in obvious)


def _no_chance() -> float:
    raise AssertionError("The obvious characters draw nothing.")
