"""A test of whether six faces are equally likely, valid at every look while more dice are rolled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, lgamma, log

CONCENTRATION = 20
"""The prior of uneven dice: symmetric Dirichlet, with face probabilities of 1/6 ± 0.034."""

UNEVEN = 1_000

MAX_SHOWN = 1_000_000

KINDS = {
    "fair": "All {:,} fair dice (nobody chose them)",
    "given": "All {:,} dice of given seeds",
    "shared": "All {:,} dice of several machines",
    "typed": "All {:,} real dice",
}
"""Kinds of dice of ``History.faces``, in words around their number."""


def bayes_factor(counts: Sequence[int]) -> float:
    """Return how much likelier these counts of six faces are for uneven dice than for even ones, at most e^700.

    The marginal likelihood of the Dirichlet-multinomial distribution over equal probabilities (Good 1967, "A Bayesian
    significance test for multinomial distributions"). For even dice it is a martingale from 1: the probability that it
    ever reaches N is 1/N at most (Ville 1939).

    >>> round(bayes_factor([0, 0, 0, 0, 0, 2]), 3)  # 6 * 21 / 121
    1.041
    """
    dice, prior = sum(counts), 6 * CONCENTRATION
    log_likelihood = sum(lgamma(CONCENTRATION + count) - lgamma(CONCENTRATION) for count in counts)
    return exp(min(700.0, lgamma(prior) - lgamma(prior + dice) + log_likelihood + dice * log(6)))


def dice_lines(faces: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Yield a line for each kind of dice with its counts ``[kind][face - 1]``; real dice are not called uneven.

    >>> [*dice_lines({"fair": [190, 211, 204, 187, 220, 192]})]
    ['All 1,204 fair dice (nobody chose them): no more uneven than by chance']
    """
    for kind, words in KINDS.items():
        counts = [max(0, count) for count in faces.get(kind, ())]
        factor = bayes_factor(counts)
        if factor < 2:
            found = "no more uneven than by chance"
        elif factor > MAX_SHOWN:
            found = f"less than 1 in {MAX_SHOWN:,} by chance"
        else:
            found = f"1 in {int(factor):,} by chance"
        if any(counts):
            uneven = factor >= UNEVEN and kind != "typed"
            yield f"{words.format(sum(counts))}: {'uneven, ' if uneven else ''}{found}"
