"""The worth of tokens in 421: the probability not to pay, before a round. The rounds are in bar_421_round.py.

Tokens are in turn order from the seat that starts the round. docs/solution/solve_421.py computes the data.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal

from fourtwenty.games.bar_421 import TOKENS, rank
from fourtwenty.odds.stopping import FIRST, HANDS
from fourtwenty.odds.tables import read_table

Tokens = tuple[int, ...]
"""``[turn]``: the tokens of the seats of a round, the starting seat first."""

SAFE = (
    0.0,
    0.7805745970536049,
    0.7599230206090964,
    0.7404779376103299,
    0.720801832696313,
    0.6867951185901587,
    0.6464992373311703,
    0.5999646155557348,
    0.5736036772394839,
    0.5472199995168003,
    0.5189094039315637,
    0.443323234734991,
    0.4150834177606751,
    0.3889772892411915,
    0.3637839377887819,
    0.3149848754911285,
    0.27236193703101835,
    0.23606417019965342,
    0.2159232437684944,
    0.1955873303758891,
    0.17972177281775775,
)
"""``[tokens]``: the probability that the starting seat of a discharge round of two players does not pay.

The fixed point of ``improve_safe`` in docs/solution/reference_solver.py. The entry for 0 tokens is never used: such a
seat has left.
"""

SPLITS = tuple((one, two, TOKENS - one - two) for one in range(1, TOKENS - 1) for two in range(1, TOKENS - one))
"""Every split of the tokens over three seats."""

CHARGES = tuple(
    (one, two, three) for one in range(TOKENS) for two in range(TOKENS - one) for three in range(TOKENS - one - two)
)
"""Every split over three seats while the pot holds tokens."""

EXACT_SEATS = 3
"""The most seats whose values are exact. With more, seats that hold as many tokens are worth the same."""

MOST_SEATS = 12
"""The most seats of a charge in the data; the charge of more is taken to be that of so many."""


def read_numbers(name: str, code: Literal["d", "f"]) -> array[float]:
    """Return the numbers of a shipped table, ``code`` being their type as ``array`` names it. Raises DamagedTable."""
    numbers: array[float] = array(code, read_table(name))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


@lru_cache(maxsize=1 << 14)
def worth(tokens: Tokens, pot: int = 0) -> tuple[float, ...]:
    """Return ``[turn]``: the probability not to pay, before a round that begins with these tokens.

    Seats without tokens are safe once the pot is empty. With up to three seats in the round the values are exact, with
    more they are estimates.

    >>> [f"{safe:.3f}" for safe in worth((20, 0, 1))]
    ['0.180', '1.000', '0.820']
    """
    if pot:
        return _worth_in_charge(tokens, pot)
    playing = tuple(filter(None, tokens))
    values = iter(_worth_in_discharge(playing))
    return tuple(next(values) if held else 1.0 for held in tokens)


def _worth_in_discharge(tokens: Tokens) -> Sequence[float]:
    """Return ``[turn]``: the probability not to pay; all seats hold tokens. A seat that holds all of them pays."""
    match tokens:
        case (_,):
            return (0.0,)
        case (mine, _):
            return SAFE[mine], 1 - SAFE[mine]
        case (_, _, _):
            return _three()[tokens]
    start, others = _crowd(len(tokens))[tokens[0], tuple(sorted(tokens[1:]))]
    return start, *(others[held] for held in tokens[1:])


@cache
def _three() -> dict[Tokens, tuple[float, ...]]:
    """Return ``worth[tokens]`` of the discharge of three seats."""
    numbers = read_numbers("bar_421_splits.bin", "d")
    return {split: tuple(numbers[3 * index : 3 * index + 3]) for index, split in enumerate(SPLITS)}


def _worth_in_charge(tokens: Tokens, pot: int) -> tuple[float, ...]:
    if len(tokens) == 2:
        safe = _pair_in_charge(pot, *tokens)
        return safe, 1 - safe
    if len(tokens) == 3:
        return _three_in_charge()[tokens]
    pays = [_pays(min(len(tokens), MOST_SEATS), held, pot) for held in tokens]
    total = sum(pays)
    return tuple([1 - each / total for each in pays])


@cache
def _pair_in_charge(pot: int, mine: int, theirs: int) -> float:
    """Return the probability that the starting seat of a charge round of two does not pay."""
    safe = 0.0
    for tokens, chance in tokens_of_strongest(2).items():
        moved = min(tokens, pot)
        lost = worth((mine + moved, theirs), pot - moved)[0]
        safe += chance / 2 * (lost + worth((theirs + moved, mine), pot - moved)[1])
    return safe


@cache
def tokens_of_strongest(hands: int) -> dict[int, float]:
    """Return ``chances[tokens]``: the tokens that the strongest of some hands of one roll is worth."""
    chances: dict[int, float] = {}
    beaten = 0.0
    for hand in sorted(range(len(HANDS)), key=lambda hand: rank(HANDS[hand])):
        tokens, level = rank(HANDS[hand]).tokens, beaten + FIRST[hand]
        chances[tokens] = chances.get(tokens, 0.0) + level**hands - beaten**hands
        beaten = level
    return chances


@cache
def _three_in_charge() -> dict[Tokens, tuple[float, ...]]:
    """Return ``worth[tokens]`` of the charge of three seats; the other tokens are in the pot."""
    numbers = read_numbers("bar_421_splits.bin", "d")[3 * len(SPLITS) :]
    return {split: tuple(numbers[3 * index : 3 * index + 3]) for index, split in enumerate(CHARGES)}


# -- four seats and more: estimates --------------------------------------------------------------------------------


@cache
def _crowd(seats: int) -> dict[tuple[int, Tokens], tuple[float, dict[int, float]]]:
    """Return ``worth[starting seat's tokens, tokens of the others]`` of the discharge of four seats or more.

    First the value of the starting seat, then those of the others by their tokens. The model of docs/solution.md,
    "421", knows no order of the others.
    """
    numbers = iter(read_numbers("bar_421_crowds.bin", "f"))
    for fewer in range(4, seats):
        for _, others in crowd_splits(fewer):
            for _ in range(1 + len(set(others))):
                next(numbers)
    return {
        (start, others): (next(numbers), {held: next(numbers) for held in sorted(set(others))})
        for start, others in crowd_splits(seats)
    }


def crowd_splits(seats: int) -> Iterator[tuple[int, Tokens]]:
    """Yield every split of the tokens over some seats: the starting seat's, then the others' in ascending order."""
    for start in range(1, TOKENS - seats + 2):
        for others in _partitions(TOKENS - start, seats - 1, 1):
            yield start, others


def _partitions(total: int, parts: int, least: int) -> Iterator[Tokens]:
    """Yield every way to write a total as a sum of some parts in ascending order."""
    if parts == 1:
        yield (total,)
        return
    for part in range(least, total // parts + 1):
        for others in _partitions(total - part, parts - 1, part):
            yield part, *others


@cache
def _pays(seats: int, held: int, pot: int) -> float:
    """Return the probability that a seat of the charge pays, from its own tokens and the pot alone."""
    if not pot:
        return read_numbers("bar_421_charges.bin", "f")[(seats - 4) * (TOKENS + 1) + held]
    pays = 0.0
    for tokens, chance in tokens_of_strongest(seats).items():
        moved = min(tokens, pot)
        mine, others = _pays(seats, held + moved, pot - moved), _pays(seats, held, pot - moved)
        pays += chance * (mine + (seats - 1) * others) / seats
    return pays
