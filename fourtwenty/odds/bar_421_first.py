"""Reads the shipped rows of the starting seat of three or four in 421 (docs/paper/solve_421.py, solve_421_four.py)."""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from operator import add

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds.bar_421_match import EXACT_SEATS, Tokens, splits
from fourtwenty.odds.stopping import HANDS, RoundRow
from fourtwenty.odds.tables import is_here, read_table

ROUND_TABLES = {3: "bar_421_rounds.table", 4: "bar_421_rounds_of_four.table"}
"""``[seats]``: the file, with a part for each number of tokens of the starting seat."""

STEPS = {3: (2**-24, 2**-18, 2**-18, 2**-18), 4: (2**-24, 2**-11, 2**-11, 2**-7)}
"""``[seats][column]``: the steps of the stored numbers. Chances and tokens of four are for display only."""


@cache
def has_rows(seats: int) -> bool:
    """Return whether the rows of so many seats are known: a browser may lack four."""
    return seats <= EXACT_SEATS and (seats not in ROUND_TABLES or is_here(ROUND_TABLES[seats]))


def first_rows(tokens: Tokens) -> list[RoundRow]:
    """Return ``[strength]``: the expected rows by the final hand of the starting seat."""
    seats = len(tokens)
    numbers, steps = _numbers(seats, tokens[0]), steps_of(seats)
    alike = [split for split in splits(seats) if split[0] == tokens[0]]
    apart, begin = len(alike) * len(HANDS), alike.index(tokens) * len(HANDS)
    rows = []
    for strength in range(begin, begin + len(HANDS)):
        kept = [number * step for number, step in zip(numbers[strength::apart], steps, strict=True)]
        row: list[float] = []
        for column, total in enumerate((seats - 1, 1, 1, TOKENS)):
            turns = kept[column * (seats - 1) : (column + 1) * (seats - 1)]
            row += (*turns, total - sum(turns))
        rows.append(tuple(row))
    return rows


def steps_of(seats: int) -> list[float]:
    """Return ``[column, turn]``: the steps, of all turns but the last."""
    return [step for step in STEPS[seats] for _ in range(seats - 1)]


@cache
def _numbers(seats: int, start: int) -> array[int]:
    """Return ``[column, turn][split][strength]``, flattened: the starting seat has ``start`` tokens."""
    return _sums(read_table(ROUND_TABLES[seats])[start - 1].numbers(), len(steps_of(seats)))


def _sums(words: array[int], columns: int) -> array[int]:
    """Return ``[column][split][strength]``, flattened, from the differences of neighbours in both directions.

    They pack best without a sign: 2 is 1, 1 is -1.
    """
    differences = [word >> 1 ^ -(word & 1) for word in words]
    numbers, count = array("i"), len(words)
    for column in range(0, count, count // columns):
        above = [0] * len(HANDS)
        for begin in range(column, column + count // columns, len(HANDS)):
            above = list(map(add, above, accumulate(differences[begin : begin + len(HANDS)])))
            numbers.extend(above)
    return numbers
