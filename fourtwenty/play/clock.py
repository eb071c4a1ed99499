"""The clock, and times as people read them, in the local time zone. What is stored is in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime
from time import time


def local(moment: datetime) -> datetime:
    """Return a time in the local time zone; unchanged if it is out of range there (years 1 and 9999)."""
    try:
        return moment.astimezone()
    except (OverflowError, OSError):
        return moment


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_in_words(day: date) -> str:
    """Return a date that is read in the same way everywhere, and is the same in every locale: "22 Nov 2026"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def today() -> date:
    """Return the date in the local time zone."""
    return local(datetime.now(UTC)).date()


def seconds() -> int:
    """Return the time in seconds since 1970 in UTC, as the clock of this machine has it."""
    return int(time())
