"""A plugin of pytest: it keeps which lines each test runs, and chooses tests by them.

From Python 3.12 on every run of tests keeps them, in the cache of pytest. What the processes do that a test starts is
not seen, nor a change to a file that is not of Python.
"""

from __future__ import annotations

import ast
import os
import pickle
import sys
from functools import cache
from heapq import heappop, heappush
from math import inf
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple
from zlib import crc32

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = str(ROOT / "fourtwenty")
CODE = (PRODUCT, str(ROOT / "tests"), str(ROOT / "docs"))

Piece = tuple[str, str, int]
"""A file, a function in it, or "" for all that is in no function, and the checksum of that text."""
Reach = dict[Piece, int]
"""The lines that a test has run: of each piece one bit a line. What is in no function is among them, for each file."""


class Passed(NamedTuple):
    """A test that has passed: how long it took, in seconds of the processor, and the lines that it has run."""

    seconds: float
    reach: Reach
    in_terminal: bool
    """Whether it starts the program, whose lines are not seen."""


@cache
def pieces(file: str) -> tuple[Piece, list[tuple[Piece, int]]]:
    """Return what is in no function, and of each line the innermost function, with the number of its first line."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    spans: list[tuple[str, int]] = [("", 0)] * len(lines)

    def walk(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}"
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min(each.lineno for each in (child, *child.decorator_list)) - 1
                last = child.end_lineno or first
                spans[first:last] = [(inner, first)] * (last - first)
            walk(child, inner)

    walk(ast.parse("\n".join(lines)), "")
    texts: dict[tuple[str, int], str] = {("", 0): ""}
    for span, line in zip(spans, lines, strict=True):
        texts[span] = f"{texts.get(span, '')}{line}\n"
    found = {span: ((file, span[0], crc32(text.encode())), span[1]) for span, text in texts.items()}
    return found["", 0][0], [found[span] for span in spans]


class Recorder:
    """Notes the lines that a test runs, and keeps them when it has passed."""

    TOOL = 3
    """The number of sys.monitoring that neither coverage nor a debugger nor a profiler takes."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()
        self.kept: dict[str, Passed] = {}
        self.began = 0.0
        self.monitoring: Any = vars(sys)["monitoring"]  # since Python 3.12, as mypy for 3.11 does not know
        self.monitoring.use_tool_id(self.TOOL, "lines_reached")
        self.monitoring.register_callback(self.TOOL, self.monitoring.events.LINE, self.ran)
        self.monitoring.set_events(self.TOOL, self.monitoring.events.LINE)

    def ran(self, code: CodeType, line: int) -> object:
        """Note a line, and ask not to be told of it again in this test."""
        if code.co_filename.startswith(CODE):
            self.lines.add((code.co_filename, line))
        return self.monitoring.DISABLE

    def pytest_runtest_logstart(self) -> None:
        self.lines.clear()
        self.began = worked()
        self.monitoring.restart_events()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            reach = Reach()
            self.kept[report.nodeid] = Passed(worked() - self.began, reach, "terminal" in report.keywords)
            for file, line in list(self.lines):  # what happens here, and in other threads, adds to it
                outside, each = pieces(file)
                piece, first = each[line - 1]
                reach[piece] = reach.get(piece, 0) | 1 << (line - 1 - first)
                reach.setdefault(outside, 0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.monitoring.set_events(self.TOOL, 0)  # before Python 3.14 free_tool_id leaves them on
        self.monitoring.free_tool_id(self.TOOL)
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["lines_reached"] = pickle.dumps(self.kept)
        else:
            keep(session.config, self.kept)


def worked() -> float:
    """Return the seconds that the processor has worked for this process and those that it has started and seen end."""
    return sum(os.times()[:4])


def record(config: pytest.Config) -> Path:
    """Return the file of what is kept."""
    return config.cache.mkdir("lines_reached") / "tests"


def recalled(config: pytest.Config) -> dict[str, Passed]:
    """Return the tests that have passed, by name, as they did last."""
    file = record(config)
    return pickle.loads(file.read_bytes()) if file.is_file() else {}


def keep(config: pytest.Config, passed: dict[str, Passed]) -> None:
    """Keep tests that have passed, beside all others."""
    record(config).write_bytes(pickle.dumps(recalled(config) | passed))


def changed(passed: dict[str, Passed]) -> set[str]:
    """Return the names of the tests that have run a function, or any part of a file, whose text is another now."""
    before = {piece for test in passed.values() for piece in test.reach}
    now: set[Piece] = set()
    for file in {file for file, _, _ in before if Path(file).is_file()}:
        outside, each = pieces(file)
        now |= {outside, *(piece for piece, _ in each)}
    return {name for name, test in passed.items() if not now.issuperset(test.reach)}


LEAST_SECONDS = 0.01
"""The work that pytest itself has with every test."""


def each_line_once(passed: dict[str, Passed]) -> set[str]:
    """Return the names of tests that run, together, every line of the product that any test has run.

    Each is the one that runs, for its time, the most lines which none before it has run.
    """
    product = {
        name: {piece: lines for piece, lines in test.reach.items() if piece[0].startswith(PRODUCT)}
        for name, test in passed.items()
    }
    chosen: set[str] = set()
    covered: Reach = {}
    # The lines in a second that each may add at most, as negative numbers.
    tests = [(-inf, name) for name in sorted(product)]
    while tests:
        _, name = heappop(tests)
        new = {piece: rest for piece, lines in product[name].items() if (rest := lines & ~covered.get(piece, 0))}
        more = sum(map(int.bit_count, new.values())) / max(passed[name].seconds, LEAST_SECONDS)
        if tests and more < -tests[0][0]:
            if more:
                heappush(tests, (-more, name))
        elif more:
            chosen.add(name)
            covered |= {piece: lines | covered.get(piece, 0) for piece, lines in new.items()}
        product[name] = new
    return chosen


def each_terminal_once(passed: dict[str, Passed]) -> set[str]:
    """Return the names of the tests in terminals, of each function the one that takes the least time."""
    first: dict[str, str] = {}
    for name in sorted(passed, key=lambda each: (passed[each].seconds, each)):
        if passed[name].in_terminal:
            first.setdefault(name.partition("[")[0], name)
    return {*first.values()}


class Choice:
    """Leaves out the tests that are known and not chosen."""

    def __init__(self, known: set[str], chosen: set[str]) -> None:
        self.left_out = known - chosen
        self.files = {name.partition("::")[0] for name in known} - {name.partition("::")[0] for name in chosen}

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Do not even import a file without a test to run: that takes longer than most tests."""
        file = collection_path.relative_to(config.rootpath).as_posix()
        return True if file in self.files else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left_out = [item for item in items if item.nodeid in self.left_out]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lines reached")
    group.addoption("--changed", action="store_true", help="run tests of what has changed since they passed")
    group.addoption(
        "--each-line-once", action="store_true", help="run tests enough for each line, and each test in a terminal once"
    )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "cache"):
        return
    if config.getoption("changed") or config.getoption("each_line_once"):
        known = recalled(config)
        chosen = changed(known) if config.getoption("changed") else each_line_once(known) | each_terminal_once(known)
        config.pluginmanager.register(Choice({*known}, chosen))
    runs_tests = config.getoption("dist", "no") == "no" or hasattr(config, "workerinput")
    if runs_tests and sys.version_info >= (3, 12):
        config.pluginmanager.register(Recorder())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Keep what a worker of pytest-xdist has noted."""
    if reached := getattr(node, "workeroutput", {}).get("lines_reached"):
        keep(node.config, pickle.loads(reached))
