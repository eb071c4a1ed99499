"""Mutants of what mutmut leaves out: functions with a decorator, and constants of modules and classes.

    python tests/tools/mutants.py fourtwenty/games/four_twenty.py [NAME ...] [--tests PATH ...] [--jobs N]

A mutant is one change in a copy of the tree. Without --tests those of the folder of the file run (tests/games).
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import NamedTuple

SWAPS = """Lt LtE, LtE Lt, Gt GtE, GtE Gt, Eq NotEq, NotEq Eq, In NotIn, NotIn In, Is IsNot, IsNot Is, And Or, Or And,
Add Sub, Sub Add, Mult Add, Div Mult, FloorDiv Mult, Mod FloorDiv, Pow Mult, LShift RShift, RShift LShift, BitOr BitAnd,
BitAnd BitOr, BitXor BitAnd, min max, max min, any all, all any"""
OTHER = dict(pair.split() for pair in SWAPS.split(","))
"""What takes the place of an operator, by its name in the syntax tree, or of a function."""


class Mutant(NamedTuple):
    """A file with one change: its text, and the line, the name around it and the code before and after."""

    change: str
    source: str


class Replace(ast.NodeTransformer):
    """Puts one node of a tree into the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def left_out(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """Yield by name what mutmut 3.8 (mutation/file_mutation.py) leaves out, of a module or class and its classes."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from left_out(node.body)
        elif isinstance(node, ast.FunctionDef):
            if ",".join(map(ast.unparse, node.decorator_list)) not in ("", "classmethod", "staticmethod"):
                yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            if name.isupper() or isinstance(node, ast.AnnAssign):
                yield name, node


def code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that a call carries out: no decorators, types or sentences."""
    yield node
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            aside = isinstance(child, ast.arguments | ast.JoinedStr | ast.Raise)
            if isinstance(child, ast.AST) and not aside and field not in ("decorator_list", "annotation", "returns"):
                yield from code(child)


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


def mutants(source: str, names: Sequence[str] = ()) -> Iterator[Mutant]:
    """Yield the mutants of a file; of these functions and constants only, if any are named."""
    tree = ast.parse(source)
    for name, target in left_out(tree.body):
        for node in [*code(target)] if name in names or not names else ():
            for new in changes(node):
                before, after = (ast.unparse(each).partition("\n")[0] for each in (node, new))
                changed = ast.unparse(Replace(node, new).visit(tree))
                Replace(new, node).visit(tree)
                yield Mutant(f"{node.lineno} {name}: {before}  ->  {after}", changed)  # type: ignore[attr-defined]


def survivors(root: Path, file: str, found: Sequence[Mutant], tests: Sequence[str], jobs: int) -> Iterator[Mutant]:
    """Yield the mutants of a file below ``root`` with which these tests pass, and pass in time."""
    copies: SimpleQueue[Path] = SimpleQueue()
    command = [
        sys.executable,
        *["-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", "-m"],
        "not terminal",
        *tests,
    ]

    def failure(source: str, seconds: float | None = None) -> str:
        """Return what a failing run of the tests prints last; empty when they pass."""
        copy = copies.get()
        (copy / file).write_text(source, encoding="utf-8")
        path = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(command, cwd=copy, env=path, capture_output=True, text=True, timeout=seconds)
            return f"status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            return "out of time"
        finally:
            copies.put(copy)

    with TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as workers:
        for job in range(jobs):
            copies.put(Path(shutil.copytree(root, f"{folder}/{job}", ignore=shutil.ignore_patterns(".*"))))
        begun = time.monotonic()
        if failed := failure((root / file).read_text(encoding="utf-8")):
            sys.exit(f"The tests fail without a mutant: {failed}")
        seconds = 30 + 3 * jobs * (time.monotonic() - begun)
        failures = workers.map(lambda mutant: failure(mutant.source, seconds), found)
        yield from (mutant for mutant, failed in zip(found, failures, strict=True) if not failed)


def main() -> None:
    parser = ArgumentParser(description="Print the mutants that no test kills, where mutmut makes none.")
    parser.add_argument("file")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--tests", nargs="+", metavar="PATH")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    found, lived = [*mutants(Path(asked.file).read_text(encoding="utf-8"), asked.names)], 0
    tests = asked.tests or [f"tests/{Path(asked.file).parts[1]}"]
    for mutant in survivors(Path(), asked.file, found, tests, asked.jobs):
        lived += 1
        print(f"{asked.file}:{mutant.change}", flush=True)
    print(f"{len(found)} mutants: {len(found) - lived} killed, {lived} survived")


if __name__ == "__main__":
    main()
