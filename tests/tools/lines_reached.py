"""A plugin of pytest: it keeps which lines each test runs, and chooses tests by them.

With ``--record`` a run of tests keeps them, in the cache of pytest, from Python 3.12 on: that takes up to a seventh of
the work of a test. The processes that a test starts are not seen, nor a change to a file that is not of Python.
"""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from heapq import heappop, heappush
from math import inf
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from cpu_time import cpu_seconds
from long_tests import REPOSITORY, ROOT

PRODUCT = str(ROOT / "fourtwenty")
CODE = (PRODUCT, str(ROOT / "tests"), str(ROOT / "docs"))
EACH_LINE_ONCE = "tests/each_line_once.json"
"""The file of the choice that the repository keeps: see ``EachLineOnce``."""

Piece = tuple[str, str, int]
"""A file, a function in it, or "" for all that is in no function, and the checksum of that text."""
Reach = dict[Piece, int]
"""The lines that a test has run: of each piece one bit a line. What is in no function is among them, for each file."""


class PassedTests(NamedTuple):
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
        self.kept: dict[str, PassedTests] = {}
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
        self.began = cpu_seconds()
        self.monitoring.restart_events()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            reach = Reach()
            self.kept[report.nodeid] = PassedTests(cpu_seconds() - self.began, reach, "terminal" in report.keywords)
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


def record(config: pytest.Config) -> Path:
    """Return the file of what is kept."""
    return config.cache.mkdir("lines_reached") / "tests"


def recalled(config: pytest.Config) -> dict[str, PassedTests]:
    """Return the tests that have passed, by name, as they did last."""
    file = record(config)
    return pickle.loads(file.read_bytes()) if file.is_file() else {}


def keep(config: pytest.Config, passed: dict[str, PassedTests]) -> None:
    """Keep tests that have passed, beside all others."""
    record(config).write_bytes(pickle.dumps(recalled(config) | passed))


def changed(passed: dict[str, PassedTests]) -> set[str]:
    """Return the names of the tests that have run a function, or any part of a file, whose text is another now."""
    before = {piece for test in passed.values() for piece in test.reach}
    now: set[Piece] = set()
    for file in {file for file, _, _ in before if Path(file).is_file()}:
        outside, each = pieces(file)
        now |= {outside, *(piece for piece, _ in each)}
    return {name for name, test in passed.items() if not now.issuperset(test.reach)}


MIN_SECONDS = 0.01
"""The work that pytest itself has with every test."""


def each_line_once(passed: dict[str, PassedTests]) -> set[str]:
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
        more = sum(map(int.bit_count, new.values())) / max(passed[name].seconds, MIN_SECONDS)
        if tests and more < -tests[0][0]:
            if more:
                heappush(tests, (-more, name))
        elif more:
            chosen.add(name)
            covered |= {piece: lines | covered.get(piece, 0) for piece, lines in new.items()}
        product[name] = new
    return chosen


def each_terminal_once(passed: dict[str, PassedTests]) -> set[str]:
    """Return the names of the tests in terminals, of each function the one that takes the least time."""
    first: dict[str, str] = {}
    for name in sorted(passed, key=lambda each: (passed[each].seconds, each)):
        if passed[name].in_terminal:
            first.setdefault(name.partition("[")[0], name)
    return {*first.values()}


def file_of(name: str) -> str:
    return name.partition("::")[0]


def function_of(name: str) -> str:
    """Return the name of a test without its case."""
    return name.partition("[")[0]


