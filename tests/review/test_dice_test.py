"""Whether dice are even: a figure that holds at every look, and how often even dice are called uneven."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import factorial, prod
from random import Random

import pytest
from hypothesis import given, strategies as st

from fourtwenty.play.dice import FairDice
from fourtwenty.review.dice_test import CONCENTRATION, KINDS, UNEVEN, bayes_factor, dice_lines

Counts = list[int]


def called_uneven(**faces: Counts) -> bool:
    """Return whether a line calls dice uneven."""
    return any("uneven," in line for line in dice_lines(faces))


@pytest.mark.parametrize("dice", range(9))
def test_the_figure_is_1_on_average_while_dice_are_even(dice: int) -> None:
    # so that it is a martingale, and Ville's inequality holds
    every = (counts for counts in product(range(dice + 1), repeat=6) if sum(counts) == dice)
    mean = sum(factorial(dice) / prod(map(factorial, counts)) / 6**dice * bayes_factor(counts) for counts in every)
    assert mean == pytest.approx(1)


def figures(faces: Iterable[int]) -> Iterator[float]:
    """Yield the figure after every die, by its predictive probability.

    That is Pólya's urn: 20 of each face at first, and one more of every face that has been rolled.
    """
    counts, figure = [0] * 6, 1.0
    for dice, face in enumerate(faces):
        figure *= 6 * (CONCENTRATION + counts[face]) / (6 * CONCENTRATION + dice)
        counts[face] += 1
        yield figure


def test_every_die_changes_the_figure_by_its_predictive_probability() -> None:
    faces = Random(420).choices(range(6), k=2_000)
    for dice, figure in enumerate(figures(faces), 1):
        assert dice % 100 or bayes_factor([faces[:dice].count(face) for face in range(6)]) == pytest.approx(figure)


@given(st.lists(st.integers(-1, 2**62), min_size=6, max_size=6))
def test_any_counts_have_a_line(counts: Counts) -> None:
    lines = [*dice_lines({"typed": counts})]
    assert len(lines) == (max(counts) > 0)


def test_of_300_honest_histories_three_at_most_are_ever_called_uneven() -> None:
    """Three kinds of dice in each, looked at after every die."""
    greatest = []
    for history in range(300):
        chance = Random(history)
        kinds = (chance.choices(range(6), k=1_500) for _ in range(3))
        greatest.append(max(max(figures(faces)) for faces in kinds))
    reached = {least: sum(figure >= least for figure in greatest) for least in (10, UNEVEN)}
    assert reached[UNEVEN] <= 3, "one history in 100"
    assert 10 < reached[10] <= 90, "one in ten of each of the three kinds, and not none: chance is at work"


@pytest.mark.parametrize("kind", ["fair", "given", "shared"])
def test_a_face_that_comes_twice_as_often_is_found(kind: str) -> None:
    for seed in range(20):
        found = Random(seed).choices(range(6), weights=(1, 1, 1, 1, 1, 2), k=1_000)
        counts = [found.count(face) for face in range(6)]
        assert called_uneven(**{kind: counts})
        assert not called_uneven(typed=counts), "real dice have the figure alone"


def test_nobody_chose_them_is_said_of_fair_dice_whose_seed_was_drawn() -> None:
    assert ["nobody chose" in words for words in KINDS.values()] == [True, False, False, False]


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((200, 199, 202, 201, 200, 202), "no more uneven than by chance"),
        ((0, 0, 1, 0, 0, 0), "no more uneven than by chance"),
        ((100, 100, 100, 100, 100, 150), "1 in 17 by chance"),
        ((100, 100, 100, 100, 100, 170), "uneven, 1 in 11,274 by chance"),
        ((100, 100, 100, 100, 100, 300), "uneven, less than 1 in 1,000,000 by chance"),
    ],
)
def test_the_line_in_plain_words(counts: tuple[int, ...], says: str) -> None:
    (line,) = dice_lines({"given": counts, "unknown": (1,)})
    assert line == f"All {sum(counts):,} dice of given seeds: {says}"
    assert [*dice_lines({"typed": counts})] == [f"All {sum(counts):,} real dice: {says.removeprefix('uneven, ')}"]


def test_the_dice_of_the_house_are_as_even_as_fair_dice_are() -> None:
    faces = [
        [FairDice(bytes([number] * 32)).throw(0, throw, (1, 2, 3, 4)) for throw in range(1, 31)] for number in range(99)
    ]
    every = [[sum(hand.count(face) for hand in hands) for face in range(1, 7)] for hands in faces]
    chi_squares = [sum((count - 20) ** 2 / 20 for count in counts) for counts in every]
    assert sum(chi_squares) / 99 == pytest.approx(5, abs=3 * (10 / 99) ** 0.5), "mean 5 and variance 10"
    assert not any(called_uneven(fair=counts) for counts in every)
    assert not called_uneven(fair=[sum(column) for column in zip(*every, strict=True)])
