"""The commands ``host`` and ``join``: the table that their options describe, and plain mode at it."""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import NoReturn

from msgspec import Struct

from fourtwenty.play.lineup import Seat, check_seats, parse_seats
from fourtwenty.rooms.own_name import own_name
from fourtwenty.rooms.wire import opening
from fourtwenty.rooms.wire.opening import FAILURES, GuestPage, Opened, Seating
from fourtwenty.streams import check_encoding, end, show_any_name


class RoomOptions(Struct, frozen=True):
    """The table that a command opens or joins."""

    seating: Seating
    opening: Callable[[], Awaitable[Opened]]
    """Opens it; raises the errors of ``rooms.wire.opening.FAILURES``."""


def room_options(arguments: Namespace, page: GuestPage | None = None) -> RoomOptions:
    """Return the table that the options of ``host`` or ``join`` describe; end the program with one line on an error.

    ``page`` serves the page for guests of ``host --web``.
    """
    if arguments.command == "host":
        players = _players(arguments.players, "--players")
        seating = Seating(players, arguments.game, patience=60 * int(arguments.patience), name=own_name())
        resume = None
        if arguments.resume is not None:
            try:
                resume = opening.resumable(arguments.resume or None)
            except ValueError as error:
                end(f"fourtwenty host: --resume: {error}")
        at = arguments.at or os.environ.get("FOURTWENTY_HUB") or None
        return RoomOptions(seating, partial(opening.host, seating, at, resume, page))
    try:
        opening.read_table(arguments.table)
    except ValueError as error:
        end(f"fourtwenty join: {error}")
    place, host = arguments.guest_of
    named = () if place and not arguments.players else _players(arguments.players, "--as")
    name = next((seat.name for seat in named if not seat.bot), "")
    seating = Seating(() if arguments.watch else named, name=name, place=place, host=host)
    return RoomOptions(seating, partial(opening.join, arguments.table, seating))


def _players(text: str | None, option: str) -> tuple[Seat, ...]:
    if text is None:
        return (Seat(own_name()),)
    try:
        seats = parse_seats(text)
        refusal = check_seats(seats)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        end(f"fourtwenty: {option}: {refusal}")
    return seats


def room_in_lines(arguments: Namespace, page: GuestPage | None = None) -> None:
    """Open or join a table in lines of text, and stay there until somebody quits or the input ends."""
    from fourtwenty.journal.history import History
    from fourtwenty.paths import history_file

    def write_line(line: str) -> None:
        print(line, flush=True)

    show_any_name()
    check_encoding()
    options = room_options(arguments, page)

    from fourtwenty.cli.inbox import Inbox
    from fourtwenty.rooms.cli.text_room import TextRoom
    from fourtwenty.rooms.wire.threaded import RoomThread

    typing = sys.stdin is not None and sys.stdin.isatty()
    with _signals_end_it(), closing(History(history_file(), write_line)) as history:
        thread = RoomThread(options.opening)
        try:
            thread.open()
        except FAILURES as error:
            end(f"fourtwenty {arguments.command}: {error}")
        with closing(thread):
            TextRoom(thread, options.seating, history, Inbox(_typed_lines()), write_line, typing).run()


def _typed_lines() -> Iterable[str]:
    """Return the lines of standard input; none if it is closed."""
    if sys.stdin is None:
        return ()
    # Another reader of the same file: Python 3.11 to 3.14 cannot end while a daemon thread reads sys.stdin itself.
    return open(sys.stdin.fileno(), encoding=sys.stdin.encoding, errors="backslashreplace", closefd=False)


@contextmanager
def _signals_end_it() -> Iterator[None]:
    """Let the signals that end a program close the table first."""

    def leave(number: int, _: object) -> NoReturn:
        sys.exit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # Windows has no SIGHUP
    before = {name: signal.signal(getattr(signal, name), leave) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
