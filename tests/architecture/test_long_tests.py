"""Tables of which only some cases always run: the others run where their files change."""

from __future__ import annotations

import pytest
from long_tests import mostly_long


def marked(*table: object) -> list[tuple[object, list[str]]]:
    """Return the cases that ``mostly_long`` gives, each with the files whose change brings it back."""
    _, values = mostly_long(*table, "fourtwenty/odds/").args  # type: ignore[arg-type]
    return [
        (value.values, [file for mark in value.marks for file in mark.args]) if hasattr(value, "marks") else (value, [])
        for value in values
    ]


def test_what_is_not_named_is_long() -> None:
    assert marked("seats", (2, 3), [3]) == [((2,), ["fourtwenty/odds/"]), (3, [])]
    assert marked("split", [(1, 1), (2, 1)], [(1, 1)]) == [((1, 1), []), (((2, 1),), ["fourtwenty/odds/"])]
    assert marked(("mine", "theirs"), [(1, 1), (2, 1)], [(1, 1)]) == [((1, 1), []), ((2, 1), ["fourtwenty/odds/"])]


def test_what_is_named_is_a_case() -> None:
    with pytest.raises(ValueError, match=r"\[4\] are not among the cases of seats"):
        marked("seats", (2, 3), [4])
