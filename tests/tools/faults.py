"""Faults of the disk, the database and the clock: the n-th call fails as the real one does, or all from it on."""

from __future__ import annotations

import datetime as datetime_module
import errno
import io
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from stat import S_ISDIR
from threading import Lock
from typing import Any
from unittest.mock import patch

CALLS = ("stat", "open", "mkdir", "rename", "replace", "chmod", "unlink", "scandir", "listdir")
"""The functions of the operating system that fail, for paths in the data folder."""

CODES = {
    "busy": sqlite3.SQLITE_BUSY,
    "full": sqlite3.SQLITE_FULL,
    "unreadable": sqlite3.SQLITE_IOERR,
    "damaged": sqlite3.SQLITE_CORRUPT,
}
"""The result codes of SQLite, by kind of fault."""

KINDS = ("denied", "no space", *CODES, "clock")
"""Every kind of fault: of the disk, of the database, of the clock."""


class Faults:
    """Counts the calls that can fail, and lets one fail, or every one from it on."""

    def __init__(self, kind: str, number: int, lasting: bool) -> None:
        """Take the kind of fault, the number of the call that fails, from 1, and whether those after it fail too."""
        self.kind = kind
        self.number = number
        self.lasting = lasting
        self.made: list[str] = []
        """The calls that can fail, in their order."""
        self.failed: list[str] = []
        """The calls that have failed."""
        self._lock = Lock()

    def strikes(self, call: str) -> bool:
        """Count a call; return whether it is to fail."""
        with self._lock:
            self.made.append(call)
            struck = len(self.made) >= self.number if self.lasting else len(self.made) == self.number
            if struck:
                self.failed.append(call)
            return struck


def _os_error(faults: Faults) -> OSError:
    number = errno.ENOSPC if faults.kind == "no space" else errno.EACCES
    return OSError(number, os.strerror(number))


def _sqlite_error(faults: Faults) -> sqlite3.Error:
    kind = sqlite3.DatabaseError if faults.kind == "damaged" else sqlite3.OperationalError
    error = kind(f"the test lets this fail: {faults.kind}")
    error.sqlite_errorcode = CODES[faults.kind]
    return error


def _of_the_disk(faults: Faults, home: str, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(path: Any, *arguments: Any, **options: Any) -> Any:
        inside = isinstance(path, str | os.PathLike) and os.fspath(path).startswith(home)
        if inside and faults.strikes(f"{name} {Path(path).name}"):
            raise _os_error(faults)
        opened = real(path, *arguments, **options)
        if inside and isinstance(opened, io.TextIOWrapper) and opened.writable():
            write = opened.write

            def failing_write(text: str) -> int:
                if faults.strikes(f"write {Path(path).name}"):
                    raise _os_error(faults)
                return write(text)

            opened.write = failing_write  # type: ignore[method-assign]
        return opened

    return call


def _sync(faults: Faults) -> Callable[[int], None]:
    real = os.fsync

    def call(opened: int) -> None:
        if faults.strikes(f"fsync {'folder' if S_ISDIR(os.fstat(opened).st_mode) else 'file'}"):
            raise _os_error(faults)
        real(opened)

    return call


def _connection(faults: Faults) -> type[sqlite3.Connection]:
    class FailingConnection(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if faults.strikes(sql):
                raise _sqlite_error(faults)
            return super().execute(sql, *values)

        def executemany(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if faults.strikes(sql):
                raise _sqlite_error(faults)
            return super().executemany(sql, *values)

    return FailingConnection


def _clock(faults: Faults) -> type[datetime]:
    class FailingClock(datetime):
        def astimezone(self, tz: tzinfo | None = None) -> Any:
            if faults.strikes("astimezone"):
                raise OverflowError("date value out of range")
            return super().astimezone(tz)

    return FailingClock


@contextmanager
def injected(home: Path, kind: str, number: int, lasting: bool = False) -> Iterator[Faults]:
    """Let the ``number``-th call of a kind fail in this block, counted from 1."""
    faults = Faults(kind, number, lasting)
    patches: list[Any] = []
    if kind in CODES:
        connect = partial(sqlite3.connect, factory=_connection(faults))
        patches.append(patch.object(sqlite3, "connect", connect))
    elif kind == "clock":
        failing = _clock(faults)
        patches.append(patch.object(datetime_module, "datetime", failing))
        for name, module in [*sys.modules.items()]:
            if name.startswith("fourtwenty.") and getattr(module, "datetime", None) is datetime:
                patches.append(patch.object(module, "datetime", failing))
    else:
        for name in CALLS:
            patches.append(patch.object(os, name, _of_the_disk(faults, str(home), name, getattr(os, name))))
        patches.append(patch.object(io, "open", _of_the_disk(faults, str(home), "open", io.open)))
        patches.append(patch.object(os, "fsync", _sync(faults)))  # SQLite has its own
    for each in patches:
        each.start()
    try:
        yield faults
    finally:
        for each in reversed(patches):
            each.stop()
