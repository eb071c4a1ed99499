"""Grants permissions on a broker of rooms: its accounts, and the JWTs of its members (NATS ADR-14).

JetStream is in one account. Members reach it from two others by three imports only, which also rewrite their reply
subjects: answers of the broker cannot be stored. Members read in an account without other subscribers, because 150
bytes have megabytes sent to any subject there. A member's subjects end with its machine's public key.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection
from hashlib import sha256
from typing import Any

from fourtwenty.rooms.encryption import (
    MAX_ENTRY_BYTES,
    NKEY_OF_ACCOUNT,
    NKEY_OF_OPERATOR,
    MachineKey,
    base64url,
    nkey,
)

JETSTREAM = "$JS.API"
READING = f"{JETSTREAM}.DIRECT.GET"
HEADER_BYTES = 256
"""Bytes for the headers of an entry, which count."""
MAX_MESSAGE_BYTES = MAX_ENTRY_BYTES + HEADER_BYTES
MAX_SUBSCRIPTIONS = 8
"""Of a connection: two for messages of the others and one for answers, or one for answers and one for a part of the
log. The page of a phone has one for answers and one for its views."""
ANY = "{{subject()}}"
"""In a role's permissions, nats-server replaces it by the client's public key (since 2.9)."""


def _account(name: str) -> str:
    """Return an account's name. It isn't a public key, so the account lists the keys that sign its members."""
    return nkey(NKEY_OF_ACCOUNT, sha256(f"fourtwenty {name}".encode()).digest())


STORAGE_ACCOUNT, SPEAKERS_ACCOUNT, READERS_ACCOUNT, SYSTEM_ACCOUNT = (
    _account(name) for name in ("keep", "rooms", "readers", "system")
)
"""The accounts of JetStream, of members who publish and who only read, and of nats-server; the same everywhere."""
NO_LIMITS = {**dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), -1), "wildcards": True}
STORAGE = dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), -1)


class Subjects:
    """The subjects of a machine in a room. The first two digits of the room's name are its partition."""

    def __init__(self, room: str, machine: str) -> None:
        """Take the room's name, 16 hexadecimal digits, and the machine's public key in NATS's form."""
        self.stored = f"t.{room[:2]}.{room}"
        """Of sent entries, without the machine: each has its own subject, and so its own budget."""
        self.live = f"r.{room[:2]}.{room}"
        """Of stored entries that the broker sends on, without the machine."""
        self.here = f"here.{room}"
        """Of broadcasts, without the machine."""
        self.machine = machine
        self.own = f"{self.stored}.{machine}"
        self.broadcasts = f"{self.here}.{machine}"
        self.views = f"view.{room}.{machine}"
        """Of this machine's views, without the page's machine."""
        self.inbox = f"_INBOX.{room}.{machine}"
        """Of the broker's answers to this machine."""
        self.stream = f"T{room[:2]}"
        """The name of the partition's stream."""


Role = dict[str, Any]


def member_roles(key: MachineKey, room: str, stream: str) -> tuple[Role, Role]:
    """Return a key's roles: to publish and receive entries, heartbeats and a page's views; to read the log.

    ``room`` and ``stream`` may be "*", for all.
    """
    member = Subjects(room, ANY)
    answers = f"{member.inbox}.>"
    publish = member.own, member.broadcasts, f"{member.views}.*"
    subscribe = f"{member.live}.*", f"{member.here}.*", f"view.{room}.*.{ANY}", answers
    return _role(key, publish, subscribe), _role(key, (f"{READING}.{stream}",), (answers,))


def admin_role(key: MachineKey, streams: str) -> Role:
    """Return the role of a broker's owner, who creates its streams, and may delete entries."""
    calls = [f"{JETSTREAM}.STREAM.{call}.{streams}" for call in ("CREATE", "MSG.DELETE")]
    return _role(key, publish=calls, subscribe=(f"_INBOX.{ANY}.>",))


def _role(key: MachineKey, publish: Collection[str], subscribe: Collection[str]) -> Role:
    template = {
        "pub": {"allow": publish},
        "sub": {"allow": subscribe},
        "subs": MAX_SUBSCRIPTIONS,
        "payload": MAX_MESSAGE_BYTES,
    }
    return {"kind": "user_scope", "key": nkey(NKEY_OF_ACCOUNT, key.public), "template": template}


def member_jwt(signer: MachineKey, machine: MachineKey, account: str = SPEAKERS_ACCOUNT) -> str:
    """Return a machine's JWT for log-in; ``signer`` is the key of a role."""
    return _jwt(signer, nkey(NKEY_OF_ACCOUNT, signer.public), machine.nkey, {"type": "user", "issuer_account": account})


def account_configuration(member: tuple[Role, Role], owner: Role) -> dict[str, Any]:
    """Return the part of nats-server's configuration that admits only these roles."""
    operator = MachineKey(secrets.token_bytes(32))
    signer = nkey(NKEY_OF_OPERATOR, operator.public)
    shared = (
        {"name": "store", "subject": "t.*.*.*", "type": "service"},
        {"name": "read", "subject": f"{READING}.*", "type": "service", "response_type": "Stream"},
        {"name": "live", "subject": "r.>", "type": "stream"},
    )
    store, read, live = (each | {"account": STORAGE_ACCOUNT} for each in shared)
    speaks, reads = member
    claims: dict[str, dict[str, Any]] = {
        STORAGE_ACCOUNT: {"limits": NO_LIMITS | STORAGE, "signing_keys": [owner], "exports": shared},
        SPEAKERS_ACCOUNT: {"limits": NO_LIMITS, "signing_keys": [speaks], "imports": [store, live]},
        READERS_ACCOUNT: {"limits": NO_LIMITS, "signing_keys": [reads], "imports": [read]},
        SYSTEM_ACCOUNT: {"limits": NO_LIMITS},
    }
    return {
        "operator": _jwt(operator, signer, signer, {"type": "operator", "system_account": SYSTEM_ACCOUNT}),
        "system_account": SYSTEM_ACCOUNT,
        "resolver": "MEMORY",
        "resolver_preload": {
            name: _jwt(operator, signer, name, {"type": "account", **claim}) for name, claim in claims.items()
        },
    }


def _jwt(key: MachineKey, issuer: str, subject: str, claim: dict[str, Any]) -> str:
    body = {"iss": issuer, "sub": subject, "nats": {"version": 2, **claim}}
    parts = ({"typ": "JWT", "alg": "ed25519-nkey"}, body)
    text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
    return f"{text}.{base64url(key.sign(text.encode()))}"
