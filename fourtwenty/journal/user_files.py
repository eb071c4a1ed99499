"""The files that a user has besides the history, and the sentences when one cannot be read or written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self, TypeVar

from fourtwenty.paths import move_aside


class Stored(Protocol):
    """A value with a file of its own: the line-up or the settings."""

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the value of a file. Raises OSError when it cannot be read, ValueError when it holds none."""

    def save(self, path: Path) -> None:
        """Write the value to a file. Raises OSError when it cannot be written."""


Value = TypeVar("Value", bound=Stored)


class UserFiles:
    """Loads and saves files. A damaged file is moved aside; one that cannot be read is never written over."""

    def __init__(self, note: Callable[[str], object], warn: Callable[[str], object]) -> None:
        """Take the functions that show a sentence: ``note`` when a file was not loaded, ``warn`` when not saved."""
        self._note = note
        self._warn = warn
        self._read_only: set[Path] = set()

    def load(self, kind: type[Value], path: Path) -> Value:
        """Return the value saved in a file; the default where there is none or it cannot be read."""
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

    def save(self, value: Stored, path: Path) -> None:
        """Save a value, unless the file could not be read."""
        if path not in self._read_only:
            try:
                value.save(path)
            except OSError as error:
                self._warn(f"{path.name} is not kept: {error.strerror}.")
