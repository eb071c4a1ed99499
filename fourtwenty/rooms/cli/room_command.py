"""The commands ``host`` and ``join``: the table that their options describe, and plain mode at it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.play.lineup import Seat, read_seats
from fourtwenty.rooms.own_name import own_name
from fourtwenty.rooms.station import DEFAULT_PATIENCE, Seating
from fourtwenty.rooms.wire import opening
from fourtwenty.rooms.wire.opening import FAILURES, TABLE_VARIABLE, GuestPage, OpenRoom
from fourtwenty.streams import end, show_any_name, write_line


class RoomOptions(Struct, frozen=True):
    seating: Seating
    opening: Callable[[], Awaitable[OpenRoom]]
    """Opens it; raises the errors of ``rooms.wire.opening.FAILURES``."""


def room_options(arguments: Namespace, page: GuestPage | None = None) -> RoomOptions:
    """Return the table that the options of ``host`` or ``join`` describe; end the program with one line on an error.

    ``page`` serves the page for guests of ``host --web``.
    """
    if arguments.command == "host":
        resume, players = None, arguments.players
        if arguments.resume is not None:
            if arguments.game or arguments.patience or arguments.link:
                end("fourtwenty host: --resume: the table keeps its game, its patience and its code")
            try:
                resume = opening.resumable(arguments.resume or None)
            except ValueError as error:
                end(f"fourtwenty host: --resume: {error}")
        seats = () if resume and players is None else _players(players, "--players")
        patience = 60 * int(arguments.patience) if arguments.patience else DEFAULT_PATIENCE
        seating = Seating(seats, arguments.game or "420", patience=patience, name=own_name())
        at = arguments.at or os.environ.get("FOURTWENTY_HUB") or None
        opens = partial(opening.host, seating, at, resume, page, arguments.link)
        return RoomOptions(seating, opens if seats else partial(_with_who_sat_there, opens))
    table = arguments.table or os.environ.get(TABLE_VARIABLE) or _asked_table()
    try:
        opening.read_table_address(table)
    except ValueError as error:
        end(f"fourtwenty join: {error}")
    host_name, host = arguments.guest_of, arguments.host_key
    named = () if host_name and not arguments.players else _players(arguments.players, "--as")
    name = next((seat.name for seat in named if not seat.bot), "")
    seating = Seating(() if arguments.watch else named, name=name, host_name=host_name, host=host)
    return RoomOptions(seating, partial(opening.join, table, seating))


async def _with_who_sat_there(opens: Callable[[], Awaitable[OpenRoom]]) -> OpenRoom:
    """Open a table again, and sit down there as before; by the name of the account where nobody has."""
    opened = await opens()
    client = opened.client
    if not client.room.playing and not client.view.mine and not opened.second:
        client.sit(replace(client.seating, players=client.seating.players or (Seat(own_name()),)))
    return opened


def _asked_table() -> str:
    """Ask the people at the terminal for a table: what stands in a command, all accounts of a computer can read."""
    try:
        if sys.stdin is not None and sys.stdin.isatty():
            return input("Table (ADDRESS/CODE): ")
    except (EOFError, KeyboardInterrupt):
        pass
    return end("fourtwenty join: the following arguments are required: ADDRESS/CODE")


def _players(text: str | None, option: str) -> tuple[Seat, ...]:
    try:
        return read_seats(text) if text is not None else (Seat(own_name()),)
    except ValueError as error:
        end(f"fourtwenty: {option}: {error}")


def room_in_lines(arguments: Namespace, page: GuestPage | None = None) -> None:
    """Open or join a table in lines of text, and stay there until somebody quits or the input ends."""
    from fourtwenty.cli.typed_lines import TypedLines, standard_input
    from fourtwenty.journal.history import History
    from fourtwenty.paths import history_file

    show_any_name()
    lines = standard_input()
    options = room_options(arguments, page)

    from fourtwenty.rooms.cli.text_room import TextRoom

    typing = bool(options.seating.host) or (sys.stdin is not None and sys.stdin.isatty())  # a page is typed into, too

    async def stay() -> None:
        with _signals_end_it() as task:
            try:
                opened = await options.opening()
            except FAILURES as error:
                end(f"fourtwenty {arguments.command}: {error}")
            try:
                if task.cancelling():  # swallowed while the table was opened, by asyncio.wait_for (Python 3.11)
                    raise asyncio.CancelledError
                if sys.platform != "win32":  # text_page.py sends it when the page of a guest is closed
                    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, opened.client.leave_screen)
                await TextRoom(opened, history, TypedLines(lines), write_line, typing).run()
            finally:
                await opened.close()

    with closing(History(history_file(), write_line, timeout=0)) as history:
        asyncio.run(stay())  # ctrl+c cancels it, and the table is closed


@contextmanager
def _signals_end_it() -> Iterator[asyncio.Task[None]]:
    """Let the other signals that end a program cancel the task, too, which closes the table first."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task
    came: list[int] = []

    def leave(number: int) -> None:
        came.append(number)
        task.cancel()

    for name in ("SIGTERM", "SIGHUP"):
        with suppress(AttributeError, NotImplementedError):  # Windows has no SIGHUP, and its loop no signals
            loop.add_signal_handler(getattr(signal, name), leave, getattr(signal, name))
    try:
        yield task
    except asyncio.CancelledError:
        if came:
            sys.exit(128 + came[0])
        raise
