"""JSON values by chance, and their differences."""

from __future__ import annotations

from random import Random
from typing import Any

from fourtwenty.rooms.wire.json_patch import diff

NAMES = ["", "a", "b", "-", "0", "1", "/", "~", "~1", "a/b", "~01", "ä ☃", "length"]
LEAVES = [None, True, False, 0, 1, -7, "", "1", "☃", "-"]


def value(rng: Random, depth: int = 4) -> Any:
    """Return a JSON value; lists are mostly of objects, as those of a view."""
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return rng.choice(LEAVES)
    if kind < 0.65:
        return {name: value(rng, depth - 1) for name in rng.sample(NAMES, rng.randint(0, 4))}
    if kind < 0.9:
        return [{"a": value(rng, depth - 1), "b": value(rng, 0)} for _ in range(rng.randint(0, 4))]
    return [value(rng, depth - 1) for _ in range(rng.randint(0, 4))]


def changed(before: Any, rng: Random) -> Any:
    """Return a JSON value that has much of another."""
    if rng.random() < 0.15:
        return value(rng, 2)
    if isinstance(before, dict):
        kept = {name: changed(each, rng) for name, each in before.items() if rng.random() < 0.8}
        return kept | {name: value(rng, 1) for name in rng.sample(NAMES, rng.randint(0, 1))}
    if isinstance(before, list):
        first, last = rng.randint(0, 1), rng.randint(0, 2)
        return [changed(each, rng) for each in before[first:]] + [value(rng, 1) for _ in range(last)]
    return before


def changed_value(rng: Random) -> dict[str, Any]:
    """Return a value, another one, and the patch that makes it of the first."""
    before = value(rng)
    after = changed(before, rng)
    return {"before": before, "patch": [*diff(before, after)], "after": after}
