"""Defines the program's settings and their file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from fourtwenty.file_storage import read_object, write_whole

PACES = {"slow": 2.0, "normal": 1.0, "quick": 0.4, "at once": 0.0}
"""Factors on the seconds to show bots and rolls, by name."""

THEMES = ("snug", "terrace", "blackboard")

CHOICES = {"theme": THEMES, "pace": tuple(PACES)}
"""A setting's values, by its name; others take any of their type."""


class Settings(Struct, frozen=True):
    """Look and sound of the program."""

    theme: str = THEMES[0]
    bell: bool = False
    """Whether a bell rings at a person's turn."""
    pace: str = "normal"
    guide: bool = True
    """Whether the game's guide is shown beside the hand."""
    learnt: list[str] = field(default_factory=list)
    """Names of tips dismissed here (``tui.tips``); empty before the first match."""
    others: dict[str, Any] = field(default_factory=dict)
    """The rest of the file: ``keys``, and other versions' settings, saved unchanged."""

    @property
    def keys(self) -> dict[str, object]:
        """Keys by binding id as in the file, unchecked (``tui.keymap``)."""
        found = self.others.get("keys")
        return found if isinstance(found, dict) else {}

    def with_dismissed(self, names: Iterable[str]) -> Self:
        """Return the settings with more tips dismissed."""
        return replace(self, learnt=sorted({*self.learnt, *names}))

    def merged_into(self, stored: Self, before: Self) -> Self:
        """Return stored settings with the changes since ``before``; dismissed tips stay so."""
        changed = {name: value for name, value in asdict(self).items() if value != getattr(before, name)}
        return replace(stored, **changed).with_dismissed(stored.learnt)

    def save(self, path: Path) -> None:
        import json  # a start does without

        own = {name: getattr(self, name) for name in OWN}
        write_whole(path, json.dumps({**self.others, **own}, indent=1))

    @classmethod
    def load(cls, path: Path) -> Self:
        """A wrong or unknown value is replaced by its default."""
        found = read_object(path)
        own: dict[str, Any] = {
            name: value
            for name, default in OWN.items()
            if type(value := found.get(name)) is type(default) and value in CHOICES.get(name, [value])
        }
        own["learnt"] = [name for name in own.get("learnt", ()) if isinstance(name, str)]
        return cls(**own, others={name: value for name, value in found.items() if name not in OWN})


OWN = {name: default for name, default in asdict(Settings()).items() if name != "others"}
"""This version's settings with their defaults."""
