"""What a person sets once for every match: how the program looks and sounds, and the file that remembers it.

What belongs to a match, its seats, dice and coach, is in its line-up.
"""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Self

from fourtwenty.paths import write_whole


@dataclass(frozen=True, slots=True)
class Settings:
    """How the program looks and sounds."""

    theme: str = "snug"
    """Name of the colours; one that is no longer there gives way to the first."""
    bell: bool = False
    """Whether a bell rings when it is a person's turn."""
    digits: bool = False
    """Whether dice show digits instead of pips."""

    def save(self, path: Path) -> None:
        """Write the settings to a file, whole or not at all. Raises OSError when it cannot be written."""
        write_whole(path, json.dumps(asdict(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the settings last saved. Raises OSError when there are none, ValueError when the file holds none."""
        try:
            settings = cls(**json.loads(path.read_text(encoding="utf-8")))
        except (TypeError, RecursionError) as error:
            raise ValueError(f"{path} holds no settings") from error
        if [type(value) for value in astuple(settings)] != [str, bool, bool]:
            raise ValueError(f"{path} holds no settings")
        return settings
