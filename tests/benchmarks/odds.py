"""The speed of the odds of 420, by hand: ``python tests/benchmarks/odds.py``; medians and ratios to two players."""

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
began = time.perf_counter()
four_twenty.solve()
print(1000 * (time.perf_counter() - began))
"""
POSITIONS = 300


def milliseconds(work: Callable[[], object]) -> float:
    """Time one call."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def coach(state: FourTwenty) -> None:
    """Ask everything the table asks at one position, nothing of it remembered."""
    four_twenty._stakes.cache_clear()
    four_twenty._wins.cache_clear()
    four_twenty._choices.cache_clear()
    four_twenty.choices(state)
    four_twenty.drinks(state)
    four_twenty.others_matter(state)


if __name__ == "__main__":
    runs = [float(subprocess.check_output([sys.executable, "-c", SET_UP])) for _ in range(9)]
    print(f"set-up, once: median {median(runs):.1f} ms, worst {max(runs):.1f} ms")
    chance = Random(420)
    hands = list(four_twenty.solve().classes)
    four_twenty.evening(200)
    print("the coach's whole answer at random positions\nplayers   median ms   worst ms   ratio")
    base = 0.0
    for players in (2, 3, 4, 6, 8, 12, 40, 200):
        states = [FourTwenty.at(chance.choices(hands, k=players)) for _ in range(POSITIONS)]
        times = [milliseconds(lambda state=state: coach(state)) for state in states]  # type: ignore[misc]
        base = base or median(times)
        print(f"{players:7}{median(times):12.2f}{max(times):11.2f}{median(times) / base:8.1f}")
