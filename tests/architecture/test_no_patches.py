"""Nothing of another library is replaced from outside: the program overrides in subclasses of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import fourtwenty

PACKAGE = Path(fourtwenty.__file__).parent

ALLOWED = {
    "tui/browser_app.py": ["asyncio.tasks._set_task_name"],  # Pyodide calls it, and Python 3.14 has it no longer
}
"""Members of libraries that only an assignment can replace, by file."""


REPLACING = {"setattr", "delattr", "__setattr__", "__delattr__", "object"}
"""The functions that replace a member of their first argument; ``object`` comes from ``mock.patch``."""


def library_names(tree: ast.Module) -> set[str]:
    """Return the names that a module imports from anywhere but the program itself."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {(each.asname or each.name).partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] != "fourtwenty":
            names |= {each.asname or each.name for each in node.names}
    return names - {"fourtwenty"}


def targets(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is assigned to or deleted, by a statement or by ``setattr`` and ``delattr``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in REPLACING:
            yield from node.args[:1]


def patched(source: str) -> list[str]:
    """Return the members of imported modules and classes that a module's source assigns to or deletes."""
    tree = ast.parse(source)
    names = library_names(tree)
    found = []
    for target in targets(tree):
        root: ast.expr = target
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        written = ast.unparse(target)
        if isinstance(root, ast.Name) and root.id in names and not written.startswith("os.environ["):
            found.append(written)
    return found


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_member_of_a_library_is_replaced(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    assert patched(source) == ALLOWED.get(file.relative_to(PACKAGE).as_posix(), [])
    # A method of an object of a library, which mypy finds.
    assert not re.search(r"type: ignore\[[^]]*method-assign", source)


@pytest.mark.parametrize(
    "statement",
    [
        "Strip.render = render",
        "strip.Strip.render = render",
        "Strip.render, other = render, 1",
        "for Strip.render in renders: pass",
        "with open('') as Strip.render: pass",
        "Strip.COUNT += 1",
        "Strip.count: int = 1",
        "del Strip.render",
        "strip.TABLE['a'] = 1",
        "sys.modules['textual.command'] = None",
        "del sys.modules['textual.command']",
        "setattr(Strip, 'render', render)",
        "delattr(strip.Strip, 'render')",
        "type.__setattr__(Strip, 'render', render)",
        "@patch.object(Strip, 'render')\ndef one(): pass",
    ],
)
def test_every_way_to_replace_a_member_is_found(statement: str) -> None:
    imports = "import sys\nfrom textual import strip\nfrom textual.strip import Strip\nfrom fourtwenty import own\n"
    assert len(patched(imports + statement)) == 1
    assert patched(imports + "own.storage = 1\nself.text = 2\nos.environ['A'] = 'b'") == []
