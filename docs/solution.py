"""Computes every number of docs/solution.md: ``python docs/solution.py [SECTION ...]``; quick ones by default.

The sections are in solution_420.py, solution_421.py and solution_ten_rounds.py.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import solution_420
import solution_421
import solution_ten_rounds

SECTIONS = {**solution_420.SECTIONS, **solution_421.SECTIONS, **solution_ten_rounds.SECTIONS}
"""``[section]``: its duration in words, and the function that prints it."""

QUICK = [name for name, (duration, _) in SECTIONS.items() if duration == "at once"]

PAGE = Path(__file__).parent / "solution.md"


def check(section: str) -> bool:
    """Print whether the page has what a section prints, and return it."""
    printed = StringIO()
    with redirect_stdout(printed):
        SECTIONS[section][1]()
    same = f"```text\n{printed.getvalue().rstrip()}\n```" in PAGE.read_text("utf-8")
    print(f"{section}: {'as on the page' if same else 'NOT as on the page:'}", flush=True)
    if not same:
        print(printed.getvalue())
    return same


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compute the numbers of docs/solution.md.")
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
