"""Mutants of what mutmut leaves out, functions with a decorator and constants, or a sample of all there are.

    python tests/tools/mutants.py FILE ... [NAME ...] [--tests PATH ...] [--jobs N]
    python tests/tools/mutants.py FOLDER ... --sample N [--seed N]

A mutant is one change in a copy of the tree. It meets the tests that have run its line, the quickest first, until one
fails. Which have is what the last run of pytest kept (lines_reached.py).
"""

from __future__ import annotations

import ast
import os
import pickle
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from lines_reached import PassedTests, pieces
from long_tests import ROOT

SWAPS = """Lt LtE, LtE Lt, Gt GtE, GtE Gt, Eq NotEq, NotEq Eq, In NotIn, NotIn In, Is IsNot, IsNot Is, And Or, Or And,
Add Sub, Sub Add, Mult Add, Div Mult, FloorDiv Mult, Mod FloorDiv, Pow Mult, LShift RShift, RShift LShift, BitOr BitAnd,
BitAnd BitOr, BitXor BitAnd, min max, max min, any all, all any"""
OTHER = dict(pair.split() for pair in SWAPS.split(","))
"""What takes the place of an operator, by its name in the syntax tree, or of a function."""


class Mutant(NamedTuple):
    """A file with one change."""

    file: str
    """Its path below the root."""
    change: str
    """The line, the name around it, and the code before and after."""
    source: str
    lines: frozenset[int]
    """The lines of which a test runs one if it can notice the change: of a constant, the functions that name it."""


class Replace(ast.NodeTransformer):
    """Puts one node of a tree into the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def targets(body: Iterable[ast.stmt], every: bool) -> Iterator[tuple[str, ast.stmt]]:
    """Yield functions and constants of a module or class and its classes by name.

    Unless it is every one: those that mutmut 3.8 (mutation/file_mutation.py) leaves out.
    """
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from targets(node.body, every)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if every or ",".join(map(ast.unparse, node.decorator_list)) not in ("", "classmethod", "staticmethod"):
                yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            if name.isupper() or isinstance(node, ast.AnnAssign):
                yield name, node


def code(node: ast.AST, line: int = 0) -> Iterator[tuple[ast.AST, int]]:
    """Yield the nodes that a call carries out, with the line of the statement: no decorators, types or sentences."""
    line = node.lineno if isinstance(node, ast.stmt) else line
    yield node, line
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            aside = isinstance(child, ast.arguments | ast.JoinedStr | ast.Raise)
            if isinstance(child, ast.AST) and not aside and field not in ("decorator_list", "annotation", "returns"):
                yield from code(child, line)


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node may be replaced by."""

    def other(**fields: object) -> ast.AST:
        return type(node)(**{**dict(ast.iter_fields(node)), **fields})

    def swapped(op: ast.AST) -> ast.AST:
        return getattr(ast, OTHER[type(op).__name__])()  # type: ignore[no-any-return]

    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        yield other(op=swapped(node.op))
    elif isinstance(node, ast.Compare):
        yield from (other(ops=[*node.ops[:at], swapped(op), *node.ops[at + 1 :]]) for at, op in enumerate(node.ops))
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield other(test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Return) and node.value and ast.unparse(node.value) != "None":
        yield other(value=ast.Constant(None))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Name) and node.id in OTHER:
        yield ast.Name(OTHER[node.id])


def using(tree: ast.AST, name: str) -> Iterator[int]:
    """Yield the lines of the functions that name a constant."""
    for node in ast.walk(tree):
        named = (getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(node))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and name in named:
            yield from range(node.body[0].lineno, (node.end_lineno or 0) + 1)


class Change(NamedTuple):
    """A node of a file and what takes its place."""

    file: str
    tree: ast.Module
    name: str
    target: ast.stmt
    """The function or constant of that name."""
    line: int
    """The first line of the statement."""
    node: ast.AST
    new: ast.AST

    def mutant(self) -> Mutant:
        before, after = (ast.unparse(each).partition("\n")[0] for each in (self.node, self.new))
        changed = ast.unparse(Replace(self.node, self.new).visit(self.tree))
        Replace(self.new, self.node).visit(self.tree)
        number: int = self.node.lineno  # type: ignore[attr-defined]
        users = frozenset() if hasattr(self.target, "body") else frozenset(using(self.tree, self.name))
        change = f"{number} {self.name}: {before}  ->  {after}"
        return Mutant(self.file, change, changed, users or frozenset((number, self.line)))


def changes_of(file: str, source: str, names: Sequence[str] = (), every: bool = False) -> Iterator[Change]:
    """Yield the changes of a file that make a mutant; of these functions and constants only, if any are named."""
    tree = ast.parse(source)
    for name, target in targets(tree.body, every):
        for node, line in [*code(target)] if name in names or not names else ():
            yield from (Change(file, tree, name, target, line, node, new) for new in changes(node))


