"""Campaigns: a trial again and again, each with chance of its own; a few in the gate, all in its long form."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest


def campaign(short: int, whole: int) -> pytest.MarkDecorator:
    """Give a test its ``trials``: so many in the gate, and the whole number in the long form of the tests."""
    return pytest.mark.parametrize("trials", [short, pytest.param(whole, marks=pytest.mark.long)])


def try_out(trials: int, trial: Callable[[Random], None]) -> None:
    """Make so many trials. An error tells the number of its trial, whose chance follows from it."""
    for number in range(trials):
        try:
            trial(Random(number))
        except BaseException as error:
            error.add_note(f"in trial {number}")
            raise
