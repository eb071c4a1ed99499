"""Statements that change a history behind its back."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from fourtwenty.journal.history import History


def run_sql(place: Path | History, statement: str, values: Sequence[object] = ()) -> None:
    """Run a statement on a file, or by the connection of an open history, and commit it."""
    if isinstance(place, History):
        with place.transaction() as sql:
            sql.execute(statement, values)
    else:
        with closing(sqlite3.connect(place)) as sql, sql:
            sql.execute(statement, values)
