"""The seats' tints: told apart by everyone, and legible; and never the only thing that tells seats apart."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from fourtwenty.themes import SNUG, TERRACE, TINTS_ON_DARK, TINTS_ON_LIGHT, contrast, linear, seat_variables
from fourtwenty.widgets.seats import mark, tint

VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Dichromacy in linear sRGB (Machado, Oliveira, Fernandes 2009, severity 1)."""


def seen(colour: str, vision: str) -> tuple[float, float, float]:
    """A colour as it is seen, in Oklab (Ottosson 2020), where distance is difference."""
    red, green, blue = (
        min(1.0, max(0.0, sum(part * weight for part, weight in zip(linear(colour), row, strict=True))))
        for row in VISION[vision]
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("tints", [TINTS_ON_DARK, TINTS_ON_LIGHT], ids=["dark", "light"])
def test_any_two_tints_differ_for_every_eye(tints: tuple[str, ...], vision: str) -> None:
    """Five times the 0.02 that is just noticeable in Oklab."""
    assert min(dist(seen(one, vision), seen(other, vision)) for one, other in combinations(tints, 2)) > 0.1


@pytest.mark.parametrize("dark", [True, False])
def test_tints_show_on_the_table_and_pips_on_the_tints(dark: bool) -> None:
    """WCAG 2.2: 3 to 1 for what is drawn, 4.5 to 1 for what is read."""
    colours = seat_variables(dark)
    surface = (SNUG if dark else TERRACE).surface
    assert surface is not None
    for number in range(6):
        assert contrast(colours[f"seat-{number}"], surface) >= 3
        assert contrast(colours[f"seat-{number}"], colours[f"seat-{number}-pip"]) >= 3
    assert contrast(colours["quiet"], surface) >= 4.5
    assert contrast(colours["gone"], surface) >= 3


def test_forty_two_seats_have_a_mark_and_tint_of_their_own() -> None:
    assert len({(mark(colour), tint(colour)) for colour in range(42)}) == 42


def test_red_is_red_and_blue_is_blue() -> None:
    for red, blue in (TINTS_ON_DARK[:2], TINTS_ON_LIGHT[:2]):
        assert linear(red).index(max(linear(red))) == 0
        assert linear(blue).index(max(linear(blue))) == 2
