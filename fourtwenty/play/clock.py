"""Reads the clock, and writes times for people in the local time zone. Stored times are in UTC."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime
from time import time


def local(moment: datetime) -> datetime:
    """Return a time in the local time zone; unchanged where Python cannot convert it, as in years 1 and 9999."""
    try:
        return moment.astimezone()
    except (OverflowError, OSError, ValueError):
        return moment


def time_of_day(moment: datetime) -> str:
    """Return local hours and minutes, with the zone's name in the hour that comes twice: "02:30 CET"."""
    here = local(moment)
    naive = here.replace(tzinfo=None)
    with suppress(OverflowError, OSError, ValueError):
        if naive.timestamp() != naive.replace(fold=1).timestamp():
            return f"{here:%H:%M %Z}"
    return f"{here:%H:%M}"


def day_and_time(moment: datetime) -> str:
    """Return local date and time in an order that sorts: "2026-11-22 21:30"."""
    return f"{local(moment):%Y-%m-%d} {time_of_day(moment)}"


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_in_words(day: date) -> str:
    """Return a date that reads the same everywhere and in every locale: "22 Nov 2026"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def today() -> date:
    return local(datetime.now(UTC)).date()


def seconds() -> int:
    """Return this machine's time in seconds since 1970 in UTC."""
    return int(time())
