"""The command line as a stranger meets it: one line for an error, status 2, never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourtwenty import __version__


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fourtwenty", *arguments],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"fourtwenty {__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"]])
def test_help(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith("usage: fourtwenty")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["dance"], "fourtwenty: argument COMMAND: invalid choice: 'dance'"),
        (["--dance"], "fourtwenty: unrecognized arguments: --dance"),
        (["play", "--players", "Ann"], "fourtwenty: --players: A match needs two seats or more."),
        (["play", "--players", "Ann,Ann"], "fourtwenty: --players: Ann sits at the table already."),
        (["play", "--players", "Ann,bot:Nobody"], "fourtwenty: --players: there is no bot 'Nobody'; the bots are"),
        (["play", "--seed", "dice"], "fourtwenty: --seed: a seed is 1 to 64 hexadecimal digits"),
        (["play", "--seed", ""], "fourtwenty: --seed: a seed is 1 to 64 hexadecimal digits"),
        (["play", "--game", "chess"], "fourtwenty play: argument --game: invalid choice: 'chess'"),
        (["play", "--dice", "loaded"], "fourtwenty play: argument --dice: invalid choice: 'loaded'"),
        ([], "fourtwenty: the table needs a terminal; start it in one"),
        (["play"], "fourtwenty: the table needs a terminal; start it in one"),
    ],
)
def test_errors_are_one_line_and_status_2(arguments: list[str], line: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1
