"""Sets up and checks the accounts of a hub: ``python -m fourtwenty.rooms.wire.setup_hub FOLDER ADDRESS [COPIES]``.

Before the server runs, it writes ``accounts.conf``, which nats-server includes, and prints the address with the hub's
key. Once the server runs, it creates streams, with so many copies of each entry. docs/inside/operator.md has the rest
of the configuration.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from pathlib import Path
from urllib.parse import urlsplit

from nats.errors import Error as NatsError

from fourtwenty.console import write_error, write_line
from fourtwenty.file_storage import is_there, make_private, read_whole, write_whole
from fourtwenty.rooms.encryption import LINK, MachineKey, fresh_code
from fourtwenty.rooms.wire.nats_accounts import account_configuration, admin_role, member_roles
from fourtwenty.rooms.wire.nats_log import ask_admin, broker_url, split_key, stream_configuration

PARTITIONS = tuple(f"{number:02x}" for number in range(256))
MAX_STREAM_BYTES = 160 * 2**20
"""In bytes, of one of the 256 streams: 40 GiB in all."""
RETENTION_SECONDS = 14 * 24 * 3600
"""Seconds that a hub stores an entry. A room's machines store it for ever."""


def write_accounts(folder: Path, address: str) -> str:
    """Write the accounts of a new hub; return its address with its key. Raises OSError and ValueError."""
    url = urlsplit(broker_url(address))
    named = f"{url.scheme}://{fresh_code(LINK).replace('-', '')}@{url.netloc.rpartition('@')[2]}"
    (_, member), owner = split_key(named), secrets.token_bytes(32)
    assert member
    make_private(folder)
    roles = account_configuration(member_roles(member, "*", "*"), admin_role(MachineKey(owner), "*"))
    write_whole(folder / "owner", owner.hex())
    write_whole(folder / "address", named)
    write_whole(folder / "accounts.conf", json.dumps(roles, indent=1))
    return named


async def create_streams(folder: Path, copies: int = 1) -> None:
    """Create the streams of a running hub, as its owner. Raises ValueError, OSError, and the errors of nats-py."""
    address, owner = read_whole(folder / "address"), MachineKey(bytes.fromhex(read_whole(folder / "owner")))
    more = {"num_replicas": copies, "max_bytes": MAX_STREAM_BYTES, "max_age": RETENTION_SECONDS * 10**9}
    streams = (stream_configuration(partition) | more for partition in PARTITIONS)
    if failed := await ask_admin(address, owner, ((f"STREAM.CREATE.{stream['name']}", stream) for stream in streams)):
        raise ValueError(failed[0])


def prepare(arguments: list[str]) -> int:
    """Prepare a hub, by its state; return the exit status."""
    try:
        folder, address, copies = Path(arguments[0]), arguments[1], int(arguments[2] if arguments[2:] else 1)
        if not is_there(folder / "accounts.conf"):
            write_line(f"The address of this hub, with its key, for FOURTWENTY_HUB: {write_accounts(folder, address)}")
            write_line(f"Start nats-server with {folder / 'accounts.conf'}, and then run this again.")
        else:
            asyncio.run(create_streams(folder, copies))
            write_line(f"The hub is ready, for FOURTWENTY_HUB: {read_whole(folder / 'address')}")
    except IndexError:
        write_error("usage: python -m fourtwenty.rooms.wire.setup_hub FOLDER ADDRESS [COPIES]")
        return 2
    except (OSError, ValueError, NatsError) as error:
        write_error(f"hub: {error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(prepare(sys.argv[1:]))
