"""Makes the link to the published page for phones at a hub that lets that page in (docs/inside/operator.md).

The page comes from the web server of the game, and not from the host: a link in a chat seats somebody anywhere.
"""

from __future__ import annotations

import secrets
from base64 import b64encode, urlsafe_b64encode
from hashlib import sha256
from urllib.parse import urlsplit

from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.wire.nats_log import broker_url, first_lines

WEBSOCKET_PORT = 443
"""The port of a hub's WebSocket: every network lets it out."""
ANSWER_SECONDS = 3.0


async def page_link(homepage: str | None, address: str, keys: RoomKeys, host: bytes, name: str) -> str:
    """Return the link to the page of a table, with all its secrets behind the ``#``; empty if the hub has none.

    ``host`` is the public key of the machine that sends the page its views. The link contains the keys of the
    table and of the hub.
    """
    hub = urlsplit(broker_url(address))
    if not homepage or hub.scheme != "tls" or not hub.username or not hub.hostname:
        return ""
    page = urlsplit(homepage)
    if not await _admits(hub.hostname, f"{page.scheme}://{page.netloc}"):
        return ""
    authority = hub.hostname if WEBSOCKET_PORT == 443 else f"{hub.hostname}:{WEBSOCKET_PORT}"
    secret = keys.root + host + sha256(hub.username.encode()).digest() + f"{authority} {name}".encode()
    return f"{homepage.partition('#')[0].rstrip('/')}/room/#{urlsafe_b64encode(secret).rstrip(b'=').decode()}"


async def _admits(hub: str, origin: str) -> bool:
    """Return whether a hub opens a WebSocket for pages of an origin (RFC 6455, 4)."""
    request = (
        f"GET / HTTP/1.1\r\nHost: {hub}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: {origin}\r\n"
        f"Sec-WebSocket-Key: {b64encode(secrets.token_bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    answer = await first_lines(hub, WEBSOCKET_PORT, 1, ANSWER_SECONDS, request.encode(), ssl=True)
    return (answer or b"").startswith(b"HTTP/1.1 101 ")
