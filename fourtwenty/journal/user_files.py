"""Reads and writes user files besides the history, with user-facing errors when that fails.

Several windows may use a file: each reads it again under the lock, and writes only its own changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from errno import EBUSY
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from fourtwenty.file_storage import make_private, move_aside


class Stored(Protocol):
    """A value with its own file: the line-up or the settings."""

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the value of a file. Raises OSError when unreadable, ValueError without one."""

    def save(self, path: Path) -> None:
        """Write the value to a file. Raises OSError."""

    def merged_into(self, stored: Self, before: Self) -> Self:
        """Return a file's value with the changes here since ``before``."""


Value = TypeVar("Value", bound=Stored)


@contextmanager
def exclusive_write(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file among windows. Raises OSError."""
    from fourtwenty.journal.database import SQLITE_ERRORS, file_lock, is_busy  # SQLite would delay the start

    make_private(path.parent)
    with ExitStack() as stack:
        try:
            stack.enter_context(file_lock(path))
        except SQLITE_ERRORS as error:
            if is_busy(error, path):
                raise OSError(EBUSY, "another window is writing it", str(path)) from error
            # Where no lock can be created, as in a read-only folder, the file cannot either: its write says why.
        yield


class UserFiles:
    """Loads and saves files. A damaged one is moved aside; an unreadable one is never overwritten."""

    def __init__(self, note: Callable[[str], object], warn: Callable[[str], object]) -> None:
        """``note`` shows that a file was not loaded, ``warn`` that it was not saved."""
        self._note = note
        self._warn = warn
        self._read_only: set[Path] = set()
        self._before: dict[Path, Any] = {}

    def load(self, kind: type[Value], path: Path) -> Value:
        """Return a file's saved value; the default where it is missing or unreadable."""
        found = None
        try:
            try:
                found = kind.load(path)
            except ValueError:
                with exclusive_write(path):
                    found = self._found(kind, path)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            self._read_only.add(path)
            self._note(f"{path} cannot be read and is left alone: {error.strerror}.")
        self._before[path] = value = found or kind()
        return value

    def save(self, value: Value, path: Path) -> None:
        """Save the changes since the value was loaded or saved here, unless the file was unreadable."""
        if path in self._read_only:
            return
        try:
            with exclusive_write(path):
                stored = self._found(type(value), path)
                before = self._before.get(path, type(value)())
                (value.merged_into(stored, before) if stored else value).save(path)
        except OSError as error:
            self._warn(f"{path.name} is not saved: {error.strerror}.")
        else:
            self._before[path] = value

    def _found(self, kind: type[Value], path: Path) -> Value | None:
        try:
            return kind.load(path)
        except FileNotFoundError:
            return None
        except ValueError:
            self._note(f"{path.name} could not be read. The file is now {move_aside(path)}")
            return None
