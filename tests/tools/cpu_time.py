"""A plugin of pytest: it prints the CPU seconds of a run with all processes that it started, and the dearest tests.

Seconds depend on the machine; their ratio to the seconds of a fixed piece of Python depends on it less.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from time import process_time
from typing import Any

import pytest

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
MAX_DEAREST = 10
MIN_SECONDS = 1
"""A test that takes less is not listed."""


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all that it has started and waited for; these are 0 on Windows."""
    return sum(os.times()[:4])


def calibration() -> float:
    """Return the CPU seconds of a fixed piece of Python: the least of ten runs, which neighbours disturb least."""

    def run() -> float:
        begun, hands = process_time(), dict[tuple[int, ...], int]()
        for number in range(20_000):
            hand = tuple(sorted((number // 6**die % 6 + 1 for die in range(4)), reverse=True))
            hands[hand] = hands.get(hand, 0) + 1
        return process_time() - begun

    return min(run() for _ in range(10))


def adopt_orphans() -> None:
    """On Linux, become the parent of every descendant whose own parent ends first, and wait for it when it ends.

    A browser leaves such processes, and a program that a test kills. Without this, their seconds count nowhere.
    A process that runs tests must not call it: ``Popen.wait`` takes a program for successful that was waited for here.
    """
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        signal.signal(signal.SIGCHLD, wait_for_ended)


def wait_for_ended(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class CpuTime:
    """Measures each test in the process that runs it, and all of them together in the process that prints."""

    def __init__(self, runs_tests: bool) -> None:
        self.runs_tests = runs_tests
        self.before = cpu_seconds() - process_time()
        """The seconds of what a shell ran before: its last command, as pytest is in the README, takes its place."""
        self.began = 0.0
        self.dearest: list[tuple[float, str]] = []

    def add(self, *tests: tuple[float, str]) -> None:
        self.dearest = sorted([*self.dearest, *tests], reverse=True)[:MAX_DEAREST]

    def pytest_runtest_logstart(self) -> None:
        self.began = cpu_seconds()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        if self.runs_tests and (seconds := cpu_seconds() - self.began) >= MIN_SECONDS:
            self.add((seconds, nodeid))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["dearest"] = self.dearest

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.add(*map(tuple, getattr(node, "workeroutput", {}).get("dearest", [])))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        """Print the seconds, and keep them for ``.ci/noxfile.py`` in the cache."""
        seconds, unit = cpu_seconds() - self.before, calibration()
        terminalreporter.write_line(
            f"{seconds:.0f} s of CPU, {seconds / unit:,.0f} times the {unit * 1000:.1f} ms of a fixed piece of Python"
        )
        for each, name in self.dearest:
            terminalreporter.write_line(f"{each:6.1f} s  {name}")
        if hasattr(config, "cache"):
            config.cache.set("cpu_time", {"unit": unit, "dearest": self.dearest})


def pytest_configure(config: pytest.Config) -> None:
    runs_tests = config.getoption("dist", "no") == "no" or hasattr(config, "workerinput")
    if not runs_tests:
        adopt_orphans()
    config.pluginmanager.register(CpuTime(runs_tests))
