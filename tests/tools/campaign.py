"""Long tests: campaigns, a few trials in the gate and all in its long form, and what runs when its files change."""

from __future__ import annotations

import os
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


def has_changed(files: tuple[str, ...]) -> bool:
    """Return whether one of these files or folders, paths in the repository, has changed since ``main``.

    ``.ci/run`` lists what has; without it the answer is yes.
    """
    changed = os.environ.get("FOURTWENTY_CHANGED")
    return changed is None or any(path.startswith(files) for path in changed.splitlines())
