"""Hosts a table with a bot for pages to try, of two machines unless another number is given.

``PYTHONPATH=tests/tools python tests/tools/page_host.py [GAME] [MACHINES] [ADDRESS]`` writes the ways to the table,
starts a match whenever so many machines sit, and tells what happens, until it is ended. With ``--resume`` it opens the
last table again. Everything is kept in FOURTWENTY_HOME, or in a folder of its own that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import suppress

from fourtwenty.games import GAMES
from fourtwenty.journal.record import fingerprint, read_record, verify_record
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.local_machine import SeatRequest, record_text
from fourtwenty.rooms.room import throwers
from fourtwenty.rooms.wire import room_session
from fourtwenty.rooms.wire.room_session import host, resumable


def tell(line: str) -> None:
    print(line, flush=True)


async def serve(game: str, machines: int, again: bool) -> None:
    """Host until the task is cancelled."""
    session = await host(
        SeatRequest((Seat("Steady", "Steady"),), game, name="Steady"), resume=resumable() if again else None
    )
    client, changed = session.client, asyncio.Event()
    client.listeners.append(changed.set)
    client.notices.attach(tell)
    tell(f"Table {session.code}: {session.command}")
    tell(f"Page: {session.page}")
    tell(f"Keys: root {client.keys.root.hex()}, room {client.keys.room}, host {client.machine.public.hex()}")
    told, sat = 0, -1
    try:
        while True:
            await changed.wait()
            changed.clear()
            match = client.room.match
            if not client.room.playing and not client.view.mine and sat < len(client.room.matches):
                sat = len(client.room.matches)  # to sit is a change, too
                client.sit(client.next_seat_request)
            elif not client.room.playing and client.view.may_start and len(client.view.here) >= machines:
                client.start()
            if match and match.over and not match.abandoned and told < len(client.room.matches):
                told = len(client.room.matches)
                text = record_text(match)
                verify_record(read_record(text))
                tell(f"Match {told}: {throwers(match.participants)}; verified, fingerprint {fingerprint(text)}")
    finally:
        await session.close()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    chosen = next((each for each in arguments if each in GAMES), "420")
    for address in (each for each in arguments if each.count(".") == 3):
        room_session.lan_address = lambda: address  # type: ignore[attr-defined]  # noqa: B023
    number = next((int(each) for each in arguments if each.isdigit() and each not in GAMES), 2)
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        os.environ.setdefault("FOURTWENTY_HOME", folder)
        asyncio.run(serve(chosen, number, "--resume" in arguments))
