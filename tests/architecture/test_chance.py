"""No test fails by chance: what is drawn follows from the test's name, and nothing is drawn from elsewhere."""

from __future__ import annotations

import ast
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from chance import seeded

import fourtwenty
from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match

TESTS = Path(__file__).parents[1]
PACKAGE = Path(fourtwenty.__file__).parent
HARMLESS = {
    "random.Random",
    "secrets.compare_digest",
    *(f"secrets.token_{kind}" for kind in ("bytes", "hex", "urlsafe")),
}
"""Names allowed from the modules of chance: a generator with a seed, and tokens, which ``seeded`` replaces."""


def drawn() -> list[object]:
    """Return the seeds of fresh matches, and one token of every kind."""
    tokens = [secrets.token_bytes(), secrets.token_hex(), secrets.token_urlsafe(8)]
    return [FairDice.fresh().seed, ManualDice.fresh().source, Match(Lineup()).dice.seed, *tokens]


def test_chance_follows_from_a_text() -> None:
    with seeded("one"):
        one = drawn()
    with seeded("one"):
        assert drawn() == one
    with seeded("other"):
        assert not set(drawn()) & set(one)


def test_chance_follows_from_the_name_of_the_test(request: pytest.FixtureRequest) -> None:
    now = drawn()
    with seeded(f"{request.path.name}::{request.node.name}"):
        assert drawn() == now


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def chances(source: Path) -> Iterator[str]:
    """Every function of a module of chance that a file names, and every generator that has no seed."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "secrets":
            yield "a token by a name of its own"
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Call) and not node.args and name_of(node.func).endswith("Random"):
            yield "a generator without a seed"
        elif isinstance(node, ast.keyword) and node.arg == "use_true_random" and ast.unparse(node.value) != "False":
            yield "true random"


@pytest.mark.parametrize("folder", [PACKAGE, TESTS], ids=["the program", "the tests"])
def test_nothing_is_drawn_from_elsewhere(folder: Path) -> None:
    named = {name for source in folder.rglob("*.py") for name in chances(source)}
    assert "secrets.token_bytes" in named
    of_chance = {name for name in named if name.split(".")[0] in ("random", "secrets", "uuid")}
    assert of_chance <= HARMLESS
    drawn_else = {"os.urandom", "os.getrandom", "a generator without a seed", "true random"}
    assert not named & {*drawn_else, "a token by a name of its own"}
