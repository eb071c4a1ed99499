"""Whether dice fall as evenly as fair ones do: Pearson's chi-square test of six faces. No screen."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt

ENOUGH = 30
"""Dice from which the test holds: five of each face to be expected (Cochran 1954, "some methods for strengthening the
common chi-square tests")."""

ODD, RARE = 0.05, 0.001
"""Below these chances counts are called rather uneven, and very uneven."""


def chi_square(counts: Sequence[int]) -> float:
    """Return Pearson's statistic of the counts of six faces, all equally likely: 0 when all are the same.

    >>> chi_square([5, 8, 9, 8, 10, 20])
    13.4
    """
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def p_value(statistic: float) -> float:
    """Return the chance that six fair faces give this statistic or a larger one, from 0 to 1.

    The upper tail of the chi-square distribution with five degrees of freedom, exact (Abramowitz and Stegun 1964,
    26.4.4).

    >>> round(p_value(11.0705), 4)
    0.05
    """
    root = sqrt(statistic)
    return erfc(root / sqrt(2)) + sqrt(2 / pi) * exp(-statistic / 2) * (root + root**3 / 3)


def verdict(counts: Sequence[int]) -> str:
    """Say in one line whether dice that showed the six faces so often are as even as fair ones.

    >>> verdict([190, 211, 204, 187, 220, 192])
    '1,204 dice: as even as fair dice are (p = 0.50)'
    """
    dice = sum(counts)
    many = f"{dice:,} {'die' if dice == 1 else 'dice'}"
    if dice < ENOUGH:
        return f"{many}: too few to tell"
    chance = p_value(chi_square(counts))
    if chance >= ODD:
        return f"{many}: as even as fair dice are (p = {chance:.2f})"
    if chance >= RARE:
        return f"{many}: rather uneven for fair dice (p = {chance:.3f})"
    return f"{many}: very uneven for fair dice (p < {RARE})"
