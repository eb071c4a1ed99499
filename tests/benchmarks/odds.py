"""The speed of the odds of 420, by hand: ``python tests/benchmarks/odds.py``; medians and worst cases."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median

from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.odds import four_twenty

SET_UP = """
import time
from fourtwenty.odds import four_twenty
began = time.process_time()
four_twenty.solve()
print(1000 * (time.process_time() - began))
"""
FIRST = """
import time
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.odds import four_twenty
state = FourTwenty.at([()] * 12)
began = time.process_time()
four_twenty.choices(state)
four_twenty.drinks(state)
four_twenty.others_matter(state)
print(1000 * (time.process_time() - began))
"""
POSITIONS = 300
RUNS = 9
"""Number of new processes for each figure of a start."""


def milliseconds(work: Callable[[], object]) -> float:
    """Time one call."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def coach(state: FourTwenty) -> None:
    """Ask everything the table asks at one position, nothing of it remembered."""
    for remembered in (four_twenty._stake, four_twenty._wins, four_twenty._best, four_twenty._choices):
        remembered.cache_clear()
    four_twenty.choices(state)
    four_twenty.drinks(state)
    four_twenty.others_matter(state)


def main() -> None:
    """Print all figures."""
    runs = [float(subprocess.check_output([sys.executable, "-c", SET_UP])) for _ in range(RUNS)]
    print(f"set-up, once: median {median(runs):.1f} ms, worst {max(runs):.1f} ms")
    chance = Random(420)
    hands = list(four_twenty.solve().classes)
    four_twenty.evening(200)
    print("the coach's whole answer at random positions\nplayers   median ms   19 of 20 below   worst ms")
    for players in (2, 3, 4, 6, 8, 12, 40, 200):
        states = [FourTwenty.at(chance.choices(hands, k=players)) for _ in range(POSITIONS)]
        times = [milliseconds(lambda state=state: coach(state)) for state in states]  # type: ignore[misc]
        most = sorted(times)[len(times) * 19 // 20]
        print(f"{players:7}{median(times):12.2f}{most:17.2f}{max(times):11.2f}")
    print("a first answer at a table of twelve, and the choice of a bot, in a new process:")
    runs = [float(subprocess.check_output([sys.executable, "-c", FIRST])) for _ in range(RUNS)]
    print(f"first answer: median {median(runs):.1f} ms, worst {max(runs):.1f} ms")
    for players in (2, 6, 12):
        states = [FourTwenty.at(chance.choices(hands, k=players)) for _ in range(5000)]
        took = milliseconds(lambda states=states: [four_twenty.best(state) for state in states])  # type: ignore[misc]
        print(f"best choice of {players:2}: {took / 5:.2f} µs on average")


if __name__ == "__main__":
    main()
