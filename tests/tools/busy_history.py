"""A history into which another program writes for as long as a test likes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from fourtwenty.file_storage import history_file


@contextmanager
def held() -> Iterator[sqlite3.Connection]:
    """Another program writes to the history, and does not end."""
    with closing(sqlite3.connect(history_file(), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
