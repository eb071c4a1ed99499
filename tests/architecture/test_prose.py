"""Three habits that make English hard to read, counted in docstrings and in texts for people: the count only falls.

They are a pronoun where a noun belongs ("Those of all machines"), a negated noun where a plain statement says more ("is
no record"), and a bodily verb for what a program does ("lies in a folder").
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import fourtwenty

PACKAGE = Path(fourtwenty.__file__).parent

BUDGET = 25
"""Habits in the package. Lower it with every sentence that is written anew, and never raise it."""

HABITS = re.compile(
    r"(?:\A|[.!?:] )\W*(?:(?:Who|What)\b(?![^.!:]*\?)|(?:Those|That of|As)\b)"
    r"|\bthat of\b|\bthose (?:of|that|who|which)\b"
    r"|\b(?:is|are) no (?!longer\b|more\b|later\b|earlier\b|fewer\b|less\b)[A-Za-z]+"
    r"|\b(?:is|are) of\b"
    r"|\b(?:lay|laid|lie|lies)\b"
)
"""An opening of any sentence but a question, and words anywhere. "Is no longer" and its like are plain English."""


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of each docstring, of attributes too, and of each other string with a space.

    An f-string is one text, with an ellipsis for each value.
    """
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
            yield node.lineno, " ".join("".join(map(str, parts)).split())
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, " ".join(node.value.split())


def habits(source: str) -> list[tuple[int, str]]:
    """Return the line of each text in the source of a module that has a habit, with the words."""
    spaced = ((line, text) for line, text in texts(ast.parse(source)) if " " in text)
    return sorted((line, found[0]) for line, text in spaced for found in HABITS.finditer(text))


def test_no_habit_is_added() -> None:
    found = {path: habits(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    listed = [f"{path.relative_to(PACKAGE)}:{line}: {words}" for path, each in found.items() for line, words in each]
    folders = Counter(line.partition("/")[0] for line in listed)
    assert len(listed) <= BUDGET, "\n".join([*listed, str(folders)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Those of all these machines", "Those"),
        ("As it was wanted last", "As"),
        ("*What* shows that they were fair", "What"),
        ("That of a seat", "That of"),
        ("Seats of a match: those that left", "those that"),
        ("Ends a match. Who agrees is counted", "Who"),
        ("this is no record", "is no record"),
        ("the dice are no secret", "are no secret"),
        ("it is of a trial copy", "is of"),
        ("the folder that it lies in", "lies"),
        ("entries that others have laid", "laid"),
    ],
)
def test_each_habit_is_found(text: str, words: str) -> None:
    for source in (f"'''{text}.'''", f"seats = 2\n'''{text}.'''", f"say('{text}')", f"say(f'{text}: {{seats}}')"):
        assert [found.lstrip("*:. ") for _, found in habits(source)] == [words]


@pytest.mark.parametrize(
    "text",
    [
        "It is no longer read",
        "there are no more",
        "The layout stays",
        "Whatever it holds",
        "At once, as it was",
        "Who starts? One die",
    ],
)
def test_plain_english_is_not_a_habit(text: str) -> None:
    assert habits(f"say('{text}')") == []
