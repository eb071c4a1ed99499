"""The rules of the tests themselves, read from their syntax trees: each thing has an owner, and no word is in a key.

Not seen are what the program and its libraries open, a fork, and words and patterns that are made while a test runs.
A task needs no owner: the event loop of its test ends it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

TESTS = Path(__file__).parents[1]
BENCHMARKS = TESTS / "benchmarks"
"""They are programs, which end with all that they have opened."""

OPENERS = {
    *("socket", "create_connection", "create_server", "socketpair", "open_connection", "start_server"),
    *("Popen", "create_subprocess_exec", "create_subprocess_shell", "Process", "pipe", "openpty"),
    *("Thread", "Timer", "ThreadPoolExecutor", "ProcessPoolExecutor", "new_event_loop"),
    *("TCPServer", "ThreadingTCPServer", "HTTPServer", "ThreadingHTTPServer"),
}
"""Functions and classes that open a socket, a process, a pipe, a thread or an event loop."""
OWNERS = {"enter_context", "enter_async_context", "closing"}
"""Functions that make a block close an object."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def methods(space: ast.AST) -> dict[str, Function]:
    return {node.name: node for node in getattr(space, "body", ()) if isinstance(node, Function)}


def ends(space: ast.AST | None) -> TypeGuard[ast.ClassDef]:
    """Whether this is a class of contexts."""
    return isinstance(space, ast.ClassDef) and not {"__exit__", "__aexit__"}.isdisjoint(methods(space))


class SourceReader:
    """A tree, with what surrounds each of its nodes."""

    def __init__(self, tree: ast.AST) -> None:
        self.tree = tree

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the node and all around it, from the inside out."""
        while node:
            yield node
            if node not in self.parents:
                return
            node = self.parents[node]

    def opened(self, openers: set[str]) -> Iterator[ast.Call]:
        """Yield the calls of functions and classes with these names."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and name_of(node.func) in openers:
                yield node

    def statement(self, node: ast.AST) -> ast.stmt:
        return next(each for each in self.around(node) if isinstance(each, ast.stmt))

    def after(self, statement: ast.stmt) -> ast.AST | None:
        """Return the statement after one, in its block."""
        for _, block in ast.iter_fields(self.parents[statement]):
            if isinstance(block, list) and statement in block:
                return next(iter(block[block.index(statement) + 1 :]), None)
        return None

    def is_owned(self, call: ast.Call) -> bool:
        """Whether a block ends what a call opens: it is its item, or the next statement, or a class ends it."""
        statement = self.statement(call)
        for node in self.around(call):
            waits = name_of(call.func) == "Popen"  # its own block waits for a program that a failed test leaves running
            if isinstance(node, ast.withitem):
                return not waits or isinstance(self.statement(node).body[0], ast.Try)  # type: ignore[attr-defined]
            if isinstance(node, ast.Call) and name_of(node.func) in OWNERS:
                return not waits
        following = self.after(statement)
        if (isinstance(following, ast.Try) and following.finalbody) or isinstance(following, ast.With):
            return True
        kept = isinstance(statement, ast.Assign) and "self." in ast.unparse(statement.targets[0])
        return kept and ends(next((each for each in self.around(call) if isinstance(each, ast.ClassDef)), None))


def written(pattern: str) -> dict[str, ast.Module]:
    """Return the trees of the files that have a pattern: to make all of them takes seconds."""
    sources = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py") if BENCHMARKS not in path.parents}
    return {path.name: ast.parse(source) for path, source in sources.items() if re.search(pattern, source)}


def readers(openers: set[str]) -> dict[str, SourceReader]:
    """Return the files that call functions and classes with these names."""
    return {name: SourceReader(tree) for name, tree in written(rf"\b({'|'.join(openers)})\(").items()}


def openers() -> set[str]:
    """Return what opens something, with the classes of contexts in the tests that do so when they are made."""
    found = set(OPENERS)
    for reader in readers(OPENERS).values():
        for call in reader.opened(OPENERS):
            maker = next((each for each in reader.around(call) if isinstance(each, Function)), None)
            if maker and maker.name == "__init__" and ends(space := reader.parents[maker]):
                found.add(space.name)
    return found


