"""The rows of the starting seat of three or four in 421, which the program ships: reading them, and their form.

They are whole numbers, in steps that are small beside what is shown. docs/solution/solve_421.py and solve_421_four.py
write them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from operator import add, sub
from zlib import compress, decompress

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds.bar_421_match import Tokens, splits
from fourtwenty.odds.stopping import HANDS, RoundRow
from fourtwenty.odds.tables import read_table, write_table

ROUND_TABLES = {3: "bar_421_rounds.bin", 4: "bar_421_rounds_of_four.bin"}
"""``[seats]``: the file."""

STEPS = {3: (2**-24, 2**-18, 2**-18, 2**-18), 4: (2**-24, 2**-14, 2**-14, 2**-10)}
"""``[seats][column]``: the steps in which the numbers are kept."""

_PLANES = 4
"""Bytes a number: the first bytes of all numbers come first, then the second bytes, as these compress best."""

KeptRows = Sequence[Sequence[float]]
"""``[strength][column, turn]`` of a split: of each column all turns but the last, which follows from the sum."""


def first_rows(tokens: Tokens) -> list[RoundRow]:
    """Return ``[strength]``: the expected rows when the starting seat ends its turn with each hand."""
    seats = len(tokens)
    numbers, steps = _numbers(seats, tokens[0]), _steps(seats)
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


def write_rows(seats: int, rows: Sequence[KeptRows]) -> None:
    """Write ``rows[split]`` of three or four seats, in the order of ``splits``. Raises OSError."""
    steps, blocks = _steps(seats), []
    for start in range(1, TOKENS - seats + 2):
        here = [found for split, found in zip(splits(seats), rows, strict=True) if split[0] == start]
        numbers = [[[round(row[at] / step) for row in found] for found in here] for at, step in enumerate(steps)]
        blocks.append(_packed(numbers))
    lengths = array("I", map(len, blocks))
    if sys.byteorder == "big":
        lengths.byteswap()
    write_table(ROUND_TABLES[seats], lengths.tobytes() + b"".join(blocks))


def _steps(seats: int) -> list[float]:
    """Return ``[column, turn]``: the steps, of all turns but the last."""
    return [step for step in STEPS[seats] for _ in range(seats - 1)]


@cache
def _numbers(seats: int, start: int) -> array[int]:
    """Return ``[column, turn][split][strength]``, flattened, of the splits in which the starting seat holds so many."""
    table = read_table(ROUND_TABLES[seats])
    lengths = array("I", table[: _PLANES * (TOKENS - seats + 1)])
    if sys.byteorder == "big":
        lengths.byteswap()
    begin = _PLANES * len(lengths) + sum(lengths[: start - 1])
    return _unpacked(table[begin : begin + lengths[start - 1]], len(_steps(seats)))


def _packed(numbers: Sequence[Sequence[Sequence[int]]]) -> bytes:
    """Return ``numbers[column][split][strength]`` packed: the differences of neighbours in both directions."""
    words = array("I")
    for column in numbers:
        above: Sequence[int] = [0] * len(HANDS)
        for split in column:
            down = list(map(sub, split, above))
            across = map(sub, down, [0, *down])
            words.extend(2 * each if each >= 0 else -2 * each - 1 for each in across)
            above = split
    if sys.byteorder == "big":
        words.byteswap()
    stored = words.tobytes()
    return compress(b"".join(stored[plane::_PLANES] for plane in range(_PLANES)), 9)


def _unpacked(packed: bytes, columns: int) -> array[int]:
    """Return the numbers that ``_packed`` packed, flattened."""
    planes = decompress(packed)
    count = len(planes) // _PLANES
    stored = bytearray(len(planes))
    for plane in range(_PLANES):
        stored[plane::_PLANES] = planes[plane * count : (plane + 1) * count]
    words = array("I", bytes(stored))
    if sys.byteorder == "big":
        words.byteswap()
    differences = [word >> 1 ^ -(word & 1) for word in words]
    numbers = array("i")
    for column in range(0, count, count // columns):
        above = [0] * len(HANDS)
        for begin in range(column, column + count // columns, len(HANDS)):
            above = list(map(add, above, accumulate(differences[begin : begin + len(HANDS)])))
            numbers.extend(above)
    return numbers
