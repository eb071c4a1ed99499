"""Long tests: soak tests, of which CI runs a few trials and its long form all, and tests that run when files change."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
REPOSITORY = Path(os.environ.get("FOURTWENTY_REPOSITORY", ROOT))
"""The folder with the history: ``.ci/run`` tests a copy without one."""


def soak(short: int, whole: int) -> pytest.MarkDecorator:
    """Give a soak test its ``trials``: so many in CI, and the whole number in the long form of the tests."""
    return pytest.mark.parametrize("trials", [short, pytest.param(whole, marks=pytest.mark.long)])


def mostly_long(
    names: str | tuple[str, ...], cases: Iterable[Any], always: Iterable[Any], *files: str, **options: Any
) -> pytest.MarkDecorator:
    """Give a test its cases: those that always run, and where one of the files has changed or in the long form all."""
    every, kept = [*cases], [*always]
    if missing := [case for case in kept if case not in every]:
        raise ValueError(f"{missing} are not among the cases of {names}")
    mark = pytest.mark.long(*files)
    values = [
        case if case in kept else pytest.param(*(case if isinstance(names, tuple) else (case,)), marks=mark)
        for case in every
    ]
    return pytest.mark.parametrize(names, values, **options)


PRODUCT = ("fourtwenty/", "screens.tcss", "pyproject.toml")
"""The program and what it needs: where none of it has changed, a dear test that runs no line of its own can wait."""
SCREEN = ("fourtwenty/tui/", "screens.tcss")
"""The files that say where things are on the screen."""
ENDS = ("fourtwenty/tui/", "fourtwenty/cli/", "fourtwenty/console.py", "fourtwenty/__main__.py")
"""The files that decide how the program ends, and with which status."""
RULES_AND_ODDS = ("fourtwenty/games/", "fourtwenty/odds/", "docs/paper/")
"""The files that the numbers of the paper follow from."""


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

    FOURTWENTY_CHANGED may list what has changed; else git does.
    """
    changed = os.environ.get("FOURTWENTY_CHANGED")
    return any(path.startswith(files) for path in (differs() if changed is None else changed).splitlines())


@cache
def differs() -> str:
    """Return the files that differ from ``main``, one a line; none where there is no git, or no ``main``."""

    def git(*arguments: str) -> str:
        # Without optional locks it leaves the index to somebody who commits meanwhile.
        command = ("git", "-C", str(REPOSITORY), "--no-optional-locks", *arguments)
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout

    for main in "main", "origin/main":
        with suppress(OSError, subprocess.CalledProcessError):
            base = git("merge-base", "HEAD", main).strip()
            return git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")
    return ""