def unowned(reader: SourceReader, openers: set[str]) -> Iterator[str]:
    """Yield the calls that open what nothing ends."""
    for call in reader.opened(openers):
        if not reader.is_owned(call):
            yield f"line {call.lineno}: {ast.unparse(call)}"


OWNED = """
async def f():
    async with await asyncio.start_server(g) as server, await h() as other:
        stack.enter_context(closing(socket.socket()))
    reader, writer = await open_connection()
    try:
        pass
    finally:
        writer.close()
    with subprocess.Popen([]) as process:
        try:
            pass
        finally:
            process.kill()

class Context:
    def __init__(self):
        self.process = Popen([])
    def __exit__(self, *error):
        self.process.kill()
"""
UNOWNED = (
    "thread = Thread(target=f)",
    "reader, writer = await asyncio.open_connection()\nwriter.close()",
    "process = subprocess.Popen([])\ntry:\n    pass\nexcept OSError:\n    pass",
    "with subprocess.Popen([]) as process:\n    process.wait()",
    "class C:\n    def __init__(self):\n        self.pipe = os.pipe()",
)


def test_what_a_test_opens_is_closed_where_it_fails() -> None:
    """Else the test after it fails, by a warning of what it has not opened, or hangs."""
    assert not [*unowned(SourceReader(ast.parse(OWNED)), OPENERS)]
    for text in UNOWNED:
        assert len([*unowned(SourceReader(ast.parse(text)), OPENERS)]) == 1, text
    every = openers()
    assert {"Terminal", "Program"} <= every
    found = {name: [*unowned(reader, every)] for name, reader in readers(every).items()}
    assert {name: calls for name, calls in found.items() if calls} == {}


# -- words in random text ----------------------------------------------------------------------------------------------

ALPHABETS = (
    (10, "0123456789"),
    (16, "0123456789abcdef"),
    (16, "0123456789ABCDEF"),
    (36, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    (66, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_+/"),
)
"""The characters of numbers, digests, codes and NATS keys, and base64, with their number."""
RANDOM, CHANCE = 1000, 1e-4
"""A text of so many random characters of one alphabet may have a word in it with this chance at most."""


def chance(word: str | bytes) -> float:
    """Return the chance that a text of random characters, or of bytes, has a word in it."""
    letters = set(word if isinstance(word, str) else word.decode("latin-1"))
    sizes = [size for size, alphabet in ALPHABETS if letters <= set(alphabet)]
    if isinstance(word, bytes):
        sizes.append(256)
    return float(RANDOM / min(sizes) ** len(word)) if sizes else 0.0


def risky(tree: ast.AST) -> Iterator[str]:
    """Yield the assertions that a word is not in a text, where one of random characters may well have it."""
    asserted = [node.test for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    for node in [node for test in asserted for node in ast.walk(test) if isinstance(node, ast.Compare)]:
        for left, operator in zip([node.left, *node.comparators], node.ops, strict=False):
            word = getattr(left, "value", None)
            if isinstance(operator, ast.NotIn) and isinstance(word, str | bytes) and chance(word) > CHANCE:
                yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_word_is_missed_where_a_random_key_may_have_it() -> None:
    """One run in 28 failed by three letters in the key of a broker. Match the beginning of a line, or more of it."""
    for text in ('b"MSG" not in said', '"12" not in link', '"beef" not in digest', '"KEY" not in text'):
        assert [*risky(ast.parse(f"assert {text}"))], text
    for text in ('b"MSG " not in said', '"Coach" not in screen', '"no room" not in text', '"AUTHORIZED" not in text'):
        assert not [*risky(ast.parse(f"assert {text}"))], text
    found = {name: [*risky(tree)] for name, tree in written(r"[\"'].{1,6}[\"'] not in ").items()}
    assert {name: calls for name, calls in found.items() if calls} == {}
