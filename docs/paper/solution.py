"""Computes every number of docs/paper: ``python docs/paper/solution.py [SECTION ...]``; quick ones by default.

The sections are in solution_420.py, solution_420_large.py, solution_421.py and solution_ten_rounds.py.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import solution_420
import solution_420_large
import solution_421
import solution_ten_rounds

SECTIONS = {
    **solution_420.SECTIONS,
    **solution_420_large.SECTIONS,
    **solution_421.SECTIONS,
    **solution_ten_rounds.SECTIONS,
}
"""``[section]``: its duration in words, and the function that prints it."""

QUICK = [name for name, (duration, _) in SECTIONS.items() if duration == "at once"]

SECOND = {**solution_420.SECOND, **solution_420_large.SECOND, **solution_ten_rounds.SECOND}

AGREES = 1e-11
"""The most by which the figures of a section and of its second computation may differ."""

PAGE = Path(__file__).with_name("solution.md")


def check(section: str) -> bool:
    """Return whether the page has what a section prints, and a second computation, if there is one, the same figures.

    Both are printed.
    """
    printed = StringIO()
    with redirect_stdout(printed):
        SECTIONS[section][1]()
    same = f"```text\n{printed.getvalue().rstrip()}\n```" in PAGE.read_text("utf-8")
    print(f"{section}: {'as on the page' if same else 'NOT as on the page:'}", flush=True)
    if not same:
        print(printed.getvalue())
    if section not in SECOND:
        return same
    off = SECOND[section]()
    print(
        f"  a second computation {'agrees' if off <= AGREES else 'does NOT agree'}: off by at most {off:.0e}",
        flush=True,
    )
    return same and off <= AGREES


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compute the numbers of docs/paper/solution.md.")
    durations = ", ".join(f"{name} ({duration})" for name, (duration, _) in SECTIONS.items())
    parser.add_argument("--check", action="store_true", help="compare the page with what the sections print")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=durations)
    arguments = parser.parse_args()
    sections = arguments.sections or QUICK
    for section in sections:
        if section not in SECTIONS:
            parser.error(f"there is no section {section}; there are {', '.join(SECTIONS)}")
    if arguments.check:
        wrong = [section for section in sections if not check(section)]
        sys.exit(bool(wrong))
    for section in sections:
        SECTIONS[section][1]()
