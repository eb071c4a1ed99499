"""The difference of two JSON values, as a JSON Patch (RFC 6902)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import json


def diff(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """Yield the operations that make one JSON value of another, which is at this path.

    Lists of objects are compared object by object, after the removal of objects that are gone from the beginning; all
    other lists are replaced.

    >>> [*diff({"a": 1, "b": [2]}, {"a": 3, "b": [2]})]
    [{'op': 'replace', 'path': '/a', 'value': 3}]
    """
    if isinstance(before, dict) and isinstance(after, dict):
        places = {name: f"{path}/{name.replace('~', '~0').replace('/', '~1')}" for name in before | after}
        yield from ({"op": "remove", "path": places[name]} for name in before if name not in after)
        for name, value in after.items():
            if name in before:
                yield from diff(before[name], value, places[name])
            else:
                yield {"op": "add", "path": places[name], "value": value}
    elif _has_objects(before) and _has_objects(after):
        gone = before.index(after[0]) if after[0] in before else 0
        kept = before[gone:]
        yield from ({"op": "remove", "path": f"{path}/0"} for _ in range(gone))
        yield from ({"op": "remove", "path": f"{path}/{len(after)}"} for _ in kept[len(after) :])
        for number, value in enumerate(after):
            if number < len(kept):
                yield from diff(kept[number], value, f"{path}/{number}")
            else:
                yield {"op": "add", "path": f"{path}/-", "value": value}
    elif json.encode(before) != json.encode(after):  # in Python, 1 and True are equal
        yield {"op": "replace", "path": path, "value": after}


def _has_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
