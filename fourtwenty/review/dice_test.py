"""Pearson's chi-square test of whether six faces are equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

from fourtwenty.games.words import counted

ENOUGH = 30
"""Least number of dice for the test: an expected count of five for each face (Cochran 1954, "Some methods for
strengthening the common chi-square tests")."""

ODD, RARE = 0.05, 0.001
"""Upper limits of the p-value for the verdicts "rather uneven" and "very uneven"."""


def chi_square(counts: Sequence[int]) -> float:
    """Return Pearson's statistic for the counts of equally likely faces; 0 when all counts are equal.

    >>> chi_square([5, 8, 9, 8, 10, 20])
    13.4
    """
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def p_value(statistic: float) -> float:
    """Return the probability of this statistic or a larger one with six fair faces.

    The upper tail of the chi-square distribution with five degrees of freedom, exact (Abramowitz and Stegun 1964,
    26.4.4).

    >>> round(p_value(11.0705), 4)
    0.05
    """
    root = sqrt(statistic)
    return erfc(root / sqrt(2)) + sqrt(2 / pi) * exp(-statistic / 2) * (root + root**3 / 3)


def verdict(counts: Sequence[int]) -> str:
    """Return in one line the verdict on dice with these counts of the six faces.

    >>> verdict([190, 211, 204, 187, 220, 192])
    '1,204 dice: consistent with fair dice (p = 0.50)'
    """
    dice = sum(counts)
    many = counted(dice, "die", "dice")
    if dice < ENOUGH:
        return f"{many}: too few to tell"
    chance = p_value(chi_square(counts))
    if chance >= ODD:
        return f"{many}: consistent with fair dice (p = {chance:.2f})"
    if chance >= RARE:
        return f"{many}: rather uneven for fair dice (p = {chance:.3f})"
    return f"{many}: very uneven for fair dice (p < {RARE})"
