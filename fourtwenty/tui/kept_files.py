"""The files that remember the line-up and the settings for next time, and the sentences when that fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fourtwenty.journal.settings import Settings
from fourtwenty.paths import move_aside
from fourtwenty.play.lineup import Lineup

Keepable = TypeVar("Keepable", Lineup, Settings)


class KeptFiles:
    """Loads and saves files; a damaged file is moved aside, and one that cannot be read is never written over."""

    def __init__(self, note: Callable[[str], object], warn: Callable[[str], object]) -> None:
        """Take the functions that show a sentence when a file was not loaded, and when it was not saved."""
        self._note = note
        self._warn = warn
        self._read_only: set[Path] = set()

    def load(self, kind: type[Keepable], path: Path) -> Keepable:
        """Return the value saved in a file, or the default."""
        try:
            return kind.load(path)
        except (FileNotFoundError, NotADirectoryError):
            return kind()
        except OSError as error:
            self._read_only.add(path)
            self._note(f"{path} cannot be read and is left alone: {error.strerror}.")
            return kind()
        except ValueError:
            pass
        try:
            self._note(f"{path.name} could not be read. The file is now {move_aside(path)}")
        except OSError:
            self._read_only.add(path)
        return kind()

    def save(self, value: Lineup | Settings, path: Path) -> None:
        """Save a value for next time."""
        if path not in self._read_only:
            try:
                value.save(path)
            except OSError as error:
                self._warn(f"{path.name} is not kept: {error.strerror}.")