def tests_of(mutant: Mutant, known: dict[str, PassedTests]) -> dict[str, float]:
    """Return the tests to meet a mutant in their order, with their seconds.

    They are those that have run its lines, the quickest first, then those of the folder that have run its file: what a
    test finds in a cache it has not run.
    """
    outside, each = pieces(str(ROOT / mutant.file))
    bits = [(piece, 1 << (line - 1 - first)) for line in mutant.lines for piece, first in [each[line - 1]]]
    folder = f"tests/{Path(mutant.file).parts[1]}/"
    found = [
        (not near, test.seconds, name)
        for name, test in known.items()
        if not test.in_terminal
        if (near := any(test.reach.get(piece, 0) & bit for piece, bit in bits))
        or (name.startswith(folder) and outside in test.reach)
    ]
    return {name: seconds for _, seconds, name in sorted(found)}


def run(copy: Path, tests: Collection[str], seconds: float) -> str:
    """Return the test that fails first in a copy of the tree; empty when all pass."""
    (copy / "tests-to-run").write_text("\n".join(tests), encoding="utf-8")
    options = ["-x", "-q", "-rfE", "--tb=no", "-n0", "-p", "no:cacheprovider"]
    path = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, "@tests-to-run"],
            cwd=copy, env=path, capture_output=True, text=True, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "out of time"
    lines = (done.stdout + done.stderr).splitlines()
    failed = [line.partition(" ")[2] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    names = [name for name in tests if failed and failed[0].startswith(name)]  # the name may have a dash, too
    found = [*names, *(line.partition(" - ")[0] for line in failed), f"status {done.returncode}: {lines[-1]}"]
    return found[0] if done.returncode else ""


def killers(
    root: Path, found: Sequence[Mutant], tests: Callable[[Mutant], dict[str, float]], jobs: int
) -> Iterator[tuple[Mutant, str]]:
    """Yield the mutants of files below ``root``, and what fails with each first: a test, or the time that it takes."""
    copies: SimpleQueue[Path] = SimpleQueue()

    def killer(mutant: Mutant) -> str:
        copy, seconds = copies.get(), tests(mutant)
        limit, names = 60 + 5 * sum(seconds.values()), [*seconds]
        (copy / mutant.file).write_text(mutant.source, encoding="utf-8")
        try:
            return next(
                (failed for part in (names[:20], names[20:]) if part and (failed := run(copy, part, limit))), ""
            )
        finally:
            shutil.copy2(root / mutant.file, copy / mutant.file)
            copies.put(copy)

    with TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as workers:
        for job in range(jobs):
            copies.put(Path(shutil.copytree(root, f"{folder}/{job}", ignore=shutil.ignore_patterns(".*"))))
        failing: set[str] = set()
        for mutant, name in zip(found, workers.map(killer, found), strict=True):
            failing |= {name} if "::" in name else set()
            yield mutant, name
        if failing and (failed := run(copies.get(), failing, 3600)):
            sys.exit(f"Without a mutant, too, fails {failed}")


def main() -> None:
    parser = ArgumentParser(description="Print what kills each mutant where mutmut makes none, or of a sample of all.")
    parser.add_argument("names", nargs="+", metavar="FILE, FOLDER or NAME")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of each file or folder, of all functions")
    parser.add_argument("--seed", type=int, default=420)
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="PATH")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    places = [name for name in asked.names if Path(name).exists()]
    names = [name for name in asked.names if name not in places]
    found: list[Mutant] = []
    for place in places:
        files = [place] if place.endswith(".py") else sorted(file.as_posix() for file in Path(place).rglob("*.py"))
        of_place = [
            change
            for file in files
            for change in changes_of(file, Path(file).read_text(encoding="utf-8"), names, every=bool(asked.sample))
        ]
        chosen = Random(asked.seed).sample(range(len(of_place)), asked.sample) if asked.sample else range(len(of_place))
        found += [of_place[number].mutant() for number in sorted(chosen)]
    record: dict[str, PassedTests] = pickle.loads(Path(".pytest_cache/d/lines_reached/tests").read_bytes())
    known = {name: test for name, test in record.items() if name.startswith(tuple(asked.tests))}
    lived = 0
    for mutant, killer in killers(Path(), found, lambda mutant: tests_of(mutant, known), asked.jobs):
        lived += not killer
        print(f"{mutant.file}:{mutant.change}  |  {killer or 'SURVIVED'}", flush=True)
    print(f"{len(found)} mutants: {len(found) - lived} killed, {lived} survived")


if __name__ == "__main__":
    main()
