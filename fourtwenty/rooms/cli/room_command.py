"""Runs the commands ``host`` and ``join``: their options, and the table in plain mode."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from functools import partial

from msgspec.structs import replace

from fourtwenty.cli.typed_lines import standard_input
from fourtwenty.console import escape_unencodable_output, exit_with_error, write_line
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.local_machine import DEFAULT_PATIENCE, SeatRequest
from fourtwenty.rooms.names import read_seats
from fourtwenty.rooms.own_name import own_name
from fourtwenty.rooms.wire import room_session
from fourtwenty.rooms.wire.room_session import FAILURES, TABLE_VARIABLE, RoomSession

TableOpener = Callable[[], Awaitable[RoomSession]]
"""Opens a table; raises the errors of ``rooms.wire.room_session.FAILURES``."""


def table_opener(arguments: Namespace, lines: Iterator[str] | None = None) -> TableOpener:
    """Return how to open the table, or end the program; ``lines`` are the input when it isn't a terminal."""
    if arguments.command == "host":
        resume, players = None, arguments.players
        if arguments.resume is not None:
            if arguments.game or arguments.patience or arguments.link:
                exit_with_error("fourtwenty host: --resume: the table keeps its game, its patience and its code")
            try:
                resume = room_session.resumable(arguments.resume or None)
            except ValueError as error:
                exit_with_error(f"fourtwenty host: --resume: {error}")
        seats = () if resume and players is None else _players(players, "--players")
        patience = 60 * int(arguments.patience) if arguments.patience else DEFAULT_PATIENCE
        seat_request = SeatRequest(seats, arguments.game or "420", patience=patience, name=own_name())
        at = arguments.at or os.environ.get("FOURTWENTY_HUB") or None
        opens = partial(room_session.host, seat_request, at, resume, arguments.link)
        return opens if seats else partial(_with_who_sat_there, opens, (Seat(own_name()),))
    return _joining(arguments, lines)


def _joining(arguments: Namespace, lines: Iterator[str] | None) -> TableOpener:
    """Return how to join the table; at a terminal ask for missing values, first for a name.

    Participants who return are asked for no name and get their seats back. Every account of a computer can read
    commands, so the code may be left out of them.
    """
    table = arguments.table or os.environ.get(TABLE_VARIABLE) or ""
    code_seen = room_session.has_code(arguments.table or "")
    seats = () if arguments.players is None else _players(arguments.players, "--as")
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    try:
        if at_terminal and (last := room_session.last_code(table)):
            table = f"{table}/{input(f'Code of the table ({last}): ').strip() or last}"
        if at_terminal and not seats and not arguments.watch and not room_session.is_known(table):
            seats = _asked_seats()
        if not table and at_terminal:
            table = input("Address of the table: ").strip()
        if table and not room_session.has_code(table):
            table = f"{table}/{_code_of(table, at_terminal, lines)}"
    except (EOFError, KeyboardInterrupt):
        exit_with_error("fourtwenty join: nothing was typed")
    if not table:
        exit_with_error("fourtwenty join: the following arguments are required: ADDRESS")
    try:
        room_session.read_table_address(table)
    except ValueError as error:
        exit_with_error(f"fourtwenty join: {error}")
    back = room_session.is_known(table) and not seats and not arguments.watch
    seats = seats or (() if back else (Seat(own_name()),))
    name = next((seat.name for seat in seats if not seat.bot), "")
    seat_request = SeatRequest(() if arguments.watch else seats, name=name)
    opens: TableOpener = partial(room_session.join, table, seat_request)
    if back:
        opens = partial(_with_who_sat_there, opens)
    return partial(_warned, opens) if code_seen else opens


def _asked_seats() -> tuple[Seat, ...]:
    while True:
        try:
            return read_seats(input(f"Your name ({own_name()}): ").strip() or own_name())
        except ValueError as error:
            write_line(str(error))


def _code_of(address: str, at_terminal: bool, lines: Iterator[str] | None) -> str:
    """Return the code of the table at an address: typed, from the environment, or the input's first line."""
    code = "" if at_terminal else os.environ.get(TABLE_VARIABLE, "").rpartition("/")[2]
    if at_terminal:
        code = input("Code of the table: ")
    elif not code or code == address:
        with suppress(OSError):
            code = next(iter(standard_input() if lines is None else lines), "")
    return code.strip() or exit_with_error("fourtwenty join: the code of the table is the first line of the input")


async def _warned(opens: TableOpener) -> RoomSession:
    """Open a table, and warn the people here, once, about who could read its code."""
    session = await opens()
    every = "Every account of this computer could read the code in that command."
    session.client.notices.notify_once("code", f"{every} Next time: {session.command}")
    return session


async def _with_who_sat_there(opens: TableOpener, otherwise: tuple[Seat, ...] = ()) -> RoomSession:
    """Open a table again and take the same seats; if there were none, the given ones."""
    session = await opens()
    client = session.client
    players = client.seat_request.players or otherwise
    if players and not client.room.playing and not client.view.mine and not session.second:
        client.sit(replace(client.seat_request, players=players))
    return session


def _players(text: str | None, option: str) -> tuple[Seat, ...]:
    try:
        return read_seats(text) if text is not None else (Seat(own_name()),)
    except ValueError as error:
        exit_with_error(f"fourtwenty: {option}: {error}")


def room_in_lines(arguments: Namespace) -> None:
    """Open or join a table in lines of text, and stay until somebody quits or the input ends."""
    from fourtwenty.cli.typed_lines import TypedLines
    from fourtwenty.file_storage import history_file
    from fourtwenty.journal.history import History

    escape_unencodable_output()
    lines = iter(standard_input())
    open_table = table_opener(arguments, lines)

    from fourtwenty.rooms.cli.text_room import TextRoom

    typing = sys.stdin is not None and sys.stdin.isatty()

    ended_by: list[int] = []

    async def stay() -> None:
        task = asyncio.current_task()
        assert task

        def leave(number: int) -> None:
            ended_by.append(number)
            task.cancel()

        for name in ("SIGTERM", "SIGHUP"):
            with suppress(AttributeError, NotImplementedError):  # Windows has no SIGHUP, and its loop no signals
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), leave, getattr(signal, name))
        try:
            session = await open_table()
        except FAILURES as error:
            exit_with_error(f"fourtwenty {arguments.command}: {error}")
        try:
            if task.cancelling():  # swallowed by asyncio.wait_for (Python 3.11) while the table was opened
                raise asyncio.CancelledError
            await TextRoom(session, history, TypedLines(lines), write_line, typing).run()
        finally:
            await session.close()

    with closing(History(history_file(), write_line, timeout=0)) as history:
        try:
            asyncio.run(stay())  # ctrl+c cancels it, which closes the table; so do the other signals that end a program
        except asyncio.CancelledError:
            if not ended_by:
                raise
            sys.exit(128 + ended_by[0])