def functions_in(path: Path) -> set[str]:
    """Return the names of the tests in a file; none where it is gone."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {*re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE)}


def lines_of_product(root: Path) -> dict[str, int]:
    """Return the number of lines of each module."""
    found = sorted((root / "fourtwenty").rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_bytes().count(b"\n") for path in found}


TestsByFile = dict[str, list[str]]
"""Names of tests, without that of their file, by file."""


def by_file(names: Iterable[str]) -> TestsByFile:
    found = TestsByFile()
    for name in sorted(names):
        file, _, test = name.partition("::")
        found.setdefault(file, []).append(test)
    return found


class EachLineOnce(NamedTuple):
    """The choice that the repository keeps, for those who have not recorded any."""

    run: TestsByFile
    """The tests that are chosen."""
    left_out: TestsByFile
    """The functions none of whose cases is chosen. What is in neither is new or renamed, and runs."""
    lines: dict[str, int]
    """The product at that time: the number of lines of each module."""

    @classmethod
    def among(cls, passed: dict[str, PassedTests], root: Path) -> EachLineOnce:
        """Choose among tests that have passed."""
        run = each_line_once(passed) | each_terminal_once(passed)
        left_out = {*map(function_of, passed)} - {*map(function_of, run)}
        return cls(by_file(run), by_file(left_out), lines_of_product(root))

    @classmethod
    def read(cls, root: Path) -> EachLineOnce:
        return cls(**json.loads((root / EACH_LINE_ONCE).read_text(encoding="utf-8")))

    def write(self, root: Path) -> None:
        (root / EACH_LINE_ONCE).write_text(json.dumps(self._asdict(), indent=1) + "\n", encoding="utf-8", newline="\n")

    def age(self, root: Path) -> float:
        """Return which part of its tests is gone, or of the product's lines is more or fewer, whichever is greater."""
        there = {file: functions_in(root / file) for file in self.run}
        gone = [function_of(test) not in there[file] for file, tests in self.run.items() for test in tests]
        now = lines_of_product(root)
        moved = sum(abs(now.get(file, 0) - self.lines.get(file, 0)) for file in now | self.lines)
        return max(sum(gone) / len(gone), moved / sum(self.lines.values()))

    def choice(self, root: Path) -> Selection:
        """Return what leaves out the others, as long as they are known."""

        def leaves_out(name: str) -> bool:
            file, _, test = name.partition("::")
            run = self.run.get(file, [])
            return test not in run and function_of(test) in (*map(function_of, run), *self.left_out.get(file, []))

        return Selection(
            leaves_out, {file for file, tests in self.left_out.items() if functions_in(root / file) <= {*tests}}
        )


class Selection:
    """Leaves out the tests of which this is true, and files of which nothing is to run."""

    def __init__(self, leaves_out: Callable[[str], bool], files: set[str]) -> None:
        self.leaves_out, self.files = leaves_out, files

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Do not even import a file without a test to run: that takes longer than most tests."""
        file = collection_path.relative_to(config.rootpath).as_posix()
        return True if file in self.files else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left_out = [item for item in items if self.leaves_out(item.nodeid)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lines reached")
    group.addoption("--record", action="store_true", help="keep the lines that each test runs, from Python 3.12 on")
    group.addoption(
        "--changed", action="store_true", help="record, and run only tests of what has changed since they were recorded"
    )
    group.addoption(
        "--each-line-once", action="store_true", help="run tests enough for each line, and each test in a terminal once"
    )
    group.addoption(
        "--choose", action="store_true", help=f"record all anew, and write {EACH_LINE_ONCE} if every test passes"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("each_line_once"):
        config.pluginmanager.register(EachLineOnce.read(ROOT).choice(ROOT))
    is_worker = hasattr(config, "workerinput")
    if config.getoption("changed"):
        known = recalled(config)
        chosen = changed(known)
        left_out = {*known} - chosen
        files = {*map(file_of, known)} - {*map(file_of, chosen)}
        config.pluginmanager.register(Selection(left_out.__contains__, files))
    if config.getoption("choose") and not is_worker:
        record(config).unlink(missing_ok=True)
        os.environ["FOURTWENTY_CHANGED"] = ""  # what is long now may be skipped when the choice is read
    records = any(map(config.getoption, ("record", "changed", "choose")))
    runs_tests = config.getoption("dist", "no") == "no" or is_worker
    if records and runs_tests and sys.version_info >= (3, 12):
        config.pluginmanager.register(Recorder())


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the choice, once what this process or every worker has noted is kept."""
    config = session.config
    writes = config.getoption("choose") and not hasattr(config, "workerinput") and exitstatus == pytest.ExitCode.OK
    if writes and (passed := recalled(config)):  # none before Python 3.12
        EachLineOnce.among(passed, ROOT).write(REPOSITORY)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Keep what a worker of pytest-xdist has noted."""
    if reached := getattr(node, "workeroutput", {}).get("lines_reached"):
        keep(node.config, pickle.loads(reached))
