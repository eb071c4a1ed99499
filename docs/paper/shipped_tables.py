"""Writes the tables that ``fourtwenty.odds`` ships: the other side of its ``tables`` and ``bar_421_first``."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from operator import sub
from typing import Any
from zlib import compress, crc32

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds import tables
from fourtwenty.odds.bar_421_first import ROUND_TABLES, steps_of
from fourtwenty.odds.bar_421_match import splits
from fourtwenty.odds.stopping import HANDS
from fourtwenty.odds.tables import WORD_BYTES

KeptRows = Sequence[Sequence[float]]
"""``[strength][column, turn]`` of a split: of each column all turns but the last, which follows from the sum."""


def write_table(name: str, parts: Iterable[array[Any]]) -> None:
    """Write a table. Raises OSError."""
    table = b""
    for part in parts:
        numbers = array(part.typecode, part)
        if sys.byteorder == "big":
            numbers.byteswap()
        stored = numbers.tobytes()
        packed = compress(b"".join(stored[plane :: part.itemsize] for plane in range(part.itemsize)), 9)
        table += part.typecode.encode() + _word(len(packed)) + packed
    tables.table_file(name).write_bytes(table + _word(crc32(table)))


def _word(number: int) -> bytes:
    return number.to_bytes(WORD_BYTES, "little")


def write_rows(seats: int, rows: Sequence[KeptRows]) -> None:
    """Write ``rows[split]`` of three or four seats, in the order of ``splits``. Raises OSError."""
    steps, parts = steps_of(seats), []
    for start in range(1, TOKENS - seats + 2):
        here = [found for split, found in zip(splits(seats), rows, strict=True) if split[0] == start]
        numbers = [
            [[_whole(row[at], step, chance=at // (seats - 1) in (1, 2)) for row in found] for found in here]
            for at, step in enumerate(steps)
        ]
        parts.append(_differences(numbers))
    write_table(ROUND_TABLES[seats], parts)


def _whole(number: float, step: float, chance: bool) -> int:
    """Return a number in steps. A chance is 0 or 1 only where it is certain, as it is shown."""
    steps = round(number / step)
    return min(max(steps, 1), round(1 / step) - 1) if chance and 0 < number < 1 else steps


def _differences(numbers: Sequence[Sequence[Sequence[int]]]) -> array[int]:
    """Return the differences of neighbours of ``numbers[column][split][strength]`` in both directions, flattened.

    Without a sign they pack better: 2 stands for 1, 1 for -1.
    """
    words = array("I")
    for column in numbers:
        above: Sequence[int] = [0] * len(HANDS)
        for split in column:
            down = list(map(sub, split, above))
            across = map(sub, down, [0, *down])
            words.extend(2 * each if each >= 0 else -2 * each - 1 for each in across)
            above = split
    return words
