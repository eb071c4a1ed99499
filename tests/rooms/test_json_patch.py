"""What has changed between two JSON values makes the second of the first."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from json_values import changed_value
from scripted_page import patched

from fourtwenty.rooms.wire.json_patch import diff

SEEDS = range(2000)


def same(one: object, other: object) -> bool:
    """Whether two JSON values are one, in any order of their fields: in Python, 1 and True are equal."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_a_difference_makes_one_value_of_another() -> None:
    for seed in SEEDS:
        case = changed_value(Random(seed))
        assert same(patched(case["before"], case["patch"]), case["after"]), seed
        assert not [*diff(case["after"], case["after"])], seed


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [{"op": "replace", "path": "/a", "value": [1, 3]}]),
        ({"a": 1, "b": 2}, {"b": 2}, [{"op": "remove", "path": "/a"}]),
        ({"b": 2}, {"b": 2, "c": None}, [{"op": "add", "path": "/c", "value": None}]),
        ({"a/~": {"": 1}}, {"a/~": {"": 2}}, [{"op": "replace", "path": "/a~1~0/", "value": 2}]),
        ([{"n": 1}, {"n": 2}], [{"n": 1}, {"n": 3}], [{"op": "replace", "path": "/1/n", "value": 3}]),
        ([{"n": 1}, {"n": 2}], [{"n": 2}], [{"op": "remove", "path": "/0"}]),
        ([{"n": 1}], [{"n": 1}, {"n": 2}], [{"op": "add", "path": "/-", "value": {"n": 2}}]),
        ([{"n": 1}, {"n": 2}, {"n": 3}], [{"n": 1}], [{"op": "remove", "path": "/1"}, {"op": "remove", "path": "/1"}]),
        (7, {}, [{"op": "replace", "path": "", "value": {}}]),
    ],
)  # fmt: skip
def test_a_difference_says_no_more_than_what_has_changed(before: Any, after: Any, patch: list[Any]) -> None:
    assert same([*diff(before, after)], patch)
    assert same(patched(before, patch), after)
