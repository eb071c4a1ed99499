"""Times as people read them, in the local time zone. What is stored is in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime


def local(moment: datetime) -> datetime:
    """Return a time in the local time zone; unchanged if it is out of range there (years 1 and 9999)."""
    try:
        return moment.astimezone()
    except (OverflowError, OSError):
        return moment


def today() -> date:
    """Return the date in the local time zone."""
    return local(datetime.now(UTC)).date()
