#!/usr/bin/env bash
# Expected: flush sends what was published, then a PING, so that its PONG says that the server has it all.
# Instead: the PING is written to the connection at once and what was published waits in a list, so that it overtakes
#   the messages. Flush returns when the server has answered, which may not have seen one of them.
# Seen: nats-py 2.16.0, CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `flush` in fourtwenty/rooms/wire/nats_log.py empties the list first.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install nats-py==2.16.0

python - <<'PROGRAM'
import asyncio

import nats


async def main() -> None:
    lines = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"max_payload":1000000}\r\n')
        while line := await reader.readline():
            lines.append(line.strip().decode())
            if line == b"PING\r\n":
                writer.write(b"PONG\r\n")

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = await nats.connect(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    lines.clear()  # of the greeting
    await client.publish("table", b"roll")
    await client.flush()
    await client.close()
    server.close()
    print("what the server reads:", *lines, sep="\n  ")
    assert lines == ["PING", "PUB table  4", "roll"]


asyncio.run(main())
PROGRAM
