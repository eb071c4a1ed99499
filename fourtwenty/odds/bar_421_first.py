"""The rows of the starting seat of three or four in 421, which the program ships: reading them, and their form.

They are whole numbers, in steps that are small beside what is shown. docs/paper/solve_421.py and solve_421_four.py
write them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from operator import add, sub

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds.bar_421_match import EXACT_SEATS, Tokens, splits
from fourtwenty.odds.stopping import HANDS, RoundRow
from fourtwenty.odds.tables import is_here, read_table, write_table

ROUND_TABLES = {3: "bar_421_rounds.table", 4: "bar_421_rounds_of_four.table"}
"""``[seats]``: the file. It has a part for each number of tokens of the starting seat."""

STEPS = {3: (2**-24, 2**-18, 2**-18, 2**-18), 4: (2**-24, 2**-11, 2**-11, 2**-7)}
"""``[seats][column]``: the steps in which the numbers are kept. Chances and tokens of four are for display only."""

KeptRows = Sequence[Sequence[float]]
"""``[strength][column, turn]`` of a split: of each column all turns but the last, which follows from the sum."""


@cache
def has_rows(seats: int) -> bool:
    """Return whether the rows of so many seats are known: a tab may be without those of four."""
    return seats <= EXACT_SEATS and (seats not in ROUND_TABLES or is_here(ROUND_TABLES[seats]))


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
    steps, parts = _steps(seats), []
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


def _steps(seats: int) -> list[float]:
    """Return ``[column, turn]``: the steps, of all turns but the last."""
    return [step for step in STEPS[seats] for _ in range(seats - 1)]


@cache
def _numbers(seats: int, start: int) -> array[int]:
    """Return ``[column, turn][split][strength]``, flattened, of the splits in which the starting seat holds so many."""
    return _sums(read_table(ROUND_TABLES[seats])[start - 1].numbers(), len(_steps(seats)))


def _differences(numbers: Sequence[Sequence[Sequence[int]]]) -> array[int]:
    """Return the differences of neighbours of ``numbers[column][split][strength]`` in both directions, flattened.

    They are small, so they pack well; without a sign still better: 2 stands for 1, 1 for -1.
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


def _sums(words: array[int], columns: int) -> array[int]:
    """Return the numbers of which ``_differences`` has returned these, flattened."""
    differences = [word >> 1 ^ -(word & 1) for word in words]
    numbers, count = array("i"), len(words)
    for column in range(0, count, count // columns):
        above = [0] * len(HANDS)
        for begin in range(column, column + count // columns, len(HANDS)):
            above = list(map(add, above, accumulate(differences[begin : begin + len(HANDS)])))
            numbers.extend(above)
    return numbers
