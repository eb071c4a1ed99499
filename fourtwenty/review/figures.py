"""How seats did, match by match: figures of matches that have none yet, and what they come to over time. No screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import reduce
from operator import add

from fourtwenty.journal.entries import Figures
from fourtwenty.journal.history import History
from fourtwenty.review.analysis import Round, named, rounds_of

SMOOTH = 20
"""Over how many matches the skill figure is taken when it is followed over time."""


def measured(history: History) -> Iterator[int | None]:
    """Measure the finished matches that have not been yet, the last one first: round by round, to be stopped anywhere.

    Yields None after a round, and the id of a match whose figures are now kept. Those that cannot be made out are
    passed over, and so are those that changed meanwhile. Raises NotKept as everything that a history is asked.
    """
    for number in history.unmeasured():
        with suppress(ValueError):
            match = history.match(number)
            if not match.state.outcome:
                continue
            rounds = rounds_of(match)
            for each in rounds:
                each.ledger(0)  # judges the round, once for all seats
                yield None
            figures = _figures(rounds)
            if history.match(number).events == match.events:  # the last roll of typed dice may be taken back
                history.measure(number, figures)
                yield number


def _figures(rounds: Sequence[Round]) -> list[Figures]:
    """By seat, from the accounts of all rounds."""
    start = rounds[0].start
    ending = rounds[0].odds.ending(start)
    figures = []
    for seat in range(start.seats):
        whole = reduce(add, (each.ledger(seat) for each in rounds))
        figures.append(Figures(whole.errors, whole.decisions, whole.luck, ending[1][seat] if ending else None))
    return figures


def skill(figures: Figures) -> float | None:
    """Return the points lost per decision; None without any."""
    return 100 * figures.lost / figures.decisions if figures.decisions else None


def skill_words(figures: Figures) -> str:
    """Return the skill figure and its class.

    >>> skill_words(Figures(lost=0.032, decisions=10, luck=0, drinks=None))
    '0.32 sharp'
    """
    lost = skill(figures)
    return "no decisions" if lost is None else f"{lost:.2f} {named(lost)}"


def skill_over_time(course: Sequence[tuple[int, Figures]], matches: int = SMOOTH) -> tuple[float, ...]:
    """Return the skill figure at each step of a course, over so many matches before it, or over the step if longer.

    Steps before the first decision are left out.
    """
    skills = []
    start = (0, Figures(0, 0, 0, None))
    first = 0
    steps = (start, *course)
    for number, (count, sums) in enumerate(course):
        while first < number and steps[first + 1][0] <= count - matches:
            first += 1
        before = steps[first][1]
        decisions = sums.decisions - before.decisions
        if decisions:
            skills.append(100 * (sums.lost - before.lost) / decisions)
    return tuple(skills)
